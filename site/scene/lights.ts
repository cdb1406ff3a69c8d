import { HEIGHT_UNIT } from './bakes.ts';
import { type Convoy, LIGHTS, lightsAt, PER_LIGHT } from './convoy.ts';
import { attribute, buffer, type Gl, type Program } from './gl.ts';

/** The other riders' lights and the huts: points on the land, drawn after the sky because their glow is additive. */
export function createLights(
  gl: Gl,
  { use, uniform }: Program,
): { draw(eyeZ: number, seconds: number, progress: number, convoy: Convoy): void } {
  const model = gl.createVertexArray();
  gl.bindVertexArray(model);
  const places = buffer(gl, new Float32Array(LIGHTS * PER_LIGHT));
  attribute(gl, 0, PER_LIGHT);
  use();
  gl.uniform1i(uniform('uHeight'), HEIGHT_UNIT);

  return {
    draw(eyeZ, seconds, progress, convoy) {
      use();
      gl.bindVertexArray(model);
      gl.bindBuffer(gl.ARRAY_BUFFER, places);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, lightsAt(eyeZ, seconds, progress, convoy));
      gl.drawArrays(gl.POINTS, 0, LIGHTS);
    },
  };
}
