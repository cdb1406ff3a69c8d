import type { Page } from '@pillion/content/types.ts';
import { isCalm, savesData } from '@pillion/lib/browser/visitor.ts';
import type { PageChange } from './navigation.ts';

let runTransition: typeof import('./page-transition.ts').changeWithTransition | undefined;

/**
 * Fetches the code for page transitions at the visitor's first key or pointer event, so that it is not part of the
 * first load. Until then pages change without a transition; always if the browser does not support view transitions or
 * the visitor saves data.
 * @param hasInput Whether the visitor has already used a pointer or a key.
 */
export function loadTransitionOnInput(hasInput: boolean): void {
  if (!document.startViewTransition || savesData()) return;
  const fetchTransition = () =>
    import('./page-transition.ts')
      .then(({ changeWithTransition }) => (runTransition = changeWithTransition))
      .catch(() => {});
  if (hasInput) void fetchTransition();
  else for (const type of ['pointerover', 'keydown']) addEventListener(type, fetchTransition, { once: true });
}

/**
 * Changes the page on screen, with a view transition if the browser supports it and motion is not reduced.
 * @param page The page that `update` shows, synchronously.
 * @param signal Aborts when a newer navigation replaces this one: the page then does not change.
 * @returns Resolves when the page has changed; the transition continues.
 */
export async function changeView(
  page: Page,
  update: () => void,
  signal: AbortSignal,
  pageChange: PageChange,
): Promise<void> {
  if (signal.aborted) return;
  if (runTransition && !document.hidden && !isCalm()) await runTransition(page, update, signal, pageChange);
  else update();
}
