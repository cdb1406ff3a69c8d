import { createRenderTarget, drawInto, type Gl, type Program, type RenderTarget } from './gl.ts';
import { direction } from './maths.ts';
import type { Programs } from './programs.ts';

/** Texture units, the same in every program. */
export const NOISE_UNIT = 0;
export const HEIGHT_UNIT = 1;
export const LIGHT_UNIT = 2;

/** Rows of a texture are baked in this many passes, so that none blocks the GPU for long. */
const STRIP_COUNT = 4;

const NOISE_SIZE = 256;

/** Texels across the valley and along the tile. Phones use half of each. */
const LAND_SIZE = [768, 1024] as const;

/** The light that models the slopes comes from further to the side than the visible sun, as in films. */
export const LIGHT_DIRECTION = direction(0.1, 0.55);

/**
 * Everything that is computed once: noise, the land's height and its light. Nothing is downloaded.
 * @param scale 1, or 0.5 for a quarter of the texels.
 * @returns The work in steps of a few milliseconds on a GPU. After the last one all textures are bound to their units.
 */
export function* bakeTextures(gl: Gl, { noise, height, light }: Programs, scale: number): Generator<void> {
  gl.disable(gl.DEPTH_TEST);
  gl.disable(gl.BLEND);
  gl.bindVertexArray(null);
  const [width, length] = [LAND_SIZE[0] * scale, LAND_SIZE[1] * scale];

  gl.activeTexture(gl.TEXTURE0 + NOISE_UNIT);
  const size = { width: NOISE_SIZE, height: NOISE_SIZE };
  yield* bakeInStrips(
    gl,
    noise,
    createRenderTarget(gl, { format: gl.RGBA8, ...size, repeats: true, mipmaps: true }),
    1,
  );
  gl.generateMipmap(gl.TEXTURE_2D);

  gl.activeTexture(gl.TEXTURE0 + HEIGHT_UNIT);
  yield* bakeInStrips(
    gl,
    height,
    createRenderTarget(gl, { format: gl.RGBA16F, width, height: length, mipmaps: true }),
    STRIP_COUNT,
  );
  gl.generateMipmap(gl.TEXTURE_2D);

  gl.activeTexture(gl.TEXTURE0 + LIGHT_UNIT);
  const lightTarget = createRenderTarget(gl, { format: gl.RGBA8, width, height: length });
  light.use();
  gl.uniform1i(light.uniform('uHeight'), HEIGHT_UNIT);
  gl.uniform3fv(light.uniform('uLit'), LIGHT_DIRECTION);
  yield* bakeInStrips(gl, light, lightTarget, STRIP_COUNT);
}

function* bakeInStrips(gl: Gl, { use }: Program, renderTarget: RenderTarget, strips: number): Generator<void> {
  for (let strip = 0; strip < strips; strip++) {
    use();
    drawInto(gl, renderTarget, strip / strips, (strip + 1) / strips, () => gl.drawArrays(gl.TRIANGLES, 0, 3));
    yield;
  }
}
