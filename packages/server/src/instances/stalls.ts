/** Interval of the check, in milliseconds. */
const CHECK_INTERVAL_MS = 250;

interface Options {
  /** Shortest stall that is reported, in milliseconds. */
  minStallMs: number;
  onStall: () => void;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Detects that this process was stopped (SIGSTOP, a sleeping machine). Other servers may have timed out waiting for it, so
 * its cache may miss their changes. Every stall is reported: after any of them the cache can be older than a confirmed
 * change.
 * @returns `check`, which must be called before each response, since waiting requests are read before any timer runs; and
 * `stop`.
 */
export function watchStalls({ minStallMs, onStall, now = () => performance.now() }: Options) {
  let lastCheckAt = now();
  function check(): void {
    if (now() - lastCheckAt < minStallMs) return;
    lastCheckAt = now();
    onStall();
  }
  const timer = setInterval(() => {
    check();
    lastCheckAt = now();
  }, CHECK_INTERVAL_MS).unref();
  return { check, stop: () => clearInterval(timer) };
}

export type Stalls = ReturnType<typeof watchStalls>;
