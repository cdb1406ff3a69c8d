import { randomUUID } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Play, type Recorded, startFakeWordpress } from '@pillion/content/testing/fake-wordpress.ts';
import { SELF_SIGNED } from '@pillion/tests/https.ts';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { Delivery } from '../delivery/delivery.ts';
import { createCipher } from '../outbox/cipher.ts';
import { type AcceptedSignUp, createOutbox } from '../outbox/outbox.ts';
import { createDirectSqliteStore } from '../store/sqlite-store.ts';
import { createDestination, type DestinationOptions } from './destination.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const CIPHER = createCipher('a secret of the tests');
const ANYWHERE = { loopback: true, private: false };

const { undo, folder } = undoAfterEach();
let directory: string;
beforeEach(() => {
  directory = folder();
});

const yes: Play = (response) => response.writeHead(204).end();

/** A receiver that answers in this way. */
async function receiver(answer: Play = yes) {
  const { url, plays, requests, stop } = await startFakeWordpress();
  undo(stop);
  plays.set('*', answer);
  return { received: requests, url: `${url}/in` };
}

/** A store with a destination, and the worker that sends to it. */
function open(options: Partial<DestinationOptions> & { url: string }) {
  const destination = createDestination({
    ...{ secret: SECRET, purpose: 'none', fields: [], reach: ANYWHERE, timeoutMs: 60_000 },
    ...options,
  });
  const store = createDirectSqliteStore(directory);
  const outbox = createOutbox(store, CIPHER, Date.now, (signUp) => {
    const copy = destination.copyOf(signUp);
    return copy ? [{ destination: 'environment', ...copy }] : [];
  });
  const lines: string[] = [];
  const delivery = new Delivery({
    outbox: { ...outbox, store: store.copiesFor('environment') },
    backend: destination,
    log: (...line) => void lines.push(JSON.stringify(line)),
    metrics: { attempted: () => {} },
    random: () => 0,
    pollMs: 20,
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await delivery.stop(0);
    destination.close();
    await store.close();
  };
  undo(close);
  return {
    store,
    outbox,
    lines,
    start: () => delivery.start(),
    close,
    async keep(more: Partial<AcceptedSignUp> = {}): Promise<string> {
      const signUpId = randomUUID();
      await outbox.add({ ...SIGN_UP, signUpId, ...more });
      return signUpId;
    },
  };
}

const SIGN_UP = {
  formId: 3,
  answers: { input_1_3: 'Ada', input_2: 'ada@example.org', input_10: 'ten' },
  consentText: null,
  suspected: null,
  language: 'de',
  origin: { page: 'https://example.org/de/about/?utm_id=1', agent: 'Firefox', address: '203.0.113.9' },
} satisfies Omit<AcceptedSignUp, 'signUpId'>;

const verified = ({ headers, body }: Recorded) => new Webhook(SECRET).verify(body, headers as Record<string, string>);

test('a destination gets form, language, path and the chosen fields of a sign-up, signed, and nothing else', async () => {
  const { url, received } = await receiver();
  const { start, keep, store } = open({ url, fields: ['input_1'] });
  const signUpId = await keep({ attribution: { first: { utm_source: 'letter' }, last: { ref: 'ada' } } });
  start();
  await expect.poll(async () => (await store.copiesFor('environment').get(signUpId))?.state).toBe('delivered');
  expect(received.map(verified)).toEqual([
    {
      type: 'sign_up.stored',
      timestamp: new Date((await store.get(signUpId))?.createdAt ?? 0).toISOString(),
      data: {
        ...{ sign_up_id: signUpId, form_id: 3, language: 'de', page_path: '/de/about/' },
        fields: { input_1_3: 'Ada' },
        attribution: { first: { utm_source: 'letter' }, last: { ref: 'ada' } },
      },
    },
  ]);
  expect(received[0]?.headers['webhook-id']).toBe(signUpId);
  expect(await store.get(signUpId), 'the other delivery is independent').toMatchObject({ state: 'waiting' });
});

test('without chosen fields a destination gets no answer, and no answer is stored for it', async () => {
  const { url, received } = await receiver();
  const { start, keep, store, outbox } = open({ url });
  const signUpId = await keep();
  const copy = await store.copiesFor('environment').get(signUpId);
  expect(copy && outbox.open(copy)).toMatchObject({ answers: {}, origin: null });
  start();
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]?.body).not.toMatch(/Ada|example|Firefox|203/);
});

test('each try of a sign-up has the same id and the same bytes', async () => {
  let turn = 0;
  const { url, received } = await receiver((response) => void response.writeHead(turn++ < 2 ? 500 : 200).end());
  const { start, keep, store } = open({ url, fields: ['input_2'] });
  const signUpId = await keep();
  start();
  await expect.poll(async () => (await store.copiesFor('environment').get(signUpId))?.state).toBe('delivered');
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
});

test('a destination with a purpose gets only the sign-ups of visitors who agreed to it', async () => {
  const { url, received } = await receiver();
  const { start, keep, store } = open({ url, purpose: 'marketing' });
  const without = [await keep(), await keep({ consent: ['statistics'] })];
  const agreed = await keep({ consent: ['statistics', 'marketing'] });
  expect(await store.get(agreed)).toMatchObject({ consent: ['statistics', 'marketing'] });
  for (const id of without) expect(await store.copiesFor('environment').get(id)).toBeNull();
  start();
  await expect.poll(async () => (await store.copiesFor('environment').get(agreed))?.state).toBe('delivered');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([agreed]);
});

test('after a change of purpose and fields, waiting sign-ups get no more than both allow', async () => {
  const { url, received } = await receiver();
  const before = open({ url, purpose: 'statistics', fields: ['input_1', 'input_2'] });
  const refused = await before.keep({ consent: ['statistics'] });
  const sent = await before.keep({ consent: ['statistics', 'marketing'] });
  await before.close();
  const after = open({ url, purpose: 'marketing', fields: ['input_2', 'input_10'] });
  after.start();
  await expect.poll(async () => (await after.store.copiesFor('environment').get(sent))?.state).toBe('delivered');
  await expect
    .poll(() => after.store.copiesFor('environment').get(refused))
    .toMatchObject({ state: 'dead', lastError: 'no-consent' });
  expect(received.map(({ body }) => JSON.parse(body).data.fields)).toEqual([{ input_2: 'ada@example.org' }]);
});

test('waiting sign-ups go to the new address after a change', async () => {
  const [old, current] = [await receiver((response) => void response.writeHead(500).end()), await receiver()];
  const before = open({ url: old.url });
  const signUpId = await before.keep();
  before.start();
  await expect.poll(() => old.received.length).toBeGreaterThan(0);
  await before.close();
  const after = open({ url: current.url });
  after.start();
  await expect.poll(async () => (await after.store.copiesFor('environment').get(signUpId))?.state).toBe('delivered');
  expect(current.received[0]?.body).toBe(old.received[0]?.body);
});

test('sign-ups wait while there is no destination, and are sent when there is one again', async () => {
  const { url, received } = await receiver();
  const before = open({ url });
  const waiting = await before.keep();
  await before.close();
  const store = createDirectSqliteStore(directory);
  const outbox = createOutbox(store, CIPHER);
  const without = randomUUID();
  await outbox.add({ ...SIGN_UP, signUpId: without });
  expect(await store.copiesFor('environment').get(without)).toBeNull();
  await store.close();
  const after = open({ url });
  after.start();
  await expect.poll(async () => (await after.store.copiesFor('environment').get(waiting))?.state).toBe('delivered');
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([waiting]);
});

test.each([
  [308, { state: 'waiting', lastError: 'receiver-redirects: status 308' }],
  [400, { state: 'dead', lastError: 'receiver-refused: status 400' }],
])('a sign-up that gets %d is retried or refused, and the log has no secrets', async (code, expected) => {
  const { url, received } = await receiver((to) => void to.writeHead(code, { location: '/elsewhere' }).end());
  const { start, keep, store, lines } = open({ url: `${url}?token=secret`, fields: ['input_2'] });
  const signUpId = await keep();
  start();
  await expect.poll(() => store.copiesFor('environment').get(signUpId)).toMatchObject(expected);
  if (expected.state === 'waiting') await expect.poll(() => received.length).toBeGreaterThan(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([signUpId]));
  expect(lines.join()).not.toMatch(/ada@|secret/);
});

test('a destination with an invalid certificate gets nothing, and the sign-up is retried', async () => {
  let isReached = false;
  const server = createServer(SELF_SIGNED, () => (isReached = true));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo(() => server.close());
  const { start, keep, store } = open({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/in` });
  const signUpId = await keep();
  start();
  await expect
    .poll(() => store.copiesFor('environment').get(signUpId))
    .toMatchObject({ state: 'waiting', lastError: 'network error: DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(isReached).toBe(false);
});

test.each(['localhost', '127.0.0.1', '[::ffff:127.0.0.1]'])(
  'a destination at %s gets nothing if the site does not listen on loopback',
  async (host) => {
    const { url, received } = await receiver();
    const { port } = new URL(url);
    const { start, keep, store } = open({ url: `http://${host}:${port}/`, reach: { loopback: false, private: false } });
    const signUpId = await keep();
    start();
    await expect
      .poll(() => store.copiesFor('environment').get(signUpId))
      .toMatchObject({ state: 'waiting', lastError: 'private-address' });
    expect(received).toEqual([]);
  },
);
