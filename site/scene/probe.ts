/*
 * Finds out whether this machine keeps the poster before the scene is fetched (decision 052). A chunk of its own, and the
 * program of its own worker. It imports nothing, so a machine without a GPU is sent half a kilobyte.
 */

/** Renderers that draw on the processor: a frame takes them a quarter of a second. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** A GPU that has not answered by then had better not keep the visitor waiting, in milliseconds. */
const SLOW_MS = 250;

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

/**
 * Whether this machine's GPU draws the scene itself; true where that cannot be asked aside from the page. A worker asks:
 * opening a context holds a thread up for as long as a second where the processor has to draw, and it must not be the
 * visitor's. The context goes with the worker.
 * @param onSlow Called when it takes long to find out: nobody should wait for the answer any more.
 */
export function isGpuFit(onSlow: () => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const slow = setTimeout(onSlow, SLOW_MS);
  try {
    // The file that this stands in, which the browser has already: nothing more is to be loaded.
    const worker = new Worker(import.meta.url, { type: 'module' });
    const settle = (isFit: boolean) => {
      clearTimeout(slow);
      worker.terminate();
      resolve(isFit);
    };
    worker.onmessage = ({ data }: MessageEvent<boolean>) => settle(data);
    worker.onerror = (event) => {
      event.preventDefault();
      settle(true);
    };
  } catch {
    clearTimeout(slow);
    resolve(true);
  }
  return promise;
}

// The worker's own part.
if ('WorkerGlobalScope' in globalThis) postMessage(openContext(new OffscreenCanvas(1, 1)) !== null);
