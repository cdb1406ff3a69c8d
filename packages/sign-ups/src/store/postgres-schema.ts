import type { Schema } from '../database/schema.ts';
import { STATES } from './store.ts';

export const TABLE = 'pillion_sign_ups';
/** The part of each sign-up that a destination gets. */
export const COPIES = 'pillion_sign_up_copies';
/** A table with one row, which `probe` writes to test the database. */
export const PROBE = 'pillion_sign_ups_probe';

/** @param first Column that each index begins with, and a comma. */
const indexes = (table: string, first = '') => `
  CREATE INDEX IF NOT EXISTS ${table}_due ON ${table} (${first}attempts, next_try_at)
    WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${table}_state ON ${table} (${first}state);
  CREATE INDEX IF NOT EXISTS ${table}_oldest ON ${table} (${first}created_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${table}_kept ON ${table} (${first}delivered_at) WHERE payload IS NOT NULL;
`;

const QUEUE_COLUMNS = `
    form_id integer NOT NULL,
    state text NOT NULL CHECK (state IN (${STATES.map((state) => `'${state}'`).join(', ')})),
    payload bytea,
    created_at bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_try_at bigint NOT NULL,
    last_error text,
    delivered_at bigint,
    erased_at bigint`;

const TABLES = `
  CREATE TABLE IF NOT EXISTS ${TABLE} (
    sign_up_id text COLLATE "C" PRIMARY KEY,${QUEUE_COLUMNS},
    digest text NOT NULL,
    consent_text text,
    consent text
  );
  ${indexes(TABLE)}
  CREATE TABLE IF NOT EXISTS ${COPIES} (
    sign_up_id text COLLATE "C" NOT NULL,
    destination text COLLATE "C" NOT NULL,${QUEUE_COLUMNS},
    PRIMARY KEY (sign_up_id, destination)
  );
  ${indexes(COPIES, 'destination, ')}
  CREATE TABLE IF NOT EXISTS ${PROBE} (id integer PRIMARY KEY CHECK (id = 1), at bigint NOT NULL);
`;

export const SIGN_UPS: Schema = {
  table: TABLE,
  comment: 'Sign-ups of a Pillion site, version ',
  version: 4,
  migrations: { 4: TABLES },
  lock: 5_071_954_001,
};
