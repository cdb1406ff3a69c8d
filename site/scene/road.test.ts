import { expect, test } from 'vitest';
import { bendAt, ROAD_GLSL, roadX, roadY, TILE_M } from './road.ts';

const PLACES = Array.from({ length: 97 }, (_, i) => i * 16.3);

test('the road is continuous at the end of a tile, so that the ride can restart it unnoticed', () => {
  for (const z of PLACES) {
    expect(roadX(z + TILE_M)).toBeCloseTo(roadX(z), 9);
    expect(roadY(z + TILE_M)).toBeCloseTo(roadY(z), 9);
    expect(bendAt(z + TILE_M)).toBeCloseTo(bendAt(z), 9);
  }
});

test('the bend is the change of the road’s direction', () => {
  for (const z of PLACES) {
    const measured = (roadX(z + 0.1) - 2 * roadX(z) + roadX(z - 0.1)) / 0.01;
    expect(bendAt(z)).toBeCloseTo(measured, 5);
  }
});

test('the shaders use the same road', () => {
  const body = (name: string) => new RegExp(`float ${name}\\(float z\\)\\{return (.*);\\}`).exec(ROAD_GLSL)?.[1] ?? '';
  for (const [name, road] of [
    ['roadX', roadX],
    ['roadY', roadY],
  ] as const) {
    // The GLSL code is valid JavaScript, except for a missing digit after the decimal point.
    const shader = new Function('sin', 'z', `return ${body(name).replace(/\.(?!\d)/g, '.0')}`);
    for (const z of PLACES) expect(shader(Math.sin, z)).toBeCloseTo(road(z), 6);
  }
});
