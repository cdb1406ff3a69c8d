/* Checks before the scene is fetched whether this machine keeps the poster (decision 052). It is a separate chunk, and
   also the program of its worker. It imports nothing, so a machine without a GPU gets half a kilobyte. */

/** Renderers that draw on the processor, where a frame takes a quarter of a second. */
const SOFTWARE_RENDERER = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** After this many milliseconds without a result the visitor stops waiting. */
const SLOW_CHECK_MS = 250;

/** @returns A context drawn by the GPU with the float targets that the land needs, or null. */
export function openContext(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  force = false,
  isSmall = false,
): WebGL2RenderingContext | null {
  const gl = canvas.getContext('webgl2', {
    alpha: false,
    // A phone's pixels are small enough without antialiasing.
    antialias: !isSmall,
    powerPreference: 'high-performance',
    failIfMajorPerformanceCaveat: !force,
  }) as WebGL2RenderingContext | null;
  if (!gl) return null;
  const debugInfo = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(debugInfo ? debugInfo.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  const floatTargets = gl.getExtension('EXT_color_buffer_float') ?? gl.getExtension('EXT_color_buffer_half_float');
  if (floatTargets && (force || !SOFTWARE_RENDERER.test(renderer))) return gl;
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return null;
}

/**
 * Whether this machine's GPU can draw the scene; true if no worker can check it. A worker checks, because opening a
 * context without a GPU can block a thread for a second, which must not be the page's. The context ends with the
 * worker.
 * @param onSlow Called when the check takes long. The page should then not wait for it.
 */
export function isGpuFit(onSlow: () => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const slowTimer = setTimeout(onSlow, SLOW_CHECK_MS);
  try {
    // The file of this module, which the browser already has.
    const worker = new Worker(import.meta.url, { type: 'module' });
    const finishCheck = (isFit: boolean) => {
      clearTimeout(slowTimer);
      worker.terminate();
      resolve(isFit);
    };
    worker.onmessage = ({ data }: MessageEvent<boolean>) => finishCheck(data);
    worker.onerror = (event) => {
      event.preventDefault();
      finishCheck(true);
    };
  } catch {
    clearTimeout(slowTimer);
    resolve(true);
  }
  return promise;
}

// Code of the worker.
if ('WorkerGlobalScope' in globalThis) postMessage(openContext(new OffscreenCanvas(1, 1)) !== null);
