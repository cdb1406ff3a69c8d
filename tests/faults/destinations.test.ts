import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { bodyOf } from '@pillion/lib/testing/body.ts';
import { listen } from '@pillion/lib/testing/listen.ts';
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { anyAddress, formOf, send, startCrowd } from '../support/crowd.ts';
import { startRecordingCms } from '../support/recording-cms.ts';
import { copyCountsOf, countsOf, keptSignUps, SHARED_KEY } from '../support/sign-ups.ts';
import { freePort, startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const IS_FULL = process.env.FAULTS === 'full';

interface Run {
  signUps: number;
  kills: number;
}

/** Sign-ups with kills in between. `FAULTS=full` runs the full form. */
const RUN: Run = IS_FULL ? { signUps: 10_000, kills: 40 } : { signUps: 1_000, kills: 8 };
/** Two servers start after each kill, which takes longer. */
const SHARED_RUN: Run = IS_FULL ? RUN : { signUps: 300, kills: 3 };
const VISITORS = 8;
/** Longest time until all are sent, in milliseconds. A row of a killed server waits for the end of its lease. */
const SENT_WITHIN_MS = IS_FULL ? 1_200_000 : 120_000;

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

const { undo, folder } = undoAfterEach();

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers one message. @param accept Marks it as accepted. */
type Answer = (response: ServerResponse, accept: () => void) => void;

const yes: Answer = (response, accept) => {
  accept();
  response.writeHead(204).end();
};

/** An error, a broken connection, and an acceptance whose response is lost. */
const FAULTS: Answer[] = [
  (response) => void response.writeHead(500).end(),
  (response) => void response.destroy(),
  (response, accept) => {
    accept();
    response.destroy();
  },
];

/** Fails a third of the time. */
function failing(): Answer {
  let turn = 0;
  return (response, accept) => {
    const fault = ++turn % 3 === 0 ? FAULTS[(turn / 3) % FAULTS.length] : undefined;
    (fault ?? yes)(response, accept);
  };
}

/** A receiver of signed messages, which verifies each with another implementation than the one that signs. */
async function startDestination(first: Answer) {
  let answer = first;
  const received: Received[] = [];
  /** Accepted messages: `webhook-id` and the id in the body. */
  const accepted: [string, string][] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (body === null) return;
    const one = { headers: request.headers, body: String(body) };
    received.push(one);
    const message = new Webhook(SECRET).verify(one.body, one.headers as Record<string, string>) as {
      data: { sign_up_id: string };
    };
    answer(response, () => accepted.push([String(one.headers['webhook-id']), message.data.sign_up_id]));
  });
  const { url: origin, close } = await listen(server);
  undo(close);
  const url = `${origin}/in`;
  const env = { DESTINATION_URL: url, DESTINATION_SECRET: SECRET, TRUST_PROXY: 'true' };
  const become = (later: Answer) => {
    answer = later;
  };
  return { received, accepted, env, url, become };
}

const ID = '0f9b4c1e-5a53-4d0b-9a7e-3a1f5f3f7a11';

/** The answer of a WordPress that lists one destination. */
const listOf = (url: string, more: Record<string, unknown> = {}) => ({
  destinations: [{ id: ID, name: 'CRM', url, secret: SECRET, purpose: 'none', fields: {}, enabled: true, ...more }],
  removed: [],
});

/** Waits until a server has read WordPress' list. */
const hasRead = (site: { output: () => string }) =>
  expect.poll(site.output, { timeout: 60_000, interval: 50 }).toContain('destinations read');

const PLACES: [string, () => Promise<string | null>, number, Run][] = [
  ['SQLite', async () => null, 1, RUN],
  [
    'PostgreSQL with two servers',
    async () => {
      const postgres = await startPostgres();
      undo(() => postgres.stop());
      return postgres.url;
    },
    2,
    SHARED_RUN,
  ],
];

describe.each(PLACES)('%s', (name, database, servers, { signUps, kills }) => {
  test(
    `a destination that fails at times gets ${signUps} sign-ups despite ${kills} kills and one that hangs`,
    async () => {
      const [databaseUrl, dataDirectory] = [await database(), folder()];
      const [destination, cms] = [await startDestination(failing()), await startRecordingCms()];
      const hanging = await startDestination(() => {});
      cms.destinations = listOf(hanging.url);
      undo(() => cms.stop());
      const shared: Record<string, string> =
        databaseUrl === null ? {} : { DATABASE_URL: databaseUrl, SECRET_KEY: SHARED_KEY };
      const env = { DATA_DIR: dataDirectory, ...destination.env, ...cms.env, ...shared };
      const ports = await Promise.all(Array.from({ length: servers }, freePort));
      const start = async () => {
        const sites = await Promise.all(ports.map((port) => startSite({ ...env, PORT: String(port) })));
        undo(() => Promise.all(sites.map((site) => site.stop('SIGKILL'))));
        return sites;
      };
      const first = await start();
      // From now on every start knows the list.
      await Promise.all(first.map(hasRead));
      await Promise.all(first.map((site) => site.stop('SIGKILL')));
      const thanked = new Set<string>();
      const crowds = ports.map((port) => startCrowd(`http://127.0.0.1:${port}`, VISITORS / servers, thanked));
      undo(() => Promise.all(crowds.map((end) => end())));
      for (let kill = 1; kill <= kills; kill++) {
        const sites = await start();
        const enough = (signUps * kill) / kills;
        await expect.poll(() => thanked.size, { timeout: SENT_WITHIN_MS, interval: 10 }).toBeGreaterThanOrEqual(enough);
        await Promise.all(sites.map((site) => site.stop('SIGKILL')));
      }
      await Promise.all(crowds.map((end) => end()));
      const [last] = await start();
      const open = async (id?: string) => {
        const { waiting, leased } = await copyCountsOf(dataDirectory, databaseUrl, id);
        return waiting + leased;
      };
      await expect.poll(() => open(), { timeout: SENT_WITHIN_MS, interval: 500 }).toBe(0);
      expect(await copyCountsOf(dataDirectory, databaseUrl, ID)).toMatchObject({ delivered: 0, dead: 0 });
      const ids = new Set(destination.accepted.map(([id]) => id));
      console.log(
        `${name}: thanked ${thanked.size}, sent ${ids.size}, messages ${destination.received.length}, accepted again ${destination.accepted.length - ids.size}`,
      );
      expect([...thanked].filter((id) => !ids.has(id))).toEqual([]);
      // One id for each sign-up, the same in the header and in the body.
      expect(destination.accepted.filter(([id, inBody]) => id !== inBody)).toEqual([]);
      const { delivered, dead } = await copyCountsOf(dataDirectory, databaseUrl);
      expect({ delivered, dead }).toEqual({ delivered: ids.size, dead: 0 });
      expect(new Set(destination.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(
        new Set(destination.received.map(({ headers }) => headers['webhook-id'])).size,
      );
      // WordPress has a separate queue.
      const missing = () => [...thanked].filter((id) => !cms.entries.has(id));
      await expect.poll(missing, { timeout: SENT_WITHIN_MS, interval: 500 }).toEqual([]);
      hanging.become(yes);
      await expect.poll(() => open(ID), { timeout: SENT_WITHIN_MS, interval: 500 }).toBe(0);
      const later = new Set(hanging.accepted.map(([id]) => id));
      expect([...thanked].filter((id) => !later.has(id))).toEqual([]);
      expect((await copyCountsOf(dataDirectory, databaseUrl, ID)).delivered).toBe(later.size);
      expect(last?.output()).not.toMatch(/example\.org|whsec_/);
    },
    SENT_WITHIN_MS * 5,
  );
});

/** The cookie of a visitor who agreed to these purposes. */
function cookieFor(...categories: string[]): string {
  const at = new Date().toISOString();
  const choice = { categories, consentId: randomUUID(), consentTimestamp: at, lastConsentTimestamp: at };
  return `consent=${encodeURIComponent(JSON.stringify(choice))}`;
}

test('a visitor’s consent in the request decides, and npm run sign-ups shows the state', async () => {
  const destination = await startDestination(yes);
  const chosen = { DESTINATION_PURPOSE: 'marketing', DESTINATION_FIELDS: 'input_1' };
  const env = { DATA_DIR: folder(), ...destination.env, ...chosen };
  const site = await startSite(env);
  undo(() => site.stop('SIGKILL'));
  const post = async (headers: Record<string, string>) => {
    const id = randomUUID();
    const referer = `${site.url}/about/?utm_source=x`;
    const response = await fetch(`${site.url}/api/sign-ups`, {
      method: 'POST',
      body: formOf(id),
      headers: { accept: 'application/json', referer, 'x-forwarded-for': anyAddress(), ...headers },
    });
    expect(response.status).toBe(200);
    return id;
  };
  const refused = [
    await post({}),
    await post({ cookie: cookieFor('statistics') }),
    await post({ cookie: cookieFor('marketing'), 'sec-gpc': '1' }),
  ];
  const agreed = await post({ cookie: cookieFor('statistics', 'marketing') });
  await expect.poll(() => destination.accepted).toEqual([[agreed, agreed]]);
  expect(JSON.parse(destination.received[0]?.body ?? '').data).toMatchObject({
    ...{ sign_up_id: agreed, form_id: 1, language: 'en', page_path: '/about/', fields: { input_1: 'Ada' } },
  });
  await expect.poll(() => listWith(env)).toMatch(new RegExp(`^${agreed} .*destination environment: delivered 20`, 'm'));
  for (const id of refused) expect(listWith(env)).toMatch(new RegExp(`^${id} .*attempts$`, 'm'));
});

const listWith = (env: Record<string, string>) =>
  spawnSync(process.execPath, ['scripts/sign-ups.mjs', 'list'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  }).stdout;

const sendSome = async (url: string): Promise<string[]> => {
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const id of ids) expect((await send(url, formOf(id))).status).toBe(200);
  return ids.sort();
};

test('a WordPress that is down does not delay the destination, which /metrics describes', async () => {
  const [destination, cms] = [await startDestination(yes), await startRecordingCms()];
  cms.limit(0);
  undo(() => cms.stop());
  const dataDirectory = folder();
  const site = await startSite({ DATA_DIR: dataDirectory, ...destination.env, ...cms.env });
  undo(() => site.stop('SIGKILL'));
  const ids = await sendSome(site.url);
  await expect.poll(() => destination.accepted.map(([id]) => id).sort()).toEqual(ids);
  expect((await countsOf(dataDirectory)).delivered).toBe(0);
  const metrics = async () => (await fetch(`${site.url}/metrics`)).text();
  await expect.poll(metrics).toContain('pillion_destination_sign_ups{destination="environment",state="delivered"} 20');
  const said = await metrics();
  expect(said).toContain('pillion_destination_attempts_total{destination="environment",outcome="delivered"} 20');
  expect(said).toContain('pillion_destination_attempts_total{destination="environment",outcome="dead"} 0');
  expect(said).toMatch(/pillion_destination_last_success_timestamp_seconds{destination="environment"} 1\d{9}/);
});

test('WordPress’ list stays while WordPress is down and after a restart; copies for a removed one end', async () => {
  const [crm, cms] = [await startDestination(() => {}), await startRecordingCms()];
  undo(() => cms.stop());
  cms.destinations = listOf(crm.url, { fields: { 1: ['input_1'], 2: ['input_2'] } });
  const env = { DATA_DIR: folder(), TRUST_PROXY: 'true', ...cms.env };
  const start = async () => {
    const site = await startSite(env);
    undo(() => site.stop('SIGKILL'));
    return site;
  };
  const first = await start();
  await hasRead(first);
  await first.stop('SIGKILL');
  cms.destinations = '<title>Maintenance</title>';
  const second = await start();
  const ids = await sendSome(second.url);
  await expect.poll(() => crm.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(JSON.parse(crm.received[0]?.body ?? '').data.fields).toEqual({ input_1: 'Ada' });
  expect(await copyCountsOf(env.DATA_DIR, null, ID)).toMatchObject({ dead: 0 });
  const waiting = listWith(env);
  for (const id of ids) expect(waiting).toMatch(new RegExp(`^${id} .*destination CRM: waiting`, 'm'));

  cms.destinations = { destinations: [], removed: [ID] };
  await expect
    .poll(() => copyCountsOf(env.DATA_DIR, null, ID), { timeout: 60_000, interval: 500 })
    .toMatchObject({ waiting: 0, leased: 0, dead: ids.length });
  expect(listWith(env)).toMatch(new RegExp(`^${ids[0]} .*: removed$`, 'm'));
  const [later] = await sendSome(second.url);
  const list = listWith(env);
  expect(list).toContain(later);
  expect(list).not.toMatch(new RegExp(`^${later} .*destination`, 'm'));
  expect(second.output()).not.toContain('whsec_');
}, 240_000);

/** Longer than a lease, and shorter than the age at which a receiver refuses a signature. */
const LEASE_OVER_MS = 60_000;

test('a sign-up whose server dies before the form webhook answers is sent again, signed, under the same id', async () => {
  const receiver = await startDestination(() => {});
  const url = `${receiver.url}?token=a-secret-in-the-address`;
  const env = { DATA_DIR: folder(), FORM_WEBHOOK_URL: url, FORM_WEBHOOK_SECRET: SECRET, TRUST_PROXY: 'true' };
  const id = randomUUID();
  const stored = async () => (await keptSignUps(env.DATA_DIR)).find((one) => one.id === id);
  const site = await startSite(env);
  undo(() => site.stop('SIGKILL'));
  expect((await send(site.url, formOf(id))).status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(1);
  await site.stop('SIGKILL');
  expect(await stored()).toMatchObject({ state: 'leased' });

  receiver.become(yes);
  const again = await startSite(env);
  undo(() => again.stop());
  await again.forward(LEASE_OVER_MS);
  await expect.poll(async () => (await stored())?.state, { timeout: 10_000 }).toBe('delivered');
  expect(receiver.accepted).toEqual([[id, id]]);
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(JSON.parse(second?.body ?? '')).toMatchObject({
    type: 'sign_up.created',
    data: { sign_up_id: id, form_id: 1, answers: { input_2: 'ada@example.org' }, files: [] },
  });
  expect(site.output() + again.output()).not.toMatch(/whsec_|a-secret-in-the-address|ada@/);
});
