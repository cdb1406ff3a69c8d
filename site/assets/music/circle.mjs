// Time as a circle: what goes past the end of the piece continues at its beginning. The loop has no seam because
// nothing in it knows where it begins.

/** Samples in a second. */
export const RATE = 44_100;
/** Length of the piece, in seconds: 60 beats at 75 a minute, four chords of 15 beats. */
export const SECONDS = 48;
export const BEAT = 0.8;

/** Left and right, as long as the piece or as asked. */
export const createBus = (length = RATE * SECONDS) => [new Float32Array(length), new Float32Array(length)];

/** @param pan -1 left … 1 right; the power of both together stays the same. @returns Shares of left and right. */
function panned(pan) {
  const angle = ((Math.max(-1, Math.min(1, pan)) + 1) * Math.PI) / 4;
  return [Math.cos(angle), Math.sin(angle)];
}

/**
 * Adds a sound to a bus.
 * @param at Seconds from the beginning; may be before it or after the end.
 * @param duration Seconds.
 * @param sample Gives the sound's value; called with the seconds since its own beginning, in order.
 */
export function lay(bus, { at, duration, pan = 0, gain = 1 }, sample) {
  const length = bus[0].length;
  const [left, right] = panned(pan);
  const start = Math.round(at * RATE);
  const count = Math.round(duration * RATE);
  for (let step = 0; step < count; step++) {
    const place = (((start + step) % length) + length) % length;
    const value = sample(step / RATE) * gain;
    bus[0][place] += value * left;
    bus[1][place] += value * right;
  }
}

/** Adds a bus to another. */
export function mixInto(bus, other, gain) {
  for (let side = 0; side < 2; side++)
    for (let at = 0; at < bus[side].length; at++) bus[side][at] += other[side][at] * gain;
}

/** Numbers 0..1 that are always the same ones (Numerical Recipes' generator). */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
