import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFrameLoop, type FrameStep } from './frame.ts';

/** Frames the loop has asked for and not been given yet. */
let asked: FrameRequestCallback[] = [];
const reported: unknown[] = [];

beforeEach(() => {
  asked = [];
  reported.length = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => asked.push(callback));
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
});
afterEach(() => void vi.unstubAllGlobals());

/** Lets the browser draw one frame. */
const frameAt = (time: number) => {
  for (const callback of asked.splice(0)) callback(time);
};

test('a frame runs scroll, then what follows it, then what is drawn, whatever came first', () => {
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

test('the loop asks for frames while something moves and for none at rest', () => {
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

test('what plays already plays once; what is stopped is not called again', () => {
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

test('what is put on during a frame’s earlier step runs in that same frame', () => {
  const frame = createFrameLoop();
  const drawn = vi.fn(() => false);
  frame.play('scroll', () => {
    frame.play('draw', drawn);
    return false;
  });
  frameAt(0);
  expect(drawn).toHaveBeenCalledTimes(1);
});

test('delta is the time between frames, a 60 Hz frame at first, and never a leap', () => {
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

test('work that throws is reported and taken out; the rest goes on', () => {
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
