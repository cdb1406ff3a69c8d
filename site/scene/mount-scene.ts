import { isCalm, onMotionChange, savesData, tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import type { HeroScene } from '@pillion/motion/hero-scene.ts';
import type { Scene } from './scene.ts';

/** Opened once per visit. All pages with a hero share it. */
let scenePromise: Promise<Scene | null> | undefined;

/**
 * Pages are usually painted within this many milliseconds. A longer time means a slow GPU or none, and the stage does
 * not wait for the scene.
 */
const SLOW_PAINT_MS = 250;

/** `/?scene=force` draws the scene for every visitor and on any GPU, if the server runs with `DEBUG=true`. */
const isSceneForced = () =>
  document.documentElement.dataset.debug !== undefined && new URLSearchParams(location.search).get('scene') === 'force';

/** Visitors who asked for calm keep the poster, a still of the scene. With forced colours no picture is shown. */
const isStill = () => isCalm() || matchMedia('(forced-colors: active)').matches;

/**
 * Puts the scene behind a hero after the first paint, if the browser can draw it (R44). The poster stays without WebGL2
 * or a GPU, with data saving or calm, or if a chunk cannot be loaded. All but the last are checked before the scene is
 * fetched.
 * @returns Removes it.
 */
export const mountHero: HeroScene = function mountScene(container: HTMLElement, engines: Engines): () => void {
  const force = isSceneForced();
  if (!scenePromise && (!('WebGL2RenderingContext' in globalThis) || savesData())) return () => {};
  if (!scenePromise && isStill() && !force) {
    // The scene starts when the visitor enables motion. Only then the GPU is checked.
    container.dataset.moves = '';
    tellOfMotion();
    let cleanUp: () => void = onMotionChange(() => {
      if (isStill()) return;
      cleanUp();
      cleanUp = mountScene(container, engines);
    });
    return () => cleanUp();
  }
  const stagePart = engines.stage.register('scene');
  const openIfFit = async () => {
    const isFit = force || (await (await import('./probe.ts')).isGpuFit(stagePart.ready));
    return isFit ? (await import('./scene.ts')).openScene(engines, force) : null;
  };
  let isUnmounted = false;
  let remove: (() => void) | undefined;
  const mountedAt = performance.now();
  afterFirstPaint(() => {
    if (performance.now() - mountedAt > SLOW_PAINT_MS) stagePart.ready();
    scenePromise ??= openIfFit();
    scenePromise
      .then((scene) => {
        if (!isUnmounted) remove = scene?.show(container);
        return scene?.ready;
      })
      .then(stagePart.ready, stagePart.fail);
  });
  return () => {
    isUnmounted = true;
    remove?.();
  };
};
