import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { BARE, signUpOf, TROUBLES, troubleOf } from './row.ts';
import { type SignUpState, type SignUpStore, STATES, STUBBORN_FROM } from './store.ts';

/** The store's calls for SQLite: synchronous, inside a transaction that the caller ends. */
export type SqliteTable = {
  [Name in Exclude<keyof SignUpStore, 'close'>]: (
    ...given: Parameters<SignUpStore[Name]>
  ) => Awaited<ReturnType<SignUpStore[Name]>>;
} & {
  /** Payloads of these, in their order. `claim` does not return them, because they may be large. */
  payloads: (signUpIds: string[]) => (Uint8Array | null)[];
};

/** Calls that change nothing. They need no write lock. */
export const READS: ReadonlySet<keyof SqliteTable> = new Set(['payloads', 'list', 'get', 'troubles', 'stats']);

/** Increase it with every change of the schema. SQLite stores it as `user_version`. */
const SCHEMA_VERSION = 2;

/**
 * Payloads have their own table: they are up to 10 MB with files, and every change of a state would write them again.
 * STRICT rejects times with fractions: such a time once stopped a worker permanently.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sign_ups (
    sign_up_id TEXT PRIMARY KEY,
    form_id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN (${STATES.map((state) => `'${state}'`).join(', ')})),
    digest TEXT NOT NULL,
    consent_text TEXT,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    last_error TEXT,
    delivered_at INTEGER,
    erased_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS payloads (
    sign_up_id TEXT PRIMARY KEY REFERENCES sign_ups,
    payload BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;`;

/** Statements below use these indexes; store.test.ts checks the query plans. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS sign_ups_due ON sign_ups (attempts, next_try_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS sign_ups_states ON sign_ups (state, created_at);
  CREATE INDEX IF NOT EXISTS sign_ups_kept ON sign_ups (state, delivered_at, created_at) WHERE erased_at IS NULL;
  PRAGMA user_version = ${SCHEMA_VERSION};`;

/** Version 1 stored the payload in the row. */
const FROM_VERSION_1 = `
  DROP INDEX IF EXISTS sign_ups_due;
  DROP INDEX IF EXISTS sign_ups_state;
  DROP INDEX IF EXISTS sign_ups_oldest;
  DROP INDEX IF EXISTS sign_ups_kept;
  INSERT INTO payloads SELECT sign_up_id, payload FROM sign_ups WHERE payload IS NOT NULL;
  ALTER TABLE sign_ups DROP COLUMN payload;`;

const versionOf = (database: DatabaseSync) => Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);

/** @throws If a newer version wrote the file, which this program could damage. */
export function makeTable(database: DatabaseSync): void {
  if (versionOf(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  // Read again, since another process may have migrated first.
  const version = versionOf(database);
  if (version > SCHEMA_VERSION) throw new Error(`the file is of version ${version}, newer than this program`);
  database.exec(SCHEMA);
  if (version === 1) database.exec(FROM_VERSION_1);
  database.exec(INDEXES);
  database.exec('COMMIT');
}

const DUE = `state IN ('waiting', 'leased') AND (next_try_at <= :now OR next_try_at > :now + :horizon)`;

// INDEXED BY, because the planner does not know that few rows are due, and would read all that wait.
/** @param which `<` or `>=`: few attempts or many. */
export const claimSql = (which: string) => `
  UPDATE sign_ups SET state = 'leased', attempts = attempts + 1, next_try_at = :leaseUntil
  WHERE sign_up_id IN (SELECT sign_up_id FROM sign_ups INDEXED BY sign_ups_due WHERE ${DUE} AND attempts ${which} ${STUBBORN_FROM}
    ORDER BY attempts, next_try_at LIMIT :limit)
  RETURNING ${BARE}`;

const WHOLE = 'SELECT sign_ups.*, payload FROM sign_ups LEFT JOIN payloads USING (sign_up_id)';

const marks = (values: unknown[]) => values.map(() => '?').join(', ');

const changes = (database: DatabaseSync, sql: string, ...values: SQLInputValue[]) =>
  Number(database.prepare(sql).run(...values).changes);

/** Erases the rows that match a condition, and their payloads. */
function createErase(database: DatabaseSync) {
  const removePayload = database.prepare('DELETE FROM payloads WHERE sign_up_id = ?');
  return (where: string, now: number, ...values: SQLInputValue[]): number => {
    const erased = database
      .prepare(
        `UPDATE sign_ups SET erased_at = ?, last_error = 'erased',
         state = CASE state WHEN 'delivered' THEN state ELSE 'dead' END WHERE erased_at IS NULL AND ${where}
         RETURNING sign_up_id`,
      )
      .all(now, ...values);
    for (const { sign_up_id } of erased) removePayload.run(sign_up_id as string);
    return erased.length;
  };
}

/** Prepares the statements once per connection. */
export function createTable(database: DatabaseSync): SqliteTable {
  const insert = database.prepare(`
    INSERT INTO sign_ups (sign_up_id, form_id, state, digest, consent_text, created_at, next_try_at, last_error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const insertPayload = database.prepare('INSERT INTO payloads (sign_up_id, payload) VALUES (?, ?)');
  const setPayload = database.prepare('UPDATE payloads SET payload = ? WHERE sign_up_id = ?');
  const digestOf = database.prepare('SELECT digest FROM sign_ups WHERE sign_up_id = ?');
  const one = database.prepare(`${WHOLE} WHERE sign_up_id = ?`);
  const payloadOf = database.prepare('SELECT payload FROM payloads WHERE sign_up_id = ?');
  const claimFresh = database.prepare(claimSql('<'));
  const claimStubborn = database.prepare(claimSql('>='));
  const setDelivered = database.prepare(
    `UPDATE sign_ups SET state = 'delivered', delivered_at = ?, last_error = NULL
     WHERE sign_up_id = ? AND state <> 'delivered'`,
  );
  // No effect on a lease that has expired and was claimed by another worker.
  const ofLease = `WHERE sign_up_id = ? AND attempts = ? AND state = 'leased'`;
  const setWaiting = database.prepare(
    `UPDATE sign_ups SET state = 'waiting', next_try_at = ?, last_error = ? ${ofLease}`,
  );
  const setDead = database.prepare(`UPDATE sign_ups SET state = 'dead', last_error = ? ${ofLease}`);
  const setDue = database.prepare(`UPDATE sign_ups SET next_try_at = ? WHERE state = 'waiting' AND next_try_at > ?`);
  const count = database.prepare('SELECT state, count(*) AS count FROM sign_ups GROUP BY state');
  const oldest = database.prepare('SELECT min(created_at) AS oldest FROM sign_ups WHERE state = ?');
  const probe = database.prepare('INSERT INTO probe VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at');

  const troubles = database.prepare(TROUBLES.replace('$table', 'sign_ups'));

  const erase = createErase(database);

  return {
    add({ signUpId, formId, state, payload, digest, consentText, createdAt, note }) {
      const given = [signUpId, formId, state, digest, consentText, createdAt, createdAt, note];
      if (!insert.run(...given).changes) return digestOf.get(signUpId)?.digest === digest ? 'repeated' : 'changed';
      insertPayload.run(signUpId, payload);
      return 'added';
    },
    claim({ now, leaseUntil, limit, stubbornLimit, horizonMs }) {
      const take = (statement: typeof claimFresh, most: number) =>
        most > 0 ? statement.all({ now, leaseUntil, limit: most, horizon: horizonMs }) : [];
      const fresh = take(claimFresh, limit);
      return [...fresh, ...take(claimStubborn, Math.min(stubbornLimit, limit - fresh.length))].map(signUpOf);
    },
    payloads: (signUpIds) => signUpIds.map((id) => (payloadOf.get(id)?.payload ?? null) as Uint8Array | null),
    deliver(signUpId, now, payload = null) {
      // An erased sign-up has no payload to replace.
      if (setDelivered.run(now, signUpId).changes && payload) setPayload.run(payload, signUpId);
    },
    postpone: ({ signUpId, attempt }, nextTryAt, error) =>
      setWaiting.run(nextTryAt, error, signUpId, attempt).changes > 0,
    bury: ({ signUpId, attempt }, error) => setDead.run(error, signUpId, attempt).changes > 0,
    wake: (now) => Number(setDue.run(now, now).changes),
    list({ states, limit, isBare = false }) {
      const where = states.length > 0 ? `WHERE state IN (${marks(states)})` : '';
      const rows = database.prepare(
        `${isBare ? `SELECT ${BARE} FROM sign_ups` : WHOLE} ${where} ORDER BY created_at DESC LIMIT ?`,
      );
      return rows.all(...states, limit).map(signUpOf);
    },
    get(signUpId) {
      const row = one.get(signUpId);
      return row ? signUpOf(row) : null;
    },
    retry: (signUpIds, now) =>
      changes(
        database,
        `UPDATE sign_ups SET state = 'waiting', attempts = 0, next_try_at = ?, last_error = NULL WHERE erased_at IS NULL
         AND ${signUpIds ? `state IN ('dead', 'set-aside') AND sign_up_id IN (${marks(signUpIds)})` : `state = 'dead'`}`,
        now,
        ...(signUpIds ?? []),
      ),
    erase: (signUpIds, now) => erase(`sign_up_id IN (${marks(signUpIds)})`, now, ...signUpIds),
    expire: ({ deliveredBefore, givenUpBefore, waitingBefore, setAsideAtMost }, now) =>
      erase(`state = 'delivered' AND delivered_at < ?`, now, deliveredBefore) +
      erase(`state IN ('dead', 'set-aside') AND created_at < ?`, now, givenUpBefore) +
      erase(`state = 'waiting' AND created_at < ?`, now, waitingBefore) +
      erase(
        `state = 'set-aside' AND sign_up_id NOT IN
         (SELECT sign_up_id FROM sign_ups WHERE state = 'set-aside' ORDER BY created_at DESC LIMIT ?)`,
        now,
        setAsideAtMost,
      ),
    troubles: () => troubles.all().map(troubleOf),
    probe: (now) => void probe.run(now),
    stats() {
      const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<SignUpState, number>;
      for (const row of count.all()) counts[row.state as SignUpState] = row.count as number;
      const ages = ['waiting', 'leased'].flatMap((state) => (oldest.get(state)?.oldest as number | null) ?? []);
      return { counts, oldestAt: ages.length > 0 ? Math.min(...ages) : null };
    },
  };
}
