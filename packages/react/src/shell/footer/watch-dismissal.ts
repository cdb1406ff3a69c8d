/**
 * Calls `onDismissed` at Escape, at a click outside `element`, and at a click on one of its links (R8). Where focus was
 * inside at Escape it goes back to the button that opened it.
 * @returns Stops watching.
 */
export function watchDismissal(element: HTMLElement, onDismissed: () => void): () => void {
  const watch = new AbortController();
  const { signal } = watch;
  document.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return;
      if (!element.contains(target) || target.closest('a')) onDismissed();
    },
    { signal },
  );
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key !== 'Escape') return;
      if (element.contains(document.activeElement))
        element.querySelector<HTMLElement>('[aria-expanded]')?.focus({ preventScroll: true });
      onDismissed();
    },
    { signal },
  );
  return () => watch.abort();
}
