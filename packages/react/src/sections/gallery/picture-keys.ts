import { isCalm } from '@pillion/lib/browser/visitor.ts';

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowLeft: -1 };

const rows = new WeakSet<Element>();

/**
 * Arrow keys move the row by one picture. Browsers do this in a row with scroll snapping, but Firefox stops after a few
 * presses. Called whenever the row gets focus; only the first call has an effect.
 */
export function attachPictureKeys(row: HTMLElement): void {
  if (rows.has(row)) return;
  rows.add(row);
  /** Target of the current smooth scroll, so that a press during it moves one picture further. `undefined` at rest. */
  let aim: number | undefined;
  row.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = nextPlace(row, step, aim ?? row.scrollLeft);
    if (place === undefined) return;
    event.preventDefault();
    // Safari before 26.2 does not report the end of a scroll.
    if ('onscrollend' in row) aim = place;
    row.scrollTo({ left: place, behavior: isCalm() ? 'auto' : 'smooth' });
  });
  row.addEventListener('scrollend', () => {
    aim = undefined;
  });
}

/**
 * @param step 1 for the next picture on the right, -1 for the one on the left.
 * @param from The row's scroll position in CSS pixels, negative in a right-to-left row.
 * @returns The scroll position of that picture; `undefined` at the end of the row.
 */
function nextPlace(row: HTMLElement, step: 1 | -1, from: number): number | undefined {
  const items = [...row.querySelectorAll('li')];
  const [first] = items;
  if (!first) return undefined;
  const furthest = row.scrollWidth - row.clientWidth;
  /** The scroll position with the item at the row's start, as far as the row can scroll. */
  const placeOf = (item: HTMLElement) =>
    Math.max(-furthest, Math.min(startOf(item, row) - startOf(first, row), furthest));
  const ahead = items.map(placeOf).filter((place) => (place - from) * step > 1);
  return ahead.sort((one, other) => (one - other) * step)[0];
}

/** An item's edge at the start of the reading direction. */
function startOf(item: HTMLElement, row: HTMLElement): number {
  const { left, right } = item.getBoundingClientRect();
  return getComputedStyle(row).direction === 'rtl' ? right : left;
}
