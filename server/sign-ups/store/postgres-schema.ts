import type { ClientBase } from 'pg';
import { STATES } from './store.ts';

export const TABLE = 'pillion_sign_ups';

/** Raised with every change of the schema; the table's comment holds it. */
const SCHEMA_VERSION = 1;

/** Of those who start at once one makes the table; any number that nobody else locks in the same database. */
const LOCK = 5_071_954_001;

const COMMENT = 'Sign-ups of a Pillion site, version ';

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
  COMMENT ON TABLE ${TABLE} IS '${COMMENT}${SCHEMA_VERSION}';`;

// A commit that is not on the disk is no commit to us, whatever the database's setting; a stricter one stays.
const LOOK = `
  SELECT obj_description(to_regclass('${TABLE}'), 'pg_class') AS about, to_regclass('${TABLE}') IS NOT NULL AS is_there,
    pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only,
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

/**
 * Makes the table where a new connection finds none.
 * @throws Where the database takes nothing in, or its table is of a newer version, which this one could damage.
 */
export async function ensureTable(client: ClientBase): Promise<void> {
  const [found] = (await client.query<{ about: string | null; is_there: boolean; is_read_only: boolean }>(LOOK)).rows;
  if (found?.is_read_only) throw new Error('this database can only be read: name the one that is written to');
  const version = found?.about?.startsWith(COMMENT) ? Number(found.about.slice(COMMENT.length)) : 0;
  if (version > SCHEMA_VERSION) throw new Error(`the table is of version ${version}, newer than this program`);
  if (version === SCHEMA_VERSION) return;
  if (found?.is_there) throw new Error(`there is a table ${TABLE} that is not ours`);
  // One message is one transaction, and the lock ends with it.
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK}); ${SCHEMA}`);
}
