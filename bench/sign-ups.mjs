// Stored sign-ups per second, compared with a bare INSERT with fsync on the same disk in the same run.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { createPostgresStore } from '@pillion/sign-ups/store/postgres-store.ts';
import { createSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';
import { createSignUp } from '@pillion/tests/crowd.ts';
import { startSite } from '@pillion/tests/site.ts';
import pg from 'pg';
import { formatMs, isProgram, median, percentile } from './lib/figures.mjs';

const CLIENTS = [1, 16, 64];
/** Warm-up in milliseconds before the measurement. The median of the rounds counts. */
const WARM_UP_MS = 500;
const MEASURE_MS = 2_000;
const ROUNDS = 3;

const ANSWERS = { input_1: 'Ada Lovelace', input_2: 'ada@example.org', input_3_1: '1', input_4: 'x'.repeat(300) };
const COLUMNS = 'sign_up_id, form_id, state, payload, digest, consent_text, created_at, next_try_at';
const newRow = () => [
  randomUUID(),
  1,
  'waiting',
  Buffer.alloc(420),
  'd'.repeat(64),
  'Send me the route',
  Date.now(),
  Date.now(),
];

/**
 * Runs clients in parallel that each send one after the other.
 * @param runOnce Gets the number of the client.
 * @returns The rate per second, percentiles of the durations, and the 99th of the event loop's delay, in milliseconds.
 */
async function measure(clients, runOnce) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const latencies = [];
  let begun = Number.POSITIVE_INFINITY;
  let isOver = false;
  const work = async (client) => {
    while (!isOver) {
      const start = performance.now();
      await runOnce(client);
      if (start >= begun) latencies.push(performance.now() - start);
    }
  };
  const all = Array.from({ length: clients }, (_, client) => work(client));
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  begun = performance.now();
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
  delay.disable();
  isOver = true;
  const seconds = (performance.now() - begun) / 1000;
  const perSecond = latencies.length / seconds;
  await Promise.all(all);
  latencies.sort((a, b) => a - b);
  return {
    perSecond,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    loop: delay.percentile(99) / 1e6,
  };
}

/** One INSERT and one commit at a time, as SQLite allows. */
function createBareSqlite(folder) {
  const database = new DatabaseSync(join(folder, 'bare.sqlite'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE bare (sign_up_id TEXT PRIMARY KEY, form_id INTEGER, state TEXT, payload BLOB, digest TEXT,
      consent_text TEXT, created_at INTEGER, next_try_at INTEGER) STRICT, WITHOUT ROWID`);
  const insert = database.prepare(`INSERT INTO bare (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    async runOnce() {
      insert.run(...newRow());
      // It blocks the thread, so this lets the other clients and the timer run.
      await new Promise(setImmediate);
    },
    close: async () => database.close(),
  };
}

/** One connection per client, and one transaction per INSERT. */
async function createBarePostgres(url, clients) {
  const connections = Array.from({ length: clients }, () => new pg.Client(url));
  await Promise.all(connections.map((connection) => connection.connect()));
  await connections[0].query(`CREATE TABLE IF NOT EXISTS bare (sign_up_id text COLLATE "C" PRIMARY KEY, form_id integer,
    state text, payload bytea, digest text, consent_text text, created_at bigint, next_try_at bigint)`);
  const text = `INSERT INTO bare (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
  return {
    runOnce: (client) => connections[client].query({ name: 'bare', text, values: newRow() }),
    close: () => Promise.all(connections.map((connection) => connection.end())),
  };
}

/** The store with all work between a valid form and its confirmation: sealing, batching, commit. */
function createPillionStore(store) {
  const outbox = createOutbox(store, createCipher('a secret of the bench'));
  return {
    runOnce: () =>
      outbox.add({ signUpId: randomUUID(), formId: 1, answers: ANSWERS, consentText: 'Send me', suspected: null }),
    close: () => store.close(),
  };
}

async function measureRound(clients, createSubject) {
  const subject = await createSubject(clients);
  try {
    return await measure(clients, subject.runOnce);
  } finally {
    await subject.close();
  }
}

const medians = (rounds) =>
  Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, median(rounds.map((each) => each[key]))]));

const formatCells = (...values) => values.map((value) => String(value).padStart(11)).join('');
const printLine = (name, { perSecond, p50, p99, loop }, ratio = '') =>
  console.log(
    `  ${name.padEnd(34)}${formatCells(Math.round(perSecond), formatMs(p50), formatMs(p99), formatMs(loop), ratio)}`,
  );

/** Compares the store with bare INSERTs. Both alternate, so that other load affects both. */
async function compare(name, createBare, createStore) {
  for (const clients of CLIENTS) {
    const rounds = { bare: [], store: [] };
    for (let turn = 0; turn < ROUNDS; turn++) {
      rounds.bare.push(await measureRound(clients, createBare));
      rounds.store.push(await measureRound(clients, createStore));
    }
    const [bare, store] = [medians(rounds.bare), medians(rounds.store)];
    printLine(`${name}, ${clients} at once: bare INSERT`, bare);
    printLine(
      `${' '.repeat(name.length)}  ${' '.repeat(String(clients).length)}          the store`,
      store,
      `× ${(store.perSecond / bare.perSecond).toFixed(2)}`,
    );
  }
}

/** Prints the longest delays of the server's event loop on a signal. `--import` loads it into the server. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delay = monitorEventLoopDelay({ resolution: 1 });
  process.on('SIGUSR2', () => {
    if (delay.count > 0) console.log('loop ' + (delay.percentile(99) / 1e6).toFixed(1));
    delay.reset();
    delay.enable();
  });`)}`;

/** Measures the whole path of a form through a running server, and the server's event loop. */
async function measureServer(name, env) {
  const site = await startSite({ ...env, TRUST_PROXY: 'true', NODE_OPTIONS: `--import=${PROBE}` });
  const loopDelays = () => [...site.output().matchAll(/^loop ([\d.]+)$/gm)].map(([, value]) => Number(value));
  let visitor = 0;
  const post = async () => {
    visitor += 1;
    const response = await fetch(`${site.url}/api/sign-ups`, {
      method: 'POST',
      body: createSignUp(randomUUID()),
      headers: {
        accept: 'application/json',
        'x-forwarded-for': `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`,
      },
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the server answered ${response.status}`);
  };
  try {
    for (const clients of CLIENTS.slice(1)) {
      await measure(clients, post);
      // The first signal starts the measurement of the loop, the second prints it.
      process.kill(site.pid, 'SIGUSR2');
      const before = loopDelays().length;
      const figures = await measure(clients, post);
      process.kill(site.pid, 'SIGUSR2');
      while (loopDelays().length === before) await new Promise((resolve) => setTimeout(resolve, 20));
      printLine(`${name}, ${clients} at once: POST to a server`, { ...figures, loop: loopDelays().at(-1) });
    }
  } finally {
    await site.stop();
  }
}

/** Number of waiting sign-ups with the largest files. */
const WAITING = 60;
const LARGEST_BYTES = 10_000_000;

/** Does the store's work of a delivery, with a WordPress that accepts no files. @returns A function that stops it. */
function deliverFrom(store) {
  let isOver = false;
  const worker = (async () => {
    while (!isOver) {
      const now = Date.now();
      const claim = { now, leaseUntil: now + 20_000, limit: 2, stubbornLimit: 1, horizonMs: 80_000 };
      for (const { signUpId, attempts, payload } of await store.claim(claim))
        if (payload?.byteLength === LARGEST_BYTES)
          await store.postpone({ signUpId, attempt: attempts }, Date.now() + 500, 'status 503');
        else await store.deliver(signUpId, Date.now());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return () => {
    isOver = true;
    return worker;
  };
}

/** A store in a separate folder, with this many waiting uploads. */
async function createStoreWithUploads(count, folder) {
  const store = createSqliteStore(mkdtempSync(join(folder, 'uploads-')));
  const bytes = Buffer.alloc(LARGEST_BYTES, 7);
  for (let added = 0; added < count; added++)
    await store.add({
      ...{ signUpId: randomUUID(), formId: 1, state: 'waiting', payload: Buffer.from(bytes), digest: 'd' },
      ...{ consentText: null, consent: [], createdAt: Date.now(), note: null, copies: [] },
    });
  return store;
}

/** Compares a sign-up without waiting uploads with one next to many that are retried and postponed. Both alternate. */
async function compareWithUploads(folder) {
  const stores = [await createStoreWithUploads(0, folder), await createStoreWithUploads(WAITING, folder)];
  const rounds = stores.map(() => []);
  for (let turn = 0; turn < ROUNDS; turn++)
    for (const [index, store] of stores.entries()) {
      const stopDelivery = deliverFrom(store);
      const outbox = createOutbox(store, createCipher('a secret of the bench'));
      const addSignUp = () =>
        outbox.add({ signUpId: randomUUID(), formId: 1, answers: ANSWERS, consentText: null, suspected: null });
      rounds[index].push(await measure(4, addSignUp));
      await stopDelivery();
    }
  for (const store of stores) await store.close();
  const [alone, withUploads] = rounds.map((each) => medians(each).p95);
  const all = rounds.map((each) => each.map(({ p95 }) => p95.toFixed(1)).join(' ')).join('; ');
  console.log(
    `\nSQLite, a plain sign-up's p95: ${formatMs(alone)} alone, ${formatMs(withUploads)} with ${WAITING} of 10 MB waiting: × ${(withUploads / alone).toFixed(2)} (budget: 2; ${all})`,
  );
}

/** Prints the figures as a table. */
export async function benchSignUps() {
  const folder = mkdtempSync(join(tmpdir(), 'pillion-bench-'));
  const postgres = await startPostgres();
  console.log('\nStored sign-ups per second (budget: 0.8 of bare at 16, event loop 20 ms)');
  console.log(`  ${''.padEnd(34)}${formatCells('a second', 'p50', 'p99', 'loop p99', 'of bare')}`);
  try {
    await compare(
      'SQLite',
      async () => createBareSqlite(mkdtempSync(join(folder, 'bare-'))),
      async () => createPillionStore(createSqliteStore(mkdtempSync(join(folder, 'store-')))),
    );
    await measureServer('SQLite', {});
    await compare(
      'PostgreSQL',
      (clients) => createBarePostgres(postgres.url, clients),
      async () => createPillionStore(createPostgresStore({ url: postgres.url })),
    );
    await measureServer('PostgreSQL', { DATABASE_URL: postgres.url, SECRET_KEY: 'of the bench, and nothing else' });
    await compareWithUploads(folder);
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isProgram(import.meta.url)) await benchSignUps();
