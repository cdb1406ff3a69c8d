import { isCalm, onMotionChange, savesData, tellOfMotion } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { afterFirstPaint } from '@pillion/motion/frame/after-paint.ts';
import type { HeroScene } from '@pillion/motion/hero-scene.ts';
import type { Scene } from './scene.ts';

/** Opened once; whichever page has a hero shows the same one. */
let opening: Promise<Scene | null> | undefined;

/**
 * A page is usually painted this soon after it is live, in milliseconds. Where it takes longer the GPU is slow or there is
 * none, and the stage does not wait for the scene as well.
 */
const SLOW_PAINT_MS = 250;

/** The address `/?scene=force` draws the scene for everybody and on any GPU, on a server that runs with `DEBUG=true`. */
const isForced = () =>
  document.documentElement.dataset.debug !== undefined && new URLSearchParams(location.search).get('scene') === 'force';

/** Whoever asked for calm keeps the poster, which is a still of the scene; with forced colours no picture is shown. */
const isStill = () => isCalm() || matchMedia('(forced-colors: active)').matches;

/**
 * Puts the scene behind a hero where the browser can draw one; it comes after the first paint (R44). The poster stays
 * where there is no WebGL2 or no GPU, where the visitor saves data or asked for calm, and where a chunk is lost. Which of
 * these it is is known before the scene is fetched.
 * @returns Takes it out again.
 */
export const mountHero: HeroScene = function mountScene(container: HTMLElement, engines: Engines): () => void {
  const force = isForced();
  if (!opening && (!('WebGL2RenderingContext' in globalThis) || savesData())) return () => {};
  if (!opening && isStill() && !force) {
    // It comes when the visitor switches motion on. Whether the GPU can draw it is only asked then.
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
