import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@pillion/scripts/postgres.mjs';
import { startWordPress } from '@pillion/scripts/wordpress.mjs';
import { expect, test } from 'vitest';
import { createSignUp, sendSignUp } from '../support/crowd.ts';
import { startNginx } from '../support/nginx.ts';
import { countSignUps, SHARED_KEY } from '../support/sign-ups.ts';
import { findFreePort, startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';
import { CACHEABLE_PATHS, findUnexpected, startVisitors } from '../support/visitors.ts';

const { folder, forTest, undo } = undoAfterEach();

const database = (): Promise<RunningPostgres> => forTest(startPostgres());

/** The variables that each server's unit sets, and those of `pillion.env`. */
const envOf = (port: number, databaseUrl: string, more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'production',
  PORT: String(port),
  DATA_DIR: folder(),
  TRUST_PROXY: '1',
  DATABASE_URL: databaseUrl,
  SECRET_KEY: SHARED_KEY,
  ...more,
});

const UNIT = readFileSync('deploy/systemd/pillion@.service', 'utf8');
/** The unit's command, with the Node that runs the tests. */
const COMMAND = [process.execPath, ...(/^ExecStart=\/usr\/bin\/node (.+)$/m.exec(UNIT)?.[1] ?? '').split(' ')];

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** A server as systemd runs it: its port stays open during a restart. */
async function startHeld(databaseUrl: string, pids: string, more: Record<string, string> = {}): Promise<number> {
  const port = await findFreePort();
  const file = join(pids, `pillion@${port}.service`);
  const holder = spawn('php', ['tests/support/held-server.php', `127.0.0.1:${port}`, file, ...COMMAND], {
    env: envOf(port, databaseUrl, more),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => holder.once('exit', resolve));
  undo(() => {
    holder.stdin.end();
    return ended;
  });
  await expect.poll(() => isReady(port), { timeout: 30_000 }).toBe(true);
  return port;
}

/**
 * Does what `systemctl restart UNIT` does for servers of `startHeld`: stops one and returns once the next has started.
 */
const RESTART = `#!/bin/sh
pid=$(cat "$0.d/$1")
kill -TERM "$pid"
while [ "$(cat "$0.d/$1")" = "$pid" ]; do sleep 0.05; done
`;

const run = (program: string, args: string[], env: Record<string, string>) =>
  new Promise<{ code: number | null; said: string }>((resolve) => {
    const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        said += data;
      });
    child.once('exit', (code) => resolve({ code, said }));
  });

test('restarting three servers one after the other under load fails no request', async () => {
  const postgres = await database();
  const pids = folder();
  const restart = join(pids, 'restart');
  writeFileSync(restart, RESTART, { mode: 0o755 });
  const units = join(pids, 'restart.d');
  mkdirSync(units);
  const ports = [];
  for (let at = 0; at < 3; at += 1) ports.push(await startHeld(postgres.url, units));
  const before = ports.map((port) => readFileSync(join(units, `pillion@${port}.service`), 'utf8'));
  const nginx = await forTest(startNginx(folder(), ports));

  const visitors = startVisitors(nginx.port, 8);
  await visitors.more(200);
  const done = await run('deploy/rolling-restart', ports.map(String), { RESTART: restart });
  await visitors.more(200);
  const answers = await visitors.end();
  expect(done).toEqual({ code: 0, said: ports.map((port) => `pillion@${port} is ready\n`).join('') });
  // Each must be a new process, or the test proves nothing.
  const after = ports.map((port) => readFileSync(join(units, `pillion@${port}.service`), 'utf8'));
  for (const [at, pid] of after.entries()) expect(pid).not.toBe(before[at]);
  const posts = answers.filter(({ what }) => what.startsWith('POST')).length;
  console.log(`rolling restart: ${answers.length} requests, ${posts} of them sign-ups`);
  expect(findUnexpected(answers)).toBe('');
  expect(posts).toBeGreaterThan(20);
  const { waiting } = await countSignUps('', postgres.url);
  expect(waiting).toBe(posts);
});

test('a rolling restart gives up an instance soon after the given seconds without response', async () => {
  let requests = 0;
  // systemd accepts connections for an instance that does not start, so each request runs into its timeout of 5 s.
  const silent = createServer((socket) => {
    requests += 1;
    socket.on('error', () => {}).resume();
  });
  undo(() => void silent.close());
  const port = await findFreePort();
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  const done = await run('deploy/rolling-restart', [String(port)], { RESTART: 'true', READY_WITHIN_S: '3' });
  expect(done).toMatchObject({ code: 1, said: expect.stringContaining('is not ready after 3 s') });
  expect(requests).toBe(1);
});

/** A server as a container runs it: its port is closed while the server is down. */
async function startPlain(databaseUrl: string, more: Record<string, string> = {}) {
  const port = await findFreePort();
  const env = envOf(port, databaseUrl, more);
  const start = () => startSite({ ...env });
  let site = await start();
  undo(() => site.stop('SIGKILL'));
  return {
    port,
    kill: () => site.stop('SIGKILL'),
    start: async () => {
      site = await start();
    },
  };
}

test('a restarted server receives requests even while nginx has marked all servers as failed', async () => {
  const postgres = await database();
  const servers = [];
  for (let at = 0; at < 3; at += 1) servers.push(await startPlain(postgres.url));
  // A server that failed twice is excluded for the rest of the test, on slow machines too.
  const ports = servers.map(({ port }) => port);
  const nginx = await forTest(startNginx(folder(), ports, 3600));
  const visitors = startVisitors(nginx.port, 6, { isSending: false, paths: CACHEABLE_PATHS });
  await visitors.more(50);
  for (const server of servers) {
    await server.kill();
    await visitors.more(100);
    await server.start();
    await expect.poll(() => isReady(server.port)).toBe(true);
  }
  expect(findUnexpected(await visitors.end())).toBe('');
});

test('pages stay available when any server, PostgreSQL, WordPress, all but one or all servers are killed', async () => {
  const postgres = await database();
  const directory = folder();
  let wordpress = await startWordPress({ directory });
  undo(() => wordpress.stop());
  const { url, key, secret, port } = wordpress;
  const content = { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
  const servers: Awaited<ReturnType<typeof startPlain>>[] = [];
  for (let at = 0; at < 3; at += 1) servers.push(await startPlain(postgres.url, content));
  const ports = servers.map((server) => server.port);
  const nginx = await forTest(startNginx(folder(), ports));

  const html = async (path: string) => {
    const answer = await fetch(nginx.url + path);
    return { status: answer.status, text: await answer.text(), from: answer.headers.get('x-cache') };
  };
  // Requests each page once from every server and from nginx, to fill the caches.
  for (const server of servers)
    for (const path of CACHEABLE_PATHS)
      await expect
        .poll(async () => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status, { timeout: 60_000 })
        .toBe(200);
  for (const path of CACHEABLE_PATHS) expect((await html(path)).status).toBe(200);

  /** Visitors who only view pages during the failure. */
  const look = async (name: string, during: () => Promise<unknown>) => {
    const visitors = startVisitors(nginx.port, 6, { isSending: false, paths: CACHEABLE_PATHS });
    await visitors.more(50);
    await during();
    await visitors.more(300);
    const answers = await visitors.end();
    expect(findUnexpected(answers), name).toBe('');
  };
  for (const [at, server] of servers.entries()) {
    await look(`server ${at + 1}`, () => server.kill());
    await server.start();
    await expect.poll(() => isReady(server.port)).toBe(true);
  }
  await look('PostgreSQL', () => postgres.kill());
  await look('WordPress', () => wordpress.stop());
  await look('two servers', () => Promise.all(servers.slice(1).map((server) => server.kill())));
  // One server is left, without database and WordPress. It rejects a sign-up with a Retry-After header.
  const refused = await sendSignUp(nginx.url, createSignUp(randomUUID()));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);

  await servers[0]?.kill();
  const before = await Promise.all(CACHEABLE_PATHS.map(html));
  expect(before.map(({ status }) => status)).toEqual(CACHEABLE_PATHS.map(() => 200));
  await expect.poll(async () => (await html('/')).from, { timeout: 30_000 }).toBe('STALE');

  // Everything restarts and reconnects without further action.
  await postgres.start();
  wordpress = await startWordPress({ directory, port });
  for (const server of servers) await server.start();
  for (const server of servers) await expect.poll(() => isReady(server.port), { timeout: 30_000 }).toBe(true);
  await expect
    .poll(async () => (await sendSignUp(nginx.url, createSignUp(randomUUID()))).status, { timeout: 30_000 })
    .toBe(200);
  await expect.poll(async () => (await html('/')).from, { timeout: 30_000 }).not.toBe('STALE');
}, 600_000);
