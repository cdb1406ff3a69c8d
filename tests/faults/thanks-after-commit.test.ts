import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from '@pillion/scripts/postgres.mjs';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createSignUp, sendSignUp } from '../support/crowd.ts';
import { getStorePath, readSignUps, SHARED_KEY } from '../support/sign-ups.ts';
import { startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

/** The commit is delayed or fails at a point that the server cannot foresee, so a premature confirmation shows. */
const { folder, forTest, undo } = undoAfterEach();

const idsOf = async (...place: Parameters<typeof readSignUps>) =>
  (await readSignUps(...place)).map(({ id }) => id).sort();

test('invariant 1: no confirmation while another process locks the file; afterwards a retry is confirmed', async () => {
  const data = folder();
  const site = await forTest(startSite({ DATA_DIR: data, TRUST_PROXY: 'true' }));
  const [first, second] = [randomUUID(), randomUUID()];
  expect((await sendSignUp(site.url, createSignUp(first))).status).toBe(200);

  const holder = new DatabaseSync(getStorePath(data));
  undo(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  // The lock is released only after the response.
  const refused = await sendSignUp(site.url, createSignUp(second));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  holder.exec('ROLLBACK');
  expect((await sendSignUp(site.url, createSignUp(second))).status).toBe(200);
  expect(await idsOf(data)).toEqual([first, second].sort());
});

/** Blocks of 512 bytes. SQLite's files reach this size within a few dozen sign-ups. */
const LARGEST_FILE = 256;
const SENT_AT_MOST = 400;

test('invariant 1: when the disk fails at the commit, exactly the confirmed sign-ups are stored', async () => {
  const data = folder();
  // Rows go to memory first, so the commit is what reaches the disk and its limit.
  const limited = ['sh', '-c', `ulimit -f ${LARGEST_FILE}; exec "$@"`, 'sh'];
  const site = await forTest(startSite({ DATA_DIR: data, TRUST_PROXY: 'true' }, undefined, limited));
  const thanked: string[] = [];
  const refused: string[] = [];
  while (refused.length < 3) {
    const id = randomUUID();
    const { status } = await sendSignUp(site.url, createSignUp(id));
    expect([200, 503]).toContain(status);
    (status === 200 ? thanked : refused).push(id);
    expect(thanked.length, 'no commit ever failed').toBeLessThan(SENT_AT_MOST);
  }
  await site.stop('SIGKILL');
  expect(await idsOf(data)).toEqual(thanked.sort());
});

/** Delays a sign-up at its commit, after the statement has run, until the lock is released. */
const HOLD_COMMITS = `
  CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(28); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON pillion_sign_ups
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`;

test('invariant 1: no confirmation while PostgreSQL delays the commit; afterwards a retry is confirmed', async () => {
  const postgres = await forTest(startPostgres());
  const data = folder();
  const env = { DATABASE_URL: postgres.url, SECRET_KEY: SHARED_KEY };
  const site = await forTest(startSite({ DATA_DIR: data, TRUST_PROXY: 'true', ...env }));
  const [first, second] = [randomUUID(), randomUUID()];
  expect((await sendSignUp(site.url, createSignUp(first))).status).toBe(200);

  const holder = new Client({ connectionString: postgres.url });
  await holder.connect();
  undo(() => holder.end());
  await holder.query(HOLD_COMMITS);
  await holder.query('SELECT pg_advisory_lock(28)');
  const refused = await sendSignUp(site.url, createSignUp(second));
  expect(refused.status).toBe(503);
  await holder.query('SELECT pg_advisory_unlock(28)');
  expect((await sendSignUp(site.url, createSignUp(second))).status).toBe(200);
  const { rows } = await holder.query('SELECT sign_up_id AS id FROM pillion_sign_ups');
  expect(rows.map(({ id }) => id).sort()).toEqual([first, second].sort());
});
