import type { View } from './camera.ts';
import type { Gl, Program } from './gl.ts';
import { mix, smoothstep } from './maths.ts';
import { paletteAt } from './palette.ts';
import type { Reaction } from './reaction.ts';

/** Binding of the block in `frame.glsl`. */
const BLOCK_BINDING = 0;

/** Floats in the block: one matrix and twelve vectors of four. */
const BLOCK_FLOATS = 64;

/** The content of a frame and its size in pixels. */
export interface FrameValues {
  seconds: number;
  intro: number;
  progress: number;
  width: number;
  height: number;
  /** Whether the rider is on the road. */
  rider: boolean;
  reaction: Pick<Reaction, 'brake'>;
}

interface FrameBlock {
  bindTo(program: Program): void;
  /** Writes the values that all draws of a frame share, in one upload. */
  write(view: View, values: FrameValues): void;
}

export function createFrameBlock(gl: Gl): FrameBlock {
  const data = new Float32Array(BLOCK_FLOATS);
  gl.bindBufferBase(gl.UNIFORM_BUFFER, BLOCK_BINDING, gl.createBuffer());
  gl.bufferData(gl.UNIFORM_BUFFER, data.byteLength, gl.DYNAMIC_DRAW);

  return {
    bindTo({ handle }) {
      gl.uniformBlockBinding(handle, gl.getUniformBlockIndex(handle, 'Frame'), BLOCK_BINDING);
    },
    write(view, { seconds, intro, progress, rider, reaction, width, height }) {
      // Chosen by eye, like all numbers without a name here.
      const sunStrength = 1 - smoothstep(0.35, 0.95, progress);
      const nightShare = smoothstep(0.35, 1, progress);
      const exposure = mix(1, 1.5, smoothstep(0.4, 1, progress));
      const lampBrightness =
        mix(0.62, 1.25, smoothstep(0.1, 0.9, progress)) * smoothstep(0.25, 0.75, intro) * (rider ? 1 : 0);
      const [, tanY] = view.tan;
      data.set(view.viewProjection);
      const vectors = [
        [...view.sun, sunStrength],
        ...Object.values(paletteAt(progress)).map((colour) => [...colour, 0]),
        [width, height, 1 / width, 1 / height],
        [seconds, intro, exposure, nightShare],
        [...view.flare, rider ? reaction.brake : 0],
        [...view.eye, tanY / height],
        [...view.rider.place, lampBrightness],
      ];
      vectors.forEach((vector, i) => {
        data.set(vector, 16 + i * 4);
      });
      gl.bufferSubData(gl.UNIFORM_BUFFER, 0, data);
    },
  };
}
