/** Stretch of a track that is played over and over, in seconds. */
export interface Loop {
  start: number;
  end: number;
}

/** A track made to loop begins with the last and ends with the first of these seconds of its round. */
const PADDING_S = 0.5;

/** How far a decoder that does not cut off what its format has added may be out, in seconds: MP3 adds 25 to 80 ms. */
const SLACK_S = 0.1;

/** Samples are compared in steps of this many at first, then one by one. */
const COARSE = 8;

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
  const seconds = samples.length / rate;
  const whole = { start: 0, end: seconds };
  // Shorter than what is compared: there is no round between.
  if (seconds < 4 * PADDING_S) return whole;
  const start = Math.round((PADDING_S / 2) * rate);
  const length = Math.round((PADDING_S / 2) * rate);
  const expected = samples.length - Math.round(2 * PADDING_S * rate);
  const slack = Math.round(SLACK_S * rate);
  const rough =
    COARSE * nearest(thin(samples, COARSE), start / COARSE, length / COARSE, expected / COARSE, slack / COARSE);
  const lag = nearest(samples, start, length, rough, COARSE);
  if (likeness(samples, start, start + lag, length) < SAME) return whole;
  return { start: start / rate, end: (start + lag) / rate };
}

/** Averages of `step` samples: few enough to be compared at every offset. */
function thin(samples: Float32Array, step: number): Float32Array {
  const thinned = new Float32Array(Math.floor(samples.length / step));
  for (let at = 0; at < thinned.length * step; at++) {
    const into = Math.floor(at / step);
    thinned[into] = (thinned[into] ?? 0) + (samples[at] ?? 0);
  }
  return thinned;
}

/** Offset within `slack` of `expected` at which the stretch from `start` recurs most alike. */
function nearest(samples: Float32Array, start: number, length: number, expected: number, slack: number): number {
  const at = Math.round(start);
  let best = Math.round(expected);
  let highest = Number.NEGATIVE_INFINITY;
  for (let lag = Math.round(expected - slack); lag <= expected + slack; lag++) {
    const value = likeness(samples, at, at + lag, Math.round(length));
    if (value > highest) {
      highest = value;
      best = lag;
    }
  }
  return best;
}

/** Normalised correlation of two stretches, -1..1; 0 where one of them is silent or out of bounds. */
function likeness(samples: Float32Array, first: number, second: number, length: number): number {
  if (second + length > samples.length) return 0;
  let both = 0;
  let one = 0;
  let other = 0;
  for (let offset = 0; offset < length; offset++) {
    const a = samples[first + offset] ?? 0;
    const b = samples[second + offset] ?? 0;
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return one * other === 0 ? 0 : both / Math.sqrt(one * other);
}
