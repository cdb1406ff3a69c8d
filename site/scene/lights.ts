import { HEIGHT_UNIT } from './bakes.ts';
import { type Convoy, computeLights, FLOATS_PER_LIGHT, LIGHT_COUNT } from './convoy.ts';
import { bindAttribute, createBuffer, type Gl, type Program } from './gl.ts';

/** The other riders' lights and the huts: points on the land, drawn after the sky because their glow is additive. */
export function createLights(
  gl: Gl,
  { use, uniform }: Program,
): { draw(eyeZ: number, seconds: number, progress: number, convoy: Convoy): void } {
  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  const lightBuffer = createBuffer(gl, new Float32Array(LIGHT_COUNT * FLOATS_PER_LIGHT));
  bindAttribute(gl, 0, FLOATS_PER_LIGHT);
  use();
  gl.uniform1i(uniform('uHeight'), HEIGHT_UNIT);

  return {
    draw(eyeZ, seconds, progress, convoy) {
      use();
      gl.bindVertexArray(vertexArray);
      gl.bindBuffer(gl.ARRAY_BUFFER, lightBuffer);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, computeLights(eyeZ, seconds, progress, convoy));
      gl.drawArrays(gl.POINTS, 0, LIGHT_COUNT);
    },
  };
}
