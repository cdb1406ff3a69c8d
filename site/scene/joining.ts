/** Values of the joining sequence for one frame. */
export interface Joining {
  /** How far the view has risen from the road, 0..1. */
  lift: number;
  /** How far the view has flown to the pass, 0..1. */
  flown: number;
  /** How far the visitor's lamp has moved to its place, 0..1. */
  climbed: number;
  /** Brightness of the visitor's lamp: 1 like the others, more for a flare, 0 before it is lit. */
  flare: number;
}

/** Final state: the visitor's lamp is slightly brighter than the others, so that they can find it. */
export const SETTLED: Joining = { lift: 0, flown: 1, climbed: 1, flare: 2.2 };

/** Brightness of a flare relative to a lamp. */
const FLARE_BRIGHTNESS = 7;

/** Duration in milliseconds. */
export const JOINING_MS = 8_000;

/**
 * 0 at `from`, 1 at `to`, both in milliseconds, with smooth ends. A copy of the function in `maths.ts`, because an
 * import would move that into a separate chunk, which every visitor with a scene would fetch.
 */
function ease(from: number, to: number, ms: number): number {
  const t = Math.min(1, Math.max(0, (ms - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/**
 * The sequence in which a rider's light joins: the view rises and flies along the road, the lamp flares at the foot of
 * the pass and climbs to its place, and the view returns to the road.
 * @param ms Time since the beginning.
 * @returns `null` at the end. Then `SETTLED` applies.
 */
export function joiningAt(ms: number): Joining | null {
  if (ms >= JOINING_MS) return null;
  const climbed = ease(2_700, 5_600, ms);
  return {
    lift: ease(0, 2_600, ms) * (1 - ease(6_000, JOINING_MS, ms)),
    flown: ease(0, 3_200, ms),
    climbed,
    flare: ease(1_700, 2_300, ms) * (FLARE_BRIGHTNESS + (SETTLED.flare - FLARE_BRIGHTNESS) * climbed),
  };
}
