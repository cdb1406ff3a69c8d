import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRetention } from './retention.ts';
import { createDirectSqliteStore } from './store/sqlite-store.ts';
import type { SignUpStore } from './store/store.ts';

const DAY_MS = 86_400_000;

let directory: string;
let store: SignUpStore;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-retention-'));
  store = createDirectSqliteStore(directory);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

test('personal data is erased the configured number of days after the delivery', async () => {
  const createdAt = Date.now() - 100 * DAY_MS;
  const signUp = {
    formId: 1,
    state: 'waiting',
    digest: 'd',
    consentText: null,
    consent: [],
    createdAt,
    note: null,
    copies: [],
  } as const;
  for (const signUpId of ['old', 'recent', 'waiting'])
    await store.add({ ...signUp, signUpId, payload: Buffer.from('sealed') });
  await store.deliver('old', Date.now() - 8 * DAY_MS);
  await store.deliver('recent', Date.now() - 6 * DAY_MS);
  const lines: string[] = [];
  const stop = startRetention(store, 7, (_, event) => void lines.push(event));
  await expect.poll(async () => (await store.get('old'))?.payload).toBeNull();
  stop();
  expect((await store.get('recent'))?.payload).not.toBeNull();
  expect((await store.get('waiting'))?.payload).not.toBeNull();
  expect(lines).toEqual(['sign-ups erased']);
});
