import {
  type Connections,
  createConnections,
  DatabaseError,
  type DatabaseOptions,
  named,
} from '../database/connections.ts';
import { batched, ERASE_BATCH_SIZE, inBatches } from './batch.ts';
import { createClockOffset } from './database-clock.ts';
import { COPIES, PROBE, SIGN_UPS, TABLE } from './postgres-schema.ts';
import {
  COLUMNS_WITHOUT_PAYLOAD,
  formatPurposes,
  rowOf,
  SIGN_UP_COLUMNS_WITHOUT_PAYLOAD,
  signUpOf,
  troubleOf,
  troublesSql,
  zeroCounts,
} from './row.ts';
import {
  type AddResult,
  type NewSignUp,
  type Queue,
  type QueuedRow,
  type SignUpState,
  type SignUpStore,
  STUBBORN_FROM,
} from './store.ts';

/** Maximum sign-ups in one statement, and parallel inserts. The other connections stay free for other queries. */
const MAX_BATCH_SIZE = 256;
const INSERT_CONCURRENCY = 4;

/** Inserts sign-ups and their copies. The parameters are the `columns` of `insertSignUps`. */
const INSERT_SIGN_UPS = named(
  'insert',
  `WITH new AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::bytea[], $5::text[],
     $6::text[], $7::text[], $8::bigint[], $9::text[])
     AS new (id, form, state, payload, digest, consent_text, consent, created, note)),
   added AS (
     INSERT INTO ${TABLE}
       (sign_up_id, form_id, state, payload, digest, consent_text, consent, created_at, next_try_at, last_error)
     SELECT id, form, state, payload, digest, consent_text, consent, created, created + $10::bigint, note FROM new
     ON CONFLICT (sign_up_id) DO NOTHING RETURNING sign_up_id),
   copied AS (
     INSERT INTO ${COPIES} (sign_up_id, destination, form_id, state, payload, created_at, next_try_at)
     SELECT id, destination, form, state, copy, created, created + $10::bigint
     FROM unnest($11::text[], $12::text[], $13::bytea[]) AS copies (id, destination, copy)
     JOIN new USING (id) JOIN added ON sign_up_id = id)
   TABLE added`,
);
const SELECT_STORED = named('kept', `SELECT sign_up_id, digest, payload FROM ${TABLE} WHERE sign_up_id = ANY($1)`);

/** $1 is the time, and $5 how far a time may be ahead of it (`horizonMs`). */
const DUE = `state IN ('waiting', 'leased') AND (next_try_at <= $1 OR next_try_at > $1 + $5::bigint)`;

/** @param where Condition on the rows that wait again. */
const setWaiting = (table: string, where: string) => `
  UPDATE ${table} SET state = 'waiting', attempts = 0, next_try_at = $1, last_error = NULL
  WHERE payload IS NOT NULL AND ${where}`;

/** Place of the condition on the destination, which is the last parameter of the statements of copies. */
const IN_QUEUE = '/* queue */';

/** The statements of one queue. @param bare Its columns without the payload. */
function statementsOf(table: string, bare: string) {
  /** A statement of copies gets the destination as one more parameter. */
  const queueStatement = (name: string, text: string) => {
    const last = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, at]) => Number(at)));
    return named(
      `${table} ${name}`,
      text.replaceAll(IN_QUEUE, table === COPIES ? `AND destination = $${last + 1}` : ''),
    );
  };
  const selectDue = (which: string, limit: string) => `
    SELECT sign_up_id FROM ${table} WHERE ${DUE} ${IN_QUEUE} AND attempts ${which} ${STUBBORN_FROM}
    ORDER BY attempts, next_try_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const fromListed = `
    FROM ${table} WHERE (cardinality($1::text[]) = 0 OR state = ANY($1)) ${IN_QUEUE}
    ORDER BY created_at DESC LIMIT $2`;
  // No effect on a lease that has expired and was claimed by another worker.
  const whereStillLeased = `WHERE sign_up_id = $1 AND attempts = $2 AND state = 'leased' ${IN_QUEUE} RETURNING 1`;
  return {
    // Materialised, because a planner that ran the selection twice would lease more rows than the limit.
    claim: queueStatement(
      'claim',
      `WITH fresh AS MATERIALIZED (${selectDue('<', '$3')}),
       stubborn AS MATERIALIZED (${selectDue('>=', 'greatest(0, least($4, $3 - (SELECT count(*) FROM fresh)))')})
       UPDATE ${table} AS row SET state = 'leased', attempts = attempts + 1, next_try_at = $2
       FROM (TABLE fresh UNION ALL TABLE stubborn) AS chosen WHERE row.sign_up_id = chosen.sign_up_id ${IN_QUEUE}
       RETURNING row.*`,
    ),
    deliver: queueStatement(
      'deliver',
      `UPDATE ${table} SET state = 'delivered', delivered_at = $2, last_error = NULL,
       payload = CASE WHEN payload IS NULL THEN NULL ELSE coalesce($3, payload) END
       WHERE sign_up_id = $1 AND state <> 'delivered' ${IN_QUEUE}`,
    ),
    postpone: queueStatement(
      'postpone',
      `UPDATE ${table} SET state = 'waiting', next_try_at = $3, last_error = $4 ${whereStillLeased}`,
    ),
    bury: queueStatement('bury', `UPDATE ${table} SET state = 'dead', last_error = $3 ${whereStillLeased}`),
    wake: queueStatement(
      'wake',
      `UPDATE ${table} SET next_try_at = $1 WHERE state = 'waiting' AND next_try_at > $1 ${IN_QUEUE} RETURNING 1`,
    ),
    again: queueStatement(
      'again',
      `${setWaiting(table, `state = 'dead' AND sign_up_id = ANY($2) ${IN_QUEUE}`)} RETURNING 1`,
    ),
    get: queueStatement('get', `SELECT * FROM ${table} WHERE sign_up_id = $1 ${IN_QUEUE}`),
    list: queueStatement('list', `SELECT * ${fromListed}`),
    listBare: queueStatement('list bare', `SELECT ${bare} ${fromListed}`),
    troubles: queueStatement('troubles', troublesSql(table, IN_QUEUE)),
    count: queueStatement(
      'count',
      // Each part reads one index.
      `SELECT state, count(*) AS count,
       (SELECT min(created_at) FROM ${table} WHERE state IN ('waiting', 'leased') ${IN_QUEUE}) AS oldest,
       (SELECT max(delivered_at) FROM ${table} WHERE payload IS NOT NULL ${IN_QUEUE}) AS delivered
       FROM ${table} WHERE true ${IN_QUEUE} GROUP BY state`,
    ),
  };
}

const SIGN_UP_STATEMENTS = statementsOf(TABLE, SIGN_UP_COLUMNS_WITHOUT_PAYLOAD);
const COPY_STATEMENTS = statementsOf(COPIES, COLUMNS_WITHOUT_PAYLOAD);

/** The same change of the sign-ups and of their copies. */
const updateBoth = (change: (table: string) => string) => `
  WITH changed AS (${change(TABLE)} RETURNING sign_up_id), also AS (${change(COPIES)} RETURNING sign_up_id)
  SELECT sign_up_id FROM changed UNION SELECT sign_up_id FROM also`;
const RETRY = named(
  'retry',
  updateBoth((table) => setWaiting(table, `state IN ('dead', 'set-aside') AND sign_up_id = ANY($2)`)),
);
const RETRY_ALL = named(
  'retry all',
  updateBoth((table) => setWaiting(table, `state = 'dead'`)),
);
const erasePayloads = (table: string, where: string, error = 'erased') => `
  UPDATE ${table} SET payload = NULL, erased_at = $1, last_error = '${error}',
  state = CASE state WHEN 'delivered' THEN state ELSE 'dead' END WHERE payload IS NOT NULL AND ${where}`;
/** The first rows that an erasure concerns. A locked row waits for the next erasure. */
const inFirst = (table: string, where: string) => `ctid = ANY (ARRAY(
  SELECT ctid FROM ${table} WHERE payload IS NOT NULL AND ${where} LIMIT ${ERASE_BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;
const NOT_SENT_TO = `destination = ANY($2) AND state IN ('waiting', 'leased', 'set-aside')`;
const REMOVE_COPIES = named('remove', `${erasePayloads(COPIES, inFirst(COPIES, NOT_SENT_TO), 'removed')} RETURNING 1`);
const SELECT_DESTINATIONS = named('destinations', `SELECT DISTINCT destination FROM ${COPIES}`);
/** Erases sign-ups and their copies. */
const eraseWithCopies = (where: string) => `
  WITH erased AS (${erasePayloads(TABLE, where)} RETURNING sign_up_id),
  copies AS (${erasePayloads(COPIES, 'sign_up_id IN (SELECT sign_up_id FROM erased)')})
  TABLE erased`;
const ERASE = named('erase', eraseWithCopies('sign_up_id = ANY($2)'));
const EXPIRED = `(state = 'delivered' AND delivered_at < $2
  OR state IN ('dead', 'set-aside') AND created_at < $3 OR state = 'waiting' AND created_at < $4
  OR state = 'set-aside' AND sign_up_id NOT IN
    (SELECT sign_up_id FROM ${TABLE} WHERE state = 'set-aside' ORDER BY created_at DESC LIMIT $5))`;
const EXPIRE = named('expire', eraseWithCopies(inFirst(TABLE, EXPIRED)));

const WRITE_PROBE = named(
  'probe',
  `INSERT INTO ${PROBE} VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`,
);

/** PostgreSQL cannot store the character U+0000. */
const storableText = (value: string | null) => value?.replaceAll('\0', '') ?? null;

const compareIds = (a: NewSignUp, b: NewSignUp) => (a.signUpId < b.signUpId ? -1 : 1);

const isSame = (bytes: unknown, others: Uint8Array) =>
  bytes instanceof Uint8Array && Buffer.compare(bytes, others) === 0;

/**
 * Inserts several rows with one commit.
 * @param offsetMs How far the database's clock is ahead, in milliseconds.
 * @returns One result for each, in their order.
 */
async function insertSignUps({ query }: Connections, signUps: NewSignUp[], offsetMs: number): Promise<AddResult[]> {
  const firstById = new Map(signUps.toReversed().map((signUp) => [signUp.signUpId, signUp]));
  // Sorted, so that two transactions with the same ids cannot deadlock.
  const rows = [...firstById.values()].sort(compareIds);
  const columns = [
    rows.map(({ signUpId }) => signUpId),
    rows.map(({ formId }) => formId),
    rows.map(({ state }) => state),
    rows.map(({ payload }) => payload),
    rows.map(({ digest }) => digest),
    rows.map(({ consentText }) => storableText(consentText)),
    rows.map(({ consent }) => formatPurposes(consent)),
    rows.map(({ createdAt }) => createdAt),
    rows.map(({ note }) => storableText(note)),
    offsetMs,
    rows.flatMap(({ signUpId, copies }) => copies.map(() => signUpId)),
    rows.flatMap(({ copies }) => copies.map(({ destination }) => destination)),
    rows.flatMap(({ copies }) => copies.map(({ payload }) => payload)),
  ];
  let isSecondTry = false;
  const inserted = await query<{ sign_up_id: string }>(INSERT_SIGN_UPS, columns, () => {
    isSecondTry = true;
  });
  const added = new Set(inserted.map(({ sign_up_id }) => sign_up_id));
  if (added.size === signUps.length) return signUps.map(() => 'added');
  const ids = signUps.map(({ signUpId }) => signUpId);
  const storedRows = await query<{ sign_up_id: string; digest: string; payload: unknown }>(SELECT_STORED, [ids]);
  const storedById = new Map(storedRows.map((row) => [row.sign_up_id, row]));
  /** If the first run was committed but its response was lost, equal payloads prove it: each one has a random nonce. */
  const isInserted = (signUp: NewSignUp) => {
    const { signUpId, payload } = signUp;
    if (firstById.get(signUpId) !== signUp) return false;
    return added.has(signUpId) || (isSecondTry && isSame(storedById.get(signUpId)?.payload, payload));
  };
  return signUps.map((signUp) => {
    if (isInserted(signUp)) return 'added';
    return storedById.get(signUp.signUpId)?.digest === signUp.digest ? 'repeated' : 'changed';
  });
}

interface QueueConnection {
  query: (statement: Parameters<Connections['query']>[0], ...values: unknown[]) => ReturnType<Connections['query']>;
  /** How far the database's clock is ahead of this server's, in milliseconds. */
  clockOffset: () => Promise<number>;
}

/**
 * @param statements Of the table.
 * @param toRow Reads a row of the table.
 * @param destination The last parameter of each statement: the destination, for copies.
 */
function createQueue<Row extends QueuedRow>(
  { query: run, clockOffset }: QueueConnection,
  statements: ReturnType<typeof statementsOf>,
  toRow: (row: Record<string, unknown>) => Row,
  ...destination: string[]
): Queue<Row> {
  const query: QueueConnection['query'] = (statement, ...values) => run(statement, ...values, ...destination);
  const count = async (...given: Parameters<typeof query>) => (await query(...given)).length;
  return {
    async claim({ now, leaseUntil, limit, stubbornLimit, horizonMs }) {
      const offsetMs = await clockOffset();
      const values = [now + offsetMs, leaseUntil + offsetMs, limit, stubbornLimit, horizonMs];
      const leased = await query(statements.claim, ...values);
      return leased.map(rowOf).sort((a, b) => a.attempts - b.attempts || a.createdAt - b.createdAt);
    },
    deliver: async (signUpId, now, payload = null) => void (await query(statements.deliver, signUpId, now, payload)),
    postpone: async ({ signUpId, attempt }, nextTryAt, error) =>
      (await count(statements.postpone, signUpId, attempt, nextTryAt + (await clockOffset()), storableText(error))) > 0,
    bury: async ({ signUpId, attempt }, error) =>
      (await count(statements.bury, signUpId, attempt, storableText(error))) > 0,
    wake: async (now) => count(statements.wake, now + (await clockOffset())),
    again: async (signUpIds, now) => count(statements.again, now + (await clockOffset()), signUpIds),
    async get(signUpId) {
      const [row] = await query(statements.get, signUpId);
      return row ? toRow(row) : null;
    },
    list: async ({ states, limit, isBare = false }) =>
      (await query(isBare ? statements.listBare : statements.list, states, limit)).map(toRow),
    troubles: async () => (await query(statements.troubles)).map(troubleOf),
    async stats() {
      const found = await query(statements.count);
      const counts = zeroCounts();
      for (const row of found) counts[row.state as SignUpState] = row.count as number;
      const { oldest = null, delivered = null } = (found[0] ?? {}) as Record<string, number | null>;
      return { counts, oldestAt: oldest, lastDeliveredAt: delivered };
    },
  };
}

/** Tracks pending calls, which `close` waits for. */
function createPendingCalls() {
  const pending = new Set<Promise<unknown>>();
  return {
    track<Value>(call: Promise<Value>): Promise<Value> {
      pending.add(call);
      void call.catch(() => {}).then(() => pending.delete(call));
      return call;
    },
    async finish(): Promise<void> {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}

/** @returns A function that inserts one sign-up. Those that arrive together share a commit. */
function createBatchInsert(connections: Connections, clockOffset: () => Promise<number>) {
  const insertOne = async (signUp: NewSignUp, offsetMs: number): Promise<AddResult> => {
    const [result = 'added'] = await insertSignUps(connections, [signUp], offsetMs);
    return result;
  };
  const insert = batched<NewSignUp, PromiseSettledResult<AddResult>>({
    maxItems: MAX_BATCH_SIZE,
    concurrency: INSERT_CONCURRENCY,
    async work(signUps) {
      const offsetMs = await clockOffset();
      try {
        const results = await insertSignUps(connections, signUps, offsetMs);
        return results.map((value) => ({ status: 'fulfilled', value }));
      } catch (error) {
        // Insert one by one, so that one row's invalid values do not fail the others.
        if (!(error instanceof DatabaseError) || !error.isAboutValues || signUps.length === 1) throw error;
        return Promise.allSettled(signUps.map((signUp) => insertOne(signUp, offsetMs)));
      }
    },
  });
  return async (signUp: NewSignUp): Promise<AddResult> => {
    const outcome = await insert(signUp);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
}

/**
 * A store in PostgreSQL, for several instances and workers. While the database is down every call rejects; afterwards
 * the store works again without a restart.
 * @param now This server's clock, for comparison with the database's.
 */
export function createPostgresStore(options: Omit<DatabaseOptions, 'schema'>, now?: () => number): SignUpStore {
  const connections = createConnections({ ...options, schema: SIGN_UPS });
  const clockOffset = createClockOffset(connections, now);
  const pendingCalls = createPendingCalls();
  const query: QueueConnection['query'] = (statement, ...values) =>
    pendingCalls.track(connections.query(statement, values));
  const count = async (...given: Parameters<typeof query>) => (await query(...given)).length;
  let isClosing = false;
  const countInBatches = inBatches(count, () => isClosing);
  const connection: QueueConnection = { query, clockOffset };
  const insert = createBatchInsert(connections, clockOffset);

  return {
    ...createQueue(connection, SIGN_UP_STATEMENTS, signUpOf),
    copiesFor: (destination) => createQueue(connection, COPY_STATEMENTS, rowOf, destination),
    destinations: async () => (await query(SELECT_DESTINATIONS)).map(({ destination }) => destination as string),
    removeCopies: (destinations, now) => countInBatches(REMOVE_COPIES, now, destinations),
    add: (signUp) => pendingCalls.track(insert(signUp)),
    async retry(signUpIds, now) {
      const due = now + (await clockOffset());
      return signUpIds ? count(RETRY, due, signUpIds) : count(RETRY_ALL, due);
    },
    erase: (signUpIds, now) => count(ERASE, now, signUpIds),
    expire: ({ deliveredBefore, givenUpBefore, waitingBefore, setAsideAtMost }, now) =>
      countInBatches(EXPIRE, now, deliveredBefore, givenUpBefore, waitingBefore, setAsideAtMost),
    probe: async (now) => void (await query(WRITE_PROBE, now)),
    async close() {
      isClosing = true;
      await pendingCalls.finish();
      await connections.close();
    },
  };
}
