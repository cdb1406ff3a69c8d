import { openContext } from './context.ts';

/**
 * Whether this machine's GPU draws the scene itself; true where that cannot be asked aside from the page. A worker asks:
 * opening a context holds a thread up for as long as a second where the processor has to draw, and it must not be the
 * visitor's. The context goes with the worker.
 */
export function isGpuFit(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  try {
    // The file that this stands in, which the browser has already: nothing more is to be loaded.
    const worker = new Worker(import.meta.url, { type: 'module' });
    const settle = (isFit: boolean) => {
      worker.terminate();
      resolve(isFit);
    };
    worker.onmessage = ({ data }: MessageEvent<boolean>) => settle(data);
    worker.onerror = (event) => {
      event.preventDefault();
      settle(true);
    };
  } catch {
    resolve(true);
  }
  return promise;
}

// The worker's own part.
if ('WorkerGlobalScope' in globalThis) postMessage(openContext(new OffscreenCanvas(1, 1)) !== null);
