// The reverb, and the filters and limiter of the sum. Both have a state, so they process the piece several times:
// the last turn is then periodic.
import { createBus, RATE } from './circle.mjs';

/** Lengths of the echoes: primes or nearly, so that they rarely coincide. */
const ECHO_SAMPLES = [1433, 1601, 1867, 2053, 2251, 2399, 2617, 2903];
const TURN_COUNT = 3;

/**
 * A large room: eight echoes with feedback into each other.
 * @param room.size Factor of the echoes' lengths. @param room.decay Share of an echo that remains each time, 0..1.
 * @param room.damp Reduction of high frequencies each time, 0..1. @param room.delay Seconds until the first echo.
 */
export function createReverb(source, { size, decay, damp, delay }) {
  const length = source[0].length;
  const lines = ECHO_SAMPLES.map((echo) => new Float32Array(Math.round(echo * size)));
  const positions = lines.map(() => 0);
  const damped = new Float64Array(lines.length);
  const delaySamples = Math.round(delay * RATE);
  const output = createBus(length);
  for (let turn = 0; turn < TURN_COUNT; turn++)
    for (let at = 0; at < length; at++) {
      const sourceIndex = (((at - delaySamples) % length) + length) % length;
      let sum = 0;
      for (let line = 0; line < lines.length; line++) {
        damped[line] += (lines[line][positions[line]] - damped[line]) * (1 - damp);
        sum += damped[line];
      }
      for (let line = 0; line < lines.length; line++) {
        // Householder matrix: each echo gets the sum of the others, and the energy stays the same.
        lines[line][positions[line]] = source[line % 2][sourceIndex] + (damped[line] - sum / 4) * decay;
        positions[line] = (positions[line] + 1) % lines[line].length;
      }
      output[0][at] = (damped[0] - damped[2] + damped[4] - damped[6]) * 0.35;
      output[1][at] = (damped[1] - damped[3] + damped[5] - damped[7]) * 0.35;
    }
  return output;
}

/** Removes frequencies below 30 Hz, reduces those above 5.2 kHz, and limits softly. */
export function masterBus(bus) {
  const rumble = Math.exp((-2 * Math.PI * 30) / RATE);
  const shelf = 1 - Math.exp((-2 * Math.PI * 5200) / RATE);
  return bus.map((side) => {
    const output = new Float32Array(side.length);
    let [before, high, low] = [0, 0, 0];
    for (let turn = 0; turn < 2; turn++)
      for (let at = 0; at < side.length; at++) {
        high = rumble * (high + side[at] - before);
        before = side[at];
        low += shelf * (high - low);
        output[at] = Math.tanh((low * 0.45 + high * 0.55) * 1.15) / 1.15;
      }
    return output;
  });
}
