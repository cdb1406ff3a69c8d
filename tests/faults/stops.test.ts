import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSignUp, sendSignUp } from '../support/crowd.ts';
import { FIXTURE } from '../support/fixture.ts';
import { findFreePort, startSite } from '../support/site.ts';
import { undoAfterEach } from '../support/undo.ts';

const { folder } = undoAfterEach();

/** Longest wait for a state, because a machine may be slow. */
const SOON = { timeout: 30_000 };

const ask = (url: string, agent?: Agent) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(url, agent ? { agent } : {}, (answer) => {
      answer.resume().on('end', () => resolve(answer));
    }).on('error', reject);
  });

test('a monitored server reports not ready before it stops, and closes connections with their responses', async () => {
  const site = await startSite();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(`${site.url}/readyz`)).statusCode).toBe(200);
  const before = await ask(`${site.url}/`, agent);
  expect(before.headers.connection).toBe('keep-alive');
  // Longer than a proxy in front keeps it, which would meet a closed one.
  expect(Number(/timeout=(\d+)/.exec(String(before.headers['keep-alive']))?.[1])).toBeGreaterThanOrEqual(75);
  const stopped = site.stop();
  await expect.poll(async () => (await ask(`${site.url}/readyz`).catch(() => null))?.statusCode, SOON).toBe(503);
  // On the existing connection and on a new one.
  for (const one of [await ask(`${site.url}/`, agent), await ask(`${site.url}/`)]) {
    expect(one.statusCode).toBe(200);
    expect(one.headers.connection).toBe('close');
  }
  agent.destroy();
  await stopped;
});

test('a request in progress gets its response when the server stops', async () => {
  const site = await startSite();
  const body = 'form_id=1&input_1=Ada&input_2=ada%40example.org&input_3_1=1';
  const socket = createConnection(Number(new URL(site.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.write(
    `POST /api/sign-ups HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  await ask(`${site.url}/healthz`);
  const stopped = site.stop();
  await expect.poll(() => site.output(), SOON).toContain('"stopping"');
  socket.write(body.slice(10));
  await expect.poll(() => answer, SOON).toMatch(/^HTTP\/1.1 200 /);
  expect(answer).toMatch(/connection: close/i);
  await stopped;
});

test('the server continues when the reader of its log ends', async () => {
  const data = folder();
  const port = await findFreePort();
  const child = spawn(process.execPath, ['build/server/main.js'], {
    cwd: FIXTURE,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.once('message', resolve));
  child.stdout?.destroy();
  child.stderr?.destroy();
  // Each request writes a log line.
  for (let at = 0; at < 3; at++)
    expect((await sendSignUp(`http://127.0.0.1:${port}`, createSignUp(randomUUID()))).status).toBe(200);
  expect((await ask(`http://127.0.0.1:${port}/`)).statusCode).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a server that is stopped while it waits for its database ends without opening its port', async () => {
  const connected = Promise.withResolvers<Socket>();
  const silent = createServer(connected.resolve);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const child = spawn(process.execPath, ['build/server/main.js'], {
    cwd: FIXTURE,
    env: {
      ...{ PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(await findFreePort()), DATA_DIR: folder() },
      DATABASE_URL: `postgres://127.0.0.1:${(silent.address() as AddressInfo).port}/pillion`,
      SECRET_KEY: randomBytes(32).toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const socket = await connected.promise;
  child.kill('SIGTERM');
  const code = await ended;
  socket.destroy();
  silent.close();
  expect(code).toBe(0);
  expect(printed).toContain('"stopping"');
  expect(printed).not.toContain('"listening"');
});

test('files of the previous build are served, those of four builds ago are not', async () => {
  const data = folder();
  const earlier = ['one', 'two', 'three', 'four'];
  for (const name of earlier) {
    const assets = join(data, 'builds', name, 'assets');
    mkdirSync(assets, { recursive: true });
    writeFileSync(join(assets, `${name}-Ab12Cd34.js`), `// ${name}`);
    const at = new Date(2026, 0, 1 + earlier.indexOf(name));
    utimesSync(join(data, 'builds', name), at, at);
  }
  const site = await startSite({ DATA_DIR: data });
  const statuses = await Promise.all(
    earlier.map(async (name) => (await ask(`${site.url}/assets/${name}-Ab12Cd34.js`)).statusCode),
  );
  expect(statuses).toEqual([404, 200, 200, 200]);
  const own = readdirSync(join(FIXTURE, 'build/client/assets')).find((name) => name.endsWith('.js')) ?? '';
  const { statusCode, headers } = await ask(`${site.url}/assets/${own}`);
  expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(existsSync(join(data, 'builds', 'one'))).toBe(false);
  // The files of this build are stored for the next one.
  const kept = readdirSync(join(data, 'builds')).filter((name) => !earlier.includes(name));
  expect(kept).toHaveLength(1);
  expect(existsSync(join(data, 'builds', kept[0] ?? '', 'assets', own))).toBe(true);
  await site.stop();
});

test('a copy of a build that a killed server left is removed after a day', async () => {
  const data = folder();
  for (const [name, hours] of [
    ['killed.aside', 25],
    ['running.aside', 1],
  ] as const) {
    const copy = join(data, 'builds', name);
    mkdirSync(copy, { recursive: true });
    const at = new Date(Date.now() - hours * 3_600_000);
    utimesSync(copy, at, at);
  }
  const site = await startSite({ DATA_DIR: data });
  const copies = readdirSync(join(data, 'builds')).filter((name) => name.endsWith('.aside'));
  expect(copies).toEqual(['running.aside']);
  await site.stop();
});
