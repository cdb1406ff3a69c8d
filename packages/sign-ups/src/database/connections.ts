import { type ClientBase, Pool, type PoolClient, type PoolConfig, types as pgTypes, type QueryResultRow } from 'pg';
import { ensureSchema, type Schema } from './schema.ts';

/** Connections of one process at most: a few instances and their workers stay below PostgreSQL's usual hundred. */
const MOST_CONNECTIONS = 8;
/** Longest wait for a connection, for PostgreSQL to run a statement, and for its word on it, in milliseconds. */
const CONNECT_WITHIN_MS = 3_000;
const RUN_WITHIN_MS = 5_000;
/** For commands, which may read everything there is. */
const RUN_PATIENTLY_MS = 600_000;
const WORD_AFTER_MS = 1_000;
/** An idle connection is closed after this, in milliseconds. */
const IDLE_MS = 60_000;

/** A statement under a name of its own is parsed once per connection. */
export interface Statement {
  name: string;
  text: string;
}

export interface DatabaseOptions {
  /** `postgresql://…`; holds a secret, so that it never goes into a message. */
  url: string;
  /** Tables that every connection makes sure of first. */
  schema: Schema;
  /** Connections at most. Default: 8. */
  most?: number;
  /** What the database calls these connections. Default: `pillion`. */
  name?: string;
  /** Told in one line why the database cannot be used, once per outage, and `null` when it can be again. */
  onTrouble?: (reason: string | null) => void;
  /** This server's clock, which the database's is compared with. Default: `Date.now`. */
  now?: () => number;
  /** A command may take its time; a visitor waits. */
  isPatient?: boolean;
}

/** Whole numbers come as text, since they may be larger than JavaScript's; ours are milliseconds and counts. */
const INT8 = 20;

const int8 = (text: string) => Number(text);

const codeOf = (error: unknown) => (error as { code?: unknown }).code;

/** What PostgreSQL says of values, of constraints, of its disk and memory or of its own time limit: trying anew is no help. */
const isFinal = (error: unknown) => /^(?:22|23|53|57014)/.test(String(codeOf(error))) || isTimeout(error);

const isTimeout = (error: unknown) => error instanceof Error && /timeout/i.test(error.message);

/** Says it is about the values that were sent, not about the connection. */
export const isAboutValues = (error: unknown) => /^(?:22|23)/.test(String(codeOf(error)));

/** One line without address, password or rows: of a row PostgreSQL says every column. */
export function sentenceOf(error: unknown): string {
  // Two addresses of one host, refused each: Node gathers them and leaves the message empty.
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const { message = String(cause) } = cause as Error;
  const code = codeOf(cause);
  const [line = ''] = message.split('\n');
  return `PostgreSQL: ${line || 'no answer'}${typeof code === 'string' && !line.includes(code) ? ` (${code})` : ''}`;
}

/** What goes on to logs: nothing that was sent along, which pg's own errors hold. */
export class DatabaseError extends Error {
  readonly isAboutValues: boolean;
  constructor(cause: unknown) {
    super(sentenceOf(cause));
    this.name = 'DatabaseError';
    this.isAboutValues = isAboutValues(cause);
  }
}

function poolConfig({
  url,
  schema,
  most = MOST_CONNECTIONS,
  name = 'pillion',
  isPatient = false,
}: DatabaseOptions): PoolConfig {
  const runWithin = isPatient ? RUN_PATIENTLY_MS : RUN_WITHIN_MS;
  return {
    connectionString: url,
    application_name: name,
    max: most,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: runWithin,
    query_timeout: runWithin + WORD_AFTER_MS,
    keepAlive: true,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === INT8 ? int8 : (pgTypes.getTypeParser(id, format as 'text') as never),
    },
    onConnect: (client: ClientBase) => ensureSchema(client, schema),
  } as PoolConfig;
}

/** A bounded number of connections, made when they are wanted, each with the tables behind it. */
export function createConnections(options: DatabaseOptions) {
  const { onTrouble = () => {} } = options;
  const pool = new Pool(poolConfig(options));
  let isInTrouble = false;

  // Without listeners the end of an idle connection would be the end of the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));

  function tell(reason: string | null): void {
    if (isInTrouble === (reason !== null)) return;
    isInTrouble = reason !== null;
    onTrouble(reason);
  }

  async function runOn<Row extends QueryResultRow>(client: PoolClient, statement: Statement, values: unknown[]) {
    let isOver = false;
    try {
      return await client.query<Row>({ ...statement, values });
    } catch (error) {
      // What failed for its values leaves a connection that is as good as before.
      isOver = !isAboutValues(error);
      throw error;
    } finally {
      client.release(isOver);
    }
  }

  /**
   * Runs a statement, a transaction of its own. Where the connection turns out to be gone it runs once more on a new one:
   * after a restart of PostgreSQL every idle connection is.
   * @param again Told whether this is the second time: what the first did may have been kept.
   */
  async function query<Row extends QueryResultRow>(
    statement: Statement,
    values: unknown[],
    onSecondTry: () => void = () => {},
  ): Promise<Row[]> {
    try {
      const client = await pool.connect();
      const result = await runOn<Row>(client, statement, values).catch(async (error: unknown) => {
        if (isFinal(error)) throw error;
        onSecondTry();
        return runOn<Row>(await pool.connect(), statement, values);
      });
      tell(null);
      return result.rows;
    } catch (cause) {
      const error = new DatabaseError(cause);
      if (!error.isAboutValues) tell(error.message);
      throw error;
    }
  }

  return { query, close: () => pool.end() };
}

export type Connections = ReturnType<typeof createConnections>;
