// Composes the music, sets its loudness and encodes it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeOutput } from '../lib/output.mjs';
import { MEDIA } from '../lib/places.mjs';
import { runTool } from '../lib/tools.mjs';
import { composePiece } from './score.mjs';
import { createWaveFile } from './wave-file.mjs';

/** Loudness of the whole piece (EBU R 128): below speech, above the noise of a train. */
const LOUDNESS_LUFS = -18.5;
/** Music before and after the loop. The player loops from 0.25 s. */
const PADDING_S = 0.5;
/** Compared to 128k: the same within 0.2 dB below 8 kHz, 2 dB less above, where the music is 45 dB quieter anyway. */
const BITRATE = '96k';

const toDecibels = (value) => 20 * Math.log10(value);

/** Correlation of left and right, -1..1. Below 0 a mono loudspeaker loses music. */
function channelCorrelation([left, right]) {
  let [product, ofLeft, ofRight] = [0, 0, 0];
  for (let at = 0; at < left.length; at++) {
    product += left[at] * right[at];
    ofLeft += left[at] ** 2;
    ofRight += right[at] ** 2;
  }
  return product / Math.sqrt(ofLeft * ofRight);
}

/** The step from the last sample to the first, and the largest step between two samples. */
function measureSeam([left]) {
  let largest = 0;
  for (let at = 1; at < left.length; at++) largest = Math.max(largest, Math.abs(left[at] - left[at - 1]));
  return { step: Math.abs(left[0] - left[left.length - 1]), largest };
}

/** Loudness (LUFS), its range (LU) and true peak (dBTP), by ffmpeg's EBU R 128 filter. */
async function measureLoudness(file) {
  const filter = ['-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const output = await runTool('ffmpeg', ['-hide_banner', '-nostats', '-i', file, ...filter]);
  const last = output.slice(output.lastIndexOf('Summary:'));
  const number = (name) => Number(new RegExp(`${name}:\\s+(-?[\\d.]+)`).exec(last)?.[1]);
  return { loudness: number('I'), range: number('LRA'), peak: number('Peak') };
}

export async function build(report) {
  const folder = await mkdtemp(join(tmpdir(), 'pillion-music-'));
  const wave = join(folder, 'last-light.wav');
  const packed = join(folder, 'last-light.mp3');
  try {
    const piece = composePiece();
    const encodeAt = async (gain) => {
      await writeFile(wave, createWaveFile(piece, { padding: PADDING_S, gain }));
      await runTool('ffmpeg', ['-v', 'error', '-y', '-i', wave, '-c:a', 'libmp3lame', '-b:a', BITRATE, packed]);
      return measureLoudness(packed);
    };
    // LAME makes the music a little quieter, so the encoded file is measured and corrected.
    const raw = await encodeAt(1);
    const gain = 10 ** ((LOUDNESS_LUFS - raw.loudness) / 20);
    const { loudness, range, peak } = await encodeAt(gain);
    const { step, largest } = measureSeam(piece);
    report(`${loudness} LUFS, range ${range} LU, peak ${peak} dBTP, raised by ${toDecibels(gain).toFixed(1)} dB`);
    report(
      `left and right correlate by ${channelCorrelation(piece).toFixed(2)}; the seam steps by ${((step / largest) * 100).toFixed(0)} % of the largest step`,
    );
    await writeOutput(join(MEDIA, 'last-light.mp3'), await readFile(packed), report);
    if (process.env.KEEP_WAVE) await writeFile(process.env.KEEP_WAVE, await readFile(wave));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
