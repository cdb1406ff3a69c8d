import { clamp, smooth } from './maths.ts';
import { TILE_M } from './road.ts';

/** How many ride ahead on the road, and how many are on their way up the pass. */
const AHEAD = 26;
const CLIMBING = 90;

/** Two passes a tile, both drawn: the next one and the one behind it. The ride itself goes by below. */
const PASS_EVERY_M = TILE_M / 2;
const PASSES = 2;

/** The pass climbs the valley's left side in this many legs, each so long, and ends so far from the road. In metres. */
const LEGS = 5;
const LEG_M = 170;
const TOP_M = -165;

/** From the eye: where the first rider ahead is, and where the pass that is drawn begins at the least. In metres. */
const FIRST_M = 118;
const PASS_FROM_M = 150;

/** The share of the climb that is ridden in a second: about 10 m/s. */
const CLIMB_PER_S = 0.009;

/** A hut with one lit window stands on the right of every pass, so far from the road and from the pass' foot. In metres. */
const HUT_M = [88, 130] as const;

/** What a light shows to us: its tail lamp, its headlight, or a hut's window. */
export const TAIL = 1;
export const HEAD = -1;
export const HUT = 0;

/** Figures a light: metres from the road's middle, metres along, what it shows, brightness 0..1. */
export const PER_LIGHT = 4;
export const LIGHTS = AHEAD + PASSES * (CLIMBING + 1);

/** 0..1, the same for the same light always. */
const chance = (i: number) => (i * 0.618034 + 0.37) % 1;

/** One after the other comes on as night falls: none at gold, a third at ember, all at night. */
const litAt = (i: number, progress: number) => smooth(0.28 + 0.5 * chance(i), 0.4 + 0.5 * chance(i), progress);

/**
 * The other riders' lights at a moment, and the huts'.
 * @param eyeZ Where the eye is along the road, in metres: a tile further on all is a tile further on.
 * @returns `LIGHTS` times `PER_LIGHT` figures.
 */
export function lightsAt(eyeZ: number, seconds: number, progress: number): Float32Array<ArrayBuffer> {
  const lights: number[] = [];
  for (let i = 0; i < AHEAD; i++) {
    const gap = FIRST_M + i * 21 + 16 * chance(i * 3) + 5 * Math.sin(seconds * 0.11 + i * 2);
    lights.push(1.35 + 0.5 * Math.sin(i * 5), eyeZ + gap, TAIL, litAt(i, progress));
  }
  const first = Math.ceil((eyeZ + PASS_FROM_M) / PASS_EVERY_M);
  for (let pass = first; pass < first + PASSES; pass++) {
    const foot = pass * PASS_EVERY_M;
    for (let i = 0; i < CLIMBING; i++) {
      const [across, along, facing] = climb(((i + 0.5 * chance(i * 7)) / CLIMBING + seconds * CLIMB_PER_S) % 1);
      lights.push(across, foot + along, facing, litAt(i + AHEAD, progress));
    }
    lights.push(HUT_M[0], foot + HUT_M[1], HUT, 1);
  }
  return new Float32Array(lights);
}

/** @param share 0..1 of the way up. @returns Metres from the road's middle, metres from the foot, which lamp is seen. */
export function climb(share: number): readonly [across: number, along: number, facing: number] {
  const turned = Math.PI * LEGS * clamp(share);
  return [
    1.35 + (TOP_M - 1.35) * share ** 1.25,
    (LEG_M / 2) * (1 - Math.cos(turned)),
    Math.sin(turned) < 0 ? HEAD : TAIL,
  ];
}
