import { nameOfReason } from './backends/backend.ts';
import { EVERYTHING, type Queue, type SignUpState, type SignUpStore, type Trouble } from './store/store.ts';

/** Sign-ups of one form with the same problem. */
export interface Troubled {
  state: 'waiting' | 'dead' | 'set-aside';
  formId: number;
  /** The name of the reason (`nameOfReason`). */
  reason: string;
  count: number;
  /** When the oldest of them was created. */
  oldestAt: number;
  /** Some of the backend's own messages. */
  words: string[];
}

/** Maximum different messages for one problem. */
const MAX_MESSAGES = 3;

/** One name for all reasons why a sign-up was set aside: they are the same problem for an operator. */
const PROBABLE_SPAM = 'probable-spam';

const reasonNameOf = ({ state, reason }: Pick<Trouble, 'state' | 'reason'>) =>
  state === 'set-aside' ? PROBABLE_SPAM : nameOfReason(reason);

/** The backend's own message in a reason; empty without one. */
const messagesIn = (reason: string | null) => (reason?.includes(':') ? [reason.replace(/^[^:]*:\s*/, '')] : []);

/**
 * @returns The problems that prevent delivery, the most frequent first: one for each state, form and name of a reason.
 * Rows that have not failed yet are left out.
 */
export async function troublesOf(store: Pick<Queue, 'troubles'>): Promise<Troubled[]> {
  const groups = new Map<string, Troubled>();
  for (const trouble of await store.troubles()) {
    const reason = reasonNameOf(trouble);
    // A leased row is being retried.
    const state = trouble.state === 'leased' ? 'waiting' : (trouble.state as Troubled['state']);
    if (state === 'waiting' && trouble.reason === null) continue;
    const key = [state, trouble.formId, reason].join();
    const { formId, count, oldestAt } = trouble;
    const existing = groups.get(key) ?? { state, formId, reason, count: 0, oldestAt, words: [] };
    groups.set(key, {
      ...existing,
      count: existing.count + count,
      oldestAt: Math.min(existing.oldestAt, oldestAt),
      words: [...new Set([...existing.words, ...messagesIn(trouble.reason)])].slice(0, MAX_MESSAGES),
    });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** @returns The problems of copies. The copy of a set-aside sign-up is no second problem. */
export const copyTroublesOf = async (copies: Queue): Promise<Troubled[]> =>
  (await troublesOf(copies)).filter(({ state }) => state !== 'set-aside');

/** Ids in one statement. SQLite's limit is 32,766 values. */
const MAX_IDS_PER_STATEMENT = 500;

export interface TroubleFilter {
  reason: string;
  /** Absent: any form. */
  formId?: number | undefined;
}

/** The sign-ups and the copies for each destination. */
export const queuesOf = async (store: SignUpStore): Promise<Queue[]> => [
  store,
  ...(await store.destinations()).map(store.copiesFor),
];

/** @returns Ids of the rows of a queue that have a reason with this name. */
export async function idsWithReason(
  queue: Queue,
  states: SignUpState[],
  { reason, formId }: TroubleFilter,
): Promise<string[]> {
  const rows = await queue.list({ states, limit: EVERYTHING, isBare: true });
  return rows
    .filter((row) => reasonNameOf({ state: row.state, reason: row.lastError }) === reason)
    .filter((row) => formId === undefined || row.formId === formId)
    .map(({ signUpId }) => signUpId);
}

/** Retries all rows of a queue that are dead for this reason. @returns How many. */
export async function retryWithReason(queue: Queue, choice: TroubleFilter, now: number): Promise<number> {
  const ids = await idsWithReason(queue, ['dead'], choice);
  let count = 0;
  for (let from = 0; from < ids.length; from += MAX_IDS_PER_STATEMENT)
    count += await queue.again(ids.slice(from, from + MAX_IDS_PER_STATEMENT), now);
  return count;
}
