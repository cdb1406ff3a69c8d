/** Whether this machine's GPU draws the scene itself; true where that cannot be asked aside from the page. */
export function isGpuFit(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  try {
    const worker = new Worker(new URL('./scene-probe.ts', import.meta.url), { type: 'module' });
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
