import type { Schema } from '../database/schema.ts';
import { STATES } from './store.ts';

export const TABLE = 'pillion_sign_ups';
/** What the destinations get of each. */
export const COPIES = 'pillion_sign_up_copies';
/** A table with one row, which `probe` writes to test the database. */
export const PROBE = 'pillion_sign_ups_probe';

const STATE = `state text NOT NULL CHECK (state IN (${STATES.map((state) => `'${state}'`).join(', ')}))`;

/** @param first Column that each index begins with, and a comma. */
const indexes = (table: string, first = '') => `
  CREATE INDEX IF NOT EXISTS ${table}_due ON ${table} (${first}attempts, next_try_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${table}_state ON ${table} (${first}state);
  CREATE INDEX IF NOT EXISTS ${table}_oldest ON ${table} (${first}created_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${table}_kept ON ${table} (${first}delivered_at) WHERE payload IS NOT NULL;
`;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${TABLE} (
    sign_up_id text COLLATE "C" PRIMARY KEY,
    form_id integer NOT NULL,
    ${STATE},
    payload bytea,
    digest text NOT NULL,
    consent_text text,
    created_at bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_try_at bigint NOT NULL,
    last_error text,
    delivered_at bigint,
    erased_at bigint
  );
  ${indexes(TABLE)}
`;

const MIGRATIONS: Record<number, string> = {
  1: SCHEMA,
  2: `CREATE TABLE IF NOT EXISTS ${PROBE} (id integer PRIMARY KEY CHECK (id = 1), at bigint NOT NULL);`,
  3: `ALTER TABLE ${TABLE} ADD COLUMN IF NOT EXISTS consent text;
  CREATE TABLE IF NOT EXISTS ${COPIES} (
    sign_up_id text COLLATE "C" PRIMARY KEY,
    form_id integer NOT NULL,
    ${STATE},
    payload bytea,
    created_at bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_try_at bigint NOT NULL,
    last_error text,
    delivered_at bigint,
    erased_at bigint
  );
  ${indexes(COPIES)}`,
  4: `ALTER TABLE ${COPIES} ADD COLUMN IF NOT EXISTS destination text COLLATE "C" NOT NULL DEFAULT 'environment',
    DROP CONSTRAINT ${COPIES}_pkey, ADD PRIMARY KEY (sign_up_id, destination);
  DROP INDEX ${COPIES}_due, ${COPIES}_state, ${COPIES}_oldest, ${COPIES}_kept;
  ${indexes(COPIES, 'destination, ')}`,
};

export const SIGN_UPS: Schema = {
  table: TABLE,
  comment: 'Sign-ups of a Pillion site, version ',
  version: 4,
  migrations: MIGRATIONS,
  lock: 5_071_954_001,
};
