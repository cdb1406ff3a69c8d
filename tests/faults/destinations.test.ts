import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSignUp, sendSignUp, takeAddress } from '../support/crowd.ts';
import {
  acceptMessage,
  destinationList,
  LISTED_ID,
  SECRET,
  startDestination,
  waitForDestinations,
} from '../support/destination.ts';
import { startRecordingCms } from '../support/recording-cms.ts';
import { countCopies, countSignUps, readSignUps } from '../support/sign-ups.ts';
import { startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { folder, forTest } = undoAfterEach();

/** The cookie of a visitor who agreed to these purposes. */
function cookieFor(...categories: string[]): string {
  const at = new Date().toISOString();
  const choice = { categories, consentId: randomUUID(), consentTimestamp: at, lastConsentTimestamp: at };
  return `consent=${encodeURIComponent(JSON.stringify(choice))}`;
}

test('a visitor’s consent in the request decides, and npm run sign-ups shows the state', async () => {
  const destination = await forTest(startDestination(acceptMessage));
  const chosen = { DESTINATION_PURPOSE: 'marketing', DESTINATION_FIELDS: 'input_1' };
  const env = { DATA_DIR: folder(), ...destination.env, ...chosen };
  const site = await forTest(startSite(env));
  const post = async (headers: Record<string, string>) => {
    const id = randomUUID();
    const referer = `${site.url}/about/?utm_source=x`;
    const response = await fetch(`${site.url}/api/sign-ups`, {
      method: 'POST',
      body: createSignUp(id),
      headers: { accept: 'application/json', referer, 'x-forwarded-for': takeAddress(), ...headers },
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
  spawnSync(process.execPath, ['packages/server/src/commands/run.ts', 'sign-ups', 'list'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  }).stdout;

const sendSome = async (url: string): Promise<string[]> => {
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const id of ids) expect((await sendSignUp(url, createSignUp(id))).status).toBe(200);
  return ids.sort();
};

test('a WordPress that is down does not delay the destination, which /metrics describes', async () => {
  const [destination, cms] = [await forTest(startDestination(acceptMessage)), await forTest(startRecordingCms())];
  cms.limit(0);
  const dataDirectory = folder();
  const site = await forTest(startSite({ DATA_DIR: dataDirectory, ...destination.env, ...cms.env }));
  const ids = await sendSome(site.url);
  await expect.poll(() => destination.accepted.map(([id]) => id).sort()).toEqual(ids);
  expect((await countSignUps(dataDirectory)).delivered).toBe(0);
  const metrics = async () => (await fetch(`${site.url}/metrics`)).text();
  await expect.poll(metrics).toContain('pillion_destination_sign_ups{destination="environment",state="delivered"} 20');
  const said = await metrics();
  expect(said).toContain('pillion_destination_attempts_total{destination="environment",outcome="delivered"} 20');
  expect(said).toContain('pillion_destination_attempts_total{destination="environment",outcome="dead"} 0');
  expect(said).toMatch(/pillion_destination_last_success_timestamp_seconds{destination="environment"} 1\d{9}/);
});

test('WordPress’ list stays while WordPress is down and after a restart; copies for a removed one end', async () => {
  const [crm, cms] = [await forTest(startDestination(() => {})), await forTest(startRecordingCms())];
  cms.destinations = destinationList(crm.url, { fields: { 1: ['input_1'], 2: ['input_2'] } });
  const env = { DATA_DIR: folder(), TRUST_PROXY: 'true', ...cms.env };
  const start = async () => {
    const site = await forTest(startSite(env));
    return site;
  };
  const first = await start();
  await waitForDestinations(first);
  await first.stop('SIGKILL');
  cms.destinations = '<title>Maintenance</title>';
  const second = await start();
  const ids = await sendSome(second.url);
  await expect.poll(() => crm.received.length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(JSON.parse(crm.received[0]?.body ?? '').data.fields).toEqual({ input_1: 'Ada' });
  expect(await countCopies(env.DATA_DIR, null, LISTED_ID)).toMatchObject({ dead: 0 });
  const waiting = listWith(env);
  for (const id of ids) expect(waiting).toMatch(new RegExp(`^${id} .*destination CRM: waiting`, 'm'));

  cms.destinations = { destinations: [], removed: [LISTED_ID] };
  await expect
    .poll(() => countCopies(env.DATA_DIR, null, LISTED_ID), { timeout: 60_000, interval: 500 })
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
  const receiver = await forTest(startDestination(() => {}));
  const url = `${receiver.url}?token=a-secret-in-the-address`;
  const env = { DATA_DIR: folder(), FORM_WEBHOOK_URL: url, FORM_WEBHOOK_SECRET: SECRET, TRUST_PROXY: 'true' };
  const id = randomUUID();
  const stored = async () => (await readSignUps(env.DATA_DIR)).find((one) => one.id === id);
  const site = await forTest(startSite(env));
  expect((await sendSignUp(site.url, createSignUp(id))).status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(1);
  await site.stop('SIGKILL');
  expect(await stored()).toMatchObject({ state: 'leased' });

  receiver.become(acceptMessage);
  const again = await forTest(startSite(env));
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
