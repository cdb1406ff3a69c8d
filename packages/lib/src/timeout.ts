/**
 * A timeout is split into steps of this length, in milliseconds. While the process is blocked, only one step passes, so
 * that a response that has arrived meanwhile is read before the timeout.
 */
const STEP_MS = 100;

/** Calls `onTimeout` after `ms` milliseconds. @returns A function that cancels it. */
function startTimeout(ms: number, onTimeout: () => void): () => void {
  let timer: NodeJS.Timeout;
  const waitStep = (remainingMs: number): void => {
    const step = Math.min(remainingMs, STEP_MS);
    timer = setTimeout(() => (remainingMs > step ? waitStep(remainingMs - step) : onTimeout()), step);
  };
  waitStep(ms);
  return () => clearTimeout(timer);
}

/**
 * Settles with the work, or rejects after `ms` milliseconds. The timeout aborts the work's signal and does not wait for
 * it.
 * @throws The work's error, or a `TimeoutError`.
 */
export function withTimeout<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const clear = startTimeout(ms, () => {
      const error = new DOMException(`no answer within ${ms} ms`, 'TimeoutError');
      controller.abort(error);
      reject(error);
    });
    Promise.resolve()
      .then(() => work(controller.signal))
      .then(resolve, reject)
      .finally(clear);
  });
}

/**
 * Waits for work without aborting it: other callers may still need its result.
 * @returns The work's result; `null` if it fails or takes longer than `ms` milliseconds.
 */
export function valueWithin<T>(ms: number, work: Promise<T>): Promise<T | null> {
  if (ms <= 0) {
    // Its failure interests no caller, and would end the process if it were not handled.
    work.catch(() => {});
    return Promise.resolve(null);
  }
  return withTimeout(ms, () => work).catch(() => null);
}

/** @returns The first result that is not `null`; `null` if there is no such result. */
export function firstNonNull<T>(works: (Promise<T | null> | null)[]): Promise<T | null> {
  const values = works.flatMap((work) => work?.then((value) => value ?? Promise.reject(new Error('nothing'))) ?? []);
  return Promise.any(values).catch(() => null);
}
