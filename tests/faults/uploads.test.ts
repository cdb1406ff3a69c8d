import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { form, formPath, json, serveSite, startFakeWordpress } from '../../server/content/testing/fake-wordpress.ts';
import { keptSignUps } from '../support/sign-ups.ts';
import { startSite } from '../support/site.ts';

const FIELDS = [{ id: 1, type: 'fileupload', label: 'Film', isRequired: true }];
const UPLOADS = 20;
const MEGABYTE = 2 ** 20;

/** Most memory the process ever held, in bytes (proc(5)). */
const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

function body(): FormData {
  const body = new FormData();
  body.set('form_id', '1');
  body.set('input_1', new Blob([Buffer.alloc(10 * MEGABYTE - 1_000, 'x')]), 'film.bin');
  return body;
}

test('invariant 17: 20 uploads of the limit at once are kept, and take less memory than they weigh', async () => {
  const wordpress = await startFakeWordpress();
  serveSite(wordpress);
  wordpress.plays.set(formPath(1), json(form(1, { fields: FIELDS })));
  const site = await startSite({
    ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
  });
  try {
    const send = () =>
      fetch(`${site.url}/api/sign-ups`, { method: 'POST', body: body(), headers: { accept: 'application/json' } });
    expect((await send()).status).toBe(200);
    const before = peakOf(site.pid);
    const statuses = await Promise.all(Array.from({ length: UPLOADS }, async () => (await send()).status));
    expect(statuses).toEqual(Array(UPLOADS).fill(200));
    const grown = (peakOf(site.pid) - before) / MEGABYTE;
    console.log(`  ${UPLOADS} uploads of 10 MB: ${Math.round(grown)} MB more at the peak than one`);
    expect(grown).toBeLessThan(UPLOADS * 10);
    expect(await keptSignUps(site.dataDirectory)).toHaveLength(UPLOADS + 1);
  } finally {
    await site.stop();
    await wordpress.stop();
  }
}, 120_000);
