import { createRandom, RATE } from './circle.mjs';

const HEADER = 44;

/**
 * A WAV file of 16 bits: the piece once, and half a second of itself before and behind, so that a player which turns back
 * within that half second meets the same music, however many samples an encoder has put in front.
 * @param padding Seconds. @param gain Factor.
 */
export function waveFile([left, right], { padding, gain }) {
  const length = left.length;
  const before = Math.round(padding * RATE);
  const count = length + 2 * before;
  const file = Buffer.alloc(HEADER + count * 4);
  file.write('RIFF', 0);
  file.writeUInt32LE(HEADER - 8 + count * 4, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(count * 4, 40);
  const random = createRandom(7);
  // A step of noise hides the steps of 16 bits.
  const whole = (value) => Math.round(Math.max(-1, Math.min(1, value * gain)) * 32_700 + (random() - random()) * 0.5);
  for (let at = 0; at < count; at++) {
    const place = (at - before + length) % length;
    file.writeInt16LE(whole(left[place]), HEADER + at * 4);
    file.writeInt16LE(whole(right[place]), HEADER + at * 4 + 2);
  }
  return file;
}
