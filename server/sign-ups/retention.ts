import type { Log } from '../log.ts';
import type { SignUpStore } from './store/store.ts';

const DAY_MS = 86_400_000;
/** How often what is due to be erased is looked for, in milliseconds. */
const SWEEP_MS = 3_600_000;

/** Erases the personal data of what was delivered long enough ago; id, digest and times stay. @returns Its undo. */
export function startRetention(store: SignUpStore, keepDays: number, log: Log): () => void {
  async function sweep(): Promise<void> {
    const now = Date.now();
    const erased = await store.expire(now - keepDays * DAY_MS, now);
    if (erased > 0) log('info', 'sign-ups erased', { count: erased, delivered_days_ago: keepDays });
  }
  const run = () => void sweep().catch((error: unknown) => log('error', 'sign-ups not erased', { error }));
  const timer = setInterval(run, SWEEP_MS).unref();
  run();
  return () => clearInterval(timer);
}
