import { isCalm } from '@pillion/lib/browser/visitor.ts';

type Jump = (target: Element) => void;

const natively: Jump = (target) => target.scrollIntoView({ behavior: scrollBehavior() });

let jump = natively;

/** Replaces the browser's jumps within the page with those of the engine. @returns A function that undoes this. */
export function jumpBy(engine: Jump): () => void {
  jump = engine;
  return () => {
    jump = natively;
  };
}

/** Scrolls an element into view, smoothly unless motion is reduced, and moves focus to it without a second jump. */
export function scrollToElement(target: HTMLElement): void {
  // The browser opens a `<details>` that contains its hash target. Our own jump must do so too.
  const folded = target.closest<HTMLDetailsElement>('details:not([open])');
  if (folded) folded.open = true;
  // The browser does not scroll to an element inside a `<details>` that is still opening.
  jump(folded ?? target);
  // The content cannot take focus before it is drawn; the summary can.
  const stop = folded?.querySelector('summary') ?? target;
  stop.focus({ preventScroll: true });
  if (document.activeElement === stop) return;
  // The target is not focusable, for example a heading. Make it focusable while it has focus.
  target.tabIndex = -1;
  target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  target.focus({ preventScroll: true });
}

/** The browser's scroll behavior for this visitor: instant if they asked for reduced motion. */
export const scrollBehavior = (): ScrollBehavior => (isCalm() ? 'auto' : 'smooth');
