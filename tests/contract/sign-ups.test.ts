import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@pillion/content/wordpress/client.ts';
import type { Answers } from '@pillion/forms/form.ts';
import { createGravityForms } from '@pillion/sign-ups/backends/gravity-forms/backend.ts';
import { createDelivery, type Delivery } from '@pillion/sign-ups/delivery/delivery.ts';
import { createSignUpMetrics } from '@pillion/sign-ups/metrics.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox, type Outbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { createDirectSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { phpValue, wordpress } from './wordpress.ts';

let directory: string;
let client: Client;
let outbox: Outbox;
let delivery: Delivery;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-outbox-'));
  const { url, key, secret } = wordpress();
  client = createClient({ baseUrl: url, key, secret });
  outbox = createOutbox(createDirectSqliteStore(directory), createCipher('a secret of the tests'));
  const log = () => {};
  delivery = createDelivery({ outbox, backend: createGravityForms(client), log, metrics: createSignUpMetrics() });
  delivery.start();
});
afterEach(async () => {
  await delivery.stop(5_000);
  client.close();
  await outbox.store.close();
  rmSync(directory, { recursive: true, force: true });
});

async function keep(answers: Answers): Promise<string> {
  const signUpId = randomUUID();
  await outbox.keep({ signUpId, formId: 1, answers, consentText: null, suspected: null });
  delivery.wake();
  return signUpId;
}

const becomes = (id: string, state: string) =>
  expect.poll(async () => (await outbox.store.get(id))?.state, { timeout: 30_000 }).toBe(state);

/** Entries of one sign-up in wp-admin. WordPress would store a second one under a longer name. */
const entriesOf = (id: string) =>
  phpValue<number>(
    `global $wpdb; return (int) $wpdb->get_var( "SELECT count(*) FROM $wpdb->posts WHERE post_type = 'pillion_entry' AND post_name LIKE '${id}%'" );`,
  );

test('R30: a sign-up reaches WordPress, and repeated sends still result in one entry', async () => {
  const id = await keep({ input_1: 'Ada', input_2: 'ada@example.org', input_3_1: '1' });
  await becomes(id, 'delivered');
  const signUp = await outbox.store.get(id);
  if (!signUp) throw new Error('the sign-up is gone');
  // The same as after a kill between WordPress' confirmation and the site's record of it.
  const payload = outbox.open(signUp);
  if (!payload) throw new Error('the sign-up was erased');
  const { submit, interpret } = createGravityForms(client);
  const again = await submit({ ...signUp, ...payload }, AbortSignal.timeout(30_000));
  expect(interpret(again, { ...signUp, ...payload }, Date.now())).toMatchObject({ kind: 'delivered' });
  expect(entriesOf(id)).toBe(1);
});

test('R30: the site stores the reason for a rejected sign-up, and WordPress makes no entry', async () => {
  const id = await keep({ input_1: 'Ada', input_2: 'nobody', input_3_1: '1' });
  await becomes(id, 'dead');
  expect((await outbox.store.get(id))?.lastError).toMatch(/^answers-refused: 2 \(The email address entered is invalid/);
  expect(entriesOf(id)).toBe(0);
});
