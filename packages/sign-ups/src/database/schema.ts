import type { ClientBase } from 'pg';

/** A group of tables. The comment on one of them holds the version. */
export interface Schema {
  table: string;
  /** The comment on that table, without the version number. */
  comment: string;
  /** Increase it with every change of the tables. */
  version: number;
  /** By version: SQL that upgrades from the version before, with rows in the tables. The first creates the tables. */
  migrations: Record<number, string>;
  /** Number of the advisory lock that lets one instance migrate at a time. It must be unique in the database. */
  lock: number;
}

/** Every commit must be on the disk, even if the database's setting is `off`. A stricter setting stays. */
const selectState = (table: string) => `
  SELECT obj_description(to_regclass('${table}'), 'pg_class') AS about, to_regclass('${table}') IS NOT NULL AS is_there,
    pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only,
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

interface SchemaState {
  /** The comment on the table. */
  about: string | null;
  is_there: boolean;
  is_read_only: boolean;
}

/** @returns 0 without a table, or if the comment is not the kit's. */
const versionIn = ({ comment }: Schema, about: string | null) =>
  about?.startsWith(comment) ? Number(about.slice(comment.length)) : 0;

/**
 * Creates or upgrades the tables on a new connection.
 * @throws If the database is read-only, or if its tables have a newer version, which this program could damage.
 */
export async function ensureSchema(client: ClientBase, schema: Schema): Promise<void> {
  const [found] = (await client.query<SchemaState>(selectState(schema.table))).rows;
  if (found?.is_read_only) throw new Error('this database can only be read: name the one that is written to');
  const version = versionIn(schema, found?.about ?? null);
  if (version > schema.version) throw new Error(`the table is of version ${version}, newer than this program`);
  if (version === schema.version) return;
  await migrate(client, schema);
}

/** One instance migrates in one transaction. The others wait for it. */
async function migrate(client: ClientBase, schema: Schema): Promise<void> {
  const { table, comment, version, migrations, lock } = schema;
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lock})`);
  try {
    const [found] = (await client.query<SchemaState>(selectState(table))).rows;
    // Checked only under the lock: without it, a query may see a new table before its comment.
    if (found?.is_there && versionIn(schema, found.about) === 0)
      throw new Error(`there is a table ${table} that is not ours`);
    const current = versionIn(schema, found?.about ?? null);
    const first = Math.min(...Object.keys(migrations).map(Number));
    if (current > 0 && current < first) throw new Error(`the table is of version ${current}, older than this program`);
    for (let next = Math.max(current + 1, first); next <= version; next++)
      await client.query(`${migrations[next]} COMMENT ON TABLE ${table} IS '${comment}${next}';`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
