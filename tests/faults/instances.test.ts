import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { json, pagePath } from '@pillion/content/testing/fake-wordpress.ts';
import { readConfig } from '@pillion/server/config/config.ts';
import { SERVERS } from '@pillion/server/doctor/store.ts';
import { createNotices } from '@pillion/server/instances/notices.ts';
import { Client, type Notification } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendSignUp } from '../support/crowd.ts';
import { type Fleet, startFleet } from '../support/instances.ts';
import { parseMetrics } from '../support/prometheus.ts';
import { SHARED_KEY } from '../support/sign-ups.ts';
import type { RunningSite } from '../support/site.ts';

let fleet: Fleet;
let first: RunningSite;
let second: RunningSite;
let third: RunningSite;

async function start(prepare?: Parameters<typeof startFleet>[0]): Promise<void> {
  fleet = await startFleet(prepare);
  [first, second, third] = fleet.sites as [RunningSite, RunningSite, RunningSite];
}

const nameOf = ({ url }: RunningSite) => `${hostname()}:${new URL(url).port}`;
const ALL = { live: 3, of: 3, late: [] };

/** Waits until all three servers show a change that the first one received. */
const all = () => expect.poll(async () => (await fleet.notify(first)).servers, { timeout: 60_000 }).toEqual(ALL);
const read = () => Promise.all(fleet.sites.map(fleet.readPage));
const shows = (text: string) => expect.stringContaining(text);

/** A visitor with an open connection to a server. */
async function visit({ url }: RunningSite) {
  const { port, hostname: host } = new URL(url);
  const socket = connect(Number(port), host);
  await new Promise((resolve) => socket.once('connect', resolve));
  /** @returns Once the kernel has the request: the second page as the server then sends it. */
  async function ask(): Promise<Promise<string>[]> {
    let text = '';
    const answer = new Promise<string>((resolve, reject) => {
      socket.on('error', reject).on('end', () => resolve(text));
      socket.on('data', (data) => {
        text += data;
      });
    });
    await new Promise((resolve) =>
      socket.write('GET /about/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', resolve),
    );
    return [answer];
  }
  return { ask };
}

describe('servers and a database that all tests share', () => {
  beforeAll(() => start(), 120_000);
  afterAll(() => fleet.end(), 60_000);

  beforeEach(async () => {
    // A failed test may have left one hanging.
    for (const { pid } of fleet.sites) process.kill(pid, 'SIGCONT');
    fleet.changePage('Content of 2');
    await all();
  });

  test('R29: a server that hangs is named, delays no other, and shows nothing outdated once it continues', async () => {
    await read();
    const visitor = await visit(second);
    process.kill(second.pid, 'SIGSTOP');
    fleet.changePage('While one hung');
    // The server keeps hanging: a response that waited for it would never come.
    const named = { live: 2, of: 3, late: [nameOf(second)] };
    expect((await fleet.notify(first)).servers).toEqual(named);
    expect((await fleet.notify(third)).servers).toEqual(named);
    expect(await fleet.readPage(third)).toContain('While one hung');
    // This request arrives while the server hangs, before it can have received the change.
    const [answered] = await visitor.ask();
    process.kill(second.pid, 'SIGCONT');
    expect(await answered).toContain('While one hung');
    await all();
  });

  test('R29: no server, even after a hang, shows a visitor content older than a confirmed change', async () => {
    fleet.changePage('Edit 0.');
    await all();
    let receipted = 0;
    let isOver = false;
    const older: string[] = [];
    const follow = async (site: RunningSite) => {
      let reads = 0;
      while (!isOver) {
        const atLeast = receipted;
        const edit = Number(/Edit (\d+)\./.exec(await fleet.readPage(site))?.[1] ?? -1);
        if (edit < atLeast) older.push(`${nameOf(site)} showed ${edit} after ${atLeast}`);
        reads += 1;
      }
      return reads;
    };
    const readers = [...fleet.sites, ...fleet.sites].map(follow);
    for (let edit = 1; edit <= 30; edit += 1) {
      const teller = fleet.sites[edit % 3] ?? first;
      const hung = edit === 15 ? second : null;
      if (hung) process.kill(hung.pid, 'SIGSTOP');
      fleet.changePage(`Edit ${edit}.`);
      const { ok, servers } = await fleet.notify(teller);
      expect([ok, servers?.live]).toEqual([true, hung ? 2 : 3]);
      receipted = edit;
      if (hung) process.kill(hung.pid, 'SIGCONT');
    }
    isOver = true;
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(3);
    expect(older).toEqual([]);
  });

  test('R29: a database that hangs delays no editor and no visitor, and the change is sent later', async () => {
    await read();
    const holder = new Client({ connectionString: fleet.postgres.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE pillion_changes, pillion_messages, pillion_accounts');
      fleet.changePage('Past a lock');
      // The response arrives before the lock is released.
      const { ok, servers } = await fleet.notify(first);
      expect([ok, servers?.live, servers?.of]).toEqual([true, 1, 3]);
      expect(await fleet.readPage(first)).toContain('Past a lock');
      expect(await fleet.readPage(second)).toContain('Content of 2');
      const id = randomUUID();
      const form = new URLSearchParams({ form_id: '1', input_1: 'ada@example.org', sign_up_id: id });
      expect((await sendSignUp(second.url, form)).status, 'sign-ups are another table').toBe(200);
    } finally {
      await holder.end();
    }
    await expect.poll(read).toEqual(Array(3).fill(shows('Past a lock')));
  });

  /** A database role without rights, such as another program on that machine may use. */
  let stranger: Client;
  beforeAll(async () => {
    await fleet.runSql("CREATE ROLE stranger LOGIN PASSWORD 'none of ours'");
    const url = new URL(fleet.postgres.url);
    [url.username, url.password] = ['stranger', encodeURIComponent('none of ours')];
    stranger = new Client({ connectionString: url.href });
    await stranger.connect();
  });
  afterAll(() => stranger.end());

  /** Waits until every server has sent at least two more heartbeats. */
  async function beatAll(): Promise<void> {
    for (const _ of ['one may be under way', 'this one begins after it']) {
      const [{ now } = {}] = await fleet.runSql('SELECT clock_timestamp()::text AS now');
      const since = `SELECT count(*)::int AS beaten FROM pillion_instances WHERE seen_at > '${now}'`;
      await expect.poll(async () => (await fleet.runSql(since))[0]?.beaten, { timeout: 10_000 }).toBe(3);
    }
  }

  const refusedNotices = async ({ url }: RunningSite) =>
    parseMetrics(await (await fetch(`${url}/metrics`)).text()).get('pillion_instances_refused_notices_total')
      ?.samples[0]?.value;

  test('invariant 16: notices of a database role without rights are dropped, counted and logged once', async () => {
    await read();
    const disconnected = new Map(
      fleet.sites.map((site) => [site, site.output().split('instances disconnected').length]),
    );
    const id = randomUUID();
    const garbage = ['x y', '', '1', '-1 a', '9'.repeat(40), `7 ${id}`, `7 ${id} live`, 'a'.repeat(7_900)];
    for (const channel of ['pillion_told', 'pillion_shown'])
      for (const payload of garbage) await stranger.query('SELECT pg_notify($1, $2)', [channel, payload]);
    await beatAll();
    fleet.changePage('After the garbage');
    expect((await fleet.notify(first)).servers).toEqual(ALL);
    expect(await read()).toEqual(Array(3).fill(shows('After the garbage')));
    for (const site of fleet.sites) {
      expect(await refusedNotices(site)).toBe(2 * garbage.length);
      expect(site.output().split('notice refused')).toHaveLength(2);
      expect(site.output().split('instances disconnected')).toHaveLength(disconnected.get(site) ?? 0);
    }
  });

  test('invariant 16: an acknowledgment needs the key, and repeating a signed notice has no effect', async () => {
    await read();
    const heard: Notification[] = [];
    stranger.on('notification', (notice) => heard.push(notice));
    await stranger.query('LISTEN pillion_told; LISTEN pillion_shown');
    await all();
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(3);
    const [{ id } = {}] = await fleet.runSql(`SELECT id FROM pillion_instances WHERE name = '${nameOf(second)}'`);
    process.kill(second.pid, 'SIGSTOP');
    // Repeats each notice, and forges an acknowledgment of the hanging server for the next change.
    for (const { channel, payload = '' } of [...heard])
      await stranger.query('SELECT pg_notify($1, $2)', [channel, payload]);
    const [{ next } = {}] = await fleet.runSql('SELECT max(id) + 1 AS next FROM pillion_changes');
    const answered = heard.find(({ channel, payload }) => channel === 'pillion_shown' && payload?.includes(String(id)));
    const forged = `${next}${answered?.payload?.slice(answered.payload.indexOf(' '))}`;
    fleet.changePage('While one hung');
    const told = fleet.notify(first);
    await expect.poll(() => heard.some(({ payload }) => payload?.startsWith(`${next} `))).toBe(true);
    await stranger.query('SELECT pg_notify($1, $2)', ['pillion_shown', forged]);
    await stranger.query('SELECT pg_notify($1, $2)', ['pillion_shown', `${next} ${id} live`]);
    expect((await told).servers).toEqual({ live: 2, of: 3, late: [nameOf(second)] });
    process.kill(second.pid, 'SIGCONT');
    await all();
    const reads = first.output().split('change received').length;
    for (const { channel, payload = '' } of [...heard])
      await stranger.query('SELECT pg_notify($1, $2)', [channel, payload]);
    await beatAll();
    expect(first.output().split('change received').length).toBe(reads);
  });

  test('invariant 16: 3,000 replayed notices of deleted changes cause only a few queries per server', async () => {
    await read();
    const { write } = createNotices(SHARED_KEY);
    const recorded = Array.from({ length: 3_000 }, (_, i) =>
      write('pillion_told', String(1_000_000 + i), randomUUID()),
    );
    const scans = async () => {
      await beatAll();
      // A connection reports its last statistics when it ends.
      await fleet.runSql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pillion-servers'",
      );
      await beatAll();
      const [{ count } = {}] = await fleet.runSql(
        "SELECT (seq_scan + idx_scan)::int AS count FROM pg_stat_user_tables WHERE relname = 'pillion_changes'",
      );
      return Number(count);
    };
    const before = await scans();
    await stranger.query("SELECT pg_notify('pillion_told', payload) FROM unnest($1::text[]) AS payload", [recorded]);
    expect((await scans()) - before).toBeLessThan(300);
    expect((await fleet.notify(first)).servers).toEqual(ALL);
  });

  test('R29: a change with an unsigned notice, as from an older version, is read at the next heartbeat', async () => {
    await read();
    fleet.changePage('Told by an older version');
    const by = randomUUID();
    const change = JSON.stringify({ type: 'page', id: 2, path: '/about/', status: 'publish' });
    await fleet.runSql(`
      WITH told AS (INSERT INTO pillion_changes (change, told_by) VALUES ('${change}', '${by}') RETURNING id)
      SELECT pg_notify('pillion_told', id || ' ${by}') FROM told`);
    await expect.poll(read).toEqual(Array(3).fill(shows('Told by an older version')));
    await all();
  });

  test('R29: a change that PostgreSQL cannot store makes the servers reload all content', async () => {
    await read();
    fleet.changePage('Past a character that PostgreSQL has not');
    await fleet.notify(first, undefined, { type: 'page', id: 2, path: '/about/', status: 'publish\u0000' });
    await expect.poll(read).toEqual(Array(3).fill(shows('Past a character that PostgreSQL has not')));
    await all();
  });

  test('R29: an invalid row with a future date makes each server reload all content once', async () => {
    await read();
    await fleet.runSql(`INSERT INTO pillion_changes (id, change, told_by, told_at) OVERRIDING SYSTEM VALUE
      VALUES (9007199254740993, '[7]', '${randomUUID()}', clock_timestamp() + interval '1 year')`);
    const heard = () => fleet.sites.map((site) => site.output().split('change received').length - 1);
    const before = heard();
    await expect.poll(heard).toEqual(before.map((count) => count + 1));
    await beatAll();
    expect(heard()).toEqual(before.map((count) => count + 1));
    await read();
    const asked = () => fleet.wordpress.requests.filter(({ url }) => url.startsWith(pagePath(2))).length;
    const once = asked();
    await read();
    expect(asked()).toBe(once);
    await fleet.runSql('DELETE FROM pillion_changes');
    await all();
  });

  test('invariant 16: all servers reject a message that one has seen, and of three at once one accepts it', async () => {
    const id = `msg_${randomUUID()}`;
    expect((await fleet.notify(first, id)).status).toBe(200);
    for (const site of fleet.sites)
      expect(await fleet.notify(site, id)).toMatchObject({ status: 409, reason: 'seen before' });
    const at = `msg_${randomUUID()}`;
    const statuses = await Promise.all(fleet.sites.map(async (site) => (await fleet.notify(site, at)).status));
    expect(statuses.sort()).toEqual([200, 409, 409]);
    expect(JSON.stringify(await fleet.runSql('SELECT * FROM pillion_messages'))).not.toContain(id);
  });

  test('invariant 17: posts of one network count together on all servers, and a repeat counts once', async () => {
    const post = (site: RunningSite, sign_up_id: string = randomUUID()) =>
      sendSignUp(
        site.url,
        new URLSearchParams({ form_id: '1', input_1: 'ada@example.org', sign_up_id }),
        '198.51.100.7',
      ).then(({ status }) => status);
    // A server that misses an answer of the database counts alone for two seconds. So each has its connection first.
    const accounts = async () => Number((await fleet.runSql('SELECT count(*)::int AS n FROM pillion_accounts'))[0]?.n);
    for (const site of fleet.sites)
      await expect
        .poll(async () => {
          const before = await accounts();
          await sendSignUp(
            site.url,
            new URLSearchParams({ form_id: '1', input_1: 'a@example.org', sign_up_id: randomUUID() }),
          );
          return (await accounts()) > before;
        })
        .toBe(true);
    const repeated = randomUUID();
    // The limit allows forty at once, and refills by a few while the test runs.
    const statuses: number[] = [];
    for (let sent = 0; sent < 20; sent += 1)
      for (const site of fleet.sites) statuses.push(await post(site, sent === 0 ? repeated : undefined));
    const taken = statuses.filter((status) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(40);
    expect(taken, 'each server alone would have taken all sixty').toBeLessThan(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - taken);
    expect(await post(third, repeated), 'known to each server, as it was to the first').toBe(200);
    const kept = JSON.stringify(await fleet.runSql('SELECT key FROM pillion_accounts'));
    expect(kept).not.toContain('198.51.100');
  });
});

describe('a separate fleet for a test that ends servers or the database', () => {
  /** Number of pages that WordPress publishes at the next request to do so. */
  let due: number;
  beforeEach(async () => {
    due = 0;
    await start(({ plays, url }) => {
      plays.set('/wp-json/', json({ home: url, url, routes: { '/pillion/v1/due': { methods: ['POST'] } } }));
      plays.set('/wp-json/pillion/v1/due', (response, request) => {
        json({ published: due, next: null })(response, request);
        due = 0;
      });
    });
    await all();
    await read();
  }, 120_000);
  afterEach(() => fleet.end(), 60_000);

  test('R29: a killed server is named until it expires, or until another server replaces it', async () => {
    await second.stop('SIGKILL');
    expect((await fleet.notify(first)).servers).toEqual({ live: 2, of: 3, late: [nameOf(second)] });
    // Dates the last sign of the killed server back by half a minute.
    await fleet.runSql(
      `UPDATE pillion_instances SET seen_at = seen_at - interval '30 s' WHERE name = '${nameOf(second)}'`,
    );
    expect((await fleet.notify(first)).servers).toEqual({ live: 2, of: 2, late: [] });

    await third.stop('SIGKILL');
    fleet.sites.splice(1);
    const again = await fleet.add({ PORT: new URL(third.url).port });
    await expect.poll(async () => (await fleet.notify(first)).servers).toEqual({ live: 2, of: 2, late: [] });
    await again.stop();
    expect((await fleet.notify(first)).servers, 'one that takes its leave').toEqual({ live: 1, of: 1, late: [] });
  });

  test('R29: a server that was down during a change shows no older content when it returns', async () => {
    await third.stop();
    fleet.changePage('While one was away');
    expect((await fleet.notify(first)).servers).toEqual({ live: 2, of: 2, late: [] });
    fleet.sites.pop();
    // Its disk cache is seconds old and still counts as fresh.
    const back = await fleet.add({ DATA_DIR: third.dataDirectory });
    expect(await fleet.readPage(back)).toContain('While one was away');
    expect(back.output()).toContain('missed changes applied');
  });

  test('R29, invariant 12: without the database servers show a change within 65 s, or once it returns', async () => {
    await fleet.postgres.kill();
    fleet.changePage('Without the database');
    const { ok, servers } = await fleet.notify(first);
    expect([ok, servers?.live, servers?.of]).toEqual([true, 1, 3]);
    expect(servers?.late).toEqual([nameOf(second), nameOf(third)].sort());
    expect(await read()).toEqual([shows('Without the database'), shows('Content of 2'), shows('Content of 2')]);
    for (const site of [second, third]) await site.forward(61_000);
    await expect.poll(read).toEqual(Array(3).fill(shows('Without the database')));

    fleet.changePage('Told when nobody could be told');
    await fleet.notify(first);
    expect(await fleet.readPage(second)).toContain('Without the database');
    await fleet.postgres.start();
    // The clock is not moved again: the servers reconnect and share the change.
    await expect.poll(read).toEqual(Array(3).fill(shows('Told when nobody could be told')));
    await all();
  });

  test('the metrics of each server and the doctor show which servers are alive', async () => {
    const configured = readConfig({ DATABASE_URL: fleet.postgres.url, SECRET_KEY: SHARED_KEY });
    if (!configured.ok) throw new Error(configured.problems.join());
    const { config } = configured;
    const said = () => SERVERS.run({ config } as Parameters<typeof SERVERS.run>[0]);
    const names = fleet.sites.map(nameOf).sort().join(', ');
    expect(await said()).toMatchObject([{ state: 'ok', says: `3 of this site: ${names}.` }]);
    const figures = async (site: RunningSite) => {
      const families = parseMetrics(await (await fetch(`${site.url}/metrics`)).text());
      return ['', '_silent', '_joined'].map((of) => families.get(`pillion_instances${of}`)?.samples[0]?.value);
    };
    for (const site of fleet.sites) await expect.poll(() => figures(site)).toEqual([3, 0, 1]);

    process.kill(third.pid, 'SIGSTOP');
    await fleet.runSql(
      `UPDATE pillion_instances SET seen_at = seen_at - interval '7 s' WHERE name = '${nameOf(third)}'`,
    );
    expect(await said()).toMatchObject([
      { state: 'warning', says: expect.stringContaining(`${nameOf(third)} (silent)`), todo: expect.any(String) },
    ]);
    await expect.poll(() => figures(first)).toEqual([3, 1, 1]);
    await fleet.postgres.kill();
    await expect.poll(async () => (await figures(first))[2]).toBe(0);
  });

  test('R29: when one server triggers a publication in WordPress, all servers show it', async () => {
    fleet.changePage('Due now');
    due = 1;
    // Sends a change of the third page only, so that changes of the second come from the publication.
    await fleet.notify(first, undefined, { type: 'page', id: 3, path: null, status: 'future' });
    await expect.poll(read).toEqual(Array(3).fill(shows('Due now')));
  });
});
