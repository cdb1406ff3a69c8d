import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, startFakeWordpress } from '@pillion/content/testing/fake-wordpress.ts';
import { createClient } from '@pillion/content/wordpress/client.ts';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';
import { createCipher } from '../outbox/cipher.ts';
import { followDestinations, keptDestinations } from './list.ts';

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
  const lines: string[] = [];
  const lists: unknown[] = [];
  const removed: string[] = [];
  /** Reads once. */
  async function read(given: unknown) {
    plays.set('*', json(given));
    const before = lines.length;
    const stop = followDestinations({
      ...{ ...where, client, onList: (listed: unknown) => void lists.push(listed) },
      onRemoved: async (ids: string[]) => void removed.push(...ids),
      log: (...line) => void lines.push(JSON.stringify(line)),
    });
    await expect.poll(() => lines.length).toBeGreaterThan(before);
    await stop();
  }
  expect(keptDestinations(where)).toEqual([]);
  const { enabled, ...crm } = CRM;
  const listed = [{ ...crm, isEnabled: enabled, reach }];
  const other = '11111111-2222-4333-8444-555555555555';
  const clear = { ...CRM, id: other, url: 'http://crm.example.com/in' };
  await read({ destinations: [clear, CRM, { ...CRM, id: other, secret: 'canary' }], removed: [other] });
  expect([lists, removed]).toEqual([[listed], [other]]);
  expect(lines.join()).toContain('"count":1,"invalid":2');
  expect(keptDestinations(where)).toEqual(listed);
  expect(readFileSync(join(directory, 'destinations'), 'utf8')).not.toContain(CRM.url);

  await read({ destinations: null, removed: [] });
  expect(lists).toHaveLength(1);
  expect(keptDestinations(where)).toEqual(listed);
  expect(keptDestinations({ ...where, cipher: () => createCipher('another secret key') })).toEqual([]);
  expect(lines.join()).not.toMatch(/whsec_|canary/);
});
