import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, startFakeWordpress } from '@pillion/content/testing/fake-wordpress.ts';
import { createClient } from '@pillion/content/wordpress/client.ts';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';
import { createCipher } from '../outbox/cipher.ts';
import { followDestinations, readStoredDestinations } from './list.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const CRM = {
  ...{ id: '0f9b4c1e-5a53-4d0b-9a7e-3a1f5f3f7a11', name: 'CRM', url: 'https://crm.example.com/in', secret: SECRET },
  ...{ purpose: 'marketing', fields: { 3: ['input_1'] }, enabled: false },
};

const { undo, folder } = undoAfterEach();

test('a valid list is stored, sealed; an invalid answer changes nothing; invalid destinations are left out', async () => {
  const directory = folder();
  const { url, plays, stop: stopWordpress } = await startFakeWordpress();
  undo(stopWordpress);
  const client = createClient({ baseUrl: url, key: 'k', secret: 's' });
  undo(client.close);
  const reach = { loopback: true, private: false };
  const where = { dataDirectory: directory, reach, cipher: () => createCipher('a secret of the tests') };
  const lines: unknown[][] = [];
  const lists: unknown[] = [];
  const removed: string[] = [];
  /** Reads once, which logs this number of lines. */
  async function read(
    given: unknown,
    more: { onRemoved?: () => Promise<void>; dataDirectory?: string } = {},
    events = 1,
  ) {
    plays.set('*', json(given));
    const before = lines.length;
    const stop = followDestinations({
      ...{ ...where, client, onList: (listed: unknown) => void lists.push(listed) },
      onRemoved: async (ids: string[]) => void removed.push(...ids),
      log: (...line) => void lines.push(line),
      ...more,
    });
    await expect.poll(() => lines.length).toBe(before + events);
    await stop();
  }
  expect(readStoredDestinations(where)).toEqual([]);
  const { enabled, ...crm } = CRM;
  const local = 'http://127.0.0.1:9000/in';
  const listed = [crm.url, local].map((url) => ({ ...crm, url, isEnabled: enabled, reach }));
  const other = '11111111-2222-4333-8444-555555555555';
  const invalid = [
    'http://crm.example.com/in',
    'ftp://127.0.0.1/',
    'no address',
    'https://a@b.example',
    'https://:a@b.example',
  ];
  const given = [CRM.url, ...invalid, local].map((url) => ({ ...CRM, url }));
  await read({ destinations: [...given, { ...CRM, id: other, secret: 'canary' }], removed: [other] });
  expect([lists, removed]).toEqual([[listed], [other]]);
  expect(lines).toEqual([['warn', 'destinations read', { count: 2, invalid: 6 }]]);
  expect(readStoredDestinations(where)).toEqual(listed);
  expect(readFileSync(join(directory, 'destinations'), 'utf8')).not.toContain(CRM.url);

  await read({ destinations: null, removed: [] });
  expect(lists).toHaveLength(1);
  expect(readStoredDestinations(where)).toEqual(listed);
  expect(readStoredDestinations({ ...where, cipher: () => createCipher('another secret key') })).toEqual([]);
  await read({ destinations: [], removed: ['canary'] });
  await read({ destinations: [], removed: [] });
  expect(lines.slice(1)).toEqual([
    ...['destinations', 'removed.0'].map((path) => [
      ...['warn', 'destinations not read from WordPress', { reason: `invalid: ${path}` }],
    ]),
    ['info', 'destinations read', { count: 0, invalid: 0 }],
  ]);

  const onRemoved = () => Promise.reject(new Error('database down'));
  await read({ destinations: [CRM], removed: [other] }, { onRemoved }, 2);
  expect(readStoredDestinations(where), 'stored although the copies could not be removed').toHaveLength(1);
  await read({ destinations: [], removed: [other] }, { dataDirectory: join(directory, 'destinations') });
  expect(removed, 'removed although the list could not be stored').toEqual([other, other]);
  expect(lines.slice(-3)).toEqual([
    ['info', 'destinations read', { count: 1, invalid: 0 }],
    ['warn', 'removed destinations not ended', { reason: 'database down' }],
    ['warn', 'destinations not stored', { reason: expect.any(String) }],
  ]);
});
