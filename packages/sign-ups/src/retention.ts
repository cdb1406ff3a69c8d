import type { Log } from '@pillion/lib/log.ts';
import type { SignUpStore } from './store/store.ts';

const DAY_MS = 86_400_000;
/** Interval of the erasure, in milliseconds. */
const SWEEP_INTERVAL_MS = 3_600_000;

/** Waiting sign-ups may still be delivered, so they are stored for at least this many days. */
const WAITING_DAYS = 365;

/** Maximum number of set-aside sign-ups: more are a spam flood, and the oldest are erased. */
const MAX_SET_ASIDE = 5_000;

/** Erases personal data after its retention time. Id, digest and times stay. @returns A function that stops it. */
export function startRetention(store: SignUpStore, keepDays: number, log: Log): () => void {
  async function sweep(): Promise<void> {
    const now = Date.now();
    const before = now - keepDays * DAY_MS;
    const waitingBefore = now - Math.max(WAITING_DAYS, keepDays) * DAY_MS;
    const limits = { deliveredBefore: before, givenUpBefore: before, waitingBefore, setAsideAtMost: MAX_SET_ASIDE };
    const erased = await store.expire(limits, now);
    if (erased > 0) log('info', 'sign-ups erased', { count: erased, after_days: keepDays });
  }
  const sweepAndLogErrors = () =>
    void sweep().catch((error: unknown) => log('error', 'sign-ups not erased', { error }));
  const timer = setInterval(sweepAndLogErrors, SWEEP_INTERVAL_MS).unref();
  sweepAndLogErrors();
  return () => clearInterval(timer);
}
