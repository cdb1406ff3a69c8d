/** How often it is looked whether this server still runs, in milliseconds. */
const TICK_MS = 250;

/** A process that stands still again so soon is overloaded, and to ask anew for everything would be more load. In milliseconds. */
const AT_MOST_EACH_MS = 10_000;

interface Options {
  /** A standstill as long as this counts, in milliseconds. */
  longestMs: number;
  onStall: () => void;
  /** Milliseconds that never jump. */
  now?: () => number;
}

/**
 * Notices that this process stood still (stopped, a machine put to sleep): others may have given up waiting for it, and
 * what it keeps may be from before what they were told.
 * @returns `check`, to be called before each request is answered: those that came meanwhile are read before any timer
 * runs. And `stop`.
 */
export function watchStalls({ longestMs, onStall, now = () => performance.now() }: Options) {
  let tickedAt = now();
  let toldAt = Number.NEGATIVE_INFINITY;
  function check(): void {
    if (now() - tickedAt < longestMs) return;
    tickedAt = now();
    if (tickedAt - toldAt < AT_MOST_EACH_MS) return;
    toldAt = tickedAt;
    onStall();
  }
  const ticking = setInterval(() => {
    check();
    tickedAt = now();
  }, TICK_MS).unref();
  return { check, stop: () => clearInterval(ticking) };
}
