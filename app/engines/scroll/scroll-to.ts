/**
 * Brings an element into view, smoothly unless the visitor asked for calm, and moves focus there without a second jump.
 * @param target Something focusable; a section carries `tabIndex={-1}` for it.
 */
export function scrollToElement(target: HTMLElement): void {
  target.scrollIntoView({ behavior: calmBehavior() });
  target.focus({ preventScroll: true });
}

/** How the browser is to scroll for this visitor, asked anew each time: the setting may change under the page. */
export const calmBehavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
