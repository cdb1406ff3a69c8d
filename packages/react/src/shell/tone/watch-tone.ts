/** Position of the header and of the toggles, as observer margins that leave a horizontal line of the window. */
export const AT_HEADER = '-5% 0px -94%';
export const AT_TOGGLES = '-90% 0px -9%';

/**
 * Sets the tone of a fixed element to that of the content below it: dark over a picture, otherwise the page's. Applies
 * to the current page; without script the element keeps the tone of the page's start.
 * @param line Position of the element, as observer margins.
 * @returns A function that stops this.
 */
export function watchTone(element: HTMLElement, line: string): () => void {
  const darkBelow = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) darkBelow[isIntersecting ? 'add' : 'delete'](target);
      element.dataset.tone = darkBelow.size > 0 ? 'dark' : 'page';
    },
    { rootMargin: line },
  );
  for (const section of document.querySelectorAll('main [data-tone]')) observer.observe(section);
  return () => observer.disconnect();
}
