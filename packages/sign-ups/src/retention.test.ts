import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';
import { startRetention } from './retention.ts';
import { createDirectSqliteStore } from './store/sqlite-store.ts';

const DAY_MS = 86_400_000;

const { undo, folder } = undoAfterEach();

test('personal data is erased the configured number of days after the delivery', async () => {
  const store = createDirectSqliteStore(folder());
  undo(store.close);
  const signUp = {
    ...{ formId: 1, state: 'waiting' as const, digest: 'd', createdAt: Date.now() - 100 * DAY_MS },
    ...{ consentText: null, consent: [], note: null, copies: [] },
  };
  for (const signUpId of ['old', 'recent', 'waiting'])
    await store.add({ ...signUp, signUpId, payload: Buffer.from('sealed') });
  await store.deliver('old', Date.now() - 8 * DAY_MS);
  await store.deliver('recent', Date.now() - 6 * DAY_MS);
  const lines: unknown[] = [];
  const sweep = (of = store) => startRetention(of, 7, (...line) => void lines.push(line));
  const stop = sweep();
  await expect.poll(async () => (await store.get('old'))?.payload).toBeNull();
  stop();
  expect((await store.get('recent'))?.payload).not.toBeNull();
  expect((await store.get('waiting'))?.payload).not.toBeNull();
  sweep()();
  const error = new Error('disk full');
  sweep({ ...store, expire: () => Promise.reject(error) })();
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines).toEqual([
    ['info', 'sign-ups erased', { count: 1, after_days: 7 }],
    ['error', 'sign-ups not erased', { error }],
  ]);
});
