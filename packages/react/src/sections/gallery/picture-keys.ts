import { isCalm } from '@pillion/lib/browser/visitor.ts';
import { type KeyboardEvent, useRef } from 'react';

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Arrow keys go picture by picture. A browser would do it by itself where the row snaps, but Firefox then stands still
 * after a few presses.
 * @returns What the row that scrolls is given.
 */
export function usePictureKeys() {
  /** Where a smooth move is going, so that a press in the middle of it goes one further; undefined at rest. */
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
 * @param step 1 for the picture to the right of what is shown, -1 for the one to its left.
 * @param from Where the row is scrolled to, in CSS pixels; below nought in a row that runs from right to left.
 * @returns Where the row stands for that picture; undefined where there is none.
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

/** Where an item begins, from the row's reading side. */
function startOf(item: HTMLElement, row: HTMLElement): number {
  const { left, right } = item.getBoundingClientRect();
  return getComputedStyle(row).direction === 'rtl' ? right : left;
}
