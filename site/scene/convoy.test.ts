import { expect, test } from 'vitest';
import { MAX_LAMPS } from '../sign-up-number/steps.ts';
import {
  type Convoy,
  climbPosition,
  computeLights,
  FLOATS_PER_LIGHT,
  HEADLIGHT,
  HUT_WINDOW,
  LIGHT_COUNT,
  OWN_LAMP,
  TAIL_LAMP,
} from './convoy.ts';
import { TILE_M } from './road.ts';

interface Light {
  across: number;
  along: number;
  shows: number;
  brightness: number;
}

function lights(
  eyeZ: number,
  seconds: number,
  progress: number,
  lamps = MAX_LAMPS,
  own: Convoy['own'] = null,
): Light[] {
  const figures = computeLights(eyeZ, seconds, progress, { lamps, own });
  return Array.from({ length: LIGHT_COUNT }, (_, i) => {
    const [across = 0, along = 0, shows = 0, brightness = 0] = figures.subarray(
      i * FLOATS_PER_LIGHT,
      (i + 1) * FLOATS_PER_LIGHT,
    );
    return { across, along, shows, brightness };
  });
}

const EYES = Array.from({ length: 49 }, (_, i) => i * 32);
const riders = (all: Light[]) => all.filter(({ shows }) => shows !== HUT_WINDOW && shows !== OWN_LAMP);
const lit = (progress: number) => riders(lights(256, 20, progress)).filter(({ brightness }) => brightness > 0.5).length;

test('other riders’ lights are off at gold, partly on at ember, all on at night', () => {
  expect(riders(lights(256, 20, 0)).every(({ brightness }) => brightness === 0)).toBe(true);
  expect(lit(0.5)).toBeGreaterThan(20);
  expect(lit(0.5)).toBeLessThan(lit(1) / 2);
  expect(riders(lights(256, 20, 1)).every(({ brightness }) => brightness === 1)).toBe(true);
  for (let i = 1; i <= 20; i++) expect(lit(i / 20)).toBeGreaterThanOrEqual(lit((i - 1) / 20));
});

test('no light jumps when the land restarts its tile', () => {
  const after = lights(256 + TILE_M, 20, 1);
  lights(256, 20, 1).forEach(({ across, along, shows, brightness }, i) => {
    expect(after[i]?.along).toBeCloseTo(along + TILE_M, 3);
    expect(after[i]).toMatchObject({ across, shows, brightness });
  });
});

test('all riders are ahead: no light is at the camera or inside the rider', () => {
  for (const eyeZ of EYES)
    for (const { along } of lights(eyeZ, eyeZ / 13, 1)) expect(along - eyeZ).toBeGreaterThan(100);
});

test('riders ahead keep to the right lane and show the tail lamp', () => {
  const onRoad = riders(lights(256, 20, 1)).filter(({ across }) => Math.abs(across) < 3.5 && across > 0.5);
  expect(onRoad.length).toBeGreaterThan(20);
  for (const { shows } of onRoad) expect(shows).toBe(TAIL_LAMP);
});

test('the pass begins on the road, climbs throughout and turns its lamps at every hairpin', () => {
  expect(climbPosition(0)[0]).toBeCloseTo(1.35);
  const steps = Array.from({ length: 200 }, (_, i) => climbPosition(i / 200));
  const turns = steps.slice(1).filter(([, , shows], i) => shows !== steps[i]?.[2]).length;
  expect(turns).toBe(4);
  steps.slice(1).forEach(([across, along, shows], i) => {
    const [before, alongBefore] = steps[i] ?? [0, 0];
    expect(across).toBeLessThan(before);
    // Tail lamps move away from the viewer, headlights towards them, except during a turn.
    if (Math.abs(along - alongBefore) > 0.3 && shows === steps[i]?.[2])
      expect(Math.sign(along - alongBefore)).toBe(shows === HEADLIGHT ? -1 : 1);
  });
});

const burning = (lamps: number) => riders(lights(256, 20, 1, lamps)).filter(({ brightness }) => brightness > 0);

test('the pass is dark without riders, each rider adds one light, and a new light moves no other', () => {
  expect(burning(0)).toEqual([]);
  const [one, two] = [burning(1), burning(2)].map((all) =>
    all.filter(({ across }) => Math.abs(across) > 3.5 || across < 0),
  );
  // Each pass appears twice on a tile.
  expect(one).toHaveLength(2);
  expect(two).toHaveLength(4);
  for (const light of one ?? []) expect(two).toContainEqual(light);
  expect(burning(MAX_LAMPS)).toHaveLength(riders(lights(256, 20, 1)).length);
});

const own = (climbed: number, flare: number, seconds = 20) =>
  lights(256, seconds, 1, 41, { climbed, flare, since: 20 }).filter(({ shows }) => shows === OWN_LAMP);

test('the own lamp joins at the foot of the pass, then shows on both passes and moves with the others', () => {
  expect(own(0, 7).map(({ brightness }) => brightness)).toEqual([7, 0]);
  expect(own(0, 7)[0]?.across).toBeCloseTo(climbPosition(0)[0]);
  expect(own(1, 2).map(({ brightness }) => brightness)).toEqual([2, 2]);
  expect(own(1, 2, 30)[0]?.across).toBeLessThan(own(1, 2)[0]?.across ?? 0);
  expect(
    lights(256, 20, 1, 41)
      .filter(({ shows }) => shows === OWN_LAMP)
      .map(({ brightness }) => brightness),
  ).toEqual([0, 0]);
});
