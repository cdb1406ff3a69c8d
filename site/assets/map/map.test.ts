import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contoursAt } from './contours.mjs';
import { curve, lengthOf, simplified, smoothed } from './lines.mjs';
import { roadOver } from './route.mjs';
import { CELL, COLUMNS, METRES_PER_PIXEL, SUMMIT, surveyed } from './terrain.mjs';

type Line = [number, number][];

test('a cone has circles for contours, each in one closed line', () => {
  const side = 40;
  const heights = new Float32Array((side + 1) ** 2);
  for (let at = 0; at < heights.length; at++)
    heights[at] = 20 - Math.hypot((at % (side + 1)) - 20, Math.floor(at / (side + 1)) - 20);
  const lines = contoursAt(heights, side, side, 8.5) as Line[];
  expect(lines).toHaveLength(1);
  expect(lines[0]?.[0]).toEqual(lines[0]?.at(-1));
  for (const [x, y] of lines[0] ?? []) expect(Math.hypot(x - 20, y - 20)).toBeCloseTo(11.5, 1);
});

test('a contour that leaves the map is one open line from edge to edge', () => {
  const heights = Float32Array.from({ length: 121 }, (_, at) => at % 11);
  const lines = contoursAt(heights, 10, 10, 4.5) as Line[];
  expect(lines).toHaveLength(1);
  expect([lines[0]?.[0]?.[1], lines[0]?.at(-1)?.[1]].sort()).toEqual([0, 10]);
});

test('a line made simpler keeps its ends and goes nowhere else', () => {
  const wave: Line = Array.from({ length: 200 }, (_, at) => [at, 10 * Math.sin(at / 15)]);
  const simple = simplified(wave, 0.5) as Line;
  expect(simple.length).toBeLessThan(40);
  expect([simple[0], simple.at(-1)]).toEqual([wave[0], wave.at(-1)]);
  expect(lengthOf(simple)).toBeCloseTo(lengthOf(wave), -1);
  expect(smoothed(wave, 4).at(-1)).toEqual(wave.at(-1));
});

test('a path counts each point from the one before', () => {
  expect(
    curve([
      [0, 0],
      [10, 0],
      [20, 10],
      [30, 10],
    ]),
  ).toBe('M0 0q10 0 15 5q5 5 15 5');
});

test('the road comes to the pass in about the 48 km that the page states, and is never a ramp', () => {
  const heights = surveyed();
  const road = roadOver(heights) as Line;
  const drawn = simplified(smoothed(road, 14), 1) as Line;
  const heightOf = ([x, y]: [number, number]) => heights[(y / CELL) * (COLUMNS + 1) + x / CELL] ?? Number.NaN;
  expect(road.at(-1)).toEqual(SUMMIT);
  const kilometres = (lengthOf(drawn) * METRES_PER_PIXEL) / 1000;
  expect(Math.abs(kilometres - 48)).toBeLessThan(2);
  const grades = road.slice(1).map((point, at) => {
    const before = road[at] ?? point;
    const metres = Math.hypot(point[0] - before[0], point[1] - before[1]) * METRES_PER_PIXEL;
    return Math.abs(heightOf(point) - heightOf(before)) / metres;
  });
  const mean = grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  expect(mean).toBeLessThan(0.05);
  // The mountain itself is four times as steep.
  expect(Math.max(...grades)).toBeLessThan(0.16);
});

test('the drawing is one path and its marks, in the colour of the text around it', () => {
  const svg = readFileSync('site/seed/route.svg', 'utf8');
  expect(svg.length).toBeLessThan(1500);
  expect(svg).toContain('viewBox="0 0 1500 938"');
  expect(svg).toContain('stroke="currentColor"');
  expect(svg.match(/<path /g)).toHaveLength(1);
  expect(svg.match(/<circle /g)).toHaveLength(3);
});
