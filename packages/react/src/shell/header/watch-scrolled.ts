/**
 * Marks `bar` with `data-scrolled` while the page is scrolled by more than the sentinel's height (R6: 10px). An observer
 * wakes twice per crossing; a scroll listener would run on every frame.
 * @param sentinel Stands at the very top of the page, as high as the threshold.
 * @returns Stops watching.
 */
export function watchScrolled(sentinel: Element, bar: HTMLElement): () => void {
  const observer = new IntersectionObserver(([entry]) => {
    if (entry) bar.toggleAttribute('data-scrolled', !entry.isIntersecting);
  });
  observer.observe(sentinel);
  return () => observer.disconnect();
}
