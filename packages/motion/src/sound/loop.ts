/** The part of a track that is repeated, in seconds. */
interface Loop {
  start: number;
  end: number;
}

/** A track made to loop starts with the last 0.5 s of its loop, and ends with the first 0.5 s. */
const PADDING_S = 0.5;

/** Tolerance for silence that the decoder leaves in place, in seconds: MP3 encoders add 25 to 80 ms. */
const SLACK_S = 0.1;

/** The first pass compares sums of this many samples, the second pass single samples. */
const COARSE = 16;

/** Correlation from which two parts count as the same music, encoded twice (1: identical apart from loudness). */
const SAME = 0.95;

/**
 * Finds the loop points of a track. MP3 cannot loop exactly: encoders add silence at both ends, and decoders remove
 * different amounts of it. A track made to loop therefore continues past both ends. Only the loop's length must be
 * exact; it is found by comparing the start with the end. Any other track is repeated from start to end.
 * @param samples One channel.
 * @param rate Samples per second.
 */
export function findLoop(samples: Float32Array, rate: number): Loop {
  const whole = { start: 0, end: samples.length / rate };
  // Too short for a loop between the compared parts.
  if (whole.end < 4 * PADDING_S) return whole;
  const loopStart = Math.round((PADDING_S / 2) * rate);
  const head = samples.subarray(loopStart, 2 * loopStart);
  // The same music comes again one loop later, about 0.75 s before the end.
  const slack = Math.round(SLACK_S * rate);
  const searchFrom = samples.length - 3 * loopStart - slack;
  const searched = samples.subarray(searchFrom, searchFrom + 2 * slack + head.length);
  const rough = COARSE * nearest(thin(head), thin(searched), 0, Number.POSITIVE_INFINITY);
  const offset = nearest(head, searched, rough - COARSE, rough + COARSE);
  if (likeness(head, searched, offset) < SAME) return whole;
  return { start: loopStart / rate, end: (searchFrom + offset) / rate };
}

function thin(samples: Float32Array): Float32Array {
  const thinned = new Float32Array(Math.floor(samples.length / COARSE));
  for (let at = 0; at < thinned.length * COARSE; at++) {
    const into = Math.floor(at / COARSE);
    thinned[into] = (thinned[into] ?? 0) + (samples[at] ?? 0);
  }
  return thinned;
}

/** The offset in `searched`, from `from` to `to`, with the highest correlation to `head`. */
function nearest(head: Float32Array, searched: Float32Array, from: number, to: number): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let offset = Math.max(0, from); offset <= Math.min(to, searched.length - head.length); offset++) {
    const value = likeness(head, searched, offset);
    if (value <= highest) continue;
    highest = value;
    best = offset;
  }
  return best;
}

/** Normalised correlation of `head` and `searched` at `offset`, -1..1; 0 if one of them is silent. */
function likeness(head: Float32Array, searched: Float32Array, offset: number): number {
  let both = 0;
  let one = 0;
  let other = 0;
  for (let at = 0; at < head.length; at++) {
    const a = head[at] ?? 0;
    const b = searched[offset + at] ?? 0;
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return one * other === 0 ? 0 : both / Math.sqrt(one * other);
}
