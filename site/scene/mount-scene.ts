import { isCalm, onMotionChange, savesData, tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import type { HeroScene } from '@pillion/motion/hero-scene.ts';
import type { Scene } from './scene.ts';

/** Opened once per visit. All pages with a hero share it. */
let opening: Promise<Scene | null> | undefined;

/**
 * Pages are usually painted within this many milliseconds. A longer time means a slow GPU or none, and the stage does
 * not wait for the scene.
 */
const SLOW_PAINT_MS = 250;

/** `/?scene=force` draws the scene for every visitor and on any GPU, if the server runs with `DEBUG=true`. */
const isForced = () =>
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
  const force = isForced();
  if (!opening && (!('WebGL2RenderingContext' in globalThis) || savesData())) return () => {};
  if (!opening && isStill() && !force) {
    // The scene starts when the visitor enables motion. Only then the GPU is checked.
    container.dataset.moves = '';
    tellOfMotion();
    let undo: () => void = onMotionChange(() => {
      if (isStill()) return;
      undo();
      undo = mountScene(container, engines);
    });
    return () => undo();
  }
  const part = engines.stage.register('scene');
  const open = async () => {
    const isFit = force || (await (await import('./probe.ts')).isGpuFit(part.ready));
    return isFit ? (await import('./scene.ts')).openScene(engines, force) : null;
  };
  let isGone = false;
  let remove: (() => void) | undefined;
  const live = performance.now();
  afterFirstPaint(() => {
    if (performance.now() - live > SLOW_PAINT_MS) part.ready();
    opening ??= open();
    opening
      .then((scene) => {
        if (!isGone) remove = scene?.show(container);
        return scene?.ready;
      })
      .then(part.ready, part.fail);
  });
  return () => {
    isGone = true;
    remove?.();
  };
};
