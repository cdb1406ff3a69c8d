// The reverb, and filters and limiter of the sum. Both have a memory, so they process the circle until it is full: the last
// turn is then periodic.
import { createBus, RATE } from './circle.mjs';

/** Lengths of the echoes in samples: primes or near, so that they never fall together. */
const ECHOES = [1433, 1601, 1867, 2053, 2251, 2399, 2617, 2903];
const TURNS = 3;

/**
 * A large room: eight echoes fed into one another.
 * @param room.size Of the echoes, 1 as listed. @param room.decay What is left of an echo each time, 0..1.
 * @param room.damp How much darker each time, 0..1. @param room.delay Seconds until the first.
 */
export function reverberated(source, { size, decay, damp, delay }) {
  const length = source[0].length;
  const lines = ECHOES.map((echo) => new Float32Array(Math.round(echo * size)));
  const places = lines.map(() => 0);
  const heard = new Float64Array(lines.length);
  const late = Math.round(delay * RATE);
  const out = createBus(length);
  for (let turn = 0; turn < TURNS; turn++)
    for (let at = 0; at < length; at++) {
      const from = (((at - late) % length) + length) % length;
      let sum = 0;
      for (let line = 0; line < lines.length; line++) {
        heard[line] += (lines[line][places[line]] - heard[line]) * (1 - damp);
        sum += heard[line];
      }
      for (let line = 0; line < lines.length; line++) {
        // Householder's mixing: each echo gets the others' sum, and nothing is gained or lost.
        lines[line][places[line]] = source[line % 2][from] + (heard[line] - sum / 4) * decay;
        places[line] = (places[line] + 1) % lines[line].length;
      }
      out[0][at] = (heard[0] - heard[2] + heard[4] - heard[6]) * 0.35;
      out[1][at] = (heard[1] - heard[3] + heard[5] - heard[7]) * 0.35;
    }
  return out;
}

/** Nothing under 30 Hz, a little less over 5.2 kHz, and a soft knee in place of a hard ceiling. */
export function finished(bus) {
  const rumble = Math.exp((-2 * Math.PI * 30) / RATE);
  const shelf = 1 - Math.exp((-2 * Math.PI * 5200) / RATE);
  return bus.map((side) => {
    const out = new Float32Array(side.length);
    let [before, high, low] = [0, 0, 0];
    for (let turn = 0; turn < 2; turn++)
      for (let at = 0; at < side.length; at++) {
        high = rumble * (high + side[at] - before);
        before = side[at];
        low += shelf * (high - low);
        out[at] = Math.tanh((low * 0.45 + high * 0.55) * 1.15) / 1.15;
      }
    return out;
  });
}
