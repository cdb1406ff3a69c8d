import { describe, expect, test } from 'vitest';
import { createBus, createRandom, lay, RATE } from './circle.mjs';
import { sing, wind } from './instruments.mjs';
import { finished, reverberated } from './room.mjs';

/** A short circle does: nothing in the instruments knows how long the piece is. */
const LENGTH = RATE;

/** The step over the seam compared with the largest step within. */
function seam(side: Float32Array) {
  let largest = 0;
  for (let at = 1; at < side.length; at++) largest = Math.max(largest, Math.abs((side[at] ?? 0) - (side[at - 1] ?? 0)));
  return { over: Math.abs((side[0] ?? 0) - (side.at(-1) ?? 0)), within: largest };
}

/** The same sound begun a quarter of a second later is the same circle, turned. */
const turned = (side: Float32Array, by: number) =>
  Float32Array.from(side, (_, at) => side[(at - by + side.length) % side.length] ?? 0);

describe('the piece has no beginning', () => {
  test('what is laid over the end goes on at the beginning', () => {
    const bus = createBus(10);
    lay(bus, { at: 8 / RATE, duration: 4 / RATE, pan: -1 }, (time: number) => 1 + Math.round(time * RATE));
    expect([...bus[0]].map(Math.round)).toEqual([3, 4, 0, 0, 0, 0, 0, 0, 1, 2]);
  });

  test('a note that passes the seam sounds as one that does not', () => {
    const note = { duration: 0.6, frequency: 220, gain: 1, rise: 0.2, fall: 0.2 };
    const [inside, over] = [createBus(LENGTH), createBus(LENGTH)];
    sing(inside, createRandom(1), { ...note, at: 0.1 });
    sing(over, createRandom(1), { ...note, at: 0.6 });
    const same = turned(inside[0], RATE / 2);
    expect(Math.max(...over[0].map((value: number, at: number) => Math.abs(value - (same[at] ?? 0))))).toBe(0);
  });

  test('the room’s echoes pass the seam: a turned source is heard turned', () => {
    const room = { size: 0.4, decay: 0.5, damp: 0.3, delay: 0.02 };
    const click = (at: number) => {
      const bus = createBus(LENGTH);
      bus[0][at] = 1;
      return reverberated(bus, room)[0];
    };
    const [early, late] = [click(1000), click(LENGTH - 1000)];
    const same = turned(early, LENGTH - 2000);
    expect(Math.max(...late.map((value: number, at: number) => Math.abs(value - (same[at] ?? 0))))).toBeLessThan(1e-5);
  });

  test('wind and the last touch step no further over the seam than within', () => {
    const air = finished(wind(createRandom(3), LENGTH));
    for (const side of air) {
      const { over, within } = seam(side);
      expect(over).toBeLessThanOrEqual(within);
    }
  });
});
