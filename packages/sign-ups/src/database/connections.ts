import { type ClientBase, Pool, type PoolClient, type PoolConfig, types as pgTypes, type QueryResultRow } from 'pg';
import { ensureSchema, type Schema } from './schema.ts';

/** Maximum connections of one process, so that several instances and workers stay below PostgreSQL's default of 100. */
const MAX_CONNECTIONS = 8;
/** Timeout for a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Timeout for PostgreSQL to run a statement, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** The same for commands, which may read the whole table. */
const COMMAND_TIMEOUT_MS = 600_000;
/** Time for the response after a statement's timeout, in milliseconds. */
const RESPONSE_MARGIN_MS = 1_000;
/** Idle connections close after this, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000;

/** PostgreSQL parses a named statement once per connection. */
export interface Statement {
  name: string;
  text: string;
}

/** A statement that each connection prepares once. @param name Unique among all statements. */
export const named = (name: string, text: string): Statement => ({ name: `pillion ${name}`, text });

export interface DatabaseOptions {
  /** `postgresql://…`. It contains a password, so messages never include it. */
  url: string;
  /** Tables that every new connection checks first. */
  schema: Schema;
  /** Maximum number of connections. Default: `MAX_CONNECTIONS`. */
  max?: number;
  /** The connections' name in PostgreSQL. Default: `pillion`. */
  name?: string;
  /** Called once per outage with the reason in one line, and with `null` when the database works again. */
  onTrouble?: (reason: string | null) => void;
  /** Allows long statements: a command may take its time, but a visitor waits. */
  isPatient?: boolean;
}

/**
 * PostgreSQL's id of the type `int8`. pg returns its values as text because they can exceed JavaScript's safe integers.
 * Ours are milliseconds and counts.
 */
const INT8 = 20;

const codeOf = (error: unknown) => (error as { code?: unknown }).code;

/** A timeout of pg, which has no code. */
const isTimeout = (error: unknown) => error instanceof Error && /timeout/i.test(error.message);

/**
 * Errors that a second try does not help (classes of SQLSTATE): 22 and 23 invalid values, 53 full disk or memory, 57014
 * PostgreSQL's timeout.
 */
const isFinal = (error: unknown) => /^(?:22|23|53|57014)/.test(String(codeOf(error))) || isTimeout(error);

/** Whether the error concerns the values, not the connection: data exception (22) or violated constraint (23). */
export const isAboutValues = (error: unknown) => /^(?:22|23)/.test(String(codeOf(error)));

/** The error in one line without address, password or rows: PostgreSQL's own message may contain a row's columns. */
export function describeError(error: unknown): string {
  // If several addresses of one host fail, Node throws an AggregateError without a message.
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const { message = String(cause) } = cause as Error;
  const code = codeOf(cause);
  const [line = ''] = message.split('\n');
  return `PostgreSQL: ${line || 'no answer'}${typeof code === 'string' && !line.includes(code) ? ` (${code})` : ''}`;
}

/** The error for the log. It holds none of the values that pg's own errors hold. */
export class DatabaseError extends Error {
  readonly isAboutValues: boolean;
  constructor(cause: unknown) {
    super(describeError(cause));
    this.name = 'DatabaseError';
    this.isAboutValues = isAboutValues(cause);
  }
}

function poolConfig({
  url,
  schema,
  max = MAX_CONNECTIONS,
  name = 'pillion',
  isPatient = false,
}: DatabaseOptions): PoolConfig {
  const timeoutMs = isPatient ? COMMAND_TIMEOUT_MS : STATEMENT_TIMEOUT_MS;
  return {
    connectionString: url,
    application_name: name,
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + RESPONSE_MARGIN_MS,
    keepAlive: true,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === INT8 ? Number : (pgTypes.getTypeParser(id, format as 'text') as never),
    },
    onConnect: (client: ClientBase) => ensureSchema(client, schema),
  } as PoolConfig;
}

/** A limited number of connections, opened on demand. Each checks the tables first. */
export function createConnections(options: DatabaseOptions) {
  const { onTrouble = () => {} } = options;
  const pool = new Pool(poolConfig(options));
  let isInTrouble = false;

  // Without listeners an error on an idle connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));

  function reportTrouble(reason: string | null): void {
    if (isInTrouble === (reason !== null)) return;
    isInTrouble = reason !== null;
    onTrouble(reason);
  }

  async function runStatement<Row extends QueryResultRow>(client: PoolClient, statement: Statement, values: unknown[]) {
    let isBroken = false;
    try {
      return await client.query<Row>({ ...statement, values });
    } catch (error) {
      // After an error about values the connection can still be used.
      isBroken = !isAboutValues(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  /**
   * Runs one statement as its own transaction. If the connection is broken, it runs once more on a new one: a restart
   * of PostgreSQL breaks every idle connection.
   * @param onSecondTry Called before the second run. The first run may have been committed.
   */
  async function query<Row extends QueryResultRow>(
    statement: Statement,
    values: unknown[],
    onSecondTry: () => void = () => {},
  ): Promise<Row[]> {
    try {
      const client = await pool.connect();
      const result = await runStatement<Row>(client, statement, values).catch(async (error: unknown) => {
        if (isFinal(error)) throw error;
        onSecondTry();
        return runStatement<Row>(await pool.connect(), statement, values);
      });
      reportTrouble(null);
      return result.rows;
    } catch (cause) {
      const error = new DatabaseError(cause);
      if (!error.isAboutValues) reportTrouble(error.message);
      throw error;
    }
  }

  return { query, close: () => pool.end() };
}

export type Connections = ReturnType<typeof createConnections>;
