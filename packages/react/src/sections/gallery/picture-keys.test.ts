import { expect, test, vi } from 'vitest';
import { attachPictureKeys } from './picture-keys.ts';

const WIDTH = 100;

/** A row of five pictures, which scrolls at once. */
function createRow(direction: 'ltr' | 'rtl' = 'ltr') {
  vi.stubGlobal('document', { documentElement: { dataset: { motion: 'reduced' } } });
  vi.stubGlobal('getComputedStyle', () => ({ direction }));
  const sign = direction === 'rtl' ? -1 : 1;
  const edge = (at: number) => sign * at * WIDTH - row.scrollLeft;
  const items = [0, 1, 2, 3, 4].map((at) => ({ getBoundingClientRect: () => ({ left: edge(at), right: edge(at) }) }));
  const row = Object.assign(new EventTarget(), {
    ...{ scrollLeft: 0, scrollWidth: 4.5 * WIDTH, clientWidth: WIDTH, querySelectorAll: () => items },
    scrollTo({ left }: { left: number }) {
      row.scrollLeft = left;
    },
  });
  attachPictureKeys(row as unknown as HTMLElement);
  return { row, press: (key: string) => row.dispatchEvent(Object.assign(new Event('keydown'), { key })) };
}

test('arrow keys move the row by one picture up to its end, in both reading directions', () => {
  for (const [direction, onward, back, sign] of [
    ['ltr', 'ArrowRight', 'ArrowLeft', 1],
    ['rtl', 'ArrowLeft', 'ArrowRight', -1],
  ] as const) {
    const { row, press } = createRow(direction);
    const places = [onward, onward, onward, onward, onward, back].map((key) => {
      press(key);
      return row.scrollLeft * sign;
    });
    expect(places, direction).toEqual([100, 200, 300, 350, 350, 300]);
  }
});

test('in a browser without scrollend, arrow keys start at the place that the visitor has scrolled to', () => {
  const { row, press } = createRow();
  press('ArrowRight');
  row.scrollLeft = 300;
  press('ArrowLeft');
  expect(row.scrollLeft).toBe(200);
});
