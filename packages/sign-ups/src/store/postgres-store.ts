import {
  type Connections,
  createConnections,
  DatabaseError,
  type DatabaseOptions,
  named,
} from '../database/connections.ts';
import { batched } from './batch.ts';
import { createDatabaseClock } from './database-clock.ts';
import { COPIES, PROBE, SIGN_UPS, TABLE } from './postgres-schema.ts';
import { BARE, BARE_SIGN_UP, noCounts, purposesText, rowOf, signUpOf, TROUBLES, troubleOf } from './row.ts';
import {
  type NewSignUp,
  type Queue,
  type QueuedRow,
  type SignUpState,
  type SignUpStore,
  STUBBORN_FROM,
} from './store.ts';

/** Maximum sign-ups in one statement, and parallel inserts. The other connections stay free for other queries. */
const LARGEST_BATCH = 256;
const LANES = 4;

const INSERT = named(
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
const KEPT = named('kept', `SELECT sign_up_id, digest, payload FROM ${TABLE} WHERE sign_up_id = ANY($1)`);

const DUE = `state IN ('waiting', 'leased') AND (next_try_at <= $1 OR next_try_at > $1 + $5::bigint)`;

/** @param where Condition on the rows that wait again. */
const again = (table: string, where: string) => `
  UPDATE ${table} SET state = 'waiting', attempts = 0, next_try_at = $1, last_error = NULL
  WHERE payload IS NOT NULL AND ${where}`;

/** Place of the condition on the destination, which is the last parameter of the statements of copies. */
const MINE = '/* mine */';

/** The statements of one queue. @param bare Its columns without the payload. */
function statementsOf(table: string, bare: string) {
  const own = (name: string, text: string) => {
    const last = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, at]) => Number(at)));
    return named(`${table} ${name}`, text.replaceAll(MINE, table === COPIES ? `AND destination = $${last + 1}` : ''));
  };
  const due = (which: string, limit: string) => `
    SELECT sign_up_id FROM ${table} WHERE ${DUE} ${MINE} AND attempts ${which} ${STUBBORN_FROM}
    ORDER BY attempts, next_try_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const listed = `FROM ${table} WHERE (cardinality($1::text[]) = 0 OR state = ANY($1)) ${MINE} ORDER BY created_at DESC LIMIT $2`;
  // No effect on a lease that has expired and was claimed by another worker.
  const whereStillLeased = `WHERE sign_up_id = $1 AND attempts = $2 AND state = 'leased' ${MINE} RETURNING 1`;
  return {
    // Materialised, because a planner that ran the selection twice would lease more rows than the limit.
    claim: own(
      'claim',
      `WITH fresh AS MATERIALIZED (${due('<', '$3')}),
       stubborn AS MATERIALIZED (${due('>=', 'greatest(0, least($4, $3 - (SELECT count(*) FROM fresh)))')})
       UPDATE ${table} AS row SET state = 'leased', attempts = attempts + 1, next_try_at = $2
       FROM (TABLE fresh UNION ALL TABLE stubborn) AS chosen WHERE row.sign_up_id = chosen.sign_up_id ${MINE} RETURNING row.*`,
    ),
    deliver: own(
      'deliver',
      `UPDATE ${table} SET state = 'delivered', delivered_at = $2, last_error = NULL,
       payload = CASE WHEN payload IS NULL THEN NULL ELSE coalesce($3, payload) END
       WHERE sign_up_id = $1 AND state <> 'delivered' ${MINE}`,
    ),
    postpone: own(
      'postpone',
      `UPDATE ${table} SET state = 'waiting', next_try_at = $3, last_error = $4 ${whereStillLeased}`,
    ),
    bury: own('bury', `UPDATE ${table} SET state = 'dead', last_error = $3 ${whereStillLeased}`),
    wake: own(
      'wake',
      `UPDATE ${table} SET next_try_at = $1 WHERE state = 'waiting' AND next_try_at > $1 ${MINE} RETURNING 1`,
    ),
    again: own('again', `${again(table, `state = 'dead' AND sign_up_id = ANY($2) ${MINE}`)} RETURNING 1`),
    get: own('get', `SELECT * FROM ${table} WHERE sign_up_id = $1 ${MINE}`),
    list: own('list', `SELECT * ${listed}`),
    listBare: own('list bare', `SELECT ${bare} ${listed}`),
    troubles: own('troubles', TROUBLES.replace('$table', table).replace('$mine', MINE)),
    count: own(
      'count',
      // Each part reads one index.
      `SELECT state, count(*) AS count,
       (SELECT min(created_at) FROM ${table} WHERE state IN ('waiting', 'leased') ${MINE}) AS oldest,
       (SELECT max(delivered_at) FROM ${table} WHERE payload IS NOT NULL ${MINE}) AS delivered
       FROM ${table} WHERE true ${MINE} GROUP BY state`,
    ),
  };
}

const OF_SIGN_UPS = statementsOf(TABLE, BARE_SIGN_UP);
const OF_COPIES = statementsOf(COPIES, BARE);

/** The same change of the sign-ups and of their copies. */
const inBoth = (change: (table: string) => string) => `
  WITH changed AS (${change(TABLE)} RETURNING sign_up_id), also AS (${change(COPIES)} RETURNING sign_up_id)
  SELECT sign_up_id FROM changed UNION SELECT sign_up_id FROM also`;
const RETRY = named(
  'retry',
  inBoth((table) => again(table, `state IN ('dead', 'set-aside') AND sign_up_id = ANY($2)`)),
);
const RETRY_ALL = named(
  'retry all',
  inBoth((table) => again(table, `state = 'dead'`)),
);
const emptied = (table: string, where: string, error = 'erased') => `
  UPDATE ${table} SET payload = NULL, erased_at = $1, last_error = '${error}',
  state = CASE state WHEN 'delivered' THEN state ELSE 'dead' END WHERE payload IS NOT NULL AND ${where}`;
const REMOVE = named(
  'remove',
  `${emptied(COPIES, `destination = ANY($2) AND state IN ('waiting', 'leased', 'set-aside')`, 'removed')} RETURNING 1`,
);
const DESTINATIONS = named('destinations', `SELECT DISTINCT destination FROM ${COPIES}`);
/** Erases sign-ups and their copies. */
const erased = (where: string) => `
  WITH erased AS (${emptied(TABLE, where)} RETURNING sign_up_id),
  copies AS (${emptied(COPIES, 'sign_up_id IN (SELECT sign_up_id FROM erased)')})
  TABLE erased`;
const ERASE = named('erase', erased('sign_up_id = ANY($2)'));
const EXPIRE = named(
  'expire',
  erased(`(state = 'delivered' AND delivered_at < $2
     OR state IN ('dead', 'set-aside') AND created_at < $3 OR state = 'waiting' AND created_at < $4
     OR state = 'set-aside' AND sign_up_id NOT IN
       (SELECT sign_up_id FROM ${TABLE} WHERE state = 'set-aside' ORDER BY created_at DESC LIMIT $5))`),
);

const WRITE = named('probe', `INSERT INTO ${PROBE} VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`);

/** PostgreSQL cannot store the character U+0000. */
const text = (value: string | null) => value?.replaceAll('\0', '') ?? null;

const byId = (a: NewSignUp, b: NewSignUp) => (a.signUpId < b.signUpId ? -1 : 1);

const isSame = (bytes: unknown, others: Uint8Array) =>
  bytes instanceof Uint8Array && Buffer.compare(bytes, others) === 0;

type Added = 'added' | 'repeated' | 'changed';

/**
 * Inserts several rows with one commit.
 * @param ahead How far the database's clock is ahead, in milliseconds.
 * @returns One result for each, in their order.
 */
async function insertAll({ query }: Connections, signUps: NewSignUp[], ahead: number): Promise<Added[]> {
  const first = new Map(signUps.toReversed().map((signUp) => [signUp.signUpId, signUp]));
  // Sorted, so that two transactions with the same ids cannot deadlock.
  const rows = [...first.values()].sort(byId);
  const columns = [
    rows.map(({ signUpId }) => signUpId),
    rows.map(({ formId }) => formId),
    rows.map(({ state }) => state),
    rows.map(({ payload }) => payload),
    rows.map(({ digest }) => digest),
    rows.map(({ consentText }) => text(consentText)),
    rows.map(({ consent }) => purposesText(consent)),
    rows.map(({ createdAt }) => createdAt),
    rows.map(({ note }) => text(note)),
    ahead,
    rows.flatMap(({ signUpId, copies }) => copies.map(() => signUpId)),
    rows.flatMap(({ copies }) => copies.map(({ destination }) => destination)),
    rows.flatMap(({ copies }) => copies.map(({ payload }) => payload)),
  ];
  let isSecondTry = false;
  const inserted = await query<{ sign_up_id: string }>(INSERT, columns, () => {
    isSecondTry = true;
  });
  const added = new Set(inserted.map(({ sign_up_id }) => sign_up_id));
  if (added.size === signUps.length) return signUps.map(() => 'added');
  const asked = signUps.map(({ signUpId }) => signUpId);
  const found = await query<{ sign_up_id: string; digest: string; payload: unknown }>(KEPT, [asked]);
  const kept = new Map(found.map((row) => [row.sign_up_id, row]));
  /** If the first run was committed but its response was lost, equal payloads prove it: each one has a random nonce. */
  const isInserted = (signUp: NewSignUp) => {
    const { signUpId, payload } = signUp;
    if (first.get(signUpId) !== signUp) return false;
    return added.has(signUpId) || (isSecondTry && isSame(kept.get(signUpId)?.payload, payload));
  };
  return signUps.map((signUp) => {
    if (isInserted(signUp)) return 'added';
    return kept.get(signUp.signUpId)?.digest === signUp.digest ? 'repeated' : 'changed';
  });
}

interface Access {
  rows: (statement: Parameters<Connections['query']>[0], ...values: unknown[]) => ReturnType<Connections['query']>;
  /** How far the database's clock is ahead of this server's, in milliseconds. */
  ahead: () => Promise<number>;
}

/**
 * @param statements Of the table.
 * @param toRow Reads a row of the table.
 * @param mine The last parameter of each statement: the destination, for copies.
 */
function queueOf<Row extends QueuedRow>(
  { rows: run, ahead: readAhead }: Access,
  statements: ReturnType<typeof statementsOf>,
  toRow: (row: Record<string, unknown>) => Row,
  ...mine: string[]
): Queue<Row> {
  const rows: Access['rows'] = (statement, ...values) => run(statement, ...values, ...mine);
  const count = async (...given: Parameters<typeof rows>) => (await rows(...given)).length;
  return {
    async claim({ now, leaseUntil, limit, stubbornLimit, horizonMs }) {
      const ahead = await readAhead();
      const leased = await rows(statements.claim, now + ahead, leaseUntil + ahead, limit, stubbornLimit, horizonMs);
      return leased.map(rowOf).sort((a, b) => a.attempts - b.attempts || a.createdAt - b.createdAt);
    },
    deliver: async (signUpId, now, payload = null) => void (await rows(statements.deliver, signUpId, now, payload)),
    postpone: async ({ signUpId, attempt }, nextTryAt, error) =>
      (await count(statements.postpone, signUpId, attempt, nextTryAt + (await readAhead()), text(error))) > 0,
    bury: async ({ signUpId, attempt }, error) => (await count(statements.bury, signUpId, attempt, text(error))) > 0,
    wake: async (now) => count(statements.wake, now + (await readAhead())),
    again: async (signUpIds, now) => count(statements.again, now + (await readAhead()), signUpIds),
    async get(signUpId) {
      const [row] = await rows(statements.get, signUpId);
      return row ? toRow(row) : null;
    },
    list: async ({ states, limit, isBare = false }) =>
      (await rows(isBare ? statements.listBare : statements.list, states, limit)).map(toRow),
    troubles: async () => (await rows(statements.troubles)).map(troubleOf),
    async stats() {
      const found = await rows(statements.count);
      const counts = noCounts();
      for (const row of found) counts[row.state as SignUpState] = row.count as number;
      const { oldest = null, delivered = null } = (found[0] ?? {}) as Record<string, number | null>;
      return { counts, oldestAt: oldest, lastDeliveredAt: delivered };
    },
  };
}

/**
 * A store in PostgreSQL, for several instances and workers. While the database is down every call rejects; afterwards
 * the store works again without a restart.
 * @param now This server's clock, for comparison with the database's.
 */
export function createPostgresStore(options: Omit<DatabaseOptions, 'schema'>, now?: () => number): SignUpStore {
  const connections = createConnections({ ...options, schema: SIGN_UPS });
  const { query } = connections;
  const clock = createDatabaseClock(connections, now);
  const underWay = new Set<Promise<unknown>>();

  /** Registers work that `close` waits for. */
  function tracked<Value>(work: Promise<Value>): Promise<Value> {
    const settled = work.then(
      () => {},
      () => {},
    );
    underWay.add(settled);
    void settled.then(() => underWay.delete(settled));
    return work;
  }

  const rows = (statement: Parameters<typeof query>[0], ...values: unknown[]) => tracked(query(statement, values));
  const count = async (...given: Parameters<typeof rows>) => (await rows(...given)).length;
  const access: Access = { rows, ahead: clock.ahead };

  type Outcome = { ok: true; value: Added } | { ok: false; error: unknown };
  const oneByOne = (signUps: NewSignUp[], ahead: number) =>
    Promise.all(
      signUps.map((signUp) =>
        insertAll(connections, [signUp], ahead).then(
          ([value = 'added']): Outcome => ({ ok: true, value }),
          (error: unknown): Outcome => ({ ok: false, error }),
        ),
      ),
    );
  const insert = batched<NewSignUp, Outcome>({
    maxItems: LARGEST_BATCH,
    concurrency: LANES,
    async work(signUps) {
      const ahead = await clock.ahead();
      try {
        return (await insertAll(connections, signUps, ahead)).map((value) => ({ ok: true, value }));
      } catch (error) {
        // Insert one by one, so that one row's invalid values do not fail the others.
        if (!(error instanceof DatabaseError) || !error.isAboutValues || signUps.length === 1) throw error;
        return oneByOne(signUps, ahead);
      }
    },
  });

  return {
    ...queueOf(access, OF_SIGN_UPS, signUpOf),
    copiesFor: (destination) => queueOf(access, OF_COPIES, rowOf, destination),
    destinations: async () => (await rows(DESTINATIONS)).map(({ destination }) => destination as string),
    removeCopies: (destinations, now) => count(REMOVE, now, destinations),
    async add(signUp) {
      const outcome = await tracked(insert(signUp));
      if (!outcome.ok) throw outcome.error;
      return outcome.value;
    },
    async retry(signUpIds, now) {
      const due = now + (await clock.ahead());
      return signUpIds ? count(RETRY, due, signUpIds) : count(RETRY_ALL, due);
    },
    erase: (signUpIds, now) => count(ERASE, now, signUpIds),
    expire: ({ deliveredBefore, givenUpBefore, waitingBefore, setAsideAtMost }, now) =>
      count(EXPIRE, now, deliveredBefore, givenUpBefore, waitingBefore, setAsideAtMost),
    probe: async (now) => void (await rows(WRITE, now)),
    async close() {
      while (underWay.size > 0) await Promise.all(underWay);
      await connections.close();
    },
  };
}
