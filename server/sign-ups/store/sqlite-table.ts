import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { BARE, signUpOf } from './row.ts';
import { type SignUpState, type SignUpStore, STATES, STUBBORN_FROM } from './store.ts';

/** The store's calls as SQLite makes them: at once, inside a transaction that somebody else ends. */
export type SqliteTable = {
  [Name in Exclude<keyof SignUpStore, 'close'>]: (
    ...given: Parameters<SignUpStore[Name]>
  ) => Awaited<ReturnType<SignUpStore[Name]>>;
};

/** Raised with every change of the schema; `user_version` holds it. */
const SCHEMA_VERSION = 1;

// STRICT, so that a fraction in a time is an error at once: it once stalled a worker for good.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS sign_ups (
    sign_up_id TEXT PRIMARY KEY,
    form_id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN (${STATES.map((state) => `'${state}'`).join(', ')})),
    payload BLOB,
    digest TEXT NOT NULL,
    consent_text TEXT,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    last_error TEXT,
    delivered_at INTEGER,
    erased_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sign_ups_due ON sign_ups (attempts, next_try_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS sign_ups_state ON sign_ups (state);
  CREATE INDEX IF NOT EXISTS sign_ups_oldest ON sign_ups (created_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS sign_ups_kept ON sign_ups (delivered_at) WHERE payload IS NOT NULL;
  PRAGMA user_version = ${SCHEMA_VERSION};`;

/** @throws Where the file was written by a newer version, which this one could damage. */
export function makeTable(database: DatabaseSync): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (version > SCHEMA_VERSION) throw new Error(`the file is of version ${version}, newer than this program`);
  if (version === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  database.exec(SCHEMA);
  database.exec('COMMIT');
}

const DUE = `state IN ('waiting', 'leased') AND (next_try_at <= :now OR next_try_at > :now + :horizon)`;

const claimSql = (which: string) => `
  UPDATE sign_ups SET state = 'leased', attempts = attempts + 1, next_try_at = :leaseUntil
  WHERE sign_up_id IN (SELECT sign_up_id FROM sign_ups WHERE ${DUE} AND attempts ${which} ${STUBBORN_FROM}
    ORDER BY attempts, next_try_at LIMIT :limit)
  RETURNING *`;

const marks = (values: unknown[]) => values.map(() => '?').join(', ');

/** The statements, prepared once per connection. */
export function createTable(database: DatabaseSync): SqliteTable {
  const insert = database.prepare(`
    INSERT INTO sign_ups (sign_up_id, form_id, state, payload, digest, consent_text, created_at, next_try_at, last_error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const one = database.prepare('SELECT * FROM sign_ups WHERE sign_up_id = ?');
  const claimFresh = database.prepare(claimSql('<'));
  const claimStubborn = database.prepare(claimSql('>='));
  const setDelivered = database.prepare(
    `UPDATE sign_ups SET state = 'delivered', delivered_at = ?, last_error = NULL WHERE sign_up_id = ? AND state <> 'delivered'`,
  );
  // Of a lease that ran out and was taken up by another worker, this one has nothing more to say.
  const ofLease = `WHERE sign_up_id = ? AND attempts = ? AND state = 'leased'`;
  const setWaiting = database.prepare(
    `UPDATE sign_ups SET state = 'waiting', next_try_at = ?, last_error = ? ${ofLease}`,
  );
  const setDead = database.prepare(`UPDATE sign_ups SET state = 'dead', last_error = ? ${ofLease}`);
  const setDue = database.prepare(`UPDATE sign_ups SET next_try_at = ? WHERE state = 'waiting' AND next_try_at > ?`);
  const count = database.prepare('SELECT state, count(*) AS count FROM sign_ups GROUP BY state');
  const oldest = database.prepare(
    `SELECT min(created_at) AS oldest FROM sign_ups WHERE state IN ('waiting', 'leased')`,
  );

  const changes = (sql: string, ...values: SQLInputValue[]) => Number(database.prepare(sql).run(...values).changes);
  const erase = (where: string, now: number, ...values: SQLInputValue[]) =>
    changes(
      `UPDATE sign_ups SET payload = NULL, erased_at = ?, last_error = 'erased',
       state = CASE state WHEN 'delivered' THEN state ELSE 'dead' END WHERE payload IS NOT NULL AND ${where}`,
      now,
      ...values,
    );

  return {
    add({ signUpId, formId, state, payload, digest, consentText, createdAt, note }) {
      const given = [signUpId, formId, state, payload, digest, consentText, createdAt, createdAt, note];
      if (insert.run(...given).changes) return 'added';
      return one.get(signUpId)?.digest === digest ? 'repeated' : 'changed';
    },
    claim({ now, leaseUntil, limit, stubbornLimit, horizonMs }) {
      const take = (statement: typeof claimFresh, most: number) =>
        most > 0 ? statement.all({ now, leaseUntil, limit: most, horizon: horizonMs }) : [];
      const fresh = take(claimFresh, limit);
      return [...fresh, ...take(claimStubborn, Math.min(stubbornLimit, limit - fresh.length))].map(signUpOf);
    },
    deliver: (signUpId, now) => void setDelivered.run(now, signUpId),
    postpone: ({ signUpId, attempt }, nextTryAt, error) =>
      setWaiting.run(nextTryAt, error, signUpId, attempt).changes > 0,
    bury: ({ signUpId, attempt }, error) => setDead.run(error, signUpId, attempt).changes > 0,
    wake: (now) => Number(setDue.run(now, now).changes),
    list({ states, limit, isBare = false }) {
      const where = states.length > 0 ? `WHERE state IN (${marks(states)})` : '';
      const rows = database.prepare(
        `SELECT ${isBare ? BARE : '*'} FROM sign_ups ${where} ORDER BY created_at DESC LIMIT ?`,
      );
      return rows.all(...states, limit).map(signUpOf);
    },
    get(signUpId) {
      const row = one.get(signUpId);
      return row ? signUpOf(row) : null;
    },
    retry: (signUpIds, now) =>
      changes(
        `UPDATE sign_ups SET state = 'waiting', attempts = 0, next_try_at = ?, last_error = NULL WHERE payload IS NOT NULL
         AND ${signUpIds ? `state IN ('dead', 'set-aside') AND sign_up_id IN (${marks(signUpIds)})` : `state = 'dead'`}`,
        now,
        ...(signUpIds ?? []),
      ),
    erase: (signUpIds, now) => erase(`sign_up_id IN (${marks(signUpIds)})`, now, ...signUpIds),
    expire: (before, now) => erase(`state = 'delivered' AND delivered_at < ?`, now, before),
    stats() {
      const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<SignUpState, number>;
      for (const row of count.all()) counts[row.state as SignUpState] = row.count as number;
      return { counts, oldestAt: (oldest.get()?.oldest ?? null) as number | null };
    },
  };
}
