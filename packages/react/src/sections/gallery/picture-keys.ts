import { isCalm } from '@pillion/lib/browser/visitor.ts';

const KEY_STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowLeft: -1 };

const attachedRows = new WeakSet<Element>();

/**
 * Arrow keys move the row by one picture. Browsers do this in a row with scroll snapping, but Firefox stops after a few
 * presses. Called whenever the row gets focus; only the first call has an effect.
 */
export function attachPictureKeys(row: HTMLElement): void {
  if (attachedRows.has(row)) return;
  attachedRows.add(row);
  /** Target of the current smooth scroll, so that a press during it moves one picture further. `undefined` at rest. */
  let targetLeft: number | undefined;
  row.addEventListener('keydown', (event) => {
    const step = KEY_STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const scrollLeft = nextScrollLeft(row, step, targetLeft ?? row.scrollLeft);
    if (scrollLeft === undefined) return;
    event.preventDefault();
    // Safari before 26.2 does not report the end of a scroll.
    if ('onscrollend' in row) targetLeft = scrollLeft;
    row.scrollTo({ left: scrollLeft, behavior: isCalm() ? 'auto' : 'smooth' });
  });
  row.addEventListener('scrollend', () => {
    targetLeft = undefined;
  });
}

/**
 * @param step 1 for the next picture on the right, -1 for the one on the left.
 * @param from The row's scroll position in CSS pixels, negative in a right-to-left row.
 * @returns The scroll position of that picture; `undefined` at the end of the row.
 */
function nextScrollLeft(row: HTMLElement, step: 1 | -1, from: number): number | undefined {
  const items = [...row.querySelectorAll('li')];
  const [first] = items;
  if (!first) return undefined;
  const maxScroll = row.scrollWidth - row.clientWidth;
  /** The scroll position with the item at the row's start, as far as the row can scroll. */
  const scrollLeftOf = (item: HTMLElement) =>
    Math.max(-maxScroll, Math.min(startEdge(item, row) - startEdge(first, row), maxScroll));
  const positionsAhead = items.map(scrollLeftOf).filter((scrollLeft) => (scrollLeft - from) * step > 1);
  return positionsAhead.sort((one, other) => (one - other) * step)[0];
}

/** An item's edge at the start of the reading direction. */
function startEdge(item: HTMLElement, row: HTMLElement): number {
  const { left, right } = item.getBoundingClientRect();
  return getComputedStyle(row).direction === 'rtl' ? right : left;
}
