import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFrameLoop, type FrameStep } from './frame.ts';

/** Requested frames that have not run yet. */
let asked: FrameRequestCallback[] = [];
const reported: unknown[] = [];

beforeEach(() => {
  asked = [];
  reported.length = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => asked.push(callback));
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
});
afterEach(() => void vi.unstubAllGlobals());

/** Runs one frame. */
const frameAt = (time: number) => {
  for (const callback of asked.splice(0)) callback(time);
};

test('a frame runs the steps scroll, follow and draw in this order, independent of the order of play()', () => {
  const frame = createFrameLoop();
  const order: string[] = [];
  for (const step of ['draw', 'follow', 'scroll'] satisfies FrameStep[])
    frame.play(step, () => {
      order.push(step);
      return false;
    });
  frameAt(0);
  expect(order).toEqual(['scroll', 'follow', 'draw']);
});

test('the loop requests frames only while something moves', () => {
  const frame = createFrameLoop();
  let left = 3;
  frame.play('draw', () => --left > 0);
  for (const time of [0, 16, 33]) {
    expect(asked).toHaveLength(1);
    frameAt(time);
  }
  expect(left).toBe(0);
  expect(asked).toHaveLength(0);
});

test('playing the same work twice runs it once per frame; stopped work does not run again', () => {
  const frame = createFrameLoop();
  const work = vi.fn(() => true);
  frame.play('draw', work);
  frame.play('draw', work);
  frameAt(0);
  expect(work).toHaveBeenCalledTimes(1);
  frame.stop(work);
  frameAt(16);
  expect(work).toHaveBeenCalledTimes(1);
  expect(asked).toHaveLength(0);
});

test('work added during an earlier step of a frame runs in the same frame', () => {
  const frame = createFrameLoop();
  const drawn = vi.fn(() => false);
  frame.play('scroll', () => {
    frame.play('draw', drawn);
    return false;
  });
  frameAt(0);
  expect(drawn).toHaveBeenCalledTimes(1);
});

test('delta is the time between frames: 1/60 s for the first frame, and capped after a stall', () => {
  const frame = createFrameLoop();
  const deltas: number[] = [];
  let runs = 0;
  frame.play('draw', (_, delta) => {
    deltas.push(delta);
    return ++runs < 4;
  });
  for (const time of [5_000, 5_008, 5_016, 65_000]) frameAt(time);
  expect(deltas).toEqual([1000 / 60, 8, 8, 100]);
});

test('work that throws is reported and removed; other work continues', () => {
  const frame = createFrameLoop();
  const broken = vi.fn(() => {
    throw new Error('broken');
  });
  const sound = vi.fn(() => true);
  frame.play('scroll', broken);
  frame.play('draw', sound);
  frameAt(0);
  frameAt(16);
  expect(broken).toHaveBeenCalledTimes(1);
  expect(sound).toHaveBeenCalledTimes(2);
  expect(reported).toEqual([new Error('broken')]);
});
