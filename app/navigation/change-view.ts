import { isCalm } from '../lib/visitor.ts';

/**
 * Changes what is on screen, as a view transition where the browser has them and the visitor has not asked for calm.
 * @param update Changes the page, synchronously. The browser calls it a frame later, so by then it may be outrun.
 * @param signal Aborted when another navigation has outrun this one: nothing is changed then.
 * @returns Resolves when the page has changed; the transition itself runs on.
 */
export async function changeView(update: () => void, signal: AbortSignal): Promise<void> {
  const change = () => {
    if (!signal.aborted) update();
  };
  if (!document.startViewTransition || document.hidden || isCalm()) return change();
  const { updateCallbackDone, ready, finished } = document.startViewTransition(change);
  // Both reject when the browser skips the animation; the page has changed all the same.
  ready.catch(() => {});
  finished.catch(() => {});
  await updateCallbackDone;
}
