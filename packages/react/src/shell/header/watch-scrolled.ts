/**
 * Sets `data-scrolled` on `bar` while the page is scrolled by more than the sentinel's height (R6: 10px). An observer
 * runs only when the threshold is crossed; a scroll listener would run in every frame.
 * @param sentinel An element at the top of the page with the height of the threshold.
 * @returns A function that stops this.
 */
export function watchScrolled(sentinel: Element, bar: HTMLElement): () => void {
  const observer = new IntersectionObserver(([entry]) => {
    if (entry) bar.toggleAttribute('data-scrolled', !entry.isIntersecting);
  });
  observer.observe(sentinel);
  return () => observer.disconnect();
}
