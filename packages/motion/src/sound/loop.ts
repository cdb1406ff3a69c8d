/** The part of a track that is repeated, in seconds. */
interface Loop {
  start: number;
  end: number;
}

/** A track made to loop starts with the last 0.5 s of its loop, and ends with the first 0.5 s. */
const PADDING_S = 0.5;

/** Tolerance for silence that the decoder leaves in place, in seconds: MP3 encoders add 25 to 80 ms. */
const TOLERANCE_S = 0.1;

/** The first pass compares sums of this many samples, the second pass single samples. */
const COARSE_SAMPLES = 16;

/** Correlation from which two parts count as the same music, encoded twice (1: identical apart from loudness). */
const MIN_CORRELATION = 0.95;

/**
 * Finds the loop points of a track. MP3 cannot loop exactly: encoders add silence at both ends, and decoders remove
 * different amounts of it. A track made to loop therefore continues past both ends. Only the loop's length must be
 * exact; it is found by comparing the start with the end. Any other track is repeated from start to end.
 * @param samples One channel.
 * @param rate Samples per second.
 */
export function findLoop(samples: Float32Array, rate: number): Loop {
  const wholeTrack = { start: 0, end: samples.length / rate };
  // Too short for a loop between the compared parts.
  if (wholeTrack.end < 4 * PADDING_S) return wholeTrack;
  const loopStart = Math.round((PADDING_S / 2) * rate);
  const head = samples.subarray(loopStart, 2 * loopStart);
  // The same music comes again one loop later, about 0.75 s before the end.
  const tolerance = Math.round(TOLERANCE_S * rate);
  const searchFrom = samples.length - 3 * loopStart - tolerance;
  const searched = samples.subarray(searchFrom, searchFrom + 2 * tolerance + head.length);
  const rough = COARSE_SAMPLES * bestOffset(downsample(head), downsample(searched), 0, Number.POSITIVE_INFINITY);
  const offset = bestOffset(head, searched, rough - COARSE_SAMPLES, rough + COARSE_SAMPLES);
  if (correlation(head, searched, offset) < MIN_CORRELATION) return wholeTrack;
  return { start: loopStart / rate, end: (searchFrom + offset) / rate };
}

function downsample(samples: Float32Array): Float32Array {
  const sums = new Float32Array(Math.floor(samples.length / COARSE_SAMPLES));
  for (let at = 0; at < sums.length * COARSE_SAMPLES; at++) {
    const bin = Math.floor(at / COARSE_SAMPLES);
    sums[bin] = (sums[bin] ?? 0) + (samples[at] ?? 0);
  }
  return sums;
}

/** The offset in `searched`, from `from` to `to`, with the highest correlation to `head`. */
function bestOffset(head: Float32Array, searched: Float32Array, from: number, to: number): number {
  let bestSoFar = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let offset = Math.max(0, from); offset <= Math.min(to, searched.length - head.length); offset++) {
    const value = correlation(head, searched, offset);
    if (value <= highest) continue;
    highest = value;
    bestSoFar = offset;
  }
  return bestSoFar;
}

/** Normalised correlation of `head` and `searched` at `offset`, -1..1; 0 if one of them is silent. */
function correlation(head: Float32Array, searched: Float32Array, offset: number): number {
  let product = 0;
  let headEnergy = 0;
  let otherEnergy = 0;
  for (let at = 0; at < head.length; at++) {
    const a = head[at] ?? 0;
    const b = searched[offset + at] ?? 0;
    product += a * b;
    headEnergy += a * a;
    otherEnergy += b * b;
  }
  return headEnergy * otherEnergy === 0 ? 0 : product / Math.sqrt(headEnergy * otherEnergy);
}
