import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTable, makeTable, READS, type SqliteTable } from './sqlite-table.ts';

/** A call on the table, as data: it may come from another thread. */
export interface Call {
  name: keyof SqliteTable;
  given: unknown[];
}

export type Outcome = { ok: true; value: unknown } | { ok: false; message: string };

/** Time another process may hold the file, in milliseconds, before a call fails. */
const BUSY_TIMEOUT_MS = 5_000;

/** Switching to WAL waits for nobody and fails at once where another first start does the same. */
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

/** Readable by its owner alone, and its name on the disk: SQLite syncs the file, not the folder. */
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
  table: SqliteTable;
  /** Tells the file from another one under its name. */
  inode: number;
}

/** Opens the file as the store does, and makes it where it is missing. @throws Where it cannot be used. */
export function connect(path: string): Connection {
  makeFile(path);
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    switchToWal(database);
    // FULL: a commit is on the disk when it returns. What is erased is overwritten.
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    makeTable(database);
    return { database, table: createTable(database), inode: statSync(path).ino };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * One SQLite file, opened with the first call and anew after a failure: a disk that was full, or a folder that was
 * missing, is found mended without a restart.
 */
export function createSqliteFile(path: string) {
  let connection: Connection | null = null;

  function close(): void {
    const { database } = connection ?? {};
    connection = null;
    try {
      database?.close();
    } catch {
      // Closing tidies up, which a full disk may not let it: what was committed is safe as it lies.
    }
  }

  /** Written to a file that was taken away, a sign-up would be lost with the process. */
  const isTakenAway = ({ inode }: Connection) => statSync(path, { throwIfNoEntry: false })?.ino !== inode;

  function opened(): Connection {
    if (connection && isTakenAway(connection)) close();
    connection ??= connect(path);
    return connection;
  }

  function transaction(calls: Call[]): Outcome[] {
    const { database, table } = opened();
    database.exec(calls.every(({ name }) => READS.has(name)) ? 'BEGIN' : 'BEGIN IMMEDIATE');
    const outcomes = calls.map(({ name, given }): Outcome => {
      const run = table[name] as (...given: unknown[]) => unknown;
      return { ok: true, value: run(...given) };
    });
    database.exec('COMMIT');
    return outcomes;
  }

  function attempt(calls: Call[]): Outcome[] {
    try {
      return transaction(calls);
    } catch (error) {
      // Ends the transaction along with the connection.
      close();
      return calls.map(() => ({ ok: false, message: error instanceof Error ? error.message : String(error) }));
    }
  }

  return {
    /** Runs calls as one transaction. Where it fails each runs in one of its own, so that none fails for another. */
    run(calls: Call[]): Outcome[] {
      const outcomes = attempt(calls);
      if (calls.length === 1 || outcomes.every(({ ok }) => ok)) return outcomes;
      return calls.flatMap((call) => attempt([call]));
    },
    close,
  };
}
