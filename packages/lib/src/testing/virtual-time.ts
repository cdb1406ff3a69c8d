import { setTimeout as realPause } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * Maximum response time for a visitor, in milliseconds (invariant 9). One wait for WordPress takes at most 1.5 s; two
 * would take 3 s.
 */
export const MAX_RESPONSE_MS = 2_000;

/** Step of the virtual time, in milliseconds: the precision of measurements. */
const STEP_MS = 50;

/** Number of event loop turns without pending work after which the process counts as idle. */
const IDLE_TURNS = 10;

/** Pending work of this process: files, name lookups, new connections, writes, compression. */
const PENDING_WORK = /^(?:FS|CloseReq|GetAddrInfo|GetNameInfo|TCPConnect|PipeConnect|Write|Shutdown|Zlib|ProcessWrap)/;

/** Waits until all pending work of this process is done, except for timers and open connections. */
async function waitUntilIdle(): Promise<void> {
  for (let turns = 0; turns < IDLE_TURNS; turns += 1) {
    // Time for the kernel to deliver data that was sent within this machine.
    if (turns === IDLE_TURNS - 1) await realPause(4);
    else await new Promise((resolve) => setImmediate(resolve));
    if (process.getActiveResourcesInfo().some((name) => PENDING_WORK.test(name))) turns = -1;
  }
}

function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
  return controller.signal;
}

/**
 * Starts virtual time: it advances only while this process is idle, so the load of the machine does not affect measured
 * waits. It applies to `performance.now()`, `Date`, timers and `AbortSignal.timeout`, in this process and thread only.
 * Real time returns after the test and its `afterEach`.
 */
export function startVirtualTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(abortAfter);
  let isOver = false;
  const passing = (async () => {
    for (;;) {
      await waitUntilIdle();
      if (isOver) return;
      await vi.advanceTimersByTimeAsync(STEP_MS);
    }
  })();
  onTestFinished(async () => {
    isOver = true;
    await passing;
    timeouts.mockRestore();
    vi.useRealTimers();
  });
}

/** Advances `Date`, for the age of cached values, without running timers. */
export const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);
