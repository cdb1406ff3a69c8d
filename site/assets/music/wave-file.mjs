import { createRandom, RATE } from './circle.mjs';

const HEADER_BYTES = 44;

/**
 * A WAV file of 16 bits: the piece, with its last samples before it and its first ones after it. So a player can loop
 * within this padding, however many samples the encoder adds in front.
 * @param padding Seconds. @param gain Factor.
 */
export function createWaveFile([left, right], { padding, gain }) {
  const length = left.length;
  const paddingSamples = Math.round(padding * RATE);
  const count = length + 2 * paddingSamples;
  const file = Buffer.alloc(HEADER_BYTES + count * 4);
  file.write('RIFF', 0);
  file.writeUInt32LE(HEADER_BYTES - 8 + count * 4, 4);
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
  // Dither: noise of one step hides the quantization.
  const toInt16 = (value) => Math.round(Math.max(-1, Math.min(1, value * gain)) * 32_700 + (random() - random()) * 0.5);
  for (let at = 0; at < count; at++) {
    const index = (at - paddingSamples + length) % length;
    file.writeInt16LE(toInt16(left[index]), HEADER_BYTES + at * 4);
    file.writeInt16LE(toInt16(right[index]), HEADER_BYTES + at * 4 + 2);
  }
  return file;
}
