import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type FakeWordpress,
  html,
  json,
  type Play,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import { type Client, createClient } from '@pillion/content/wordpress/client.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGravityForms } from '../backends/gravity-forms/backend.ts';
import { createSignUpMetrics } from '../metrics.ts';
import { createCipher } from '../outbox/cipher.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { createDirectSqliteStore } from '../store/sqlite-store.ts';
import { STUBBORN_FROM } from '../store/store.ts';
import { createDelivery, type Delivery } from './delivery.ts';

const HOURS = 6;
/** Step of the test's clock, in seconds. The worker runs once after each step. */
const STEP_S = 30;
const STEPS = (HOURS * 3600) / STEP_S;
/** Sign-ups before the outage, and number of steps between two sign-ups during it. */
const BEFORE = 3;
const VISIT_EVERY = 120;
/** Longest pause between two attempts (docs/reference/contract.md, *Delivery to WordPress*). */
const LONGEST_PAUSE_MS = 60_000;
/** The worker does not poll: the test wakes it. */
const NEVER_MS = 86_400_000;

let directory: string;
let wordpress: FakeWordpress;
let client: Client;
let outbox: Outbox;
let delivery: Delivery;
let clock: number;
let lines: { event: string; pause_ms?: number; reason?: string }[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-hours-'));
  wordpress = await startFakeWordpress();
  client = createClient({ baseUrl: wordpress.url, key: 'ck_a', secret: 'cs_a' });
  clock = Date.parse('2026-11-22T06:00:00Z');
  const now = () => clock;
  outbox = createOutbox(createDirectSqliteStore(directory), createCipher('a secret of the tests'), now);
  lines = [];
  const log = (_: string, event: string, details = {}) => void lines.push({ event, ...details });
  const metrics = createSignUpMetrics();
  // The random value always gives the longest pause.
  const options = { outbox, backend: createGravityForms(client), log, metrics, now, random: () => 1, pollMs: NEVER_MS };
  delivery = createDelivery(options);
});
afterEach(async () => {
  await delivery.stop(0);
  client.close();
  await Promise.all([wordpress.stop(), outbox.store.close()]);
  rmSync(directory, { recursive: true, force: true });
});

async function keep(): Promise<string> {
  const signUpId = randomUUID();
  await outbox.keep({ signUpId, formId: 1, answers: { input_1: 'Ada' }, consentText: null, suspected: null });
  return signUpId;
}

const counts = async () => (await outbox.store.stats()).counts;

/** Advances the clock, wakes the worker and waits until no attempt is running. */
async function step(seconds: number): Promise<void> {
  clock += seconds * 1000;
  delivery.wake();
  do await turn();
  while ((await counts()).leased > 0);
  await turn();
}

const FAULTS: Play[] = [
  json({ code: 'oops' }, 500),
  html,
  (response) => void response.destroy(),
  json({}, 502),
  (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"is_va'),
  json({ code: 'rest_no_route' }, 404),
];

test('invariant 6: after an outage of six hours WordPress gets each sign-up once, within a minute', async () => {
  let calls = 0;
  wordpress.plays.set('*', (response, request) => FAULTS[calls++ % FAULTS.length]?.(response, request));
  const ids: string[] = [];
  for (let visitor = 0; visitor < BEFORE; visitor++) ids.push(await keep());
  delivery.start();
  let most = 0;
  for (let at = 1; at <= STEPS; at++) {
    if (at % VISIT_EVERY === 0) ids.push(await keep());
    await step(STEP_S);
    // All of them wait at every step, for at most a minute.
    const rows = await outbox.store.list({ states: [], limit: 1_000, isBare: true });
    expect(rows.filter(({ state, nextTryAt }) => state !== 'waiting' || nextTryAt > clock + LONGEST_PAUSE_MS)).toEqual(
      [],
    );
    expect(rows).toHaveLength(ids.length);
    most = Math.max(most, ...rows.map(({ attempts }) => attempts));
  }
  expect(ids).toHaveLength(BEFORE + STEPS / VISIT_EVERY);
  const pauses = lines.flatMap(({ event, pause_ms: ms }) => (event === 'sign-up postponed' && ms ? [ms] : []));
  expect(Math.max(...pauses)).toBe(LONGEST_PAUSE_MS);
  expect(most, 'attempts for one of them').toBeGreaterThan(60);
  // The worker kept trying, but not with all sign-ups at once.
  expect(calls).toBeGreaterThan(STEPS);
  expect(calls).toBeLessThanOrEqual(STEPS * 2 + BEFORE);

  const last = await keep();
  ids.push(last);
  wordpress.requests.length = 0;
  wordpress.plays.set('*', json({ is_valid: true, confirmation_message: 'Thanks' }));
  for (let second = 1; second <= LONGEST_PAUSE_MS / 1000 && (await counts()).waiting > 0; second++) await step(1);

  const received = wordpress.requests.map(({ body }) => new URLSearchParams(body).get('sign_up_id') ?? '');
  expect([...received].sort()).toEqual([...ids].sort());
  expect(await counts()).toMatchObject({ waiting: 0, leased: 0, dead: 0, delivered: ids.length });
  expect(lines.filter(({ event }) => event === 'sign-up dead')).toEqual([]);
  // A new sign-up does not wait behind those of the outage.
  expect(received.indexOf(last)).toBeLessThan(STUBBORN_FROM);
});
