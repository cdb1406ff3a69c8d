import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { keptSignUps, storeIn } from '../support/sign-ups.ts';
import { freePort, type RunningSite, startSite, temporaryFolder } from '../support/site.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

const folder = () => {
  const made = temporaryFolder();
  undo.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

/** The sign-up of a visitor of the bundled form. */
const formOf = (id: string, email = 'ada@example.org') =>
  new URLSearchParams({ form_id: '1', input_1: 'Ada', input_2: email, input_3_1: '1', sign_up_id: id });

/** Each visitor has an address of her own, as a proxy tells it: limits count by it. */
let visitor = 0;
const address = () => `203.0.${++visitor >> 8}.${visitor & 255}`;

const send = (url: string, form: URLSearchParams, from = address()) =>
  fetch(`${url}/api/sign-ups`, {
    method: 'POST',
    body: form,
    headers: { accept: 'application/json', 'x-forwarded-for': from },
  });

test('R30: a sign-up is on the disk before the visitor is thanked, and not to be read there without the key', async () => {
  const data = folder();
  const site = await startSite({ DATA_DIR: data, TRUST_PROXY: 'true' });
  const id = randomUUID();
  expect(await (await send(site.url, formOf(id))).json()).toMatchObject({ ok: true });
  await site.stop('SIGKILL');
  const onDisk = ['', '-wal'].map((end) => readFileSync(storeIn(data) + end, 'latin1')).join('');
  expect(onDisk).toContain(id);
  expect(onDisk).not.toMatch(/Ada|ada@/);
  expect(await keptSignUps(data)).toMatchObject([{ id, state: 'waiting', answers: { input_2: 'ada@example.org' } }]);
  expect(site.output()).not.toMatch(/Ada|ada@/);
  expect(statSync(join(data, 'secret-key')).mode & 0o777).toBe(0o600);
});

test('R30: a store that cannot be written is never thanked for: 503, and the visitor keeps her answers', async () => {
  const data = folder();
  mkdirSync(storeIn(data));
  const site = await startSite({ DATA_DIR: data, TRUST_PROXY: 'true' });
  undo.push(() => site.stop());
  const body = formOf(randomUUID());
  const answer = await fetch(`${site.url}/api/sign-ups`, { method: 'POST', body, redirect: 'manual' });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await answer.text()).toContain('value="ada@example.org"');
});

test('R30: thanked means on the disk: fifty that come one after the other are fifty fsyncs', (context) => {
  if (spawnSync('strace', ['-V']).status !== 0) return context.skip('there is no strace here');
  const data = folder();
  const calls = ['-f', '-e', 'trace=fsync,fdatasync,write', '-o', join(data, 'trace')];
  const writer = [process.execPath, 'tests/support/serial-writer.ts', data];
  const { status } = spawnSync('strace', [...calls, ...writer]);
  if (status !== 0) return context.skip('nothing may be traced here');
  const [, after = ''] = readFileSync(join(data, 'trace'), 'utf8').split('"begin');
  const [during = ''] = after.split('"done');
  expect(during.match(/\bf(?:data)?sync\(/g)?.length).toBeGreaterThanOrEqual(50);
});

/** A disk of its own, small enough to be filled. `false`: this system lets nobody mount one. */
const mount = (path: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).status === 0 &&
  undo.push(() => spawnSync('umount', ['-l', path])) > 0;

test('R30: on a full disk nobody is thanked and nobody lost; with space again it goes on without a restart', async (context) => {
  const data = folder();
  if (!mount(data)) return context.skip('no file system can be mounted here');
  const site = await startSite({ DATA_DIR: data, TRUST_PROXY: 'true' });
  undo.push(() => site.stop());
  const thanked: string[] = [];
  const post = async () => {
    const id = randomUUID();
    const { status } = await send(site.url, formOf(id));
    if (status === 200) thanked.push(id);
    return status;
  };
  expect(await post()).toBe(200);
  spawnSync('sh', ['-c', `head -c 2000000 /dev/zero > ${data}/ballast`]);
  const statuses = new Set<number>();
  for (let sent = 0; sent < 60 && !statuses.has(503); sent++) statuses.add(await post());
  expect(statuses).toContain(503);
  expect((await fetch(`${site.url}/`)).status).toBe(200);
  rmSync(join(data, 'ballast'));
  await expect.poll(post, { timeout: 15_000 }).toBe(200);
  const kept = (await keptSignUps(data)).map(({ id }) => id);
  expect(thanked.filter((id) => !kept.includes(id))).toEqual([]);
});

test('a start whose key file is spoilt ends with one sentence', () => {
  const data = folder();
  writeFileSync(join(data, 'secret-key'), '');
  const { status, stderr } = spawnSync(process.execPath, ['build/server/main.js'], {
    env: { PATH: process.env.PATH, DATA_DIR: data, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  expect([status, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('put it back, or set SECRET_KEY')]]);
});

interface Cms {
  url: string;
  /** Every submission that WordPress read to its end, in order. */
  received: string[];
  /** Distinct ids, each the entry WordPress keeps of it. */
  entries: Set<string>;
  /** How often one came that had been answered with a yes before. */
  yesAgain: number;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const FORM = readFileSync('content/en/forms/1.json', 'utf8');

/** Once in so many submissions the CMS misbehaves in the next way of these. */
const FAULT_EVERY = 4;

/**
 * A WordPress that keeps one entry per id and misbehaves: asks to be left alone, breaks off, takes one in without saying
 * so, fails, hangs, answers with a page.
 */
async function startFaultyCms(): Promise<Cms> {
  const received: string[] = [];
  const entries = new Set<string>();
  const confirmed = new Set<string>();
  const cms: Cms = { url: '', received, entries, yesAgain: 0 };
  let turn = 0;
  const answer = (response: ServerResponse, status: number, body: string, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  const faults: ((response: ServerResponse, id: string) => void)[] = [
    (response) => answer(response, 429, '{}', { 'retry-after': '1' }),
    (response) => response.destroy(),
    (response, id) => {
      entries.add(id);
      response.destroy();
    },
    (response) => answer(response, 500, '{"code":"oops"}'),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Maintenance</title>'),
  ];
  const server: Server = createServer(async (request, response) => {
    if (request.method !== 'POST') return answer(response, request.url?.includes('/gf/v2/forms/') ? 200 : 404, FORM);
    const { sign_up_id: id } = JSON.parse(await bodyOf(request)) as { sign_up_id: string };
    received.push(id);
    if (confirmed.has(id)) cms.yesAgain += 1;
    turn += 1;
    const fault = turn % FAULT_EVERY === 0 ? faults[(turn / FAULT_EVERY) % faults.length] : null;
    if (fault) return fault(response, id);
    entries.add(id);
    confirmed.add(id);
    return answer(response, 200, '{"is_valid":true,"confirmation_message":""}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => {
    server.close();
    server.closeAllConnections();
  });
  cms.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return cms;
}

/** Visitors who send, and send again under the same id until they are thanked or the run is over. */
async function visitors(url: string, isOver: () => boolean, thanked: Set<string>): Promise<void> {
  while (!isOver()) {
    const id = randomUUID();
    const from = address();
    for (let isThanked = false; !isThanked && !isOver(); ) {
      const answer = await send(url, formOf(id, `${id}@example.org`), from).catch(() => null);
      isThanked = answer?.status === 200;
      if (isThanked) thanked.add(id);
      else await new Promise((resolve) => setTimeout(resolve, 50));
      await answer?.arrayBuffer().catch(() => {});
    }
  }
}

/** Attempts that a worker has under way at once, so that a kill leaves at most as many without their outcome. */
const UNDER_WAY = 6;

const wordpressEnv = (cms: Cms) => ({
  CONTENT_SOURCE: 'wordpress',
  CONTENT_URL: cms.url,
  CONTENT_KEY: 'ck_a',
  CONTENT_SECRET: 'cs_a',
});

test('R30: what waited for a WordPress is delivered by a worker of its own, and a stop leaves nothing half done', async () => {
  const data = folder();
  const site = await startSite({ DATA_DIR: data, TRUST_PROXY: 'true' });
  const ids = Array.from({ length: 30 }, () => randomUUID());
  for (const id of ids) expect((await send(site.url, formOf(id))).status).toBe(200);
  await site.stop();
  const cms = await startFaultyCms();
  const worker = spawn(process.execPath, ['scripts/sign-ups.mjs', 'work'], {
    env: { PATH: process.env.PATH, DATA_DIR: data, ...wordpressEnv(cms) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => worker.once('exit', resolve));
  undo.push(() => worker.kill('SIGKILL'));
  await expect.poll(() => cms.received.length, { timeout: 30_000 }).toBeGreaterThan(3);
  worker.kill('SIGTERM');
  expect(await ended).toBe(0);
  const between = await keptSignUps(data);
  expect(between.filter(({ state }) => !['waiting', 'delivered'].includes(state))).toEqual([]);
  expect(between.filter(({ id, state }) => state === 'delivered' && !cms.entries.has(id))).toEqual([]);

  const again = await startSite({ DATA_DIR: data, ...wordpressEnv(cms) });
  undo.push(() => again.stop());
  const delivered = async () => (await keptSignUps(data)).filter(({ state }) => state === 'delivered').length;
  await expect.poll(delivered, { timeout: 60_000, interval: 250 }).toBe(30);
  expect([...cms.entries].sort()).toEqual(ids.sort());
  // Nobody was killed, so nothing that had its yes was sent again.
  expect(cms.yesAgain).toBe(0);
});

const KILLS = Number(process.env.KILLS ?? 10);

test(`R30: over ${KILLS} kills and a CMS that misbehaves, whoever was thanked reaches WordPress`, async () => {
  const cms = await startFaultyCms();
  const env = {
    DATA_DIR: folder(),
    TRUST_PROXY: 'true',
    PORT: String(await freePort()),
    ...wordpressEnv(cms),
  };
  const url = `http://127.0.0.1:${env.PORT}`;
  const thanked = new Set<string>();
  let isOver = false;
  const crowd = Array.from({ length: 8 }, () => visitors(url, () => isOver, thanked));
  let site: RunningSite | null = null;
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = thanked.size;
    site = await startSite(env);
    await expect.poll(() => thanked.size, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    await site.stop('SIGKILL');
  }
  isOver = true;
  await Promise.all(crowd);
  site = await startSite(env);
  undo.push(() => site?.stop());
  const undelivered = async () => (await keptSignUps(env.DATA_DIR)).filter(({ state }) => state !== 'delivered').length;
  await expect.poll(undelivered, { timeout: 90_000, interval: 500 }).toBe(0);

  const kept = new Set((await keptSignUps(env.DATA_DIR)).map(({ id }) => id));
  const lost = [...thanked].filter((id) => !kept.has(id) || !cms.entries.has(id));
  const repeated = cms.received.length - new Set(cms.received).size;
  console.log(
    `thanked ${thanked.size}, kept ${kept.size}, entries ${cms.entries.size}, came again ${repeated}, after a yes ${cms.yesAgain}`,
  );
  expect(thanked.size).toBeGreaterThan(KILLS * 20);
  expect(lost).toEqual([]);
  // Sent again after a yes: only what a kill kept from being written down.
  expect(cms.yesAgain).toBeLessThanOrEqual(KILLS * UNDER_WAY);
  // One entry each, and none of nobody: what comes again comes under the id it had.
  expect([...cms.entries].filter((id) => !kept.has(id))).toEqual([]);
  expect(site.output()).not.toContain('example.org');
}, 240_000);
