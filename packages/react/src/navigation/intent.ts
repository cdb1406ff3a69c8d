import { isPageLink, pathToPrefetch } from './prefetch.ts';

/**
 * Calls `prefetch` and `onIntent` when the visitor is about to follow a link to a page of this site: a pointer is over it,
 * a finger touches it, or it has focus.
 */
export function watchIntent(prefetch: (path: string) => void, onIntent: () => void): void {
  const checkLink = (target: EventTarget | null) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
    if (!link || !isPageLink(link)) return;
    const path = pathToPrefetch(link);
    if (path) prefetch(path);
    onIntent();
  };
  // A touch starts with `pointerover`.
  for (const type of ['pointerover', 'focusin'])
    addEventListener(type, ({ target }) => checkLink(target), { passive: true });
  // The pointer may be over a link already, and not move.
  checkLink(document.querySelector('a:is(:hover, :focus)'));
}
