import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from '@pillion/lib/testing/listen.ts';
import { createDirectSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { DESTINATION, DESTINATION_FIELDS, PING } from './destination.ts';
import type { Check, Probe } from './probe.ts';
import { SITE } from './site.ts';
import { STORE } from './store.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const CLAIM = { leaseUntil: 9e12, limit: 9, stubbornLimit: 9, horizonMs: 9e12 };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-doctor-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function run({ run }: Check, url: string | null, env: Record<string, string> = {}) {
  const read = readConfig({
    DATA_DIR: directory,
    ...env,
    ...(url && { DESTINATION_URL: `${url}/in?token=canary`, DESTINATION_SECRET: SECRET }),
  });
  if (!read.ok) throw new Error(read.problems.join());
  const found = [await run({ config: read.config } as Probe)].flat();
  expect(JSON.stringify(found)).not.toContain('canary');
  return found;
}

async function keep(store: ReturnType<typeof createDirectSqliteStore>, createdAt = Date.now()): Promise<string> {
  const signUpId = randomUUID();
  const bytes = Buffer.from('sealed');
  await store.add({
    ...{ signUpId, formId: 1, state: 'waiting', payload: bytes, digest: 'd', consentText: null, consent: [] },
    ...{ createdAt, note: null, copies: [{ destination: 'environment', payload: bytes }] },
  });
  return signUpId;
}

test('the doctor reports what waits for the destination, what it refused, and its last success', async () => {
  const url = 'https://hooks.example.com';
  expect(await run(DESTINATION, null)).toEqual([]);
  expect(await run(DESTINATION, url)).toMatchObject([{ state: 'unasked', says: 'No sign-up is stored yet.' }]);
  expect(existsSync(join(directory, 'sign-ups.sqlite'))).toBe(false);
  const store = createDirectSqliteStore(directory);
  try {
    const [sent, refused] = [await keep(store), await keep(store)];
    await store.copiesFor('environment').claim({ ...CLAIM, now: Date.now() });
    await store.copiesFor('environment').deliver(sent, 0);
    expect(await run(DESTINATION, url)).toMatchObject([
      { state: 'ok', says: `${url}: 1 wait, 0 were refused, last sent 1970-01-01T00:00:00.000Z.` },
    ]);
    await store.copiesFor('environment').bury({ signUpId: refused, attempt: 1 }, 'receiver-gone: status 410');
    expect(await run(DESTINATION, url)).toMatchObject([
      { state: 'warning', says: expect.stringContaining('1 were refused'), todo: expect.stringContaining('reasons') },
    ]);
    await store.erase([refused], Date.now());
    expect(await run(DESTINATION, url)).toMatchObject([{ state: 'ok' }]);
    await keep(store, Date.now() - 3_600_000);
    expect(await run(DESTINATION, url)).toMatchObject([{ state: 'warning' }]);
  } finally {
    await store.close();
  }
});

test('the doctor names fields for the destination that no form has', async () => {
  const inputs = [{ name: 'input_1_3' }, { name: 'input_1_6' }];
  const source = {
    strings: async () => ({ ok: true, data: { form: { form_id: 1 } } }),
    routes: async () => ({ ok: true, data: [] }),
    form: async () => ({ ok: true, data: { fields: [{ inputs }, { inputs: [{ name: 'input_20' }] }] } }),
  };
  const find = (...fields: string[]) =>
    DESTINATION_FIELDS.run({ config: { destination: { fields } }, source } as unknown as Probe);
  expect(await find()).toEqual([]);
  expect(await find('input_1', 'input_20')).toMatchObject([{ state: 'ok' }]);
  expect(await find('input_1', 'input_2')).toMatchObject([
    { state: 'warning', says: expect.stringContaining('the field input_2, which') },
  ]);
});

test('a trial sends the destination a signed message without a sign-up', async () => {
  const bodies: string[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    bodies.push(`${request.headers['webhook-signature']} ${await text(request)}`);
    response.writeHead(status).end();
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  expect(await run(PING, url)).toMatchObject([{ state: 'ok' }]);
  expect(bodies).toEqual([expect.stringMatching(/^v1,\S+ \{"type":"ping","timestamp":"\d.*","data":\{\}\}$/)]);
  status = 410;
  expect(await run(PING, url)).toMatchObject([
    { state: 'broken', todo: expect.stringContaining('change DESTINATION_URL') },
  ]);
});

test('the doctor reports a file in place of the data folder', async () => {
  directory = join(directory, 'file');
  writeFileSync(directory, '', { mode: 0o755 });
  expect(await run(STORE, null)).toMatchObject([{ state: 'broken', says: `${directory} cannot be written.` }]);
});

test('the doctor reports a missing data folder that the start cannot create, also with a database', async () => {
  const DATA_DIR = join(directory, 'a', 'data');
  const missing = { state: 'ok', says: `The first start creates ${DATA_DIR}.` };
  expect(await run(STORE, null, { DATA_DIR })).toMatchObject([missing]);
  const parent = join(directory, 'a');
  writeFileSync(parent, '', { mode: 0o755 });
  const says = `${DATA_DIR} cannot be created, because ${parent} cannot be written.`;
  expect(await run(STORE, null, { DATA_DIR })).toMatchObject([{ state: 'broken', says }]);
  const DATABASE_URL = 'postgres://127.0.0.1:1/pillion';
  const SECRET_KEY = 'a key of the tests, 32 characters';
  expect(await run(STORE, null, { DATA_DIR, DATABASE_URL, SECRET_KEY })).toMatchObject([
    { state: 'broken', says: expect.stringContaining('The database 127.0.0.1:1/pillion cannot be used') },
    { state: 'broken', says },
  ]);
});

test('the doctor names the status or type in place of a picture on the site', async () => {
  const response = { status: 404, type: 'text/html' };
  const server = createServer(({ url }, sent) => {
    const { status, type } = url === '/readyz' ? { status: 200, type: 'text/plain' } : response;
    sent.writeHead(status, { 'content-type': type }).end();
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  const wordpress = { url: 'https://cms.example.org', home: 'https://cms.example.org', namespaces: [] };
  const picture = { source_url: `${wordpress.url}/wp-content/uploads/tour.webp` };
  const probe = {
    ...{ config: { siteUrl: url }, wordpress, lang: 'en', index: async () => wordpress },
    look: async () => ({ ok: true, data: { data: [picture] } }),
  } as unknown as Probe;
  const find = () => SITE.find(({ name }) => name === 'pictures on it')?.run(probe);
  const path = `${url}/media/tour.webp`;
  const says = (problem: string) => `Visitors get no pictures: the response of ${path} has ${problem}.`;
  expect(await find()).toMatchObject({ state: 'broken', says: says('the status 404') });
  response.status = 200;
  expect(await find()).toMatchObject({ state: 'broken', says: says('the type text/html') });
  response.type = 'image/webp';
  expect(await find()).toMatchObject({ state: 'ok' });
});
