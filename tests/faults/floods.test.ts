import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type FakeWordpress,
  form,
  formPath,
  json,
  type Play,
  serveSite,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import { createLimit } from '@pillion/lib/limit.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../support/site.ts';

/** Longest wait for a state, because a machine may be slow. */
const SOON = { timeout: 60_000 };
const WORKERS = 8;
const TAKES_MS = 150;
const BUDGET_MB = 60;

let wordpress: FakeWordpress;
let site: RunningSite;
let sockets: Socket[];

/** A WordPress as on small hosts: a few workers, each slow. */
function slowDown({ plays }: FakeWordpress): void {
  const workers = createLimit(WORKERS);
  const get = plays.get.bind(plays);
  const slow =
    (play: Play): Play =>
    (response, request) =>
      void workers.run(async () => {
        await pause(TAKES_MS);
        play(response, request);
      });
  plays.get = (path) => {
    const play = get(path) ?? (path === '*' ? json({ code: 'rest_no_route' }, 404) : undefined);
    return play && slow(play);
  };
}

beforeEach(async () => {
  sockets = [];
  wordpress = await startFakeWordpress();
  serveSite(wordpress);
  const fields = [
    { id: 1, type: 'email', label: 'Email', isRequired: true },
    { id: 2, type: 'fileupload', label: 'Film' },
  ];
  wordpress.plays.set(formPath(1), json(form(1, { fields })));
  slowDown(wordpress);
  site = await startSite({
    ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' },
    UPLOADS_MB_PER_HOUR: String(BUDGET_MB),
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  });
  await expect.poll(async () => (await fetch(`${site.url}/`)).status, SOON).toBe(200);
}, 60_000);
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await site.stop();
  await wordpress.stop();
}, 60_000);

const report = (what: string, figures: Record<string, unknown>) =>
  console.log(
    `  ${what}: ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  );

/** Opens a connection, sends the text and reads nothing until requested. */
async function stall(text: string): Promise<Socket> {
  const { port } = new URL(site.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.pause();
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return socket;
}

/** Address of another visitor. All addresses of loopback belong to this machine. */
const ELSEWHERE = '127.0.0.2';

/** @returns Number of the flood's requests that got a response before a visitor's later request from elsewhere. */
async function answeredBefore(request: (at: number) => string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, localAddress: ELSEWHERE });
  const visitor = () =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${site.url}/`, { agent, headers: { 'accept-encoding': 'br' } }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      ).on('error', reject);
    });
  // The visitor's connection is open before the flood.
  expect(await visitor()).toBe(200);
  let answered = 0;
  const attacker = async () => {
    const socket = await stall('');
    return socket.once('data', () => (answered += 1)).resume();
  };
  // The first response fills the cache for the others.
  (await attacker()).write(request(count));
  await expect.poll(() => answered, SOON).toBe(1);
  const flood = await Promise.all(Array.from({ length: count }, attacker));
  answered = 0;
  for (const [at, socket] of flood.entries()) socket.write(request(at));
  expect(await visitor()).toBe(200);
  const before = answered;
  await expect.poll(() => answered, SOON).toBe(count);
  agent.destroy();
  return before;
}

const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n`;

test.each([
  ['page paths', (at: number) => asking(`/made-up-${at}/`)],
  ['names of files', (at: number) => asking(`/media/2026/made-${at}.webp`)],
  ['unsigned messages', () => 'POST /api/revalidate HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'],
])('invariant 17: a visitor from elsewhere gets a response during a flood: %s', async (what, request) => {
  const count = 300;
  const before = await answeredBefore(request, count);
  report(what, { sent: count, 'answered before the visitor': before });
  // Without turns 108 to 300. With turns only the requests already in progress.
  expect(before).toBeLessThan(60);
});

const PART = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE = '--x\r\nContent-Disposition: form-data; name="input_2"; filename="film.bin"\r\n\r\n';
const FIELDS = PART('form_id', '1') + PART('input_1', 'ada@example.org');
const POST = (length: number) =>
  `POST /api/sign-ups HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`;

async function sendFile(size: number): Promise<number> {
  const body = new FormData();
  body.set('form_id', '1');
  body.set('input_1', 'bea@example.org');
  body.set('input_2', new Blob([Buffer.alloc(size, 'x')]), 'film.bin');
  const answer = await fetch(`${site.url}/api/sign-ups`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  });
  await answer.arrayBuffer();
  return answer.status;
}

test('a file can be sent while idle connections wait for an upload slot or hold one', async () => {
  for (let at = 0; at < 100; at++) await stall(POST(1_000_000) + FIELDS.slice(0, 20));
  // This response shows that the server has read everything sent before it.
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
  expect(await sendFile(100_000), 'a hundred that sent their headers').toBe(200);
  for (let at = 0; at < 32; at++) await stall(POST(1_000_000) + FIELDS + FILE + 'x'.repeat(100));
  await expect.poll(() => sendFile(100_000), SOON).toBe(200);
});

test('files from one address are stored up to the hourly limit', async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 8; at++) statuses.push(await sendFile(10_000_000));
  report(`8 files of 10 MB with ${BUDGET_MB} MB an hour`, { answers: statuses.join(' ') });
  expect(statuses.slice(0, 5)).toEqual(Array(5).fill(200));
  expect(statuses.slice(6)).toEqual([429, 429]);
  expect(site.output()).toContain('"why":"budget"');
});
