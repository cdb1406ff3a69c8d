// The music: composed, brought to its loudness, packed.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MEDIA } from '../lib/places.mjs';
import { tool } from '../lib/tools.mjs';
import { written } from '../lib/written.mjs';
import { composed } from './score.mjs';
import { waveFile } from './wave-file.mjs';

/** Of the whole piece, EBU R 128: under speech, above the noise of a train. */
const LOUDNESS_LUFS = -18.5;
/** Before and behind the piece, in seconds; the player loops from 0.25 s in. */
const PADDING = 0.5;
/** Against 128k: the same within 0.2 dB below 8 kHz, 2 dB less above it, where the music is 45 dB under its middle. */
const BITRATE = '96k';

const decibels = (value) => 20 * Math.log10(value);

/** How far left and right go the same way: 1 always, 0 not at all. Under 0 a loudspeaker of one channel loses music. */
function correlation([left, right]) {
  let [both, ofLeft, ofRight] = [0, 0, 0];
  for (let at = 0; at < left.length; at++) {
    both += left[at] * right[at];
    ofLeft += left[at] ** 2;
    ofRight += right[at] ** 2;
  }
  return both / Math.sqrt(ofLeft * ofRight);
}

/** The step from the piece's last sample to its first, and the largest step within it. */
function seam([left]) {
  let largest = 0;
  for (let at = 1; at < left.length; at++) largest = Math.max(largest, Math.abs(left[at] - left[at - 1]));
  return { step: Math.abs(left[0] - left[left.length - 1]), largest };
}

/** Loudness (LUFS), its range (LU) and true peak (dBTP), by ffmpeg's EBU R 128 filter. */
async function measured(file) {
  const filter = ['-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const said = await tool('ffmpeg', ['-hide_banner', '-nostats', '-i', file, ...filter]);
  const last = said.slice(said.lastIndexOf('Summary:'));
  const number = (name) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`).exec(last)?.[1]);
  return { loudness: number('I'), range: number('LRA'), peak: number('Peak') };
}

export async function build(say) {
  const folder = await mkdtemp(join(tmpdir(), 'pillion-music-'));
  const wave = join(folder, 'last-light.wav');
  const packed = join(folder, 'last-light.mp3');
  try {
    const piece = composed();
    const packedAt = async (gain) => {
      await writeFile(wave, waveFile(piece, { padding: PADDING, gain }));
      await tool('ffmpeg', ['-v', 'error', '-y', '-i', wave, '-c:a', 'libmp3lame', '-b:a', BITRATE, packed]);
      return measured(packed);
    };
    // LAME makes what it packs a little quieter, so it is the packed file that is measured and mended.
    const raw = await packedAt(1);
    const gain = 10 ** ((LOUDNESS_LUFS - raw.loudness) / 20);
    const { loudness, range, peak } = await packedAt(gain);
    const { step, largest } = seam(piece);
    say(`${loudness} LUFS, range ${range} LU, peak ${peak} dBTP, raised by ${decibels(gain).toFixed(1)} dB`);
    say(
      `left and right correlate by ${correlation(piece).toFixed(2)}; the seam steps by ${((step / largest) * 100).toFixed(0)} % of the largest step`,
    );
    await written(join(MEDIA, 'last-light.mp3'), await readFile(packed), say);
    if (process.env.KEEP_WAVE) await writeFile(process.env.KEEP_WAVE, await readFile(wave));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
