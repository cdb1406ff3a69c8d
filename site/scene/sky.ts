import type { View } from './camera.ts';
import type { Gl, Program } from './gl.ts';

/** The sky, drawn at maximum depth, so that it costs only uncovered pixels. */
export function createSky(gl: Gl, { use, uniform }: Program): { draw(view: View): void } {
  return {
    draw({ right, up, forward, tan }) {
      use();
      gl.uniformMatrix3fv(uniform('uCamera'), false, [...right, ...up, ...forward]);
      gl.uniform2f(uniform('uTan'), ...tan);
      gl.bindVertexArray(null);
      gl.depthMask(false);
      gl.depthRange(1, 1);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      gl.depthRange(0, 1);
      gl.depthMask(true);
    },
  };
}
