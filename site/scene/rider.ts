import type { View } from './camera.ts';
import type { Gl, Program } from './gl.ts';

/** The rider, a distance field on a board. Drawn last, after the sky, because the lamps' glow is additive. */
export function createRider(gl: Gl, { use, uniform }: Program): { draw(rider: View['rider']): void } {
  return {
    draw({ lean, spin, tuck }) {
      use();
      gl.uniform1f(uniform('uLean'), lean);
      gl.uniform1f(uniform('uSpin'), spin);
      gl.uniform1f(uniform('uTuck'), tuck);
      gl.bindVertexArray(null);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    },
  };
}
