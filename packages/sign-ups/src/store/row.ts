import type { Purpose } from '@pillion/lib/consent.ts';
import { type QueuedRow, type SignUpState, STATES, type StoredSignUp, type Trouble } from './store.ts';

/** Columns of a queue without the payload, for both stores. Payloads with files are large. */
export const COLUMNS_WITHOUT_PAYLOAD = `sign_up_id, form_id, state, NULL AS payload, created_at, attempts, next_try_at,
  last_error, delivered_at, erased_at`;

/** The same with the columns that only sign-ups have. */
export const SIGN_UP_COLUMNS_WITHOUT_PAYLOAD = `${COLUMNS_WITHOUT_PAYLOAD}, digest, consent_text, consent`;

export const rowOf = (row: Record<string, unknown>): QueuedRow => ({
  signUpId: row.sign_up_id as string,
  formId: row.form_id as number,
  state: row.state as SignUpState,
  payload: row.payload as Uint8Array | null,
  createdAt: row.created_at as number,
  attempts: row.attempts as number,
  nextTryAt: row.next_try_at as number,
  lastError: row.last_error as string | null,
  deliveredAt: row.delivered_at as number | null,
  erasedAt: row.erased_at as number | null,
});

export const zeroCounts = () => Object.fromEntries(STATES.map((state) => [state, 0])) as Record<SignUpState, number>;

/** Purposes as text in one column. */
export const formatPurposes = (purposes: readonly Purpose[]): string => purposes.join(' ');

const parsePurposes = (text: string) => text.split(' ').filter(Boolean) as Purpose[];

export const signUpOf = (row: Record<string, unknown>): StoredSignUp => ({
  ...rowOf(row),
  digest: row.digest as string,
  consentText: row.consent_text as string | null,
  // It is NULL in rows of an earlier development version.
  consent: parsePurposes((row.consent as string | null) ?? ''),
});

/** Maximum groups, the most frequent first. The backend's messages may differ from row to row. */
const MAX_TROUBLES = 1_000;

/** @param andInQueue Condition on the rows of the queue, with `AND` before it. */
export const troublesSql = (table: string, andInQueue: string) => `
  SELECT state, form_id, last_error, count(*) AS count, min(created_at) AS oldest FROM ${table}
  WHERE state IN ('waiting', 'leased', 'dead', 'set-aside') AND erased_at IS NULL ${andInQueue}
  GROUP BY state, form_id, last_error ORDER BY count(*) DESC LIMIT ${MAX_TROUBLES}`;

export const troubleOf = (row: Record<string, unknown>): Trouble => ({
  state: row.state as SignUpState,
  formId: row.form_id as number,
  reason: row.last_error as string | null,
  count: row.count as number,
  oldestAt: row.oldest as number,
});
