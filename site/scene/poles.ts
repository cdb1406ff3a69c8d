import { attribute, buffer, type Gl, type Program } from './gl.ts';

/** Distance between poles. Marker posts have half of it. Both divide the tile. In metres. */
const POLES_M = 64;
const POSTS_M = 32;

const POSTS_END_M = 640;
const POLES_END_M = 900;

/** Metres from the road's middle. */
const POST_ASIDE_M = 5.4;
const POLE_ASIDE_M = -17;

/** Number of straight pieces of a wire's curve. */
const WIRE_PIECES = 8;

/** Two triangles from `from` to `to` along the part; `part` as in `poles.vert.glsl`. */
const board = (part: number, from = 0, to = 1) =>
  [
    [-1, from],
    [1, from],
    [-1, to],
    [-1, to],
    [1, from],
    [1, to],
  ].flatMap((corner) => [...corner, part]);

const wire = (part: number) =>
  Array.from({ length: WIRE_PIECES }, (_, i) => board(part, i / WIRE_PIECES, (i + 1) / WIRE_PIECES)).flat();

/** Telegraph poles with wires, marker posts with reflectors: one instanced draw. */
export function createPoles(gl: Gl, { use, uniform }: Program): { draw(eyeZ: number): void } {
  const parts = [...board(0), ...board(1), ...wire(2), ...wire(3)];
  const places: number[] = [];
  for (let z = 0; z < POSTS_END_M; z += POSTS_M) places.push(-POST_ASIDE_M, z, POST_ASIDE_M, z);
  for (let z = POLES_M / 4; z < POLES_END_M; z += POLES_M) places.push(POLE_ASIDE_M, z);

  const model = gl.createVertexArray();
  gl.bindVertexArray(model);
  buffer(gl, new Float32Array(parts));
  attribute(gl, 0, 3);
  buffer(gl, new Float32Array(places));
  attribute(gl, 1, 2, 1);

  return {
    draw(eyeZ) {
      use();
      gl.uniform1f(uniform('uBase'), Math.floor(eyeZ / POLES_M) * POLES_M);
      gl.bindVertexArray(model);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, parts.length / 3, places.length / 2);
    },
  };
}
