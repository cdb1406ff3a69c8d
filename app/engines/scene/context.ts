/** Renderers that draw on the processor: a frame takes them a quarter of a second. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** @returns A context that the GPU itself draws for, with the float targets the land needs; null where there is none. */
export function openContext(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  force = false,
  isSmall = false,
): WebGL2RenderingContext | null {
  const gl = canvas.getContext('webgl2', {
    alpha: false,
    // A phone's pixels are small enough without.
    antialias: !isSmall,
    powerPreference: 'high-performance',
    failIfMajorPerformanceCaveat: !force,
  }) as WebGL2RenderingContext | null;
  if (!gl) return null;
  const named = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  const floats = gl.getExtension('EXT_color_buffer_float') ?? gl.getExtension('EXT_color_buffer_half_float');
  if (floats && (force || !SOFTWARE.test(renderer))) return gl;
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return null;
}
