/** Where the header stands and where the toggles do, as margins that leave a line of the window across each. */
export const AT_HEADER = '-5% 0px -94%';
export const AT_TOGGLES = '-90% 0px -9%';

/**
 * Gives `element`, which stays while the page passes, the tone of what is under it: dark over a picture, else the page's
 * own. Asked of the page that is shown now; without script it keeps the tone of the page's beginning.
 * @param line Where it stands, as an observer's margins.
 * @returns Stops watching.
 */
export function watchTone(element: HTMLElement, line: string): () => void {
  const under = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) under[isIntersecting ? 'add' : 'delete'](target);
      element.dataset.tone = under.size > 0 ? 'dark' : 'page';
    },
    { rootMargin: line },
  );
  for (const ground of document.querySelectorAll('main [data-tone]')) observer.observe(ground);
  return () => observer.disconnect();
}
