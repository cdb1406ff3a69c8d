// Time as a circle: a sound that passes the end of the piece continues at its beginning, so the loop has no seam.

/** Samples per second. */
export const RATE = 44_100;
/** Length of the piece, in seconds: 60 beats at 75 a minute, four chords of 15 beats. */
export const PIECE_S = 48;
export const BEAT_S = 0.8;

/** Left and right. Default length: the piece. */
export const createBus = (length = RATE * PIECE_S) => [new Float32Array(length), new Float32Array(length)];

/** @param pan -1 left … 1 right. The total power is constant. @returns Shares of left and right. */
function panShares(pan) {
  const angle = ((Math.max(-1, Math.min(1, pan)) + 1) * Math.PI) / 4;
  return [Math.cos(angle), Math.sin(angle)];
}

/**
 * Adds a sound to a bus.
 * @param at Seconds from the beginning; may be negative or after the end.
 * @param duration Seconds.
 * @param sample Returns the sound's value. Called with the seconds since its beginning, in order.
 */
export function addSound(bus, { at, duration, pan = 0, gain = 1 }, sample) {
  const length = bus[0].length;
  const [left, right] = panShares(pan);
  const start = Math.round(at * RATE);
  const count = Math.round(duration * RATE);
  for (let sampleIndex = 0; sampleIndex < count; sampleIndex++) {
    const index = (((start + sampleIndex) % length) + length) % length;
    const value = sample(sampleIndex / RATE) * gain;
    bus[0][index] += value * left;
    bus[1][index] += value * right;
  }
}

/** Adds a bus to another. */
export function mixInto(bus, other, gain) {
  for (let side = 0; side < 2; side++)
    for (let at = 0; at < bus[side].length; at++) bus[side][at] += other[side][at] * gain;
}

/** Creates a generator of numbers 0..1, the same ones for the same seed (Numerical Recipes). */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
