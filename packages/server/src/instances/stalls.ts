/** Interval of the check, in milliseconds. */
const TICK_MS = 250;

interface Options {
  /** Shortest stall that is reported, in milliseconds. */
  longestMs: number;
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
export function watchStalls({ longestMs, onStall, now = () => performance.now() }: Options) {
  let tickedAt = now();
  function check(): void {
    if (now() - tickedAt < longestMs) return;
    tickedAt = now();
    onStall();
  }
  const ticking = setInterval(() => {
    check();
    tickedAt = now();
  }, TICK_MS).unref();
  return { check, stop: () => clearInterval(ticking) };
}

export type Stalls = ReturnType<typeof watchStalls>;
