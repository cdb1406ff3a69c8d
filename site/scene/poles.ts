import { bindAttribute, createBuffer, type Gl, type Program } from './gl.ts';

/** Distance between poles. Marker posts have half of it. Both divide the tile. In metres. */
const POLE_SPACING_M = 64;
const POST_SPACING_M = 32;

const POSTS_END_M = 640;
const POLES_END_M = 900;

/** Metres from the road's middle. */
const POST_ASIDE_M = 5.4;
const POLE_ASIDE_M = -17;

/** Number of straight pieces of a wire's curve. */
const WIRE_SEGMENTS = 8;

/** Two triangles from `from` to `to` along the part; `part` as in `poles.vert.glsl`. */
const createQuad = (part: number, from = 0, to = 1) =>
  [
    [-1, from],
    [1, from],
    [-1, to],
    [-1, to],
    [1, from],
    [1, to],
  ].flatMap((corner) => [...corner, part]);

const createWire = (part: number) =>
  Array.from({ length: WIRE_SEGMENTS }, (_, i) => createQuad(part, i / WIRE_SEGMENTS, (i + 1) / WIRE_SEGMENTS)).flat();

/** Telegraph poles with wires, marker posts with reflectors: one instanced draw. */
export function createPoles(gl: Gl, { use, uniform }: Program): { draw(eyeZ: number): void } {
  const parts = [...createQuad(0), ...createQuad(1), ...createWire(2), ...createWire(3)];
  const positions: number[] = [];
  for (let z = 0; z < POSTS_END_M; z += POST_SPACING_M) positions.push(-POST_ASIDE_M, z, POST_ASIDE_M, z);
  for (let z = POLE_SPACING_M / 4; z < POLES_END_M; z += POLE_SPACING_M) positions.push(POLE_ASIDE_M, z);

  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  createBuffer(gl, new Float32Array(parts));
  bindAttribute(gl, 0, 3);
  createBuffer(gl, new Float32Array(positions));
  bindAttribute(gl, 1, 2, 1);

  return {
    draw(eyeZ) {
      use();
      gl.uniform1f(uniform('uBase'), Math.floor(eyeZ / POLE_SPACING_M) * POLE_SPACING_M);
      gl.bindVertexArray(vertexArray);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, parts.length / 3, positions.length / 2);
    },
  };
}
