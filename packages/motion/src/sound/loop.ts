/** Stretch of a track that is played over and over, in seconds. */
interface Loop {
  start: number;
  end: number;
}

/** A track made to loop begins with the last and ends with the first of these seconds of its round. */
const PADDING_S = 0.5;

/** How far a decoder that does not cut off what its format has added may be out, in seconds: MP3 adds 25 to 80 ms. */
const SLACK_S = 0.1;

/** Averages of so many samples are compared at first, then sample with sample. */
const COARSE = 16;

/** From this likeness on (1: the same but for loudness) two stretches are taken for the same music, encoded twice. */
const SAME = 0.95;

/**
 * Finds the seam of a track. MP3 cannot loop exactly: encoders add silence at its ends, and decoders differ in what they
 * cut off. A track made to loop therefore carries its music on past both ends, and its round lies anywhere inside, as
 * long as the length is right: that is found by comparing the beginning with the end. Any other track loops whole.
 * @param samples One channel.
 * @param rate Samples a second.
 */
export function findLoop(samples: Float32Array, rate: number): Loop {
  const whole = { start: 0, end: samples.length / rate };
  // Too short to have a round between what is compared.
  if (whole.end < 4 * PADDING_S) return whole;
  const start = Math.round((PADDING_S / 2) * rate);
  const head = samples.subarray(start, 2 * start);
  // A round later, which is three quarters of a second before the end, give or take.
  const slack = Math.round(SLACK_S * rate);
  const first = samples.length - 3 * start - slack;
  const tail = samples.subarray(first, first + 2 * slack + head.length);
  const rough = COARSE * nearest(thin(head), thin(tail), 0, Number.POSITIVE_INFINITY);
  const offset = nearest(head, tail, rough - COARSE, rough + COARSE);
  if (likeness(head, tail, offset) < SAME) return whole;
  return { start: start / rate, end: (first + offset) / rate };
}

function thin(samples: Float32Array): Float32Array {
  const thinned = new Float32Array(Math.floor(samples.length / COARSE));
  for (let at = 0; at < thinned.length * COARSE; at++) {
    const into = Math.floor(at / COARSE);
    thinned[into] = (thinned[into] ?? 0) + (samples[at] ?? 0);
  }
  return thinned;
}

/** Offset in `tail`, from `from` to `to`, at which `head` recurs most alike. */
function nearest(head: Float32Array, tail: Float32Array, from: number, to: number): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let offset = Math.max(0, from); offset <= Math.min(to, tail.length - head.length); offset++) {
    const value = likeness(head, tail, offset);
    if (value <= highest) continue;
    highest = value;
    best = offset;
  }
  return best;
}

/** Normalised correlation of `head` and what stands at `offset` in `tail`, -1..1; 0 where one of them is silent. */
function likeness(head: Float32Array, tail: Float32Array, offset: number): number {
  let both = 0;
  let one = 0;
  let other = 0;
  for (let at = 0; at < head.length; at++) {
    const a = head[at] ?? 0;
    const b = tail[offset + at] ?? 0;
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return one * other === 0 ? 0 : both / Math.sqrt(one * other);
}
