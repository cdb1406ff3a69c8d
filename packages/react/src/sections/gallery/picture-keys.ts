import { isCalm } from '@pillion/lib/browser/visitor.ts';
import { type KeyboardEvent, useRef } from 'react';

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Arrow keys move the row by one picture. Browsers do this in a row with scroll snapping, but Firefox stops after a few
 * presses.
 * @returns Event handlers of the scrolling row.
 */
export function usePictureKeys() {
  /** Target of the current smooth scroll, so that a press during it moves one picture further. `undefined` at rest. */
  const aim = useRef<number>(undefined);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const row = event.currentTarget;
    const place = nextPlace(row, step, aim.current ?? row.scrollLeft);
    if (place === undefined) return;
    event.preventDefault();
    aim.current = place;
    row.scrollTo({ left: place, behavior: isCalm() ? 'auto' : 'smooth' });
  };

  const onScrollEnd = () => {
    aim.current = undefined;
  };

  return { onKeyDown, onScrollEnd };
}

/**
 * @param step 1 for the next picture on the right, -1 for the one on the left.
 * @param from The row's scroll position in CSS pixels, negative in a right-to-left row.
 * @returns The scroll position of that picture; `undefined` at the end of the row.
 */
function nextPlace(row: HTMLElement, step: 1 | -1, from: number): number | undefined {
  const [first, ...others] = row.querySelectorAll('li');
  if (!first) return undefined;
  const most = row.scrollWidth - row.clientWidth;
  const inReach = (place: number) => Math.sign(place) * Math.min(Math.abs(place), most);
  const places = [0, ...others.map((item) => inReach(startOf(item, row) - startOf(first, row)))];
  const ahead = places.filter((place) => (place - from) * step > 1);
  return ahead.length > 0 ? Math[step > 0 ? 'min' : 'max'](...ahead) : undefined;
}

/** An item's edge at the start of the reading direction. */
function startOf(item: HTMLElement, row: HTMLElement): number {
  const { left, right } = item.getBoundingClientRect();
  return getComputedStyle(row).direction === 'rtl' ? right : left;
}
