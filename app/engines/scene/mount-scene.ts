import type { Engines } from '../engines.ts';
import { afterFirstPaint } from '../frame/after-paint.ts';
import type { Scene } from './scene.ts';

/** Opened once; whichever page has a hero shows the same one. */
let opening: Promise<Scene | null> | undefined;

/**
 * A page that is not painted by then, counted from when it was live, is drawn by a slow GPU or by none, in milliseconds:
 * its visitor has waited enough.
 */
const SLOW_PAINT_MS = 250;

/**
 * Puts the scene behind a hero where the browser can draw one; the chunk comes after the first paint (R44). The poster
 * stays where it cannot, where the visitor saves data and where the chunk is lost.
 * @returns Takes it out again.
 */
export function mountScene(container: HTMLElement, { frame, stage, scroll }: Engines): () => void {
  const { connection } = navigator as { connection?: { saveData: boolean } };
  if (!('WebGL2RenderingContext' in globalThis) || connection?.saveData) return () => {};
  const part = stage.register('scene');
  let isGone = false;
  let remove: (() => void) | undefined;
  const live = performance.now();
  afterFirstPaint(() => {
    if (performance.now() - live > SLOW_PAINT_MS) part.ready();
    opening ??= import('./scene.ts').then(({ openScene }) => openScene({ frame, stage, scroll }, part.ready));
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
}
