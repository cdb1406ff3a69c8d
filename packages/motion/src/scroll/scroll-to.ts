import { isCalm } from '@pillion/lib/browser/visitor.ts';

type Jump = (target: Element) => void;

const natively: Jump = (target) => target.scrollIntoView({ behavior: scrollBehavior() });

let jump = natively;

/** Lets the scroll engine make the jumps within the page, for as long as it runs. @returns Hands them back to the browser. */
export function jumpBy(engine: Jump): () => void {
  jump = engine;
  return () => {
    jump = natively;
  };
}

/** Brings an element into view, smoothly unless the visitor asked for calm, and moves focus there without a second jump. */
export function scrollToElement(target: HTMLElement): void {
  // The browser opens what a hash leads into; here the jump is ours.
  const folded = target.closest<HTMLDetailsElement>('details:not([open])');
  if (folded) folded.open = true;
  // The browser does not scroll to what is still unfolding.
  jump(folded ?? target);
  // What unfolds takes no focus before it is drawn; its summary does.
  const stop = folded?.querySelector('summary') ?? target;
  stop.focus({ preventScroll: true });
  if (document.activeElement === stop) return;
  // Not focusable by itself, a heading in rich text for one: it is as long as it has the focus.
  target.tabIndex = -1;
  target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  target.focus({ preventScroll: true });
}

/** How the browser is to scroll for this visitor: at once where she asked for calm. */
export const scrollBehavior = (): ScrollBehavior => (isCalm() ? 'auto' : 'smooth');
