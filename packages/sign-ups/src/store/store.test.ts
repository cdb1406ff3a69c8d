import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type RunningPostgres, startPostgres } from '@pillion/scripts/postgres.mjs';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSignUpNumbers } from '../sign-up-number.ts';
import { createPostgresStore } from './postgres-store.ts';
import { claimSql } from './sqlite-file.ts';
import { createDirectSqliteStore, createSqliteStore } from './sqlite-store.ts';
import type { NewSignUp, SignUpStore } from './store.ts';

const NOW = 1_800_000_000_000;
const COPY = [{ destination: 'environment', payload: Buffer.from('copy') }];
/** Limits that erase nothing. */
const LIMITS = { deliveredBefore: 0, givenUpBefore: 0, waitingBefore: 0, setAsideAtMost: 10 };
const CLAIM = { now: NOW, leaseUntil: NOW + 20_000, limit: 10, stubbornLimit: 10, horizonMs: 80_000 };

const signUp = (more: Partial<NewSignUp> = {}): NewSignUp => ({
  signUpId: randomUUID(),
  formId: 1,
  state: 'waiting',
  payload: Buffer.from('sealed'),
  digest: 'd1',
  consentText: 'Send me the route',
  consent: [],
  createdAt: NOW,
  note: null,
  copies: [],
  ...more,
});

/** Adds sign-ups one after another. @param several What differs from the default of each. */
async function added<All extends Partial<NewSignUp>[]>(store: SignUpStore, ...several: All) {
  const all = several.map((more) => signUp(more));
  for (const each of all) await store.add(each);
  return all as { [Index in keyof All]: NewSignUp };
}

const { folder } = undoAfterEach();
let directory: string;
let stores: SignUpStore[];
beforeEach(() => {
  directory = folder();
  stores = [];
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
});

const claimed = async (store: SignUpStore, more = {}) =>
  (await store.claim({ ...CLAIM, ...more })).map(({ signUpId }) => signUpId);

const opened = (store: SignUpStore): SignUpStore => {
  stores.push(store);
  return store;
};

let postgres: RunningPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 300_000);
afterAll(() => postgres?.stop());

/** Sends SQL to the database without the store. */
async function sql(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.url, options: '-c default_transaction_read_only=off' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const troubles: (string | null)[] = [];
const openPostgres = () =>
  opened(createPostgresStore({ url: postgres.url, onTrouble: (reason) => void troubles.push(reason) }));
beforeEach(async () => {
  troubles.length = 0;
  await sql('DROP TABLE IF EXISTS pillion_sign_ups, pillion_sign_ups_probe, pillion_sign_up_copies');
});

const SQLITE = [
  ['SQLite in a thread', () => opened(createSqliteStore(directory))],
  ['SQLite without one', () => opened(createDirectSqliteStore(directory))],
] as const;

describe.each([...SQLITE, ['PostgreSQL', openPostgres] as const])('%s', (_, open) => {
  test('an id has one row, and keeps the answers that were confirmed', async () => {
    const store = open();
    const first = signUp();
    expect(await store.add(first)).toBe('added');
    expect(await store.add({ ...first, payload: Buffer.from('again') })).toBe('repeated');
    expect(await store.add({ ...first, payload: Buffer.from('other'), digest: 'd2' })).toBe('changed');
    const [row, ...others] = await store.list({ states: [], limit: 10 });
    expect(others).toEqual([]);
    expect(row).toMatchObject({ state: 'waiting', digest: 'd1', consentText: 'Send me the route', attempts: 0 });
    expect(Buffer.from(row?.payload ?? []).toString()).toBe('sealed');
  });

  test('an added sign-up is visible to another process', async () => {
    const kept = signUp({ consentText: 'Ja, é "so" {1,2} \\ ✓', note: null });
    await open().add(kept);
    const { state: _state, note: _note, payload, copies: _copies, ...same } = kept;
    const found = await open().get(kept.signUpId);
    expect(found).toMatchObject(same);
    expect(Buffer.compare(found?.payload ?? Buffer.of(), payload)).toBe(0);
    expect(await open().get('')).toBeNull();
  });

  test('R30: fifty concurrent calls with one id give one row and one "added"', async () => {
    const [store, other] = [open(), open()];
    const one = signUp();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, turn) =>
        (turn % 2 ? store : other).add({ ...one, payload: Buffer.from(`sealed ${turn}`) }),
      ),
    );
    expect(outcomes.filter((what) => what === 'added')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['added', 'repeated']));
    expect(await store.list({ states: [], limit: 10 })).toHaveLength(1);
    // Payloads may be large, so a list can leave them out.
    expect(await store.list({ states: [], limit: 10, isBare: true })).toEqual([
      expect.objectContaining({ signUpId: expect.any(String), payload: null }),
    ]);
  });

  test('a lease excludes other workers until it ends; then the row can be claimed again', async () => {
    const store = open();
    const [{ signUpId }] = await added(store, {});
    expect(await claimed(store)).toEqual([signUpId]);
    expect(await claimed(store)).toEqual([]);
    expect(await claimed(store, { now: NOW + 19_999 })).toEqual([]);
    expect(await claimed(store, { now: NOW + 20_000, leaseUntil: NOW + 40_000 })).toEqual([signUpId]);
    expect(await store.get(signUpId)).toMatchObject({ state: 'leased', attempts: 2 });
  });

  test('a worker with an expired lease can change nothing except to mark the sign-up as delivered', async () => {
    const store = open();
    const [{ signUpId }] = await added(store, {});
    await store.claim(CLAIM);
    await store.claim({ ...CLAIM, now: NOW + 20_000, leaseUntil: NOW + 40_000 });
    expect(await store.postpone({ signUpId, attempt: 1 }, NOW, 'late')).toBe(false);
    expect(await store.bury({ signUpId, attempt: 1 }, 'late')).toBe(false);
    await store.deliver(signUpId, NOW + 21_000);
    expect(await store.postpone({ signUpId, attempt: 2 }, NOW, 'later still')).toBe(false);
    expect(await store.get(signUpId)).toMatchObject({ state: 'delivered', deliveredAt: NOW + 21_000, lastError: null });
  });

  test('after the clock is set back, times in the far future do not delay a sign-up', async () => {
    const store = open();
    const [, waiting] = await added(store, {}, {});
    await store.claim(CLAIM);
    await store.postpone({ signUpId: waiting.signUpId, attempt: 1 }, NOW + 60_000, 'timeout');
    expect(await claimed(store, { now: NOW - 10_000 })).toEqual([]);
    const yesterday = NOW - 86_400_000;
    expect(await claimed(store, { now: yesterday, leaseUntil: yesterday + 20_000 })).toHaveLength(2);
  });

  test('sign-ups that keep failing get a limited share; those with the fewest attempts come first', async () => {
    const store = open();
    const stubborn = [signUp(), signUp(), signUp()];
    for (const each of stubborn) await store.add(each);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await store.claim(CLAIM);
      for (const { signUpId } of stubborn) await store.postpone({ signUpId, attempt }, NOW, 'status 500');
    }
    const fresh = signUp({ createdAt: NOW });
    await store.add(fresh);
    const ids = await claimed(store, { limit: 3, stubbornLimit: 1 });
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(fresh.signUpId);
  });

  test('wake() makes waiting sign-ups due, and no others', async () => {
    const store = open();
    const [waiting, dead] = await added(store, {}, {}, { state: 'set-aside', note: 'honeypot' });
    await store.claim(CLAIM);
    await store.postpone({ signUpId: waiting.signUpId, attempt: 1 }, NOW + 50_000, 'timeout');
    await store.bury({ signUpId: dead.signUpId, attempt: 1 }, 'refused');
    expect(await claimed(store)).toEqual([]);
    expect(await store.wake(NOW)).toBe(1);
    expect(await claimed(store)).toEqual([waiting.signUpId]);
  });

  test('a time with a fraction is an error, and the row stays unchanged', async () => {
    const store = open();
    const [{ signUpId }] = await added(store, {});
    await store.claim(CLAIM);
    await expect(store.postpone({ signUpId, attempt: 1 }, NOW + 0.5, 'timeout')).rejects.toThrow();
    expect(await store.get(signUpId)).toMatchObject({ state: 'leased', nextTryAt: NOW + 20_000 });
  });

  test('a failed call does not affect the others in the same commit', async () => {
    const store = open();
    const wrong = signUp({ createdAt: 0.5 });
    const outcomes = await Promise.allSettled([signUp(), signUp(), wrong, signUp()].map((each) => store.add(each)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await store.list({ states: [], limit: 10 })).toHaveLength(3);
  });

  test('retry() queues dead and set-aside sign-ups again', async () => {
    const store = open();
    const [dead, spam] = await added(store, {}, { state: 'set-aside', note: 'honeypot' });
    await store.claim(CLAIM);
    await store.bury({ signUpId: dead.signUpId, attempt: 1 }, 'refused');
    expect(await store.retry(null, NOW)).toBe(1);
    expect(await store.retry([spam.signUpId], NOW)).toBe(1);
    expect(await store.get(spam.signUpId)).toMatchObject({ state: 'waiting', attempts: 0, lastError: null });
  });

  test('erasing keeps id and digest; an erased sign-up is never delivered', async () => {
    const store = open();
    const [waiting, delivered] = await added(store, {}, {});
    await store.deliver(delivered.signUpId, NOW);
    expect(await store.erase([waiting.signUpId, delivered.signUpId], NOW + 1)).toBe(2);
    const erased = { payload: null, digest: 'd1', erasedAt: NOW + 1 };
    expect(await store.get(waiting.signUpId)).toMatchObject({ ...erased, state: 'dead' });
    expect(await store.get(delivered.signUpId)).toMatchObject({ ...erased, state: 'delivered' });
    expect(await store.retry([waiting.signUpId], NOW)).toBe(0);
    // The id is still known, so the visitor is not signed up twice.
    expect(await store.add(delivered)).toBe('repeated');
  });

  test('retention erases sign-ups after the time for their state, and no others', async () => {
    const store = open();
    const [old, recent, waiting] = [signUp(), signUp(), signUp({ createdAt: NOW - 2000 })];
    const [spam, newSpam] = [signUp({ state: 'set-aside', createdAt: NOW - 1500 }), signUp({ state: 'set-aside' })];
    const [dead, newDead, lost] = [signUp({ createdAt: NOW - 1500 }), signUp(), signUp({ createdAt: NOW - 9000 })];
    for (const each of [dead, newDead]) await store.add(each);
    for (const { signUpId } of await store.claim(CLAIM)) await store.bury({ signUpId, attempt: 1 }, 'form-closed');
    for (const each of [spam, newSpam, lost]) await store.add(each);
    for (const each of [old, recent, waiting]) await store.add(each);
    await store.deliver(old.signUpId, NOW - 1000);
    await store.deliver(recent.signUpId, NOW);
    const limits = { ...LIMITS, deliveredBefore: NOW - 500, givenUpBefore: NOW - 1000, waitingBefore: NOW - 5000 };
    expect(await store.expire(limits, NOW)).toBe(4);
    const isKept = async ({ signUpId }: NewSignUp) => (await store.get(signUpId))?.payload !== null;
    expect(await Promise.all([old, spam, dead, lost].map(isKept))).toEqual([false, false, false, false]);
    expect(await Promise.all([recent, waiting, newSpam, newDead].map(isKept))).toEqual([true, true, true, true]);
    expect((await store.get(lost.signUpId))?.state).toBe('dead');
    expect(await store.expire(limits, NOW)).toBe(0);
  });

  test('only the newest set-aside sign-ups stay after a flood', async () => {
    const store = open();
    const all = Array.from({ length: 5 }, (_, at) => signUp({ state: 'set-aside', createdAt: NOW + at }));
    for (const each of all) await store.add(each);
    expect(await store.expire({ ...LIMITS, setAsideAtMost: 2 }, NOW)).toBe(3);
    const left = await Promise.all(all.map(async ({ signUpId }) => (await store.get(signUpId))?.payload !== null));
    expect(left).toEqual([false, false, false, true, true]);
  });

  test('retention and removeCopies() change many rows in several steps, and sign-ups do not wait for all', async () => {
    const store = open();
    const many = { state: 'set-aside', createdAt: NOW - 1500, copies: COPY } as const;
    const filler = open === openPostgres ? store : opened(createSqliteStore(directory));
    await Promise.all(Array.from({ length: 2_001 }, () => filler.add(signUp(many))));
    if (open === openPostgres)
      for (const table of ['pillion_sign_ups', 'pillion_sign_up_copies'])
        await sql(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF (SELECT count(*) FROM changed) > 2000 THEN RAISE 'too many rows'; END IF; RETURN NULL; END $$;
          CREATE TRIGGER refuse AFTER UPDATE ON ${table} REFERENCING NEW TABLE AS changed EXECUTE FUNCTION refuse()`);
    for (const erase of [
      () => store.removeCopies(['environment'], NOW),
      () => store.expire({ ...LIMITS, givenUpBefore: NOW - 1000 }, NOW),
    ]) {
      const ended: string[] = [];
      const erasing = erase().finally(() => ended.push('erased'));
      await store.add(signUp()).finally(() => ended.push('added'));
      expect(await erasing).toBe(2_001);
      // PostgreSQL runs both in parallel, in any order.
      if (open !== openPostgres) expect(ended).toEqual(['added', 'erased']);
    }
    expect((await store.stats()).counts).toMatchObject({ waiting: 2, dead: 2_001, 'set-aside': 0 });
  }, 60_000);

  test('retention does not change the count of sign-ups, and set-aside ones never count', async () => {
    const store = open();
    const numbers = createSignUpNumbers(store, 'k'.repeat(43));
    const [old] = await added(store, {}, {}, { state: 'set-aside', createdAt: NOW - 1500 });
    await store.deliver(old.signUpId, NOW - 1000);
    await expect.poll(numbers.currentCount).toBe(2);
    await store.expire({ ...LIMITS, deliveredBefore: NOW - 500, givenUpBefore: NOW - 1000 }, NOW);
    expect((await store.get(old.signUpId))?.payload).toBeNull();
    await expect.poll(createSignUpNumbers(store, 'k'.repeat(43)).currentCount).toBe(2);
  });

  test('after delivery a smaller payload replaces the first one; an erased payload stays erased', async () => {
    const store = open();
    const [one, other] = await added(store, {}, {});
    await store.deliver(one.signUpId, NOW, Buffer.from('less'));
    expect(Buffer.from((await store.get(one.signUpId))?.payload ?? []).toString()).toBe('less');
    await store.erase([other.signUpId], NOW);
    await store.deliver(other.signUpId, NOW, Buffer.from('less'));
    expect((await store.get(other.signUpId))?.payload).toBeNull();
  });

  test('troubles() lists problems with their count, without erased sign-ups', async () => {
    const store = open();
    const rows = Array.from({ length: 4 }, () => signUp());
    for (const each of rows) await store.add(each);
    for (const { signUpId } of await store.claim(CLAIM))
      await store.bury(
        { signUpId, attempt: 1 },
        signUpId === rows[0]?.signUpId ? 'form-closed: Sold out' : 'form-closed',
      );
    await store.erase([rows[1]?.signUpId ?? ''], NOW);
    const trouble = { state: 'dead', formId: 1, oldestAt: expect.any(Number) };
    expect(await store.troubles()).toEqual([
      { ...trouble, reason: 'form-closed', count: 2 },
      { ...trouble, reason: 'form-closed: Sold out', count: 1 },
    ]);
  });

  test('a copy is stored and erased with its sign-up, and delivered independently of it', async () => {
    const store = open();
    const copies = store.copiesFor('environment');
    const [one, other, none] = [signUp({ copies: COPY }), signUp({ copies: COPY }), signUp()];
    for (const each of [one, one, other, none]) await store.add(each);
    expect(await copies.get(none.signUpId)).toBeNull();
    const [first, second, ...more] = await copies.claim(CLAIM);
    expect(more).toEqual([]);
    expect(Buffer.from(first?.payload ?? []).toString()).toBe('copy');
    expect([first?.signUpId, second?.signUpId].sort()).toEqual([one.signUpId, other.signUpId].sort());
    expect(await copies.claim({ ...CLAIM, now: NOW + 19_999 })).toEqual([]);
    expect((await store.stats()).counts, 'the sign-ups still wait').toMatchObject({ waiting: 3, leased: 0 });

    expect(await copies.postpone({ signUpId: one.signUpId, attempt: 1 }, NOW + 60_000, 'status 503')).toBe(true);
    expect(await copies.get(one.signUpId)).toMatchObject({
      state: 'waiting',
      lastError: 'status 503',
    });
    const listed = await copies.list({ states: ['waiting'], limit: 10, isBare: true });
    expect(listed).toMatchObject([{ signUpId: one.signUpId, payload: null, lastError: 'status 503' }]);
    expect(await copies.wake(NOW)).toBe(1);
    expect((await copies.claim({ ...CLAIM, now: NOW + 1 })).map(({ attempts }) => attempts)).toEqual([2]);
    await copies.deliver(one.signUpId, NOW + 5, Buffer.from('{}'));
    expect(await copies.stats()).toMatchObject({
      counts: { waiting: 0, leased: 1, delivered: 1 },
      lastDeliveredAt: NOW + 5,
    });

    expect(await store.erase([other.signUpId, one.signUpId], NOW + 6)).toBe(2);
    expect(await copies.get(other.signUpId)).toMatchObject({
      state: 'dead',
      payload: null,
      erasedAt: NOW + 6,
    });
    expect(await copies.get(one.signUpId)).toMatchObject({ state: 'delivered', payload: null });
    expect(await store.retry([other.signUpId, one.signUpId], NOW + 7)).toBe(0);
    expect(await copies.claim({ ...CLAIM, now: NOW + 60_000 })).toEqual([]);
  });

  test('retention erases the copies of the sign-ups that it erases, and no others', async () => {
    const store = open();
    const [old, young] = await added(store, { copies: COPY }, { copies: COPY });
    await store.deliver(old.signUpId, NOW - 10);
    await store.deliver(young.signUpId, NOW);
    expect(await store.expire({ ...LIMITS, deliveredBefore: NOW - 5 }, NOW)).toBe(1);
    expect((await store.copiesFor('environment').claim(CLAIM)).map(({ signUpId }) => signUpId)).toEqual([
      young.signUpId,
    ]);
  });

  test('the copies for two destinations are independent, and again() concerns one of them', async () => {
    const store = open();
    const both = [...COPY, { destination: 'crm', payload: Buffer.from('for the CRM') }];
    const one = signUp({ copies: both });
    await store.add(one);
    await store.add(signUp({ copies: COPY }));
    expect((await store.destinations()).sort()).toEqual(['crm', 'environment']);
    const [first, crm] = [store.copiesFor('environment'), store.copiesFor('crm')];
    const [claimed, ...more] = await crm.claim(CLAIM);
    expect([String(claimed?.payload && Buffer.from(claimed.payload)), more]).toEqual(['for the CRM', []]);
    expect((await first.stats()).counts).toMatchObject({ waiting: 2, leased: 0 });
    expect(await crm.bury({ signUpId: one.signUpId, attempt: 1 }, 'status 410')).toBe(true);
    expect(await first.troubles()).toEqual([expect.objectContaining({ state: 'waiting', count: 2 })]);
    await first.claim(CLAIM);
    await first.bury({ signUpId: one.signUpId, attempt: 1 }, 'status 410');
    await store.claim(CLAIM);
    await store.bury({ signUpId: one.signUpId, attempt: 1 }, 'status 410');
    expect(await crm.again([one.signUpId], NOW)).toBe(1);
    const states = [store, first, crm].map(async (queue) => (await queue.get(one.signUpId))?.state);
    expect(await Promise.all(states)).toEqual(['dead', 'dead', 'waiting']);
    expect(await store.again([one.signUpId], NOW)).toBe(1);
    expect(await first.get(one.signUpId)).toMatchObject({ state: 'dead', lastError: 'status 410' });
    expect((await crm.list({ states: [], limit: 9 })).map(({ signUpId }) => signUpId)).toEqual([one.signUpId]);
    await store.erase([one.signUpId], NOW);
    expect(await crm.get(one.signUpId)).toMatchObject({ payload: null, lastError: 'erased' });
  });

  test('removeCopies() ends what is not sent, without its payload, for the named destination only', async () => {
    const store = open();
    const [sent, waits] = await added(
      store,
      { copies: COPY },
      { copies: [...COPY, { destination: 'crm', payload: Buffer.from('x') }] },
    );
    const copies = store.copiesFor('environment');
    await copies.deliver(sent.signUpId, NOW);
    expect(await store.removeCopies(['environment', 'unknown'], NOW + 1)).toBe(1);
    expect(await copies.get(waits.signUpId)).toMatchObject({
      ...{ state: 'dead', lastError: 'removed', payload: null, erasedAt: NOW + 1 },
    });
    expect(await copies.get(sent.signUpId)).toMatchObject({ state: 'delivered', erasedAt: null });
    expect(await store.copiesFor('crm').get(waits.signUpId)).toMatchObject({ state: 'waiting' });
    expect(await store.get(waits.signUpId)).toMatchObject({ state: 'waiting' });
    expect(await copies.troubles()).toEqual([]);
    expect(await store.retry(null, NOW + 2)).toBe(0);
  });

  test('retry() queues a refused or set-aside copy again, also of a delivered sign-up', async () => {
    const store = open();
    const copies = store.copiesFor('environment');
    const [refused, spam] = await added(
      store,
      { copies: COPY },
      { copies: COPY, state: 'set-aside', note: 'honeypot' },
    );
    await store.deliver(refused.signUpId, NOW);
    await copies.claim(CLAIM);
    expect(await copies.bury({ signUpId: refused.signUpId, attempt: 1 }, 'status 410')).toBe(true);
    expect(await copies.troubles()).toContainEqual(
      expect.objectContaining({ state: 'dead', reason: 'status 410', count: 1 }),
    );
    expect(await store.retry([refused.signUpId, spam.signUpId], NOW)).toBe(2);
    expect((await copies.stats()).counts.waiting).toBe(2);
    expect((await store.stats()).counts).toMatchObject({ waiting: 1, delivered: 1 });
  });

  test('probe() tests a write and leaves no sign-up', async () => {
    const store = open();
    await store.probe(NOW);
    await store.probe(NOW + 1);
    expect(await store.list({ states: [], limit: 10 })).toEqual([]);
  });

  test('stats() returns the counts and the time of the oldest waiting sign-up', async () => {
    const store = open();
    const [, done] = await added(
      store,
      { createdAt: NOW - 5000 },
      { createdAt: NOW - 9000 },
      { state: 'set-aside', createdAt: 1, note: 'honeypot' },
    );
    expect((await store.stats()).oldestAt).toBe(NOW - 9000);
    await store.deliver(done.signUpId, NOW);
    expect(await store.stats()).toEqual({
      counts: { waiting: 1, leased: 0, delivered: 1, dead: 0, 'set-aside': 1 },
      oldestAt: NOW - 5000,
      lastDeliveredAt: NOW,
    });
  });

  test('several stores opened at once lose no sign-up and lease none twice', async () => {
    const several = Array.from({ length: 4 }, open);
    const added = await Promise.all(several.flatMap((store) => Array.from({ length: 50 }, () => store.add(signUp()))));
    expect(added.every((what) => what === 'added')).toBe(true);
    const leased = (await Promise.all(several.map((store) => claimed(store, { limit: 100 })))).flat();
    expect(leased).toHaveLength(200);
    expect(new Set(leased).size).toBe(200);
  });

  test('R30: close() first finishes all pending calls, also if they need several commits', async () => {
    const store = open();
    const adding = Promise.all(Array.from({ length: 600 }, () => store.add(signUp())));
    const closing = store.close();
    stores.pop();
    expect(new Set(await adding)).toEqual(new Set(['added']));
    await closing;
    expect(existsSync(join(directory, 'sign-ups.sqlite-wal'))).toBe(false);
    expect((await open().stats()).counts.waiting).toBe(600);
  });
});

/** Closes the last opened store, and changes its file with SQL. */
async function changeFile(text: string): Promise<void> {
  await stores.pop()?.close();
  const database = new DatabaseSync(join(directory, 'sign-ups.sqlite'));
  database.exec(text);
  database.close();
}

describe.each(SQLITE)('%s', (_, open) => {
  test('only the owner can read its file', async () => {
    await open().add(signUp());
    expect(statSync(join(directory, 'sign-ups.sqlite')).mode & 0o777).toBe(0o600);
  });

  test('if the file is moved away, the next sign-up is stored in a new file', async () => {
    const store = open();
    await store.add(signUp());
    const path = join(directory, 'sign-ups.sqlite');
    for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, `${path}.away${end}`);
    const later = signUp();
    await store.add(later);
    expect(await open().get(later.signUpId)).not.toBeNull();
  });

  test('a file that is not a database stays unchanged and causes an immediate error', async () => {
    const path = join(directory, 'sign-ups.sqlite');
    writeFileSync(path, 'x'.repeat(8192));
    // The error of SQLite, not that of a timeout.
    await expect(open().add(signUp())).rejects.toThrow('not a database');
    expect(readFileSync(path, 'utf8')).toBe('x'.repeat(8192));
  });

  test('a change of state does not rewrite the payload, even a large one', async () => {
    const store = open();
    const path = join(directory, 'sign-ups.sqlite');
    const heavy = signUp({ payload: Buffer.alloc(2_000_000, 7) });
    await store.add(heavy);
    const reader = new DatabaseSync(path);
    reader.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    reader.close();
    for (let attempt = 1; attempt <= 10; attempt++) {
      await store.claim({ ...CLAIM, now: NOW + attempt });
      await store.postpone({ signUpId: heavy.signUpId, attempt }, NOW + attempt, 'status 503');
    }
    expect(statSync(`${path}-wal`).size).toBeLessThan(1_000_000);
    expect((await store.get(heavy.signUpId))?.payload).toHaveLength(2_000_000);
  });

  test('each query uses its index', async () => {
    await open().add(signUp());
    const database = new DatabaseSync(join(directory, 'sign-ups.sqlite'));
    const sent = `FROM copies WHERE destination = 'crm' AND state = 'delivered' AND erased_at IS NULL`;
    const old = `WHERE erased_at IS NULL AND state = 'delivered' AND delivered_at < 1`;
    for (const [query, index] of [
      [claimSql('<'), 'INDEX sign_ups_due (attempts'],
      [claimSql('>='), 'INDEX sign_ups_due (attempts'],
      [claimSql('<', 'copies', `destination = 'crm'`), 'INDEX copies_due (destination=? AND attempts'],
      [claimSql('>=', 'copies', `destination = 'crm'`), 'INDEX copies_due (destination=? AND attempts'],
      ['SELECT state, count(*) AS count FROM sign_ups GROUP BY state', 'USING COVERING INDEX sign_ups_states'],
      [`SELECT min(created_at) FROM sign_ups WHERE state = 'waiting'`, 'INDEX sign_ups_states'],
      [`SELECT max(delivered_at) ${sent}`, 'INDEX copies_kept (destination=? AND state=?)'],
      [`UPDATE sign_ups SET erased_at = 1 ${old}`, 'INDEX sign_ups_kept (state=? AND delivered_at<?)'],
    ] as const) {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
      expect(steps.map(({ detail }) => detail).join('; ')).toContain(index);
    }
    database.close();
  });

  test('a file of another version is refused', async () => {
    await open().add(signUp());
    for (const version of [3, 99]) {
      await changeFile(`PRAGMA user_version = ${version}`);
      await expect(open().add(signUp())).rejects.toThrow(`version ${version}`);
    }
  });
});

describe('PostgreSQL', () => {
  test('R30: during an outage calls fail at once, without the password in the error, and then work again', async () => {
    const store = openPostgres();
    const [before, during, after] = [signUp(), signUp(), signUp()];
    await store.add(before);
    await postgres.kill();
    // The error of the connection, not that of a timeout.
    await expect(store.add(during)).rejects.toThrow(/^PostgreSQL: .*ECONNREFUSED/);
    await expect(store.claim(CLAIM)).rejects.toThrow(/^PostgreSQL: .*ECONNREFUSED/);
    await postgres.start();
    expect(await store.add(after)).toBe('added');
    expect((await claimed(store)).sort()).toEqual([before.signUpId, after.signUpId].sort());
    expect(troubles).toEqual([expect.not.stringMatching(/\n/), null]);
    expect(troubles.join()).not.toContain(postgres.password);
  });

  test('R30: connections that a restart has closed cause no error', async () => {
    const store = openPostgres();
    await Promise.all(Array.from({ length: 8 }, () => store.get('')));
    await postgres.shutDown();
    await postgres.start();
    expect(await Promise.all(Array.from({ length: 8 }, () => store.add(signUp())))).not.toContain('repeated');
    expect(troubles).toEqual([]);
  });

  test('R30: a call whose connection breaks before the commit is retried once and leaves one row', async () => {
    const store = openPostgres();
    await store.get('');
    // A rollback does not reset a sequence: the first statement fails, the second succeeds.
    await sql(`CREATE SEQUENCE tries; CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); END IF;
      RETURN NULL; END $$; CREATE TRIGGER cut AFTER INSERT ON pillion_sign_ups EXECUTE FUNCTION cut()`);
    try {
      expect(await store.add(signUp())).toBe('added');
      expect(await sql('SELECT last_value::int AS tries FROM tries')).toEqual([{ tries: 2 }]);
      expect((await store.stats()).counts.waiting).toBe(1);
    } finally {
      await sql('DROP FUNCTION cut CASCADE; DROP SEQUENCE tries');
    }
  });

  test('R30: a commit whose response is lost still counts as "added"', async () => {
    let isCutting = true;
    // A proxy that drops the first response to an INSERT, after its commit.
    const proxy = createServer((near) => {
      const far = connect(postgres.port, '127.0.0.1');
      let isAsked = false;
      near.on('data', (data) => {
        isAsked ||= data.includes('INSERT INTO');
        far.write(data);
      });
      far.on('data', (data) => {
        if (!isAsked || !isCutting) return near.write(data);
        isCutting = false;
        near.destroy();
      });
      for (const [one, other] of [[near, far] as const, [far, near] as const])
        one.on('error', () => {}).on('close', () => other.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = new URL(postgres.url);
    url.port = String((proxy.address() as AddressInfo).port);
    const store = createPostgresStore({ url: url.href });
    try {
      const one = signUp();
      expect(await store.add({ ...one, payload: Buffer.from('sealed once') })).toBe('added');
      expect(isCutting).toBe(false);
      expect(await store.add({ ...one, payload: Buffer.from('sealed again') })).toBe('repeated');
      expect((await store.stats()).counts.waiting).toBe(1);
    } finally {
      await store.close();
      proxy.close();
    }
  });

  test('if the table is dropped, the next sign-up is stored in a new table', async () => {
    const store = openPostgres();
    await store.add(signUp());
    await sql('DROP TABLE pillion_sign_ups');
    const later = signUp();
    expect(await store.add(later)).toBe('added');
    expect(await openPostgres().get(later.signUpId)).not.toBeNull();
  });

  test('twenty instances that start at once create one table', async () => {
    for (let round = 0; round < 3; round++) {
      await sql('DROP TABLE IF EXISTS pillion_sign_ups');
      expect(await Promise.all(Array.from({ length: 20 }, () => openPostgres().get('')))).toEqual(Array(20).fill(null));
    }
  });

  test('a server with a clock that is off by ten minutes respects other leases and is not delayed', async () => {
    const clocks = [0, 600_000, -600_000].map((wrong) => () => Date.now() + wrong);
    const workers = clocks.map((now) => ({ now, store: opened(createPostgresStore({ url: postgres.url }, now)) }));
    const claims = ({ now, store }: (typeof workers)[number]) =>
      claimed(store, { now: now(), leaseUntil: now() + 20_000 });
    for (const holder of workers) {
      const { signUpId } = signUp();
      await holder.store.add(signUp({ signUpId, createdAt: holder.now() }));
      expect(await claims(holder)).toEqual([signUpId]);
      for (const other of workers) expect(await claims(other)).toEqual([]);
      // Well in the past, because the clock's offset is only known to the precision of a query.
      await holder.store.postpone({ signUpId, attempt: 1 }, holder.now() - 60_000, 'status 503');
      const [next] = workers.filter((worker) => worker !== holder);
      if (next) expect(await claims(next)).toEqual([signUpId]);
      await holder.store.deliver(signUpId, holder.now());
    }
  });

  test('a table of an unknown version, or of another application, is refused', async () => {
    await openPostgres().add(signUp());
    for (const version of [3, 99]) {
      await sql(`COMMENT ON TABLE pillion_sign_ups IS 'Sign-ups of a Pillion site, version ${version}'`);
      await expect(openPostgres().add(signUp())).rejects.toThrow(`version ${version}`);
    }
    await sql('DROP TABLE pillion_sign_ups; CREATE TABLE pillion_sign_ups (other integer)');
    await expect(openPostgres().add(signUp())).rejects.toThrow('not ours');
  });

  test('R30: a commit waits for the disk even if the database’s default is not to', async () => {
    await sql(`ALTER ROLE pillion SET synchronous_commit = 'off'`);
    try {
      const store = openPostgres();
      await store.get('');
      await sql(`CREATE OR REPLACE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.consent_text := current_setting('synchronous_commit'); RETURN NEW; END $$;
        CREATE TRIGGER told BEFORE INSERT ON pillion_sign_ups FOR EACH ROW EXECUTE FUNCTION told()`);
      const one = signUp();
      await store.add(one);
      expect((await store.get(one.signUpId))?.consentText).toBe('on');
    } finally {
      await sql(`ALTER ROLE pillion RESET synchronous_commit`);
    }
  });

  test('a read-only database is refused', async () => {
    await sql(`ALTER ROLE pillion SET default_transaction_read_only = on`);
    try {
      await expect(openPostgres().get('')).rejects.toThrow('can only be read');
    } finally {
      await sql('ALTER ROLE pillion RESET default_transaction_read_only');
    }
  });

  test('three hundred concurrent visitors use at most eight connections', async () => {
    const store = openPostgres();
    await Promise.all(Array.from({ length: 300 }, () => Promise.all([store.add(signUp()), store.get('')])));
    // Connections of earlier tests may still be closing. This store closes none while it is open.
    const count = async () =>
      (await sql(`SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pillion'`))[0]?.count;
    await expect.poll(count).toBeLessThanOrEqual(8);
  });

  test('a locked row is skipped without waiting', async () => {
    const store = openPostgres();
    const [held, free] = await added(store, { createdAt: NOW - 5 }, {});
    const other = new pg.Client(postgres.url);
    await other.connect();
    await other.query(`BEGIN; SELECT 1 FROM pillion_sign_ups WHERE sign_up_id = '${held.signUpId}' FOR UPDATE`);
    expect(await claimed(store)).toEqual([free.signUpId]);
    await other.query('ROLLBACK');
    await other.end();
    expect(await claimed(store)).toEqual([held.signUpId]);
  });

  test('a lock that is never released makes the call fail, not the server', async () => {
    const store = openPostgres();
    const one = signUp();
    await store.add(one);
    const other = new pg.Client(postgres.url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE pillion_sign_ups');
    await expect(store.add(signUp())).rejects.toThrow(/statement timeout/);
    await other.end();
    expect(await store.add(one)).toBe('repeated');
  });
});
