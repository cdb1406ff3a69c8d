import { nameOfReason } from './delivery/reasons.ts';
import type { SignUpState, SignUpStore, Trouble } from './store/store.ts';

/** Sign-ups of one form that are in the same trouble. */
export interface Troubled {
  state: 'waiting' | 'dead' | 'set-aside';
  formId: number;
  /** By its name. */
  reason: string;
  count: number;
  oldestAt: number;
  /** WordPress' own words, a few of them. */
  words: string[];
}

/** Different sentences that are shown of one trouble. */
const MOST_WORDS = 3;

/** Each says in its own words how it was found out, and all are the same to an operator. */
const PROBABLE_SPAM = 'probable-spam';

const nameOf = ({ state, reason }: Pick<Trouble, 'state' | 'reason'>) =>
  state === 'set-aside' ? PROBABLE_SPAM : nameOfReason(reason);

const wordsIn = (reason: string | null) => (reason?.includes(':') ? [reason.replace(/^[^:]*:\s*/, '')] : []);

/** @returns What keeps sign-ups from WordPress, the most frequent first; those just on their way are in no trouble. */
export async function troublesOf(store: SignUpStore): Promise<Troubled[]> {
  const groups = new Map<string, Troubled>();
  for (const trouble of await store.troubles()) {
    const reason = nameOf(trouble);
    const state = trouble.state === 'leased' ? 'waiting' : (trouble.state as Troubled['state']);
    if (state === 'waiting' && trouble.reason === null) continue;
    const key = [state, trouble.formId, reason].join();
    const { formId, count, oldestAt } = trouble;
    const before = groups.get(key) ?? { state, formId, reason, count: 0, oldestAt, words: [] };
    groups.set(key, {
      ...before,
      count: before.count + count,
      oldestAt: Math.min(before.oldestAt, oldestAt),
      words: [...new Set([...before.words, ...wordsIn(trouble.reason)])].slice(0, MOST_WORDS),
    });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

const EVERYTHING = 2 ** 31 - 1;
/** Ids in one statement: SQLite takes 32,766 values. */
const BATCH = 500;

export interface Choice {
  reason: string;
  /** Of any form, where it is absent. */
  formId?: number | undefined;
}

/** @returns Ids of those with a reason of this name. */
export async function idsWith(
  store: SignUpStore,
  states: SignUpState[],
  { reason, formId }: Choice,
): Promise<string[]> {
  const rows = await store.list({ states, limit: EVERYTHING, isBare: true });
  return rows
    .filter((row) => nameOf({ state: row.state, reason: row.lastError }) === reason)
    .filter((row) => formId === undefined || row.formId === formId)
    .map(({ signUpId }) => signUpId);
}

/** Makes those that are dead for this reason wait again. @returns How many. */
export async function retryAll(store: SignUpStore, choice: Choice, now: number): Promise<number> {
  const ids = await idsWith(store, ['dead'], choice);
  let count = 0;
  for (let from = 0; from < ids.length; from += BATCH) count += await store.retry(ids.slice(from, from + BATCH), now);
  return count;
}
