import { MOST_LAMPS } from '../sign-up-number/steps.ts';
import type { Joining } from './joining.ts';
import { clamp, smooth } from './maths.ts';
import { TILE_M } from './road.ts';

/** Maximum number of riders ahead on the road, and number of riders on the pass. */
const AHEAD = 26;
const CLIMBING = MOST_LAMPS;

/** Each tile has two passes, both drawn: the next one and the one behind it. The ride passes below them. */
const PASS_EVERY_M = TILE_M / 2;
const PASSES = 2;

/**
 * The pass climbs the valley's left side in legs. Number and length of the legs, and the final distance from the road.
 * In metres.
 */
const LEGS = 5;
const LEG_M = 170;
const TOP_M = -165;

/** Distance from the eye to the first rider ahead, and minimum distance to the drawn pass. In metres. */
const FIRST_M = 118;
const PASS_FROM_M = 150;

/** Share of the climb per second: about 10 m/s. */
const CLIMB_PER_S = 0.009;

/**
 * A hut with one lit window is on the right of every pass: its distances from the road and from the pass' foot. In
 * metres.
 */
const HUT_M = [88, 130] as const;

/** Final position of the visitor's lamp among the others, 0..1 of the climb. */
const OWN_PLACE = 0.42;

/** What a light shows: the visitor's own lamp, a tail lamp, a headlight, or a hut's window. */
export const OWN = 2;
export const TAIL = 1;
export const HEAD = -1;
export const HUT = 0;

/** Numbers per light: metres from the road's middle, metres along, what it shows, brightness 0..1. */
export const PER_LIGHT = 4;
export const LIGHTS = AHEAD + PASSES * (CLIMBING + 2);

/** A pseudo-random number 0..1 per light. */
const chance = (i: number) => (i * 0.618034 + 0.37) % 1;

/** The lights come on one after the other at nightfall: none at gold, a third at ember, all at night. */
const litAt = (i: number, progress: number) => smooth(0.28 + 0.5 * chance(i), 0.4 + 0.5 * chance(i), progress);

/** Index of the first drawn pass. @param eyeZ Position of the eye along the road, in metres. */
const firstPass = (eyeZ: number) => Math.ceil((eyeZ + PASS_FROM_M) / PASS_EVERY_M);

/** Position of the foot of the next pass along the road, in metres. */
export const footAhead = (eyeZ: number): number => firstPass(eyeZ) * PASS_EVERY_M;

/** Lights of a moment. */
export interface Convoy {
  /** Number of riders with a light on the pass, 0 to `MOST_LAMPS`. */
  lamps: number;
  /** The visitor's own light, or `null`. */
  own: (Pick<Joining, 'climbed' | 'flare'> & { since: number }) | null;
}

/**
 * The lights of the riders and the huts at a moment.
 * @param eyeZ Position of the eye along the road, in metres. One tile further, all lights are one tile further.
 * @returns `LIGHTS` times `PER_LIGHT` numbers.
 */
export function lightsAt(
  eyeZ: number,
  seconds: number,
  progress: number,
  { lamps, own }: Convoy,
): Float32Array<ArrayBuffer> {
  const lights: number[] = [];
  // The road ahead has a proportional number of them.
  const ahead = (lamps / CLIMBING) * AHEAD;
  for (let i = 0; i < AHEAD; i++) {
    const gap = FIRST_M + i * 21 + 16 * chance(i * 3) + 5 * Math.sin(seconds * 0.11 + i * 2);
    lights.push(1.35 + 0.5 * Math.sin(i * 5), eyeZ + gap, TAIL, i < ahead ? litAt(i, progress) : 0);
  }
  const first = firstPass(eyeZ);
  for (let pass = first; pass < first + PASSES; pass++) {
    const foot = pass * PASS_EVERY_M;
    for (let i = 0; i < CLIMBING; i++) {
      // The golden ratio keeps any number of them apart, and a new one moves no other.
      const [across, along, facing] = climb((chance(i) + seconds * CLIMB_PER_S) % 1);
      lights.push(across, foot + along, facing, i < lamps ? litAt(i * 3 + AHEAD, progress) : 0);
    }
    // While the own lamp joins, the second pass does not show it until it has its place.
    const flare = own && (pass === first || own.climbed === 1) ? own.flare : 0;
    const share = own ? own.climbed * OWN_PLACE + (seconds - own.since) * CLIMB_PER_S : 0;
    const [across, along] = climb(share % 1);
    lights.push(across, foot + along, OWN, flare * smooth(0.3, 0.6, progress));
    lights.push(HUT_M[0], foot + HUT_M[1], HUT, 1);
  }
  return new Float32Array(lights);
}

/**
 * @param share 0..1 of the climb. @returns Metres from the road's middle, metres from the foot, which lamp is visible.
 */
export function climb(share: number): readonly [across: number, along: number, facing: number] {
  const turned = Math.PI * LEGS * clamp(share);
  return [
    1.35 + (TOP_M - 1.35) * share ** 1.25,
    (LEG_M / 2) * (1 - Math.cos(turned)),
    Math.sin(turned) < 0 ? HEAD : TAIL,
  ];
}
