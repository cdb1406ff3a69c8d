import { MAX_LAMPS } from '../sign-up-number/steps.ts';
import type { Joining } from './joining.ts';
import { clamp, smoothstep } from './maths.ts';
import { TILE_M } from './road.ts';

/** Maximum number of riders ahead on the road, and number of riders on the pass. */
const RIDERS_AHEAD = 26;
const RIDERS_ON_PASS = MAX_LAMPS;

/** Each tile has two passes, both drawn: the next one and the one behind it. The ride passes below them. */
const PASS_SPACING_M = TILE_M / 2;
const PASS_COUNT = 2;

/**
 * The pass climbs the valley's left side in legs. Number and length of the legs, and the final distance from the road.
 * In metres.
 */
const LEG_COUNT = 5;
const LEG_M = 170;
const TOP_M = -165;

/** Distance from the eye to the first rider ahead, and minimum distance to the drawn pass. In metres. */
const FIRST_RIDER_M = 118;
const MIN_PASS_DISTANCE_M = 150;

/** Share of the climb per second: about 10 m/s. */
const CLIMB_PER_S = 0.009;

/**
 * A hut with one lit window is on the right of every pass: its distances from the road and from the pass' foot. In
 * metres.
 */
const HUT_M = [88, 130] as const;

/** Final position of the visitor's lamp among the others, 0..1 of the climb. */
const OWN_LAMP_SHARE = 0.42;

/** What a light shows: the visitor's own lamp, a tail lamp, a headlight, or a hut's window. */
export const OWN_LAMP = 2;
export const TAIL_LAMP = 1;
export const HEADLIGHT = -1;
export const HUT_WINDOW = 0;

/** Numbers per light: metres from the road's middle, metres along, what it shows, brightness 0..1. */
export const FLOATS_PER_LIGHT = 4;
export const LIGHT_COUNT = RIDERS_AHEAD + PASS_COUNT * (RIDERS_ON_PASS + 2);

/** A pseudo-random number 0..1 per light. */
const pseudoRandom = (i: number) => (i * 0.618034 + 0.37) % 1;

/** The lights come on one after the other at nightfall: none at gold, a third at ember, all at night. */
const brightnessAt = (i: number, progress: number) =>
  smoothstep(0.28 + 0.5 * pseudoRandom(i), 0.4 + 0.5 * pseudoRandom(i), progress);

/** Index of the first drawn pass. @param eyeZ Position of the eye along the road, in metres. */
const firstPassIndex = (eyeZ: number) => Math.ceil((eyeZ + MIN_PASS_DISTANCE_M) / PASS_SPACING_M);

/** Position of the foot of the next pass along the road, in metres. */
export const nextPassFootZ = (eyeZ: number): number => firstPassIndex(eyeZ) * PASS_SPACING_M;

/** Lights of a moment. */
export interface Convoy {
  /** Number of riders with a light on the pass, 0 to `MAX_LAMPS`. */
  lamps: number;
  /** The visitor's own light, or `null`. */
  own: (Pick<Joining, 'climbed' | 'flare'> & { since: number }) | null;
}

/**
 * The lights of the riders and the huts at a moment.
 * @param eyeZ Position of the eye along the road, in metres. One tile further, all lights are one tile further.
 * @returns `LIGHT_COUNT` times `FLOATS_PER_LIGHT` numbers.
 */
export function computeLights(
  eyeZ: number,
  seconds: number,
  progress: number,
  { lamps, own }: Convoy,
): Float32Array<ArrayBuffer> {
  const lights: number[] = [];
  // The road ahead has a proportional number of them.
  const litAhead = (lamps / RIDERS_ON_PASS) * RIDERS_AHEAD;
  for (let i = 0; i < RIDERS_AHEAD; i++) {
    const distance = FIRST_RIDER_M + i * 21 + 16 * pseudoRandom(i * 3) + 5 * Math.sin(seconds * 0.11 + i * 2);
    // In the right lane, 1.35 m from the road's middle, each slightly to another side.
    lights.push(1.35 + 0.5 * Math.sin(i * 5), eyeZ + distance, TAIL_LAMP, i < litAhead ? brightnessAt(i, progress) : 0);
  }
  const firstIndex = firstPassIndex(eyeZ);
  for (let pass = firstIndex; pass < firstIndex + PASS_COUNT; pass++) {
    const foot = pass * PASS_SPACING_M;
    for (let i = 0; i < RIDERS_ON_PASS; i++) {
      // The golden ratio keeps any number of them apart, and a new one moves no other.
      const [across, along, facing] = climbPosition((pseudoRandom(i) + seconds * CLIMB_PER_S) % 1);
      lights.push(across, foot + along, facing, i < lamps ? brightnessAt(i * 3 + RIDERS_AHEAD, progress) : 0);
    }
    // While the own lamp joins, the second pass does not show it until it has its place.
    const flare = own && (pass === firstIndex || own.climbed === 1) ? own.flare : 0;
    const share = own ? own.climbed * OWN_LAMP_SHARE + (seconds - own.since) * CLIMB_PER_S : 0;
    const [across, along] = climbPosition(share % 1);
    lights.push(across, foot + along, OWN_LAMP, flare * smoothstep(0.3, 0.6, progress));
    lights.push(HUT_M[0], foot + HUT_M[1], HUT_WINDOW, 1);
  }
  return new Float32Array(lights);
}

/**
 * @param share 0..1 of the climb. @returns Metres from the road's middle, metres from the foot, which lamp is visible.
 */
export function climbPosition(share: number): readonly [across: number, along: number, facing: number] {
  const angle = Math.PI * LEG_COUNT * clamp(share);
  return [
    1.35 + (TOP_M - 1.35) * share ** 1.25,
    (LEG_M / 2) * (1 - Math.cos(angle)),
    Math.sin(angle) < 0 ? HEADLIGHT : TAIL_LAMP,
  ];
}
