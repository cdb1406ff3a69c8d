import { expect, test } from 'vitest';
import { AT_REST, advanceReaction, paceOf, type Reaction } from './reaction.ts';

/** A visitor's input over a second and a half: reads, scrolls fast, stops. The pointer goes right, then left. */
const paceAt = (seconds: number) => (seconds >= 0.3 && seconds < 0.9 ? 0.9 : 0);
const pointerAt = (seconds: number) => (seconds < 0.6 ? 0.8 : -0.5);

/**
 * Frames of the given lengths in turn, in 1/240 s, until 1.5 s have passed. Input changes between frames of any length.
 */
function ridden(lengths: readonly number[], ticks = 360): Reaction {
  let reaction = AT_REST;
  for (let tick = 0, i = 0; tick < ticks; i++) {
    // A frame ends at a change of the input.
    const change = Math.min(...[72, 144, 216, ticks].filter((at) => at > tick));
    const length = Math.min(lengths[i % lengths.length] ?? 1, change - tick);
    reaction = advanceReaction(reaction, paceAt(tick / 240), pointerAt(tick / 240), length / 240);
    tick += length;
  }
  return reaction;
}

/** The largest difference between two reactions. Visible values are up to 1, so 0.01 is negligible. */
const apart = (one: Reaction, other: Reaction) =>
  Math.max(...Object.entries(one).map(([name, value]) => Math.abs(value - other[name as keyof Reaction])));

/** Every state over some seconds at a frame rate. */
function* states(seconds: number, hertz = 60): Generator<Reaction> {
  let reaction = AT_REST;
  for (let i = 0; i < seconds * hertz; i++) {
    reaction = advanceReaction(reaction, paceAt(i / hertz), pointerAt(i / hertz), 1 / hertz);
    yield reaction;
  }
}

test.each([
  ['120 Hz', [2]],
  ['60 Hz', [4]],
  ['30 Hz', [8]],
  ['frames of any length', [3, 5, 1, 24, 2, 4, 11]],
])('%s gives the same result as 240 Hz', (_, lengths) => {
  for (const ticks of [60, 120, 180, 240, 300, 360])
    expect(apart(ridden(lengths, ticks), ridden([1], ticks))).toBeLessThan(0.01);
});

test('all values stay within their bounds for any input', () => {
  let reaction = AT_REST;
  for (let i = 0; i < 2_000; i++) {
    reaction = advanceReaction(
      reaction,
      i % 7 === 0 ? 1 : 0,
      i % 11 < 5 ? 1 : -1,
      [1 / 240, 1 / 60, 0.1][i % 3] ?? 0.1,
    );
    for (const share of [reaction.pace, reaction.was, reaction.brake]) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    expect(Math.abs(reaction.aside)).toBeLessThanOrEqual(1);
    expect(Math.abs(reaction.swerve)).toBeLessThan(4);
  }
});

test('the rider reaches the pointer’s position without overshoot', () => {
  let reaction = AT_REST;
  for (let i = 0; i < 240; i++) {
    const next = advanceReaction(reaction, 0, 1, 1 / 60);
    expect(next.aside).toBeGreaterThanOrEqual(reaction.aside);
    reaction = next;
  }
  expect(reaction.aside).toBe(1);
  expect(reaction.swerve).toBe(0);
});

test('without input everything is exactly at rest and stays so', () => {
  let reaction = [...states(1.5)].at(-1) ?? AT_REST;
  for (let i = 0; i < 60 * 8; i++) reaction = advanceReaction(reaction, 0, 0, 1 / 60);
  expect(reaction).toEqual(AT_REST);
  expect(advanceReaction(AT_REST, 0, 0, 1 / 60)).toEqual(AT_REST);
});

test('the brake lamp is off at speed, lights up fast when the page stops, and fades slowly', () => {
  const all = [...states(4)];
  const brakes = all.map(({ brake }) => brake);
  const at = (seconds: number) => brakes[Math.round(seconds * 60)] ?? 0;
  expect(Math.max(...brakes.slice(0, 54))).toBe(0);
  const brightest = brakes.indexOf(Math.max(...brakes));
  expect(Math.max(...brakes)).toBeGreaterThan(0.8);
  // Stopped at 0.9 s: brightest within a third of a second, and still above half after another third.
  expect(brightest / 60).toBeLessThan(1.25);
  expect(at(brightest / 60 + 0.33)).toBeGreaterThan(at(brightest / 60) / 2);
  expect(at(4)).toBeLessThan(0.05);
});

test('reading with single wheel notches lights no brake lamp', () => {
  let reaction = AT_REST;
  // One notch per second: a tenth of a window over a third of a second.
  for (let i = 0; i < 600; i++) {
    reaction = advanceReaction(reaction, paceOf(i % 60 < 20 ? 0.005 : 0, 1 / 60), 0, 1 / 60);
    expect(reaction.brake).toBeLessThan(0.1);
  }
});

test('the pace is the page’s movement per second in either direction, up to full speed', () => {
  expect(paceOf(0, 1 / 60)).toBe(0);
  expect(paceOf(0.01, 1 / 60)).toBeCloseTo(paceOf(0.005, 1 / 120), 9);
  expect(paceOf(-0.01, 1 / 60)).toBe(paceOf(0.01, 1 / 60));
  expect(paceOf(0.2, 1 / 60)).toBe(1);
});

test('a jump has no pace: a link, Back, or movement while the tab was hidden', () => {
  for (const windows of [0.5, 3, -12]) expect(paceOf(windows, 0.1)).toBe(0);
  const before = [...states(0.8)].at(-1) ?? AT_REST;
  // The frame loop limits the time that a tab was hidden to 0.1 s.
  const after = advanceReaction(before, paceOf(4, 0.1), before.aside, 0.1);
  expect(Math.abs(after.pace - before.pace)).toBeLessThan(0.6);
  expect(Math.abs(after.aside - before.aside)).toBeLessThan(0.2);
});
