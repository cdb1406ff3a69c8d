/** What the joining asks of a frame. */
export interface Joining {
  /** How far the view has risen from the road, 0..1. */
  lift: number;
  /** How far the road has been flown along, 0..1 of the way to the pass. */
  flown: number;
  /** How far her lamp has come to its place, 0..1. */
  climbed: number;
  /** How bright her lamp is: 1 as the others, more is a flare; 0 before it is lit. */
  flare: number;
}

/** A rider's lamp among the others: a little brighter, so that she finds it again. */
export const SETTLED: Joining = { lift: 0, flown: 1, climbed: 1, flare: 2.2 };

/** A flare is so much brighter than a lamp. */
const FLARE = 7;

/** From the first frame to the last, in milliseconds. */
export const JOINING_MS = 8_000;

/**
 * 0 at `from`, 1 at `to`, both in milliseconds, without a corner between. As in `maths.ts`; an import of it would make
 * that a chunk of its own, which every visitor with a scene would fetch.
 */
function eased(from: number, to: number, ms: number): number {
  const t = Math.min(1, Math.max(0, (ms - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/**
 * The moment a rider's light joins the string: the view rises and flies along the road, her lamp flares at the string's
 * foot and climbs to its place, and the view comes down to the road again.
 * @param ms Since it began.
 * @returns `null` once it is over: what is left is `SETTLED`.
 */
export function joiningAt(ms: number): Joining | null {
  if (ms >= JOINING_MS) return null;
  const climbed = eased(2_700, 5_600, ms);
  return {
    lift: eased(0, 2_600, ms) * (1 - eased(6_000, JOINING_MS, ms)),
    flown: eased(0, 3_200, ms),
    climbed,
    flare: eased(1_700, 2_300, ms) * (FLARE + (SETTLED.flare - FLARE) * climbed),
  };
}
