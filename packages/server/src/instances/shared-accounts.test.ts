import { randomBytes } from 'node:crypto';
import { deriveKey } from '@pillion/lib/secret-key.ts';
import { type RunningPostgres, startPostgres } from '@pillion/scripts/postgres.mjs';
import { type Connections, createConnections } from '@pillion/sign-ups/database/connections.ts';
import type { Account, SharedAccounts } from '@pillion/sign-ups/guards/shared-accounts.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SERVERS } from './schema.ts';
import { CLEAR_ACCOUNTS, createSharedAccounts } from './shared-accounts.ts';
import { createTimedQuery, type TimedQuery } from './timed-query.ts';

let postgres: RunningPostgres;
let connections: Connections;
let accounts: SharedAccounts;
/** The accounts of another server with the shared key. */
let others: SharedAccounts;

beforeAll(async () => {
  postgres = await startPostgres();
  connections = createConnections({ url: postgres.url, schema: SERVERS });
  const asked = createTimedQuery(connections, () => true);
  // The timeout is long, because these tests check the counts, not the speed.
  const timedQuery: TimedQuery = (_, statement, values) => asked(LONGEST_MS, statement, values);
  const key = deriveKey('shared by all', 'tests');
  accounts = createSharedAccounts(timedQuery, key);
  others = createSharedAccounts(timedQuery, key);
});
afterAll(async () => {
  await connections.close();
  await postgres.stop();
});

/** Each test has its own network. */
let network = '';
beforeEach(() => {
  network = randomBytes(6).toString('hex');
});

const HOUR_MS = 3_600_000;
/** The timeout of a query, in milliseconds. */
const LONGEST_MS = 60_000;
/** Ten at once, then one every six minutes, so none refills during a test. */
const account = (name = 'posts'): Account => ({ key: `${name} ${network}`, costMs: HOUR_MS / 10, windowMs: HOUR_MS });
const take = (from = accounts) => from.take({ accounts: [account()], once: null });

/** Lets time pass for the network in the database, in milliseconds. */
async function pass(ms: number): Promise<void> {
  await connections.query({ name: 'pass', text: 'UPDATE pillion_accounts SET clear_at = clear_at - $1' }, [ms]);
}

test('the counts of two servers add up exactly, and refill evenly', async () => {
  for (let use = 0; use < 10; use += 1) expect(await take(use % 2 ? accounts : others)).toBe(0);
  const wait = await take();
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(HOUR_MS / 10);
  // A rejected use is not charged, so the reported waiting time is exact.
  expect(await take(others)).toBeLessThanOrEqual(wait);
  await pass(wait);
  expect(await take()).toBe(0);
  expect(await take()).toBeGreaterThan(0);
  await pass(10 * HOUR_MS);
  for (let use = 0; use < 10; use += 1) expect(await take(), 'no more than a full account is saved up').toBe(0);
  expect(await take()).toBeGreaterThan(0);
});

test('if one of two accounts is exhausted, neither is charged', async () => {
  const both = () => accounts.take({ accounts: [account('first'), account('second')], once: null });
  for (let use = 0; use < 10; use += 1) await accounts.take({ accounts: [account('second')], once: null });
  for (let tries = 0; tries < 20; tries += 1) expect(await both()).toBeGreaterThan(0);
  expect(await accounts.take({ accounts: [account('first')], once: null })).toBe(0);
});

test('a named use is charged once, then to a separate account while the name is known', async () => {
  const named = (key: string, from = accounts) =>
    from.take({
      accounts: [],
      once: { key: `${network} ${key}`, forMs: HOUR_MS, first: account('posts'), again: account('repeats') },
    });
  for (let use = 0; use < 9; use += 1) expect(await named(`id ${use}`)).toBe(0);
  for (let repeat = 0; repeat < 10; repeat += 1) expect(await named('id 0', others)).toBe(0);
  expect(await named('id 0'), 'repeats have a limit too').toBeGreaterThan(0);
  expect(await named('id 9'), 'repeats have cost the others nothing').toBe(0);
  expect(await named('id 10')).toBeGreaterThan(0);
  expect(await named('id 10'), 'what was refused is not known').toBeGreaterThan(0);
  await pass(HOUR_MS + 1);
  for (let use = 0; use < 10; use += 1) expect(await named('id 0')).toBe(0);
  expect(await named('id 11'), 'the first of them was counted anew').toBe(0);
});

test('a returned use is available again', async () => {
  for (let use = 0; use < 10; use += 1) await take();
  await others.refund(account());
  expect(await take()).toBe(0);
  expect(await take()).toBeGreaterThan(0);
});

test('fifty parallel uses are each charged, with accounts in any order, and without deadlock', async () => {
  const [one, two] = [account('one'), account('two')];
  const orders = [
    [one, two],
    [two, one],
  ];
  const waits = await Promise.all(
    Array.from({ length: 50 }, (_, at) => accounts.take({ accounts: orders[at % 2] ?? [], once: null })),
  );
  const let_in = waits.filter((wait) => wait === 0).length;
  expect(let_in).toBeGreaterThanOrEqual(10);
  // Each accepted use was charged, so the accounts are full again only after that time.
  const [row] = await connections.query<{ hours: number }>(
    {
      name: 'charged',
      text: 'SELECT max(clear_at - extract(epoch FROM now()) * 1000) / 3600000 AS hours FROM pillion_accounts',
    },
    [],
  );
  expect(row?.hours).toBeCloseTo(let_in / 10, 1);
});

test('the table contains no readable names, and expired rows are deleted', async () => {
  await take();
  const client = new pg.Client(postgres.url);
  await client.connect();
  expect(JSON.stringify((await client.query('SELECT * FROM pillion_accounts')).rows)).not.toContain(network);
  await pass(100 * HOUR_MS);
  await client.query(CLEAR_ACCOUNTS.text);
  expect((await client.query('SELECT * FROM pillion_accounts')).rows).toEqual([]);
  await client.end();
});
