import { setTimeout as realPause } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * Longest wait of a visitor in milliseconds. She waits for WordPress once, 1.5 s at most; twice would be 3 s. She is
 * promised a response within two (invariant 9).
 */
export const LONGEST_MS = 2_000;

/** How far time goes at once, in milliseconds: what is measured is known to this much. */
const STEP_MS = 50;

/** Turns of the event loop without anything under way before the process counts as idle. */
const IDLE_TURNS = 10;

/** What this process waits for itself: files, names, connections being made, data being written or packed. */
const UNDER_WAY = /^(?:FS|GetAddrInfo|GetNameInfo|TCPConnect|PipeConnect|Write|Shutdown|Zlib|ProcessWrap)/;

/** Waits until whatever this process began is done, but for what waits for the time or for nobody's answer. */
async function idle(): Promise<void> {
  for (let turns = 0; turns < IDLE_TURNS; turns += 1) {
    // The kernel hands over what was sent within this machine, however busy it is.
    if (turns === IDLE_TURNS - 1) await realPause(4);
    else await new Promise((resolve) => setImmediate(resolve));
    if (process.getActiveResourcesInfo().some((name) => UNDER_WAY.test(name))) turns = -1;
  }
}

function deadline(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms);
  return controller.signal;
}

/**
 * From now on time passes only while nothing else is left to do, so a busy machine adds nothing to what a wait takes:
 * `performance.now()`, `Date`, timers and `AbortSignal.timeout` all keep this time. Only for what runs in this process:
 * of the work of another process or thread it knows nothing. The real time is back once the test and its `afterEach`
 * are over.
 */
export function startVirtualTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(deadline);
  let isOver = false;
  const passing = (async () => {
    for (;;) {
      await idle();
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

/** Lets the clock of what is kept run ahead. What waits on timers does not notice. */
export const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);
