import { processorMs } from '@pillion/lib/testing/processor-time.ts';
import { beforeAll, expect, test } from 'vitest';
import { createTypesetter, type Step, type Typesetter } from './type.ts';

const WIDTH = 1056;
const STEPS: readonly Step[] = [
  [100, 1],
  [70, 2],
  [50, 3],
];

let type: Typesetter;
beforeAll(async () => {
  type = await createTypesetter();
});

const set = (text: string) => type.setText([{ text, mark: null }], 'display', WIDTH, STEPS);

test('a title has the largest size that fits, and no line is wider than the picture', () => {
  expect(set('Short')?.size).toBe(100);
  expect(set('A title of two lines, or so it looks')).toMatchObject({ size: 70 });
  for (const text of ['A long title '.repeat(30), 'x'.repeat(300), 'Ελληνικά '.repeat(30), 'مرحبا '.repeat(50)]) {
    const setting = set(text);
    expect(setting?.lines.length).toBe(3);
    for (const { width } of setting?.lines ?? []) expect(width).toBeLessThanOrEqual(WIDTH + 1);
  }
});

test('a title of twenty thousand letters takes less than 600 ms of processor time', async () => {
  const took = await processorMs(() => {
    expect(set('x'.repeat(20_000))?.lines).toHaveLength(3);
    expect(set('a word '.repeat(3_000))?.lines).toHaveLength(3);
  });
  expect(took).toBeLessThan(600);
});

test('lines have about the same length, without a single word on the last one', () => {
  const widths = set('The first chapter of the book at night')?.lines.map(({ width }) => width) ?? [];
  expect(Math.min(...widths)).toBeGreaterThan(0.6 * Math.max(...widths));
});

test('right-to-left text begins at the right, and numbers in it keep their order', () => {
  expect(set('שלום עולם')?.isRightToLeft).toBe(true);
  expect(set('Read שלום')?.isRightToLeft).toBe(false);
  // In visual order the digits are left of the word before them.
  const [mixed] = set('שנת 2026')?.lines ?? [];
  const [digits] = set('2026')?.lines ?? [];
  const begins = (path = '') => path.slice(0, 12);
  expect(begins(mixed?.plain)).toBe(begins(digits?.plain));
});

test('text in a script without a typeface is `null`, and an emoji without a glyph is left out', () => {
  expect(set('夕日 tour')).toBeNull();
  expect(set('Tour \u{1faea}')?.lines).toHaveLength(1);
  expect(set(' \u200b\u0007 ')).toBeNull();
});

test('emphasised words have a separate path', () => {
  const [line] =
    type.setText(
      [
        { text: 'Read the ', mark: null },
        { text: 'words', mark: 'em' },
      ],
      'display',
      WIDTH,
      STEPS,
    )?.lines ?? [];
  expect([line?.plain.length, line?.emphasis.length].map((length) => (length ?? 0) > 100)).toEqual([true, true]);
});
