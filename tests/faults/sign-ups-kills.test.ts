import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningPostgres, startPostgres } from '@pillion/scripts/postgres.mjs';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { phpValue } from '../contract/wordpress.ts';
import { createSignUp, sendSignUp, startCrowd, takeAddress } from '../support/crowd.ts';
import {
  acceptMessage,
  destinationList,
  failEveryThird,
  LISTED_ID,
  startDestination,
  waitForDestinations,
} from '../support/destination.ts';
import { startRecordingCms } from '../support/recording-cms.ts';
import { countCopies, countSignUps, readSignUps, SHARED_KEY } from '../support/sign-ups.ts';
import { createFolder, findFreePort, startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

/** `npm run test:faults` runs the full form, `npm test` a short one. */
const IS_FULL = process.env.FAULTS === 'full';

/** Kills of the server, how many of them also kill PostgreSQL, and confirmed sign-ups between two kills. */
const RUN = IS_FULL ? { kills: 100, databaseKillEvery: 5, each: 100 } : { kills: 6, databaseKillEvery: 3, each: 30 };
/** With a real WordPress, whose PHP is slower. */
const REAL_RUN = IS_FULL ? RUN : { ...RUN, kills: 3, each: 15 };

const VISITORS = 8;
/** Parallel attempts of a worker. A kill leaves at most this number without a recorded outcome. */
const UNDER_WAY = 6;
/** Longest time until all waiting sign-ups are delivered, in milliseconds. */
const DRAINED_WITHIN_MS = IS_FULL ? 1_200_000 : 90_000;
const WITHIN_MS = DRAINED_WITHIN_MS + (IS_FULL ? 1_200_000 : 120_000);

const { folder, forTest, undo } = undoAfterEach();

/** Where a site stores its sign-ups. */
interface Place {
  dataDirectory: string;
  databaseUrl: string | null;
  postgres: RunningPostgres | null;
}

const envOf = ({ dataDirectory, databaseUrl }: Place): Record<string, string> => ({
  DATA_DIR: dataDirectory,
  TRUST_PROXY: 'true',
  ...(databaseUrl !== null && { DATABASE_URL: databaseUrl, SECRET_KEY: SHARED_KEY }),
});

/** Number of sign-ups that wait or are being delivered. */
async function countOpen({ dataDirectory, databaseUrl }: Place): Promise<number> {
  const { waiting, leased } = await countSignUps(dataDirectory, databaseUrl);
  return waiting + leased;
}

async function inPostgres(): Promise<Place> {
  const postgres = await forTest(startPostgres());
  return { dataDirectory: folder(), databaseUrl: postgres.url, postgres };
}

const inSqlite = (): Place => ({ dataDirectory: folder(), databaseUrl: null, postgres: null });

const PLACES: [string, () => Promise<Place>][] = [
  ['SQLite', async () => inSqlite()],
  ['PostgreSQL', inPostgres],
];

/**
 * Visitors sign up throughout, while the server and sometimes PostgreSQL are killed repeatedly.
 * @returns The ids of confirmed sign-ups, once all are delivered.
 */
async function runWithKills(place: Place, cms: Record<string, string>, run: typeof RUN): Promise<Set<string>> {
  const env = { ...envOf(place), ...cms, PORT: String(await findFreePort()) };
  const thanked = new Set<string>();
  const endCrowd = startCrowd(`http://127.0.0.1:${env.PORT}`, VISITORS, thanked);
  undo(endCrowd);
  const more = (count: number) => {
    const enough = thanked.size + count;
    return expect.poll(() => thanked.size, { timeout: 60_000, interval: 10 }).toBeGreaterThanOrEqual(enough);
  };
  for (let kill = 1; kill <= run.kills; kill++) {
    const site = await forTest(startSite(env));
    if (place.postgres && kill % run.databaseKillEvery === 0) {
      await more(run.each / 2);
      await place.postgres.kill();
      // A short outage, so that visitors' requests meet it.
      await pause(150);
      await place.postgres.start();
      await more(run.each / 2);
    } else await more(run.each);
    await site.stop('SIGKILL');
    expect(site.output()).not.toContain('example.org');
  }
  await endCrowd();
  await forTest(startSite(env));
  const open = () => countOpen(place);
  await expect.poll(open, { timeout: DRAINED_WITHIN_MS, interval: 500 }).toBe(0);
  return thanked;
}

describe.each(PLACES)('%s', (name, make) => {
  test(
    `R30, invariants 1 and 5: ${RUN.kills} kills and faulty receivers: confirmed sign-ups arrive once`,
    async () => {
      const cms = await forTest(startRecordingCms({ faultEvery: IS_FULL ? 40 : 4 }));
      const destination = await forTest(startDestination(failEveryThird()));
      // WordPress lists another one, which hangs at first.
      const hanging = await forTest(startDestination(() => {}));
      cms.destinations = destinationList(hanging.url);
      const place = await make();
      const env = { ...cms.env, ...destination.env };
      // From its first start on a site knows the list.
      const first = await forTest(startSite({ ...envOf(place), ...env }));
      await waitForDestinations(first);
      await first.stop('SIGKILL');
      const begun = performance.now();
      const thanked = await runWithKills(place, env, RUN);
      const kept = await readSignUps(place.dataDirectory, place.databaseUrl);
      const delivered = new Set(kept.filter(({ state }) => state === 'delivered').map(({ id }) => id));
      const lost = [...thanked].filter((id) => !delivered.has(id) || !cms.entries.has(id));
      const seconds = Math.round((performance.now() - begun) / 1000);
      console.log(
        `${name}: thanked ${thanked.size}, lost ${lost.length}, kept ${kept.length}, entries ${cms.entries.size}, came again ${cms.received.length - new Set(cms.received).size}, after a yes ${cms.confirmedAgain}; ${seconds} s`,
      );
      expect(thanked.size).toBeGreaterThanOrEqual(RUN.kills * RUN.each);
      expect(lost).toEqual([]);
      // A sign-up is sent again after an acceptance only if a kill prevented the record of it.
      const kills = RUN.kills + (place.postgres ? Math.floor(RUN.kills / RUN.databaseKillEvery) : 0);
      expect(cms.confirmedAgain).toBeLessThanOrEqual(kills * UNDER_WAY);
      // One entry for each, and no other: a repeated sign-up has the same id.
      expect([...cms.entries].filter((id) => !delivered.has(id))).toEqual([]);

      const copies = (of?: string) => countCopies(place.dataDirectory, place.databaseUrl, of);
      const open = async (of?: string) => {
        const { waiting, leased } = await copies(of);
        return waiting + leased;
      };
      const idsOf = ({ accepted }: typeof destination) => new Set(accepted.map(([id]) => id));
      await expect.poll(() => open(), { timeout: DRAINED_WITHIN_MS, interval: 500 }).toBe(0);
      expect(await copies(LISTED_ID), 'the hanging one delays no other').toMatchObject({ delivered: 0, dead: 0 });
      hanging.become(acceptMessage);
      await expect.poll(() => open(LISTED_ID), { timeout: DRAINED_WITHIN_MS, interval: 500 }).toBe(0);
      for (const [of, receiver] of [[undefined, destination] as const, [LISTED_ID, hanging] as const]) {
        const ids = idsOf(receiver);
        expect([...thanked].filter((id) => !ids.has(id))).toEqual([]);
        expect(await copies(of)).toMatchObject({ delivered: ids.size, dead: 0 });
        // One id for each sign-up, the same in the header and in the body, and the same body in each try.
        expect(receiver.accepted.filter(([id, inBody]) => id !== inBody)).toEqual([]);
        expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(
          new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size,
        );
      }
    },
    WITHIN_MS,
  );
});

test('R30, invariant 3: a server and a separate worker on one store deliver each sign-up once', async () => {
  // Slow enough that sign-ups wait each time the worker checks, every second.
  const cms = await forTest(startRecordingCms({ takesMs: IS_FULL ? 100 : 500 }));
  const place = inSqlite();
  const env = { ...envOf(place), ...cms.env };
  const site = await forTest(startSite(env));
  const worker = spawn(process.execPath, ['packages/server/src/commands/run.ts', 'sign-ups', 'work'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (data: Buffer) => (said += data));
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  undo(() => worker.kill('SIGKILL'));
  await expect.poll(() => said, { timeout: 20_000 }).toContain('"delivering"');
  const ids = Array.from({ length: IS_FULL ? 2_000 : 200 }, () => randomUUID());
  for (let from = 0; from < ids.length; from += 20) {
    const answers = await Promise.all(ids.slice(from, from + 20).map((id) => sendSignUp(site.url, createSignUp(id))));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
  const delivered = async () => (await countSignUps(place.dataDirectory, place.databaseUrl)).delivered;
  await expect.poll(delivered, { timeout: 60_000, interval: 250 }).toBe(ids.length);
  worker.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect([...cms.received].sort()).toEqual(ids.sort());
  // Both must have delivered some, or the test proves nothing.
  const deliveredIn = (output: string) => output.split('"sign-up delivered"').length - 1;
  await expect.poll(() => deliveredIn(said) + deliveredIn(site.output())).toBe(ids.length);
  expect([deliveredIn(said) > 0, deliveredIn(site.output()) > 0]).toEqual([true, true]);
  expect(said + site.output()).not.toMatch(/errors?"|canary/);
});

describe('the real WordPress', () => {
  let wordpress: RunningWordPress;
  let directory: string;
  beforeAll(async () => {
    directory = createFolder();
    wordpress = await startWordPress({ directory });
  }, 300_000);
  afterAll(async () => {
    await wordpress?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test(
    `R30, invariants 1 and 5: ${REAL_RUN.kills} kills: each confirmed sign-up has one entry`,
    async () => {
      const place = inSqlite();
      const { url, key, secret } = wordpress;
      const env = { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
      const before = new Set(entries());
      const begun = performance.now();
      const thanked = await runWithKills(place, env, REAL_RUN);
      const seconds = Math.round((performance.now() - begun) / 1000);
      const kept = await readSignUps(place.dataDirectory, place.databaseUrl);
      const found = entries().filter((entry) => !before.has(entry));
      console.log(
        `real WordPress: thanked ${thanked.size}, entries ${found.length}, attempts ${kept.reduce((sum, { attempts }) => sum + attempts, 0)}; ${seconds} s`,
      );
      expect(thanked.size).toBeGreaterThanOrEqual(REAL_RUN.kills * REAL_RUN.each);
      expect([...thanked].filter((id) => !found.includes(id))).toEqual([]);
      // WordPress would store a second entry of one sign-up under a longer name.
      expect(found.sort()).toEqual(kept.map(({ id }) => id).sort());
    },
    WITHIN_MS,
  );

  const entries = () =>
    phpValue<string[]>(
      `global $wpdb; return $wpdb->get_col( "SELECT post_name FROM $wpdb->posts WHERE post_type = 'pillion_entry'" );`,
      wordpress,
    );
});

test('R30: a site started without database serves pages, answers sign-ups 503 and recovers', async () => {
  const place = await inPostgres();
  const cms = await forTest(startRecordingCms());
  await place.postgres?.kill();
  // A site with pages, because the WordPress stand-in has no pages.
  const pages = await startSite(envOf(place));
  expect((await fetch(`${pages.url}/`)).status).toBe(200);
  const readyz = await fetch(`${pages.url}/readyz`);
  expect([readyz.status, await readyz.text()]).toEqual([503, 'no store for sign-ups\n']);
  // A load balancer that checks this path keeps the pages available.
  expect((await fetch(`${pages.url}/readyz/pages`)).status).toBe(200);
  await pages.stop();
  const site = await forTest(startSite({ ...envOf(place), ...cms.env }));
  const id = randomUUID();
  const refused = await sendSignUp(site.url, createSignUp(id));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  // The worker checks once a second.
  await pause(2_500);
  await place.postgres?.start();
  await expect.poll(async () => (await sendSignUp(site.url, createSignUp(id))).status, { timeout: 10_000 }).toBe(200);
  await expect.poll(async () => (await fetch(`${site.url}/readyz/sign-ups`)).status).toBe(200);
  await expect.poll(() => cms.received, { timeout: 10_000 }).toEqual([id]);
  // One log line each, without secrets.
  expect(site.output().match(/DATABASE_URL cannot be used/g)).toHaveLength(1);
  expect(site.output().match(/sign-ups cannot be read/g)).toHaveLength(1);
  expect(site.output()).toContain('DATABASE_URL can be used again');
  expect(site.output()).not.toContain(place.postgres?.password);
});

test('operators manage sign-ups in a database with the same commands, and see when it is down', async () => {
  const place = await inPostgres();
  const site = await startSite(envOf(place));
  const id = randomUUID();
  expect((await sendSignUp(site.url, createSignUp(id))).status).toBe(200);
  await site.stop();
  const command = (...words: string[]) => {
    const env = { PATH: process.env.PATH, ...envOf(place) };
    return spawnSync(process.execPath, ['packages/server/src/commands/run.ts', 'sign-ups', ...words], {
      env,
      encoding: 'utf8',
    });
  };
  expect(command('list').stdout).toMatch(new RegExp(`^${id}  form 1  waiting`));
  expect(JSON.parse(command('show', id).stdout)).toMatchObject({ answers: { input_2: 'ada@example.org' } });
  expect(command('erase', id).stdout).toBe('1 erased\n');
  expect(JSON.parse(command('show', id).stdout)).toMatchObject({ answers: null, state: 'dead' });
  await place.postgres?.kill();
  const { status, stderr } = command('list');
  expect([status, stderr.trim().split('\n').at(-1)]).toEqual([1, expect.stringMatching(/^PostgreSQL: .*ECONNREFUSED/)]);
  expect(stderr).not.toMatch(/canary| at /);
});

/** Peak of a launch: rate of the CMS per second, the factor above it, and the duration. */
const PEAK = IS_FULL ? { rate: 10, times: 20, seconds: 60 } : { rate: 10, times: 20, seconds: 5 };

describe.each(PLACES)('%s', (name, make) => {
  test(`R30, invariant 21: ${PEAK.times} times the CMS rate for ${PEAK.seconds} s: no sign-up is lost`, async () => {
    const cms = await forTest(startRecordingCms());
    const place = await make();
    const site = await forTest(startSite({ ...envOf(place), ...cms.env }));
    // Renders the form once, because a launch does not begin with a server that has had no request.
    await fetch(`${site.url}/`).then((answer) => answer.arrayBuffer());
    cms.limit(PEAK.rate);
    const { thanked, refused, latencies } = await arrivals(site.url, PEAK.rate * PEAK.times, PEAK.seconds);
    const during = cms.entries.size;
    cms.limit(Number.POSITIVE_INFINITY);
    const open = () => countOpen(place);
    const begun = performance.now();
    await expect.poll(open, { timeout: 300_000, interval: 250 }).toBe(0);
    const p99 = latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0;
    console.log(
      `${name}: peak ${thanked.size} thanked, ${refused.length} refused at first, p99 ${p99.toFixed(0)} ms, delivered during ${during}, turned away ${cms.refused}, drained in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    );
    expect(thanked.size).toBe(PEAK.rate * PEAK.times * PEAK.seconds);
    // A disk that hangs is the machine's fault: the site logs each case, and a retry is confirmed.
    const late = site
      .output()
      .split('\n')
      .filter((line) => line.includes('the disk did not answer in time'));
    expect(refused).toEqual(late.map(() => 503));
    expect([...thanked].filter((id) => !cms.entries.has(id))).toEqual([]);
    expect(cms.refused).toBeGreaterThan(0);
    // A response that comes too late is one that the site never got: it sends the sign-up again, under the same id.
    const unheard = site
      .output()
      .split('\n')
      .filter((line) => line.includes('no answer in time'));
    expect(cms.confirmedAgain).toBeLessThanOrEqual(unheard.length);
    // The limit of the CMS was respected: nearly all of its rate was used, and it rejected few.
    expect(cms.refused).toBeLessThan(during * 2 + 20);
  }, 600_000);
});

/**
 * Visitors who arrive without waiting for earlier responses. Each repeats the same id until it is confirmed, as the
 * page does.
 * @returns Confirmed ids, the status of each other response, and the milliseconds until the confirmation.
 */
async function arrivals(url: string, perSecond: number, seconds: number) {
  const thanked = new Set<string>();
  const latencies: number[] = [];
  const refused: number[] = [];
  const underWay: Promise<void>[] = [];
  const visit = async () => {
    const id = randomUUID();
    const from = takeAddress();
    const begun = performance.now();
    for (let tries = 0; tries < 10 && !thanked.has(id); tries++) {
      // Without a response this process could not connect, which says nothing about the site.
      const answer = await sendSignUp(url, createSignUp(id), from).catch(() => null);
      await answer?.arrayBuffer().catch(() => {});
      if (answer?.status === 200) thanked.add(id);
      else if (answer) refused.push(answer.status);
    }
    latencies.push(performance.now() - begun);
  };
  const begun = performance.now();
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, ((performance.now() - begun) / 1000) * perSecond);
    for (; sent < due; sent++) underWay.push(visit());
    await pause(5);
  }
  await Promise.all(underWay);
  return { thanked, refused, latencies };
}
