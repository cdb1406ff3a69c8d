import { expect, test } from 'vitest';
import { bendAt, ROAD_GLSL, roadX, roadY, TILE_M } from './road.ts';

const PLACES = Array.from({ length: 97 }, (_, i) => i * 16.3);

test('the road joins its own beginning after a tile, so that the ride can start it again unseen', () => {
  for (const z of PLACES) {
    expect(roadX(z + TILE_M)).toBeCloseTo(roadX(z), 9);
    expect(roadY(z + TILE_M)).toBeCloseTo(roadY(z), 9);
    expect(bendAt(z + TILE_M)).toBeCloseTo(bendAt(z), 9);
  }
});

test('the bend is how fast the road’s direction changes', () => {
  for (const z of PLACES) {
    const measured = (roadX(z + 0.1) - 2 * roadX(z) + roadX(z - 0.1)) / 0.01;
    expect(bendAt(z)).toBeCloseTo(measured, 5);
  }
});

test('the shaders ride the same road', () => {
  const body = (name: string) => new RegExp(`float ${name}\\(float z\\)\\{return (.*);\\}`).exec(ROAD_GLSL)?.[1] ?? '';
  for (const [name, road] of [
    ['roadX', roadX],
    ['roadY', roadY],
  ] as const) {
    // GLSL's arithmetic is JavaScript's here, but for a digit that may be missing behind the point.
    const shader = new Function('sin', 'z', `return ${body(name).replace(/\.(?!\d)/g, '.0')}`);
    for (const z of PLACES) expect(shader(Math.sin, z)).toBeCloseTo(road(z), 6);
  }
});
