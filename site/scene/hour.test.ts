import { expect, test } from 'vitest';
import { hourProgress } from './hour.ts';

const WINDOW = 900;

test('the hour begins when the section fills the window and ends when it begins to leave it', () => {
  const at = (top: number) => hourProgress({ top, height: 2900 }, WINDOW);
  expect([400, 0, -500, -1000, -2000, -2500].map(at)).toEqual([0, 0, 0.25, 0.5, 1, 1]);
});

test('a section lower than the window has no duration: day before it, night after it', () => {
  const at = (top: number) => hourProgress({ top, height: 600 }, WINDOW);
  expect([300, 0, -1].map(at)).toEqual([0, 0, 1]);
});
