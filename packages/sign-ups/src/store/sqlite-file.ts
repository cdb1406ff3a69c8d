import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTables, makeTable, READS, type SqliteTable, type SqliteTables } from './sqlite-table.ts';

/** A call on the table as data, since it may come from another thread. */
export interface Call {
  /** `null`: the sign-ups; else the copies for this destination. */
  destination: string | null;
  name: keyof SqliteTable;
  given: unknown[];
}

export type Outcome = { ok: true; value: unknown } | { ok: false; message: string };

/** Longest wait for a lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** SQLite's busy timeout does not apply to the switch to WAL, so it is retried while another process does the same. */
const SQLITE_BUSY = 5;
const WAL_TRIES = 100;
const WAL_PAUSE_MS = 20;

const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function sync(directory: string): void {
  const folder = openSync(directory, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Creates the file, readable by its owner only. It syncs the folder as well, because SQLite syncs the file only. */
function makeFile(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', 0o600));
  sync(dirname(path));
}

function switchToWal(database: DatabaseSync): void {
  for (let left = WAL_TRIES; ; left--) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (left === 0 || (error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
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
  makeFile(path);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    switchToWal(database);
    // FULL: a commit is on the disk when it returns. `secure_delete` overwrites erased data.
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    makeTable(database);
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
  const isTakenAway = ({ inode }: Connection) => statSync(path, { throwIfNoEntry: false })?.ino !== inode;

  function opened(): Connection {
    if (connection && isTakenAway(connection)) close();
    connection ??= connect(path);
    return connection;
  }

  function transaction(calls: Call[]): Outcome[] {
    const { database, tables } = opened();
    database.exec(calls.every(({ name }) => READS.has(name)) ? 'BEGIN' : 'BEGIN IMMEDIATE');
    const outcomes = calls.map(({ destination, name, given }): Outcome => {
      const table = destination === null ? tables.signUps : tables.copiesFor(destination);
      const run = (table as SqliteTable)[name] as (...given: unknown[]) => unknown;
      return { ok: true, value: run(...given) };
    });
    database.exec('COMMIT');
    return outcomes;
  }

  function attempt(calls: Call[]): Outcome[] {
    try {
      return transaction(calls);
    } catch (error) {
      // This also ends the transaction.
      close();
      return calls.map(() => ({ ok: false, message: error instanceof Error ? error.message : String(error) }));
    }
  }

  return {
    /** Runs calls in one transaction. If it fails, each runs in its own one, so that no call fails for another. */
    run(calls: Call[]): Outcome[] {
      const outcomes = attempt(calls);
      if (calls.length === 1 || outcomes.every(({ ok }) => ok)) return outcomes;
      return calls.flatMap((call) => attempt([call]));
    },
    close,
  };
}
