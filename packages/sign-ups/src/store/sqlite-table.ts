import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { BARE, BARE_SIGN_UP, purposesText, rowOf, signUpOf, TROUBLES, troubleOf } from './row.ts';
import {
  type Queue,
  type QueuedRow,
  type SignUpState,
  type SignUpStore,
  STATES,
  STUBBORN_FROM,
  type StoredSignUp,
} from './store.ts';

/** The store's calls for SQLite: synchronous, inside a transaction that the caller ends. */
type Synchronous<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...given: infer Given) => Promise<infer Value>
    ? (...given: Given) => Value
    : never;
};

export type SqliteQueue<Row extends QueuedRow = QueuedRow> = Synchronous<Queue<Row>> & {
  /** Payloads of these, in their order. `claim` does not return them, because they may be large. */
  payloads: (signUpIds: string[]) => (Uint8Array | null)[];
};

export type SqliteTable = SqliteQueue<StoredSignUp> &
  Synchronous<Omit<SignUpStore, keyof Queue | 'copiesFor' | 'close'>>;

/** Calls that change nothing. They need no write lock. */
export const READS: ReadonlySet<keyof SqliteTable> = new Set([
  'payloads',
  'list',
  'get',
  'troubles',
  'stats',
  'destinations',
]);

/** Increase it with every change of the schema. SQLite stores it as `user_version`. */
const SCHEMA_VERSION = 4;

/**
 * Payloads have their own table: they are up to 10 MB with files, and every change of a state would write them again.
 * STRICT rejects times with fractions: such a time once stopped a worker permanently.
 * @param key Columns of the primary key. @param columns Further columns.
 */
const tables = (rows: string, payloads: string, key: string[], columns = '') => `
  CREATE TABLE IF NOT EXISTS ${rows} (
    ${key.map((column) => `${column} TEXT NOT NULL,`).join(' ')}
    form_id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN (${STATES.map((state) => `'${state}'`).join(', ')})),${columns}
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    last_error TEXT,
    delivered_at INTEGER,
    erased_at INTEGER,
    PRIMARY KEY (${key})
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS ${payloads} (
    ${key.map((column) => `${column} TEXT NOT NULL,`).join(' ')}
    payload BLOB NOT NULL,
    PRIMARY KEY (${key}),
    FOREIGN KEY (${key}) REFERENCES ${rows}
  ) STRICT;`;

const SCHEMA = `
  ${tables('sign_ups', 'payloads', ['sign_up_id'], 'digest TEXT NOT NULL, consent_text TEXT, consent TEXT,')}
  ${tables('copies', 'copy_payloads', ['sign_up_id', 'destination'])}
  CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;`;

/** Statements below use these indexes; store.test.ts checks the query plans. */
const indexes = (rows: string, first = '') => `
  CREATE INDEX IF NOT EXISTS ${rows}_due ON ${rows} (${first}attempts, next_try_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${rows}_states ON ${rows} (${first}state, created_at);
  CREATE INDEX IF NOT EXISTS ${rows}_kept ON ${rows} (${first}state, delivered_at, created_at) WHERE erased_at IS NULL;`;

const INDEXES = `${indexes('sign_ups')}${indexes('copies', 'destination, ')}
  PRAGMA user_version = ${SCHEMA_VERSION};`;

/** Version 1 stored the payload in the row. */
const FROM_VERSION_1 = `
  DROP INDEX IF EXISTS sign_ups_due;
  DROP INDEX IF EXISTS sign_ups_state;
  DROP INDEX IF EXISTS sign_ups_oldest;
  DROP INDEX IF EXISTS sign_ups_kept;
  INSERT INTO payloads SELECT sign_up_id, payload FROM sign_ups WHERE payload IS NOT NULL;
  ALTER TABLE sign_ups DROP COLUMN payload;`;

/** Version 2 did not record the visitor's consent. */
const FROM_VERSION_2 = 'ALTER TABLE sign_ups ADD COLUMN consent TEXT';

/** Version 3 had copies for one destination. */
const BEFORE_VERSION_4 = `
  ALTER TABLE copies RENAME TO copies_3;
  ALTER TABLE copy_payloads RENAME TO copy_payloads_3;
  DROP INDEX copies_due;
  DROP INDEX copies_states;
  DROP INDEX copies_kept;`;
const FROM_VERSION_3 = `
  INSERT INTO copies SELECT sign_up_id, 'environment', form_id, state, created_at, attempts, next_try_at, last_error,
    delivered_at, erased_at FROM copies_3;
  INSERT INTO copy_payloads SELECT sign_up_id, 'environment', payload FROM copy_payloads_3;
  DROP TABLE copy_payloads_3;
  DROP TABLE copies_3;`;

const versionOf = (database: DatabaseSync) => Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);

/** @throws If a newer version wrote the file, which this program could damage. */
export function makeTable(database: DatabaseSync): void {
  if (versionOf(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  // Read again, since another process may have migrated first.
  const version = versionOf(database);
  if (version > SCHEMA_VERSION) throw new Error(`the file is of version ${version}, newer than this program`);
  if (version === 3) database.exec(BEFORE_VERSION_4);
  database.exec(SCHEMA);
  if (version === 1) database.exec(FROM_VERSION_1);
  if (version === 1 || version === 2) database.exec(FROM_VERSION_2);
  if (version === 3) database.exec(FROM_VERSION_3);
  database.exec(INDEXES);
  database.exec('COMMIT');
}

const DUE = `state IN ('waiting', 'leased') AND (next_try_at <= :now OR next_try_at > :now + :horizon)`;

// INDEXED BY, because the planner does not know that few rows are due, and would read all that wait.
/** @param which `<` or `>=`: few attempts or many. @param mine Condition on the rows of the queue. */
export const claimSql = (which: string, rows = 'sign_ups', mine = 'true') => `
  UPDATE ${rows} SET state = 'leased', attempts = attempts + 1, next_try_at = :leaseUntil
  WHERE sign_up_id IN (SELECT sign_up_id FROM ${rows} INDEXED BY ${rows}_due WHERE ${mine} AND ${DUE}
    AND attempts ${which} ${STUBBORN_FROM} ORDER BY attempts, next_try_at LIMIT :limit) AND ${mine}
  RETURNING ${BARE}`;

const wholeOf = (rows: string, payloads: string) =>
  `SELECT ${rows}.*, payload FROM ${rows} LEFT JOIN ${payloads} USING (${payloads === 'payloads' ? 'sign_up_id' : 'sign_up_id, destination'})`;

const marks = (values: unknown[]) => values.map(() => '?').join(', ');

/** Erases the sign-ups that match a condition, their payloads and their copies. */
function createErase(database: DatabaseSync) {
  const removePayload = database.prepare('DELETE FROM payloads WHERE sign_up_id = ?');
  const removeCopy = database.prepare('DELETE FROM copy_payloads WHERE sign_up_id = ?');
  const erased = (rows: string, where: string) => `
    UPDATE ${rows} SET erased_at = ?, last_error = 'erased',
    state = CASE state WHEN 'delivered' THEN state ELSE 'dead' END WHERE erased_at IS NULL AND ${where}`;
  const eraseCopy = database.prepare(erased('copies', 'sign_up_id = ?'));
  return (where: string, now: number, ...values: SQLInputValue[]): number => {
    const found = database.prepare(`${erased('sign_ups', where)} RETURNING sign_up_id`).all(now, ...values);
    for (const { sign_up_id } of found) {
      removePayload.run(sign_up_id as string);
      removeCopy.run(sign_up_id as string);
      eraseCopy.run(now, sign_up_id as string);
    }
    return found.length;
  };
}

/** The rows that wait again. @param where Condition on them. */
const againSql = (table: string, where: string) =>
  `UPDATE ${table} SET state = 'waiting', attempts = 0, next_try_at = ?, last_error = NULL
   WHERE erased_at IS NULL AND ${where} RETURNING sign_up_id`;

/**
 * The calls of one queue.
 * @param bare Its columns without the payload.
 * @param mine Condition on its rows, for both tables.
 * @param toRow Reads a row of the table.
 */
function createQueue<Row extends QueuedRow>(
  database: DatabaseSync,
  [table, payloads, bare, mine]: [string, string, string, string],
  toRow: (row: Record<string, unknown>) => Row,
): SqliteQueue<Row> {
  const setPayload = database.prepare(`UPDATE ${payloads} SET payload = ? WHERE sign_up_id = ? AND ${mine}`);
  const one = database.prepare(`${wholeOf(table, payloads)} WHERE sign_up_id = ? AND ${mine}`);
  const payloadOf = database.prepare(`SELECT payload FROM ${payloads} WHERE sign_up_id = ? AND ${mine}`);
  const claimFresh = database.prepare(claimSql('<', table, mine));
  const claimStubborn = database.prepare(claimSql('>=', table, mine));
  const setDelivered = database.prepare(
    `UPDATE ${table} SET state = 'delivered', delivered_at = ?, last_error = NULL
     WHERE sign_up_id = ? AND state <> 'delivered' AND ${mine}`,
  );
  // No effect on a lease that has expired and was claimed by another worker.
  const ofLease = `WHERE sign_up_id = ? AND attempts = ? AND state = 'leased' AND ${mine}`;
  const setWaiting = database.prepare(
    `UPDATE ${table} SET state = 'waiting', next_try_at = ?, last_error = ? ${ofLease}`,
  );
  const setDead = database.prepare(`UPDATE ${table} SET state = 'dead', last_error = ? ${ofLease}`);
  const setDue = database.prepare(
    `UPDATE ${table} SET next_try_at = ? WHERE state = 'waiting' AND next_try_at > ? AND ${mine}`,
  );
  const count = database.prepare(`SELECT state, count(*) AS count FROM ${table} WHERE ${mine} GROUP BY state`);
  const oldest = database.prepare(`SELECT min(created_at) AS oldest FROM ${table} WHERE state = ? AND ${mine}`);
  const newest = database.prepare(
    `SELECT max(delivered_at) AS at FROM ${table} WHERE state = 'delivered' AND erased_at IS NULL AND ${mine}`,
  );
  const troubles = database.prepare(TROUBLES.replace('$table', table).replace('$mine', `AND ${mine}`));

  return {
    claim({ now, leaseUntil, limit, stubbornLimit, horizonMs }) {
      const take = (statement: typeof claimFresh, most: number) =>
        most > 0 ? statement.all({ now, leaseUntil, limit: most, horizon: horizonMs }) : [];
      const fresh = take(claimFresh, limit);
      return [...fresh, ...take(claimStubborn, Math.min(stubbornLimit, limit - fresh.length))].map(rowOf);
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
    again: (signUpIds, now) =>
      database
        .prepare(againSql(table, `state = 'dead' AND sign_up_id IN (${marks(signUpIds)}) AND ${mine}`))
        .all(now, ...signUpIds).length,
    get(signUpId) {
      const row = one.get(signUpId);
      return row ? toRow(row) : null;
    },
    list({ states, limit, isBare = false }) {
      const select = isBare ? `SELECT ${bare} FROM ${table}` : wholeOf(table, payloads);
      const where = `WHERE ${mine} ${states.length > 0 ? `AND state IN (${marks(states)})` : ''}`;
      const rows = database.prepare(`${select} ${where} ORDER BY created_at DESC LIMIT ?`);
      return rows.all(...states, limit).map(toRow);
    },
    troubles: () => troubles.all().map(troubleOf),
    stats() {
      const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<SignUpState, number>;
      for (const row of count.all()) counts[row.state as SignUpState] = row.count as number;
      const ages = ['waiting', 'leased'].flatMap((state) => (oldest.get(state)?.oldest as number | null) ?? []);
      return {
        counts,
        oldestAt: ages.length > 0 ? Math.min(...ages) : null,
        lastDeliveredAt: newest.get()?.at as number | null,
      };
    },
  };
}

export interface SqliteTables {
  signUps: SqliteTable;
  /** The copies for one destination. */
  copiesFor: (destination: string) => SqliteQueue;
}

/** Prepares the statements once per connection. */
export function createTables(database: DatabaseSync): SqliteTables {
  const insert = database.prepare(`
    INSERT INTO sign_ups
      (sign_up_id, form_id, state, digest, consent_text, consent, created_at, next_try_at, last_error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const insertPayload = database.prepare('INSERT INTO payloads (sign_up_id, payload) VALUES (?, ?)');
  const insertCopy = database.prepare(
    'INSERT INTO copies (sign_up_id, destination, form_id, state, created_at, next_try_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertCopyPayload = database.prepare('INSERT INTO copy_payloads VALUES (?, ?, ?)');
  const removeCopyPayload = database.prepare('DELETE FROM copy_payloads WHERE sign_up_id = ? AND destination = ?');
  const digestOf = database.prepare('SELECT digest FROM sign_ups WHERE sign_up_id = ?');
  const probe = database.prepare('INSERT INTO probe VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at');
  const erase = createErase(database);

  const retryIn = (table: string, signUpIds: string[] | null, now: number) =>
    database
      .prepare(
        againSql(
          table,
          signUpIds ? `state IN ('dead', 'set-aside') AND sign_up_id IN (${marks(signUpIds)})` : `state = 'dead'`,
        ),
      )
      .all(now, ...(signUpIds ?? []))
      .map(({ sign_up_id }) => sign_up_id);

  const signUps: SqliteTable = {
    ...createQueue(database, ['sign_ups', 'payloads', BARE_SIGN_UP, 'true'], signUpOf),
    add({ signUpId, formId, state, payload, digest, consentText, consent, createdAt, note, copies }) {
      const given = [signUpId, formId, state, digest, consentText, purposesText(consent), createdAt, createdAt, note];
      if (!insert.run(...given).changes) return digestOf.get(signUpId)?.digest === digest ? 'repeated' : 'changed';
      insertPayload.run(signUpId, payload);
      for (const { destination, payload } of copies) {
        insertCopy.run(signUpId, destination, formId, state, createdAt, createdAt);
        insertCopyPayload.run(signUpId, destination, payload);
      }
      return 'added';
    },
    retry: (signUpIds, now) => new Set(['sign_ups', 'copies'].flatMap((table) => retryIn(table, signUpIds, now))).size,
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
    destinations: () =>
      database
        .prepare('SELECT DISTINCT destination FROM copies')
        .all()
        .map(({ destination }) => destination as string),
    removeCopies(destinations, now) {
      const ended = database
        .prepare(
          `UPDATE copies SET state = 'dead', last_error = 'removed', erased_at = ?
           WHERE destination IN (${marks(destinations)}) AND state IN ('waiting', 'leased', 'set-aside')
           RETURNING sign_up_id, destination`,
        )
        .all(now, ...destinations);
      for (const row of ended) removeCopyPayload.run(row.sign_up_id as string, row.destination as string);
      return ended.length;
    },
    probe: (now) => void probe.run(now),
  };
  const queues = new Map<string, SqliteQueue>();
  const copiesFor = (destination: string): SqliteQueue => {
    const mine = `destination = '${destination.replaceAll("'", "''")}'`;
    const queue = queues.get(destination) ?? createQueue(database, ['copies', 'copy_payloads', BARE, mine], rowOf);
    queues.set(destination, queue);
    return queue;
  };
  return { signUps, copiesFor };
}
