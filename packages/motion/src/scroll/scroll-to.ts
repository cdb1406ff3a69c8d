import { isCalm } from '@pillion/lib/browser/visitor.ts';

type JumpTo = (target: Element) => void;

const jumpNatively: JumpTo = (target) => target.scrollIntoView({ behavior: scrollBehavior() });

let jumpTo = jumpNatively;

/** Replaces the browser's jumps within the page with those of the engine. @returns A function that undoes this. */
export function replaceJump(replacement: JumpTo): () => void {
  jumpTo = replacement;
  return () => {
    jumpTo = jumpNatively;
  };
}

/** Scrolls an element into view, smoothly unless motion is reduced, and moves focus to it without a second jump. */
export function scrollToElement(target: HTMLElement): void {
  // The browser opens a `<details>` that contains its hash target. Our own jump must do so too.
  const closedDetails = target.closest<HTMLDetailsElement>('details:not([open])');
  if (closedDetails) closedDetails.open = true;
  // The browser does not scroll to an element inside a `<details>` that is still opening.
  jumpTo(closedDetails ?? target);
  // The content cannot take focus before it is drawn; the summary can.
  const focusTarget = closedDetails?.querySelector('summary') ?? target;
  focusTarget.focus({ preventScroll: true });
  if (document.activeElement === focusTarget) return;
  // The target is not focusable, for example a heading. Make it focusable while it has focus.
  target.tabIndex = -1;
  target.addEventListener('blur', () => target.removeAttribute('tabindex'), { once: true });
  target.focus({ preventScroll: true });
}

/** The browser's scroll behavior for this visitor: instant if they asked for reduced motion. */
export const scrollBehavior = (): ScrollBehavior => (isCalm() ? 'auto' : 'smooth');
