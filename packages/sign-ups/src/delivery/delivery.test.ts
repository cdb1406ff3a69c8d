import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type FakeWordpress,
  hang,
  html,
  json,
  type Play,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import { type Client, createClient } from '@pillion/content/wordpress/client.ts';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGravityForms } from '../backends/gravity-forms/backend.ts';
import { createSignUpMetrics } from '../metrics.ts';
import { createCipher } from '../outbox/cipher.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { createDirectSqliteStore } from '../store/sqlite-store.ts';
import { type SignUpState, STUBBORN_FROM } from '../store/store.ts';
import { Delivery, type DeliveryOptions } from './delivery.ts';

const SUBMISSIONS = '/wp-json/gf/v2/forms/1/submissions';
/** Timeout of an attempt, longer than any test. A test that needs a timeout triggers it. */
const ATTEMPT_MS = 60_000;
/** Longest pause between two attempts (docs/reference/contract.md, *Delivery to WordPress*). */
const LONGEST_PAUSE_MS = 60_000;
const yes = json({ is_valid: true, confirmation_message: 'Thanks' });
/** Accepts the sign-up, but breaks the connection before the response. */
const withoutReply: Play = (response) => response.destroy();

const { folder } = undoAfterEach();

let wordpress: FakeWordpress;
let client: Client;
let outbox: Outbox;
let delivery: Delivery | null;
let lines: string[];
/** Offset of the clock, in milliseconds. */
let clock: number;
const now = () => Date.now() + clock;

beforeEach(async () => {
  wordpress = await startFakeWordpress();
  client = createClient({ baseUrl: wordpress.url, key: 'ck_a', secret: 'cs_a' });
  outbox = createOutbox(createDirectSqliteStore(folder()), createCipher('a secret of the tests'), now);
  delivery = null;
  lines = [];
  clock = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await delivery?.stop(0);
  client.close();
  await Promise.all([wordpress.stop(), outbox.store.close()]);
  expect(lines.join('\n'), 'personal data in the log').not.toMatch(/Ada|example\.org/);
});

function start({ attemptMs = ATTEMPT_MS, ...more }: Partial<DeliveryOptions> & { attemptMs?: number } = {}): Delivery {
  const log = (level: string, event: string, details = {}) =>
    void lines.push(JSON.stringify({ level, event, ...details }));
  const backend = createGravityForms(client, attemptMs);
  // Minimal pauses, so that tests do not depend on random values.
  delivery = new Delivery({
    outbox,
    backend,
    log,
    metrics: createSignUpMetrics(),
    now,
    random: () => 0,
    pollMs: 100,
    ...more,
  });
  delivery.start();
  return delivery;
}

async function keep(answers: Record<string, string> = { input_1: 'Ada', input_2: 'ada@example.org' }): Promise<string> {
  const signUpId = randomUUID();
  await outbox.add({ signUpId, formId: 1, answers, consentText: null, suspected: null });
  return signUpId;
}

/** Responds with each play in turn, then always with the last one. */
function play(...plays: Play[]): void {
  let turn = 0;
  wordpress.plays.set(SUBMISSIONS, (response, request) =>
    plays[Math.min(turn++, plays.length - 1)]?.(response, request),
  );
}

const received = (): Record<string, string>[] =>
  wordpress.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
const idsReceived = () => received().map(({ sign_up_id }) => sign_up_id);
const stateOf = async (id: string) => (await outbox.store.get(id))?.state;
const becomes = (id: string, state: SignUpState) => expect.poll(() => stateOf(id), { timeout: 10_000 }).toBe(state);
const inState = async (state: SignUpState) => (await outbox.store.stats()).counts[state];

test('R30: a sign-up reaches WordPress with its answers unchanged and its id, and nothing else', async () => {
  play(yes);
  const answers = {
    input_1: String.raw`C:\new\dir "q" 'a' \\x \0 %00 %41 + & = ; {"a":"\n"}`,
    input_2: '🏍️ Zoë ‮x‬\u0001\ttab',
    input_3: `line\nline ${'é'.repeat(30_000)}`,
    input_4_3: 'two\nlines ✓',
    'input_4.3': '',
  };
  const id = await keep(answers);
  start();
  await becomes(id, 'delivered');
  expect(received()).toEqual([{ ...answers, sign_up_id: id }]);
  const { url, headers } = wordpress.requests[0] ?? expect.fail('nothing was sent');
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(headers.authorization).toBe(`Basic ${Buffer.from('ck_a:cs_a').toString('base64')}`);
  expect(JSON.stringify([url, headers])).not.toMatch(/[\da-f]{8}-/);
});

test('R30: page, agent and address are erased after delivery; confirmation and campaign stay', async () => {
  play(json({ is_valid: true, confirmation_type: 'message', confirmation_message: '<p>Thanks, Ada</p>' }));
  const signUpId = randomUUID();
  const origin = { page: 'https://example.org/read/?utm_source=x', agent: 'A browser', address: '203.0.113.7' };
  const file = { input: 'input_5', name: 'a.txt', type: 'text/plain', bytes: Buffer.from('what it holds') };
  const attribution = { first: { utm_source: 'letter' }, last: { ref: 'ada' } };
  const signUp = { signUpId, formId: 1, answers: {}, consentText: null, suspected: null, origin, attribution };
  await outbox.add({ ...signUp, files: [file] });
  start();
  await becomes(signUpId, 'delivered');
  expect(wordpress.requests[0]?.headers).toMatchObject({
    'pillion-page': origin.page,
    'pillion-agent': 'A%20browser',
    'pillion-address': origin.address,
  });
  expect(wordpress.requests[0]?.body).toContain(JSON.stringify(attribution));
  const row = await outbox.store.get(signUpId);
  expect(row && outbox.open(row)).toEqual({
    answers: {},
    files: [],
    origin: null,
    attribution,
    confirmation: { type: 'message', html: '<p>Thanks, Ada</p>' },
    dropped: [{ input: 'input_5', name: 'a.txt', type: 'text/plain', size: 13 }],
  });
});

test('R30: a sign-up that its form rejects is retried, and then dead', async () => {
  wordpress.plays.set(SUBMISSIONS, (response, request) => {
    const isClosed = received().at(-1)?.input_1 === 'closed';
    const soldOut = json({ code: 'form_restriction_error', message: '<p>Sold out, sorry.</p>' }, 400);
    (isClosed ? soldOut : yes)(response, request);
  });
  const closed = await keep({ input_1: 'closed' });
  start();
  await becomes(closed, 'dead');
  expect((await outbox.store.get(closed))?.lastError).toBe('form-closed: Sold out, sorry.');
  expect(idsReceived()).toEqual(Array(8).fill(closed));
  expect(lines.join()).not.toContain('takes sign-ups again');
});

test('R30: attempts during an outage do not count if the form is closed for a moment afterwards', async () => {
  const id = await keep();
  await failBefore(9, now());
  play(...Array<Play>(7).fill(json({ code: 'form_not_found' }, 400)), yes);
  start();
  await becomes(id, 'delivered');
  expect(idsReceived()).toEqual(Array(8).fill(id));
});

test('R30: a sign-up waits for the operator to fix WordPress', async () => {
  play(json({ code: 'rest_no_route', message: 'No route' }, 404));
  const id = await keep();
  start();
  await expect.poll(async () => (await outbox.store.get(id))?.attempts, { timeout: 20_000 }).toBeGreaterThan(9);
  await expect.poll(async () => (await outbox.store.get(id))?.lastError).toBe('rest-api-off: No route');
  expect(await stateOf(id)).not.toBe('dead');
});

test.each<[string, Play]>([
  ['a connection that breaks', withoutReply],
  ['an error', json({ code: 'oops' }, 500)],
  ['no answer in time', hang],
  ['a form that is switched off for a moment', json({ code: 'form_not_found' }, 400)],
])('R30: after %s the sign-up is sent again under the same id until WordPress accepts it', async (_, fault) => {
  const passDeadline = fault === hang ? deadlines() : () => {};
  const unanswered: Play = (response, request) => {
    fault(response, request);
    passDeadline();
  };
  play(unanswered, unanswered, yes);
  const id = await keep();
  start();
  await becomes(id, 'delivered');
  expect(idsReceived()).toEqual([id, id, id]);
  expect((await outbox.store.get(id))?.attempts).toBe(3);
});

/** @returns A function that triggers the timeout of the latest attempt only. */
function deadlines(): () => void {
  let latest = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(ATTEMPT_MS);
    latest = new AbortController();
    return latest.signal;
  });
  return () => latest.abort(new DOMException('The operation timed out', 'TimeoutError'));
}

test.each([
  ['in seconds', () => '1'],
  ['as a date', () => new Date(Date.now() + 2000).toUTCString()],
])('R30: no sign-up is sent before the time in Retry-After, given %s', async (_, header) => {
  // Only the test advances the clock.
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const busy: Play = (response) =>
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': header() }).end('{"code":"busy"}');
  play(busy, yes);
  const id = await keep();
  const worker = start();
  await expect.poll(() => wordpress.requests.length).toBe(1);
  await expect.poll(() => inState('waiting')).toBe(1);
  const other = await keep();
  const claims = vi.spyOn(outbox.store, 'claim');
  for (const ms of [0, 500, 400]) {
    vi.advanceTimersByTime(ms);
    worker.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(claims, 'nothing is taken up').not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_100);
  worker.wake();
  await becomes(id, 'delivered');
  await becomes(other, 'delivered');
});

test('R30: a refused sign-up is stored with the names of its fields and not sent again; others are', async () => {
  wordpress.plays.set(SUBMISSIONS, (response, request) => {
    const isPoison = received().at(-1)?.input_1 === 'poison';
    const messages = { 2: 'ada@example.org is no address', '4.3': 'Please' };
    (isPoison ? json({ is_valid: false, validation_messages: messages }, 400) : yes)(response, request);
  });
  const poison = await keep({ input_1: 'poison', input_2: 'ada@example.org' });
  const good = await keep();
  start();
  await becomes(poison, 'dead');
  await becomes(good, 'delivered');
  const row = await outbox.store.get(poison);
  expect(row?.lastError).toBe('answers-refused: 2 (… is no address), 4.3 (Please)');
  expect(row && outbox.open(row)?.answers).toEqual({ input_1: 'poison', input_2: 'ada@example.org' });
  expect(lines.filter((line) => line.includes('sign-up dead'))).toHaveLength(1);
  expect(idsReceived().filter((id) => id === poison)).toHaveLength(1);
});

test('R30: the first delivery after an outage wakes all waiting sign-ups', async () => {
  play(yes);
  const ids = await Promise.all(Array.from({ length: 12 }, () => keep()));
  await failBefore(1, now() + 50_000);
  ids.push(await keep());
  play(json({}, 503), yes);
  start();
  await expect.poll(() => inState('delivered'), { timeout: 10_000 }).toBe(ids.length);
  expect(lines.some((line) => line.includes('"woken":12'))).toBe(true);
});

/** Puts all waiting sign-ups into the state after this number of failed attempts. */
async function failBefore(attempts: number, nextTryAt: number): Promise<void> {
  const all = { limit: 99, stubbornLimit: 99, horizonMs: 80_000 };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    for (const { signUpId } of await outbox.store.claim({ ...all, now: now(), leaseUntil: now() + 1000 }))
      await outbox.store.postpone({ signUpId, attempt }, attempt === attempts ? nextTryAt : now(), 'timeout');
  }
}

test('sign-ups that always time out do not delay others', async () => {
  wordpress.plays.set(SUBMISSIONS, (response, request) => {
    (received().at(-1)?.input_1 === 'poison' ? hang : yes)(response, request);
  });
  await Promise.all(Array.from({ length: 8 }, () => keep({ input_1: 'poison' })));
  await failBefore(3, now());
  const worker = start();
  await expect.poll(() => wordpress.requests.length).toBe(4);
  const good = await keep();
  worker.wake();
  await expect.poll(() => stateOf(good), { timeout: ATTEMPT_MS / 2 }).toBe('delivered');
  expect(await inState('dead')).toBe(0);
});

test('a clock that is set back or forward by a day delays and loses no sign-up', async () => {
  play(yes);
  const ids = await Promise.all(Array.from({ length: 3 }, () => keep()));
  await failBefore(1, now() + 60_000);
  clock = -86_400_000;
  start();
  for (const id of ids) await becomes(id, 'delivered');
  clock = 86_400_000;
  const later = await keep();
  await becomes(later, 'delivered');
});

test('a row sealed with another key waits, and is delivered once the key is back', async () => {
  play(yes);
  const id = await keep();
  const other = createOutbox(outbox.store, createCipher('another secret, as long'), now);
  const worker = start({ outbox: other });
  await expect.poll(() => lines.join()).toContain('cannot be opened with this SECRET_KEY');
  await worker.stop(0);
  expect(await stateOf(id)).toBe('waiting');
  expect(wordpress.requests).toEqual([]);
  await outbox.store.wake(now());
  start();
  await becomes(id, 'delivered');
});

test('stop() finishes the running attempts and starts no others', async () => {
  const answers: (() => void)[] = [];
  play((response, request) => void answers.push(() => yes(response, request)));
  const ids = await Promise.all(Array.from({ length: 9 }, () => keep()));
  const worker = start();
  await expect.poll(() => answers.length).toBe(6);
  const stopped = worker.stop(ATTEMPT_MS);
  for (const answer of answers) answer();
  await stopped;
  expect(await inState('delivered')).toBe(6);
  expect(await inState('waiting')).toBe(ids.length - 6);
  expect(wordpress.requests).toHaveLength(6);
});

test('stop() returns unfinished sign-ups to the queue after its timeout', async () => {
  play(hang);
  const id = await keep();
  const worker = start();
  await expect.poll(() => wordpress.requests.length).toBe(1);
  await worker.stop(20); // Long before the attempt times out.
  expect(await outbox.store.get(id)).toMatchObject({ state: 'waiting', lastError: 'the worker stopped' });
  play(yes);
  start();
  await becomes(id, 'delivered');
});

test('a sign-up is not sent again while it is being sent, although its lease has expired', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  play(async (response, request) => {
    await isReleased;
    yes(response, request);
  }, yes);
  const slow = await keep();
  start();
  await expect.poll(idsReceived).toEqual([slow]);
  clock += 30_000;
  // Delivered in the poll that claims the first one too.
  const next = await keep();
  await becomes(next, 'delivered');
  release();
  await becomes(slow, 'delivered');
  expect(idsReceived()).toEqual([slow, next]);
});

test('a sign-up whose lease expired while it waited behind another is left to the server that has it now', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  play(async (response, request) => {
    await isReleased;
    yes(response, request);
  }, yes);
  // Sign-ups with large files are sent one at a time.
  const files = [{ input: 'input_5', name: 'a.txt', type: 'text/plain', bytes: Buffer.alloc(1_000_000) }];
  for (const signUpId of [randomUUID(), randomUUID()])
    await outbox.add({ signUpId, formId: 1, answers: {}, consentText: null, suspected: null, files });
  const worker = start({ pollMs: 86_400_000 });
  await expect.poll(() => wordpress.requests.length).toBe(1);
  clock += 30_000;
  const all = { limit: 9, stubbornLimit: 9, horizonMs: 80_000 };
  await outbox.store.claim({ ...all, now: now(), leaseUntil: now() + 20_000 });
  const stopped = worker.stop(ATTEMPT_MS);
  release();
  await stopped;
  expect(await inState('delivered')).toBe(1);
  expect(wordpress.requests).toHaveLength(1);
});

test('a sign-up that is erased while it waits behind another is not sent', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  play(async (response, request) => {
    await isReleased;
    yes(response, request);
  }, yes);
  const files = [{ input: 'input_5', name: 'a.txt', type: 'text/plain', bytes: Buffer.alloc(1_000_000) }];
  const ids = [randomUUID(), randomUUID()];
  for (const signUpId of ids)
    await outbox.add({ signUpId, formId: 1, answers: {}, consentText: null, suspected: null, files });
  const worker = start();
  await expect.poll(() => wordpress.requests.length).toBe(1);
  await outbox.store.erase(
    ids.filter((id) => !wordpress.requests[0]?.body.includes(id)),
    now(),
  );
  const stopped = worker.stop(ATTEMPT_MS);
  release();
  await stopped;
  expect(wordpress.requests).toHaveLength(1);
});

const FAULTS: Play[] = [
  json({ code: 'oops' }, 500),
  html,
  withoutReply,
  json({}, 502),
  (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"is_va'),
  json({ code: 'rest_no_route' }, 404),
];

test('invariant 6: after an outage of six hours WordPress gets each sign-up once, within a minute', async () => {
  /** Step of the clock, in seconds. The worker runs once after each step. */
  const stepS = 30;
  const steps = (6 * 3600) / stepS;
  let calls = 0;
  wordpress.plays.set('*', (response, request) => FAULTS[calls++ % FAULTS.length]?.(response, request));
  const ids = [await keep(), await keep(), await keep()];
  // The random value always gives the longest pause, and the worker never polls.
  const worker = start({ random: () => 1, pollMs: 86_400_000 });
  /** Advances the clock, wakes the worker and waits until no attempt is running. */
  const step = async (seconds: number) => {
    clock += seconds * 1000;
    worker.wake();
    do await turn();
    while ((await inState('leased')) > 0);
    await turn();
  };
  let most = 0;
  for (let at = 1; at <= steps; at++) {
    if (at % 120 === 0) ids.push(await keep());
    await step(stepS);
    // All of them wait at every step, for at most a minute.
    const rows = await outbox.store.list({ states: [], limit: 1_000, isBare: true });
    expect(rows.filter(({ state, nextTryAt }) => state !== 'waiting' || nextTryAt > now() + LONGEST_PAUSE_MS)).toEqual(
      [],
    );
    expect(rows).toHaveLength(ids.length);
    most = Math.max(most, ...rows.map(({ attempts }) => attempts));
  }
  expect(ids).toHaveLength(9);
  const pauses = lines.flatMap((line) => JSON.parse(line).pause_ms ?? []);
  expect(Math.max(...pauses)).toBe(LONGEST_PAUSE_MS);
  expect(most, 'attempts for one of them').toBeGreaterThan(60);
  // The worker kept trying, but not with all sign-ups at once.
  expect(calls).toBeGreaterThan(steps);
  expect(calls).toBeLessThanOrEqual(steps * 2 + 3);

  const last = await keep();
  ids.push(last);
  wordpress.requests.length = 0;
  wordpress.plays.set('*', yes);
  for (let second = 1; second <= 60 && (await inState('waiting')) > 0; second++) await step(1);

  expect(idsReceived().sort()).toEqual([...ids].sort());
  expect(await inState('delivered')).toBe(ids.length);
  expect(lines.join()).not.toContain('sign-up dead');
  // A new sign-up does not wait behind those of the outage.
  expect(idsReceived().indexOf(last)).toBeLessThan(STUBBORN_FROM);
});
