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

const SCHEMA = `
  ${tables('sign_ups', 'payloads', ['sign_up_id'], 'digest TEXT NOT NULL, consent_text TEXT, consent TEXT,')}
  ${tables('copies', 'copy_payloads', ['sign_up_id', 'destination'])}
  CREATE TABLE IF NOT EXISTS probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;`;

/** The statements of `sqlite-file.ts` use these indexes; store.test.ts checks the query plans. */
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
