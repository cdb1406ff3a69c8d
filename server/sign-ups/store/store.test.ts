import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDirectSqliteStore, createSqliteStore } from './sqlite-store.ts';
import type { NewSignUp, SignUpStore } from './store.ts';

const NOW = 1_800_000_000_000;
const CLAIM = { now: NOW, leaseUntil: NOW + 20_000, limit: 10, stubbornLimit: 10, horizonMs: 80_000 };

const signUp = (more: Partial<NewSignUp> = {}): NewSignUp => ({
  signUpId: randomUUID(),
  formId: 1,
  state: 'waiting',
  payload: Buffer.from('sealed'),
  digest: 'd1',
  consentText: 'Send me the route',
  createdAt: NOW,
  note: null,
  ...more,
});

let directory: string;
let stores: SignUpStore[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-store-'));
  stores = [];
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  rmSync(directory, { recursive: true, force: true });
});

describe.each([
  ['SQLite in a thread', createSqliteStore],
  ['SQLite without one', createDirectSqliteStore],
])('%s', (_, create) => {
  const open = () => {
    const store = create(directory);
    stores.push(store);
    return store;
  };
  const claimed = async (store: SignUpStore, more = {}) =>
    (await store.claim({ ...CLAIM, ...more })).map(({ signUpId }) => signUpId);

  test('one id is one row, and the answers that were thanked for stay', async () => {
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

  test('what was added is there for another process, in a file for its owner alone', async () => {
    const kept = signUp();
    await open().add(kept);
    expect(await open().get(kept.signUpId)).toMatchObject({ signUpId: kept.signUpId });
    expect(statSync(join(directory, 'sign-ups.sqlite')).mode & 0o777).toBe(0o600);
  });

  test('a lease keeps others out until it ends; then the row is taken up again', async () => {
    const store = open();
    const { signUpId } = signUp();
    await store.add(signUp({ signUpId }));
    expect(await claimed(store)).toEqual([signUpId]);
    expect(await claimed(store)).toEqual([]);
    expect(await claimed(store, { now: NOW + 19_999 })).toEqual([]);
    expect(await claimed(store, { now: NOW + 20_000, leaseUntil: NOW + 40_000 })).toEqual([signUpId]);
    expect(await store.get(signUpId)).toMatchObject({ state: 'leased', attempts: 2 });
  });

  test('a worker whose lease ran out says nothing more, but that WordPress has it', async () => {
    const store = open();
    const { signUpId } = signUp();
    await store.add(signUp({ signUpId }));
    await store.claim(CLAIM);
    await store.claim({ ...CLAIM, now: NOW + 20_000, leaseUntil: NOW + 40_000 });
    expect(await store.postpone({ signUpId, attempt: 1 }, NOW, 'late')).toBe(false);
    expect(await store.bury({ signUpId, attempt: 1 }, 'late')).toBe(false);
    await store.deliver(signUpId, NOW + 21_000);
    expect(await store.postpone({ signUpId, attempt: 2 }, NOW, 'later still')).toBe(false);
    expect(await store.get(signUpId)).toMatchObject({ state: 'delivered', deliveredAt: NOW + 21_000, lastError: null });
  });

  test('a time that only a clock set back can explain keeps nobody waiting', async () => {
    const store = open();
    const [leased, waiting] = [signUp(), signUp()];
    for (const each of [leased, waiting]) await store.add(each);
    await store.claim(CLAIM);
    await store.postpone({ signUpId: waiting.signUpId, attempt: 1 }, NOW + 60_000, 'timeout');
    expect(await claimed(store, { now: NOW - 10_000 })).toEqual([]);
    const yesterday = NOW - 86_400_000;
    expect(await claimed(store, { now: yesterday, leaseUntil: yesterday + 20_000 })).toHaveLength(2);
  });

  test('those that keep failing get a part of the slots, the least tried come first', async () => {
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

  test('waking makes due what waits, and nothing else', async () => {
    const store = open();
    const [waiting, dead] = [signUp(), signUp()];
    for (const each of [waiting, dead, signUp({ state: 'set-aside', note: 'honeypot' })]) await store.add(each);
    await store.claim(CLAIM);
    await store.postpone({ signUpId: waiting.signUpId, attempt: 1 }, NOW + 50_000, 'timeout');
    await store.bury({ signUpId: dead.signUpId, attempt: 1 }, 'refused');
    expect(await claimed(store)).toEqual([]);
    expect(await store.wake(NOW)).toBe(1);
    expect(await claimed(store)).toEqual([waiting.signUpId]);
  });

  test('a fraction in a time is an error at once, and no row that nobody takes up', async () => {
    const store = open();
    const { signUpId } = signUp();
    await store.add(signUp({ signUpId }));
    await store.claim(CLAIM);
    await expect(store.postpone({ signUpId, attempt: 1 }, NOW + 0.5, 'timeout')).rejects.toThrow();
    expect(await store.get(signUpId)).toMatchObject({ state: 'leased', nextTryAt: NOW + 20_000 });
  });

  test('one call that fails takes none of those with it that share its commit', async () => {
    const store = open();
    const wrong = signUp({ createdAt: 0.5 });
    const outcomes = await Promise.allSettled([signUp(), signUp(), wrong, signUp()].map((each) => store.add(each)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await store.list({ states: [], limit: 10 })).toHaveLength(3);
  });

  test('dead and set-aside ones wait again when an operator says so', async () => {
    const store = open();
    const [dead, spam] = [signUp(), signUp({ state: 'set-aside', note: 'honeypot' })];
    for (const each of [dead, spam]) await store.add(each);
    await store.claim(CLAIM);
    await store.bury({ signUpId: dead.signUpId, attempt: 1 }, 'refused');
    expect(await store.retry(null, NOW)).toBe(1);
    expect(await store.retry([spam.signUpId], NOW)).toBe(1);
    expect(await store.get(spam.signUpId)).toMatchObject({ state: 'waiting', attempts: 0, lastError: null });
  });

  test('erasing leaves id and digest; what was not delivered never will be', async () => {
    const store = open();
    const [waiting, delivered] = [signUp(), signUp()];
    for (const each of [waiting, delivered]) await store.add(each);
    await store.deliver(delivered.signUpId, NOW);
    expect(await store.erase([waiting.signUpId, delivered.signUpId], NOW + 1)).toBe(2);
    const erased = { payload: null, digest: 'd1', erasedAt: NOW + 1 };
    expect(await store.get(waiting.signUpId)).toMatchObject({ ...erased, state: 'dead' });
    expect(await store.get(delivered.signUpId)).toMatchObject({ ...erased, state: 'delivered' });
    expect(await store.retry([waiting.signUpId], NOW)).toBe(0);
    // Still the same visitor's: she is not taken twice.
    expect(await store.add(delivered)).toBe('repeated');
  });

  test('retention erases what was delivered before its time, and nothing that was not', async () => {
    const store = open();
    const [old, recent, waiting] = [signUp(), signUp(), signUp({ createdAt: 1 })];
    for (const each of [old, recent, waiting]) await store.add(each);
    await store.deliver(old.signUpId, NOW - 1000);
    await store.deliver(recent.signUpId, NOW);
    expect(await store.expire(NOW - 500, NOW)).toBe(1);
    expect((await store.get(old.signUpId))?.payload).toBeNull();
    expect((await store.get(recent.signUpId))?.payload).not.toBeNull();
    expect((await store.get(waiting.signUpId))?.payload).not.toBeNull();
  });

  test('it says how many there are and how old the oldest is that waits', async () => {
    const store = open();
    const [old, done] = [signUp({ createdAt: NOW - 5000 }), signUp({ createdAt: NOW - 9000 })];
    for (const each of [old, done, signUp({ state: 'set-aside', createdAt: 1, note: 'honeypot' })])
      await store.add(each);
    expect((await store.stats()).oldestAt).toBe(NOW - 9000);
    await store.deliver(done.signUpId, NOW);
    expect(await store.stats()).toEqual({
      counts: { waiting: 1, leased: 0, delivered: 1, dead: 0, 'set-aside': 1 },
      oldestAt: NOW - 5000,
    });
  });

  test('several on one file, opened for the first time at once, lose nothing and lease nothing twice', async () => {
    const several = Array.from({ length: 4 }, open);
    const added = await Promise.all(several.flatMap((store) => Array.from({ length: 50 }, () => store.add(signUp()))));
    expect(added.every((what) => what === 'added')).toBe(true);
    const leased = (await Promise.all(several.map((store) => claimed(store, { limit: 100 })))).flat();
    expect(leased).toHaveLength(200);
    expect(new Set(leased).size).toBe(200);
  });

  test('a file that is taken away swallows nothing', async () => {
    const store = open();
    await store.add(signUp());
    const path = join(directory, 'sign-ups.sqlite');
    for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, `${path}.away${end}`);
    const later = signUp();
    await store.add(later);
    expect(await open().get(later.signUpId)).not.toBeNull();
  });

  test('a file that is no database is left as it is, and nobody waits to hear so', async () => {
    const path = join(directory, 'sign-ups.sqlite');
    writeFileSync(path, 'x'.repeat(8192));
    const begun = performance.now();
    await expect(open().add(signUp())).rejects.toThrow('not a database');
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(readFileSync(path, 'utf8')).toBe('x'.repeat(8192));
  });

  test('a file of a newer version is left alone', async () => {
    await open().add(signUp());
    await stores.pop()?.close();
    const database = new DatabaseSync(join(directory, 'sign-ups.sqlite'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(open().add(signUp())).rejects.toThrow('version 99');
  });
});

test('closing ends what is under way first, though it be more than one commit takes', async () => {
  const store = createSqliteStore(directory);
  const adding = Promise.all(Array.from({ length: 600 }, () => store.add(signUp())));
  const closing = store.close();
  expect(new Set(await adding)).toEqual(new Set(['added']));
  await closing;
  // Nothing is left beside the file: it was closed, not dropped.
  expect(existsSync(join(directory, 'sign-ups.sqlite-wal'))).toBe(false);
  expect(readFileSync(join(directory, 'sign-ups.sqlite')).length).toBeGreaterThan(0);
});
