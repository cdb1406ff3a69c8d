import type { SignUpState, StoredSignUp, Trouble } from './store.ts';

/** All columns but the payload, for both stores. A list has many rows, and payloads with files are large. */
export const BARE = `sign_up_id, form_id, state, NULL AS payload, digest, consent_text, created_at, attempts, next_try_at,
  last_error, delivered_at, erased_at`;

export const signUpOf = (row: Record<string, unknown>): StoredSignUp => ({
  signUpId: row.sign_up_id as string,
  formId: row.form_id as number,
  state: row.state as SignUpState,
  payload: row.payload as Uint8Array | null,
  digest: row.digest as string,
  consentText: row.consent_text as string | null,
  createdAt: row.created_at as number,
  attempts: row.attempts as number,
  nextTryAt: row.next_try_at as number,
  lastError: row.last_error as string | null,
  deliveredAt: row.delivered_at as number | null,
  erasedAt: row.erased_at as number | null,
});

/** Maximum groups, the most frequent first. The backend's messages may differ from row to row. */
const MOST_TROUBLES = 1_000;

export const TROUBLES = `SELECT state, form_id, last_error, count(*) AS count, min(created_at) AS oldest FROM $table
  WHERE state IN ('waiting', 'leased', 'dead', 'set-aside') AND erased_at IS NULL
  GROUP BY state, form_id, last_error ORDER BY count(*) DESC LIMIT ${MOST_TROUBLES}`;

export const troubleOf = (row: Record<string, unknown>): Trouble => ({
  state: row.state as SignUpState,
  formId: row.form_id as number,
  reason: row.last_error as string | null,
  count: row.count as number,
  oldestAt: row.oldest as number,
});
