import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { ERASE_BATCH_SIZE } from './batch.ts';
import {
  COLUMNS_WITHOUT_PAYLOAD,
  formatPurposes,
  rowOf,
  SIGN_UP_COLUMNS_WITHOUT_PAYLOAD,
  signUpOf,
  troubleOf,
  troublesSql,
  zeroCounts,
} from './row.ts';
import { createSchema } from './sqlite-schema.ts';
import {
  type Queue,
  type QueuedRow,
  type SignUpState,
  type SignUpStore,
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

/** A call on the table as data, since it may come from another thread. */
export interface Call {
  /** `null`: the sign-ups; else the copies for this destination. */
  destination: string | null;
  name: keyof SqliteTable;
  given: unknown[];
}

export type Outcome = { ok: true; value: unknown } | { ok: false; message: string };

const DUE = `state IN ('waiting', 'leased') AND (next_try_at <= :now OR next_try_at > :now + :horizon)`;

// INDEXED BY, because the planner does not know that few rows are due, and would read all that wait.
/** @param which `<` or `>=`: few attempts or many. @param inQueue Condition on the rows of the queue. */
export const claimSql = (which: string, rows = 'sign_ups', inQueue = 'true') => `
  UPDATE ${rows} SET state = 'leased', attempts = attempts + 1, next_try_at = :leaseUntil
  WHERE sign_up_id IN (SELECT sign_up_id FROM ${rows} INDEXED BY ${rows}_due WHERE ${inQueue} AND ${DUE}
    AND attempts ${which} ${STUBBORN_FROM} ORDER BY attempts, next_try_at LIMIT :limit) AND ${inQueue}
  RETURNING ${COLUMNS_WITHOUT_PAYLOAD}`;

function selectWithPayload(rows: string, payloads: string): string {
  const key = rows === 'copies' ? 'sign_up_id, destination' : 'sign_up_id';
  return `SELECT ${rows}.*, payload FROM ${rows} LEFT JOIN ${payloads} USING (${key})`;
}

const placeholders = (values: unknown[]) => values.map(() => '?').join(', ');

/** @returns A function that erases the sign-ups that match a condition, their payloads and their copies. */
function createErase(database: DatabaseSync) {
  const removePayload = database.prepare('DELETE FROM payloads WHERE sign_up_id = ?');
  const removeCopy = database.prepare('DELETE FROM copy_payloads WHERE sign_up_id = ?');
  const eraseSql = (rows: string, where: string) => `
    UPDATE ${rows} SET erased_at = ?, last_error = 'erased',
    state = CASE state WHEN 'delivered' THEN state ELSE 'dead' END WHERE erased_at IS NULL AND ${where}`;
  const eraseCopy = database.prepare(eraseSql('copies', 'sign_up_id = ?'));
  return (where: string, now: number, ...values: SQLInputValue[]): number => {
    const erasedRows = database.prepare(`${eraseSql('sign_ups', where)} RETURNING sign_up_id`).all(now, ...values);
    for (const { sign_up_id } of erasedRows) {
      removePayload.run(sign_up_id as string);
      removeCopy.run(sign_up_id as string);
      eraseCopy.run(now, sign_up_id as string);
    }
    return erasedRows.length;
  };
}

/** The rows that wait again. @param where Condition on them. */
const waitAgainSql = (table: string, where: string) =>
  `UPDATE ${table} SET state = 'waiting', attempts = 0, next_try_at = ?, last_error = NULL
   WHERE erased_at IS NULL AND ${where} RETURNING sign_up_id`;

/**
 * The calls of one queue.
 * @param bare Its columns without the payload.
 * @param inQueue Condition on its rows, for both tables.
 * @param toRow Reads a row of the table.
 */
function createQueue<Row extends QueuedRow>(
  database: DatabaseSync,
  [table, payloads, bare, inQueue]: [string, string, string, string],
  toRow: (row: Record<string, unknown>) => Row,
): SqliteQueue<Row> {
  const setPayload = database.prepare(`UPDATE ${payloads} SET payload = ? WHERE sign_up_id = ? AND ${inQueue}`);
  const selectOne = database.prepare(`${selectWithPayload(table, payloads)} WHERE sign_up_id = ? AND ${inQueue}`);
  const selectPayload = database.prepare(`SELECT payload FROM ${payloads} WHERE sign_up_id = ? AND ${inQueue}`);
  const claimFresh = database.prepare(claimSql('<', table, inQueue));
  const claimStubborn = database.prepare(claimSql('>=', table, inQueue));
  const setDelivered = database.prepare(
    `UPDATE ${table} SET state = 'delivered', delivered_at = ?, last_error = NULL
     WHERE sign_up_id = ? AND state <> 'delivered' AND ${inQueue}`,
  );
  // No effect on a lease that has expired and was claimed by another worker.
  const whereStillLeased = `WHERE sign_up_id = ? AND attempts = ? AND state = 'leased' AND ${inQueue}`;
  const setWaiting = database.prepare(
    `UPDATE ${table} SET state = 'waiting', next_try_at = ?, last_error = ? ${whereStillLeased}`,
  );
  const setDead = database.prepare(`UPDATE ${table} SET state = 'dead', last_error = ? ${whereStillLeased}`);
  const setDue = database.prepare(
    `UPDATE ${table} SET next_try_at = ? WHERE state = 'waiting' AND next_try_at > ? AND ${inQueue}`,
  );
  const countByState = database.prepare(
    `SELECT state, count(*) AS count FROM ${table} WHERE ${inQueue} GROUP BY state`,
  );
  const selectOldest = database.prepare(
    `SELECT min(created_at) AS oldest FROM ${table} WHERE state = ? AND ${inQueue}`,
  );
  const selectLastDelivered = database.prepare(
    `SELECT max(delivered_at) AS at FROM ${table} WHERE state = 'delivered' AND erased_at IS NULL AND ${inQueue}`,
  );
  const selectTroubles = database.prepare(troublesSql(table, `AND ${inQueue}`));

  return {
    claim({ now, leaseUntil, limit, stubbornLimit, horizonMs }) {
      const claimUpTo = (statement: typeof claimFresh, max: number) =>
        max > 0 ? statement.all({ now, leaseUntil, limit: max, horizon: horizonMs }) : [];
      const fresh = claimUpTo(claimFresh, limit);
      return [...fresh, ...claimUpTo(claimStubborn, Math.min(stubbornLimit, limit - fresh.length))].map(rowOf);
    },
    payloads: (signUpIds) => signUpIds.map((id) => (selectPayload.get(id)?.payload ?? null) as Uint8Array | null),
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
        .prepare(waitAgainSql(table, `state = 'dead' AND sign_up_id IN (${placeholders(signUpIds)}) AND ${inQueue}`))
        .all(now, ...signUpIds).length,
    get(signUpId) {
      const row = selectOne.get(signUpId);
      return row ? toRow(row) : null;
    },
    list({ states, limit, isBare = false }) {
      const select = isBare ? `SELECT ${bare} FROM ${table}` : selectWithPayload(table, payloads);
      const where = `WHERE ${inQueue} ${states.length > 0 ? `AND state IN (${placeholders(states)})` : ''}`;
      const rows = database.prepare(`${select} ${where} ORDER BY created_at DESC LIMIT ?`);
      return rows.all(...states, limit).map(toRow);
    },
    troubles: () => selectTroubles.all().map(troubleOf),
    stats() {
      const counts = zeroCounts();
      for (const row of countByState.all()) counts[row.state as SignUpState] = row.count as number;
      const ages = ['waiting', 'leased'].flatMap((state) => (selectOldest.get(state)?.oldest as number | null) ?? []);
      return {
        counts,
        oldestAt: ages.length > 0 ? Math.min(...ages) : null,
        lastDeliveredAt: selectLastDelivered.get()?.at as number | null,
      };
    },
  };
}

interface SqliteTables {
  signUps: SqliteTable;
  copiesFor: (destination: string) => SqliteQueue;
}

/** Prepares the statements once per connection. */
function createTables(database: DatabaseSync): SqliteTables {
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
  const eraseFirst = (where: string, now: number, limit: number) =>
    erase(
      `sign_up_id IN (SELECT sign_up_id FROM sign_ups WHERE erased_at IS NULL AND ${where} LIMIT ${ERASE_BATCH_SIZE})`,
      now,
      limit,
    );

  /** @returns Ids of the changed rows. */
  function retryIn(table: string, signUpIds: string[] | null, now: number) {
    const where = signUpIds
      ? `state IN ('dead', 'set-aside') AND sign_up_id IN (${placeholders(signUpIds)})`
      : `state = 'dead'`;
    const changed = database.prepare(waitAgainSql(table, where)).all(now, ...(signUpIds ?? []));
    return changed.map(({ sign_up_id }) => sign_up_id);
  }

  const signUps: SqliteTable = {
    ...createQueue(database, ['sign_ups', 'payloads', SIGN_UP_COLUMNS_WITHOUT_PAYLOAD, 'true'], signUpOf),
    add({ signUpId, formId, state, payload, digest, consentText, consent, createdAt, note, copies }) {
      const given = [signUpId, formId, state, digest, consentText, formatPurposes(consent), createdAt, createdAt, note];
      if (!insert.run(...given).changes) return digestOf.get(signUpId)?.digest === digest ? 'repeated' : 'changed';
      insertPayload.run(signUpId, payload);
      for (const { destination, payload } of copies) {
        insertCopy.run(signUpId, destination, formId, state, createdAt, createdAt);
        insertCopyPayload.run(signUpId, destination, payload);
      }
      return 'added';
    },
    retry: (signUpIds, now) => new Set(['sign_ups', 'copies'].flatMap((table) => retryIn(table, signUpIds, now))).size,
    erase: (signUpIds, now) => erase(`sign_up_id IN (${placeholders(signUpIds)})`, now, ...signUpIds),
    expire: ({ deliveredBefore, givenUpBefore, waitingBefore, setAsideAtMost }, now) =>
      eraseFirst(`state = 'delivered' AND delivered_at < ?`, now, deliveredBefore) +
      eraseFirst(`state IN ('dead', 'set-aside') AND created_at < ?`, now, givenUpBefore) +
      eraseFirst(`state = 'waiting' AND created_at < ?`, now, waitingBefore) +
      eraseFirst(
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
      const removed = database
        .prepare(
          `UPDATE copies SET state = 'dead', last_error = 'removed', erased_at = ?
           WHERE (sign_up_id, destination) IN (SELECT sign_up_id, destination FROM copies
             WHERE destination IN (${placeholders(destinations)}) AND state IN ('waiting', 'leased', 'set-aside')
             LIMIT ${ERASE_BATCH_SIZE})
           RETURNING sign_up_id, destination`,
        )
        .all(now, ...destinations);
      for (const row of removed) removeCopyPayload.run(row.sign_up_id as string, row.destination as string);
      return removed.length;
    },
    probe: (now) => void probe.run(now),
  };
  const queues = new Map<string, SqliteQueue>();
  const copiesFor = (destination: string): SqliteQueue => {
    const inQueue = `destination = '${destination.replaceAll("'", "''")}'`;
    const queue =
      queues.get(destination) ??
      createQueue(database, ['copies', 'copy_payloads', COLUMNS_WITHOUT_PAYLOAD, inQueue], rowOf);
    queues.set(destination, queue);
    return queue;
  };
  return { signUps, copiesFor };
}

/** Longest wait for a lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** SQLite's busy timeout does not apply to the switch to WAL, so it is retried while another process does the same. */
const SQLITE_BUSY = 5;
const MAX_WAL_TRIES = 100;
const WAL_PAUSE_MS = 20;

/** Blocks the thread. */
const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function syncFolder(directory: string): void {
  const folder = openSync(directory, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Creates the file, readable by its owner only. It syncs the folder as well, because SQLite syncs the file only. */
function createFile(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', 0o600));
  syncFolder(dirname(path));
}

function switchToWal(database: DatabaseSync): void {
  for (let remaining = MAX_WAL_TRIES; ; remaining--) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (remaining === 0 || (error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      sleep(WAL_PAUSE_MS);
    }
  }
}

interface Connection {
  database: DatabaseSync;
  tables: SqliteTables;
  /** Detects that the path now names another file. */
  inode: number;
}

/** Opens the database, and creates it if it is missing. @throws If it cannot be used. */
export function connect(path: string): Connection {
  createFile(path);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    switchToWal(database);
    // FULL: a commit is on the disk when it returns. `secure_delete` overwrites erased data.
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    createSchema(database);
    return { database, tables: createTables(database), inode: statSync(path).ino };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * One SQLite file. It is opened by the first call and again after a failure, so the store recovers without a restart
 * from a full disk or a missing folder.
 */
export function createSqliteFile(path: string) {
  let connection: Connection | null = null;

  function close(): void {
    const { database } = connection ?? {};
    connection = null;
    try {
      database?.close();
    } catch {
      // Closing runs a checkpoint, which a full disk may prevent. Committed rows are safe without it.
    }
  }

  /** Whether the file was deleted or replaced. Sign-ups written to a deleted file would be lost with the process. */
  const isFileReplaced = ({ inode }: Connection) => statSync(path, { throwIfNoEntry: false })?.ino !== inode;

  function openConnection(): Connection {
    if (connection && isFileReplaced(connection)) close();
    connection ??= connect(path);
    return connection;
  }

  function runInTransaction(calls: Call[]): Outcome[] {
    const { database, tables } = openConnection();
    database.exec(calls.every(({ name }) => READS.has(name)) ? 'BEGIN' : 'BEGIN IMMEDIATE');
    const outcomes = calls.map(({ destination, name, given }): Outcome => {
      const table = destination === null ? tables.signUps : tables.copiesFor(destination);
      const run = (table as SqliteTable)[name] as (...given: unknown[]) => unknown;
      return { ok: true, value: run(...given) };
    });
    database.exec('COMMIT');
    return outcomes;
  }

  function tryTransaction(calls: Call[]): Outcome[] {
    try {
      return runInTransaction(calls);
    } catch (error) {
      // Closing also ends the transaction.
      close();
      return calls.map(() => ({ ok: false, message: error instanceof Error ? error.message : String(error) }));
    }
  }

  return {
    /** Runs calls in one transaction. If it fails, each runs in its own one, so that no call fails for another. */
    run(calls: Call[]): Outcome[] {
      const outcomes = tryTransaction(calls);
      if (calls.length === 1 || outcomes.every(({ ok }) => ok)) return outcomes;
      return calls.flatMap((call) => tryTransaction([call]));
    },
    close,
  };
}
