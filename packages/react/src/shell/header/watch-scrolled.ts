/**
 * Sets `data-scrolled` on `bar` while the page is scrolled by more than the sentinel's height (R6: 10px). An observer
 * runs only when the threshold is crossed; a scroll listener would run in every frame.
 * @param sentinel An element at the top of the page with the height of the threshold.
 */
export function watchScrolled(sentinel: Element, bar: HTMLElement): void {
  new IntersectionObserver((entries) =>
    // On a busy page there are several, the newest one last.
    bar.toggleAttribute('data-scrolled', !entries.at(-1)?.isIntersecting),
  ).observe(sentinel);
}
