import type { DatabaseSync } from 'node:sqlite';
import { STATES } from './store.ts';

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

/**
 * The statements of `sqlite-file.ts` use these indexes; store.test.ts checks the query plans.
 * @param first Column that each index begins with, and a comma.
 */
const indexes = (rows: string, first = '') => `
  CREATE INDEX IF NOT EXISTS ${rows}_due ON ${rows} (${first}attempts, next_try_at)
    WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${rows}_states ON ${rows} (${first}state, created_at);
  CREATE INDEX IF NOT EXISTS ${rows}_kept ON ${rows} (${first}state, delivered_at, created_at) WHERE erased_at IS NULL;`;

const SCHEMA = `
  ${tables('sign_ups', 'payloads', ['sign_up_id'], 'digest TEXT NOT NULL, consent_text TEXT, consent TEXT,')}
  ${tables('copies', 'copy_payloads', ['sign_up_id', 'destination'])}
  CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
  ${indexes('sign_ups')}${indexes('copies', 'destination, ')}
  PRAGMA user_version = ${SCHEMA_VERSION};`;
const versionOf = (database: DatabaseSync) => Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);

/**
 * Creates the tables in a new file. A later version migrates the files of earlier ones here.
 * @throws If another version wrote the file.
 */
export function createSchema(database: DatabaseSync): void {
  if (versionOf(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  // Read again, since another process may have created the tables first.
  const version = versionOf(database);
  if (version !== 0 && version !== SCHEMA_VERSION)
    throw new Error(`the file is of version ${version}, and this program reads version ${SCHEMA_VERSION}`);
  database.exec(SCHEMA);
  database.exec('COMMIT');
}
