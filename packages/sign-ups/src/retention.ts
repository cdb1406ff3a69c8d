import type { Log } from '@pillion/lib/log.ts';
import type { SignUpStore } from './store/store.ts';

const DAY_MS = 86_400_000;
/** How often what is due to be erased is looked for, in milliseconds. */
const SWEEP_MS = 3_600_000;

/** What waits may still be delivered: it is kept at least so long before it is given up, in days. */
const WAITING_DAYS = 365;

/** More than these that were set aside are a flood, and nobody will look at each: the oldest go. */
const MOST_SET_ASIDE = 5_000;

/** Erases the personal data of what has had its time in its state; id, digest and times stay. @returns Its undo. */
export function startRetention(store: SignUpStore, keepDays: number, log: Log): () => void {
  async function sweep(): Promise<void> {
    const now = Date.now();
    const before = now - keepDays * DAY_MS;
    const waitingBefore = now - Math.max(WAITING_DAYS, keepDays) * DAY_MS;
    const limits = { deliveredBefore: before, givenUpBefore: before, waitingBefore, setAsideAtMost: MOST_SET_ASIDE };
    const erased = await store.expire(limits, now);
    if (erased > 0) log('info', 'sign-ups erased', { count: erased, after_days: keepDays });
  }
  const run = () => void sweep().catch((error: unknown) => log('error', 'sign-ups not erased', { error }));
  const timer = setInterval(run, SWEEP_MS).unref();
  run();
  return () => clearInterval(timer);
}
