/**
 * A wait is counted in steps of so many milliseconds. While this process is busy with itself only one step is counted, so
 * that an answer which has come meanwhile is read before it is called late.
 */
const STEP_MS = 100;

/** Calls `onLate` after `ms` milliseconds. @returns Stops it. */
function startTimeout(ms: number, onLate: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number): void => {
    const step = Math.min(leftMs, STEP_MS);
    timer = setTimeout(() => (leftMs > step ? wait(leftMs - step) : onLate()), step);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/**
 * Settles with the work, or rejects after `ms` milliseconds. The work is told by its signal and never waited for.
 * @throws What the work throws, or a `TimeoutError`.
 */
export function withTimeout<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const clear = startTimeout(ms, () => {
      const late = new DOMException(`no answer within ${ms} ms`, 'TimeoutError');
      stop.abort(late);
      reject(late);
    });
    Promise.resolve()
      .then(() => work(stop.signal))
      .then(resolve, reject)
      .finally(clear);
  });
}

/**
 * Waits for work that others may still want: it goes on when the time is over.
 * @returns What the work gives; `null` where it fails or takes longer than `ms` milliseconds.
 */
export function valueWithin<T>(ms: number, work: Promise<T>): Promise<T | null> {
  if (ms <= 0) return Promise.resolve(null);
  return withTimeout(ms, () => work).catch(() => null);
}

/** The first of several works that has something; `null` where none has. */
export function firstOf<T>(works: (Promise<T | null> | null)[]): Promise<T | null> {
  const found = works.flatMap((work) => work?.then((value) => value ?? Promise.reject(new Error('nothing'))) ?? []);
  return Promise.any(found).catch(() => null);
}
