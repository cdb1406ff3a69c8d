import type { ClientBase } from 'pg';

/** Tables that belong together. The comment of one of them says which version they are of. */
export interface Schema {
  table: string;
  /** The comment on that table, up to the number of the version. */
  comment: string;
  /** Raised with every change of the tables. */
  version: number;
  /** What each version adds to the one before it; the first one makes all. None may fail on tables that have rows. */
  migrations: Record<number, string>;
  /** Of those who start at once one makes the tables; any number that nobody else locks in the same database. */
  lock: number;
}

// A commit that is not on the disk is no commit to us, whatever the database's setting; a stricter one stays.
const look = (table: string) => `
  SELECT obj_description(to_regclass('${table}'), 'pg_class') AS about, to_regclass('${table}') IS NOT NULL AS is_there,
    pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only,
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

interface Looked {
  about: string | null;
  is_there: boolean;
  is_read_only: boolean;
}

const versionIn = ({ comment }: Schema, about: string | null) =>
  about?.startsWith(comment) ? Number(about.slice(comment.length)) : 0;

/**
 * Makes the tables where a new connection finds none.
 * @throws Where the database takes nothing in, or its tables are of a newer version, which this one could damage.
 */
export async function ensureSchema(client: ClientBase, schema: Schema): Promise<void> {
  const [found] = (await client.query<Looked>(look(schema.table))).rows;
  if (found?.is_read_only) throw new Error('this database can only be read: name the one that is written to');
  const version = versionIn(schema, found?.about ?? null);
  if (version > schema.version) throw new Error(`the table is of version ${version}, newer than this program`);
  if (version === schema.version) return;
  await migrate(client, schema);
}

/** One instance brings the tables to this version, the others wait for it; all of it or nothing. */
async function migrate(client: ClientBase, schema: Schema): Promise<void> {
  const { table, comment, version, migrations, lock } = schema;
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lock})`);
  try {
    const [found] = (await client.query<Looked>(look(table))).rows;
    // Only here: without the lock a query may see a new table before its comment.
    if (found?.is_there && versionIn(schema, found.about) === 0)
      throw new Error(`there is a table ${table} that is not ours`);
    for (let next = versionIn(schema, found?.about ?? null) + 1; next <= version; next++)
      await client.query(`${migrations[next]} COMMENT ON TABLE ${table} IS '${comment}${next}';`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
