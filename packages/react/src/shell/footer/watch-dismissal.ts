/**
 * Calls `onDismissed` on Escape, on a click outside `element` and on a click on one of its links (R8). On Escape, focus
 * inside `element` returns to the toggle.
 * @returns A function that stops this.
 */
export function watchDismissal(element: HTMLElement, onDismissed: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
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
  return () => controller.abort();
}
