import { readFileSync } from 'node:fs';
import { form, formPath, json, serveSite, startFakeWordpress } from '@pillion/content/testing/fake-wordpress.ts';
import { expect, test } from 'vitest';
import { takeAddress } from '../support/crowd.ts';
import { readSignUps } from '../support/sign-ups.ts';
import { startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { forTest } = undoAfterEach();

const FIELDS = [{ id: 1, type: 'fileupload', label: 'Film', isRequired: true }];
const FEW = 8;
const MANY = 60;
const MEGABYTE = 2 ** 20;

/** Peak memory of the process in bytes (proc(5)). */
const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

function body(): FormData {
  const body = new FormData();
  body.set('form_id', '1');
  body.set('input_1', new Blob([Buffer.alloc(10 * MEGABYTE - 1_000, 'x')]), 'film.bin');
  return body;
}

test('invariant 17: 60 uploads of the largest size at once are stored, with bounded memory', async () => {
  const wordpress = await forTest(startFakeWordpress());
  serveSite(wordpress);
  wordpress.plays.set(formPath(1), json(form(1, { fields: FIELDS })));
  const site = await forTest(
    startSite({
      ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
      TRUST_PROXY: 'true',
    }),
  );
  const send = () =>
    fetch(`${site.url}/api/sign-ups`, {
      method: 'POST',
      body: body(),
      headers: { accept: 'application/json', 'x-forwarded-for': takeAddress() },
    });
  /** Sends the same total with this number in parallel. */
  const sendAtATime = async (atOnce: number) => {
    let left = MANY;
    const visitors = Array.from({ length: atOnce }, async () => {
      const statuses: number[] = [];
      while (left-- > 0) statuses.push((await send()).status);
      return statuses;
    });
    expect((await Promise.all(visitors)).flat()).toEqual(Array(MANY).fill(200));
    return peakOf(site.pid) / MEGABYTE;
  };
  const idle = peakOf(site.pid) / MEGABYTE;
  // Uncollected memory depends on the total, so both runs send the same number and differ in parallelism only.
  const few = (await sendAtATime(FEW)) - idle;
  const many = (await sendAtATime(MANY)) - idle;
  console.log(`  uploads of 10 MB, more than idle at the peak: ${FEW} at once ${few | 0} MB, ${MANY} ${many | 0} MB`);
  expect(many / few).toBeLessThan(MANY / FEW / 4);
  expect(await readSignUps(site.dataDirectory)).toHaveLength(2 * MANY);
}, 240_000);
