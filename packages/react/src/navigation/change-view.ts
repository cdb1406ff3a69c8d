import type { Page } from '@pillion/content/types.ts';
import { isCalm, savesData } from '@pillion/lib/browser/visitor.ts';
import type { Way } from './navigation.ts';

let withTransition: typeof import('./page-transition.ts').changeWithTransition | undefined;

/**
 * Fetches what moves one page into the next, at the visitor's first key or pointer: no first load has it. Until it is there
 * pages change at once; always where the browser knows no view transitions, and for whoever asked to save data.
 */
export function watchFirstPress(): void {
  if (!document.startViewTransition || savesData()) return;
  const fetchTransition = () =>
    import('./page-transition.ts')
      .then(({ changeWithTransition }) => (withTransition = changeWithTransition))
      .catch(() => {});
  for (const type of ['pointerover', 'keydown']) addEventListener(type, fetchTransition, { once: true });
}

/**
 * Changes what is on screen, as a view transition where the browser has them and the visitor has not asked for calm.
 * @param page The page that `update` shows, synchronously.
 * @param signal Aborted when another navigation has outrun this one: nothing is changed then.
 * @returns Resolves when the page has changed; the transition itself runs on.
 */
export async function changeView(page: Page, update: () => void, signal: AbortSignal, way: Way): Promise<void> {
  if (signal.aborted) return;
  if (withTransition && !document.hidden && !isCalm()) await withTransition(page, update, signal, way);
  else update();
}
