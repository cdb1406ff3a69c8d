import type { Schema } from '../database/schema.ts';
import { STATES } from './store.ts';

export const TABLE = 'pillion_sign_ups';
/** A table with one row, which `probe` writes to test the database. */
export const PROBE = 'pillion_sign_ups_probe';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${TABLE} (
    sign_up_id text COLLATE "C" PRIMARY KEY,
    form_id integer NOT NULL,
    state text NOT NULL CHECK (state IN (${STATES.map((state) => `'${state}'`).join(', ')})),
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
  CREATE INDEX IF NOT EXISTS ${TABLE}_due ON ${TABLE} (attempts, next_try_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${TABLE}_state ON ${TABLE} (state);
  CREATE INDEX IF NOT EXISTS ${TABLE}_oldest ON ${TABLE} (created_at) WHERE state IN ('waiting', 'leased');
  CREATE INDEX IF NOT EXISTS ${TABLE}_kept ON ${TABLE} (delivered_at) WHERE payload IS NOT NULL;
`;

const MIGRATIONS: Record<number, string> = {
  1: SCHEMA,
  2: `CREATE TABLE IF NOT EXISTS ${PROBE} (id integer PRIMARY KEY CHECK (id = 1), at bigint NOT NULL);`,
};

export const SIGN_UPS: Schema = {
  table: TABLE,
  comment: 'Sign-ups of a Pillion site, version ',
  version: 2,
  migrations: MIGRATIONS,
  lock: 5_071_954_001,
};
