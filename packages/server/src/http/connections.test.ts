import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Listening, listen } from '@pillion/lib/testing/listen.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ConnectionLimits, guardConnections } from './connections.ts';

const LIMITS: ConnectionLimits = { maxConnections: 6, maxPerNetwork: 4, bytesPerSecond: 1_000, graceS: 10 };

/** Larger than the system's send and receive buffers. */
const FILM = Buffer.alloc(32 * 2 ** 20);

let server: Server;
let listening: Listening;
let guard: ReturnType<typeof guardConnections>;
let clock: number;
let network: string | null;
let ended: string[];
let sockets: Socket[];
/** The server's side of `sockets`. */
let taken: Socket[];
/** Requests without a response yet. */
let pending: (() => void)[];

beforeEach(async () => {
  clock = 0;
  network = null;
  ended = [];
  sockets = [];
  taken = [];
  pending = [];
  server = createServer((request, response) => {
    if (request.url === '/wait') return void pending.push(() => response.end('done'));
    if (request.url === '/film') return void response.end(FILM);
    request.resume().on('end', () => response.end('taken'));
  });
  server.on('connection', (socket) => taken.push(socket));
  guard = guardConnections(server, {
    limits: LIMITS,
    networkOf: () => network,
    onEnded: (why) => ended.push(why),
    now: () => clock,
  });
  listening = await listen(server);
});
afterEach(async () => {
  guard.stop();
  for (const socket of sockets) socket.destroy();
  await listening.close();
});

async function open(text = ''): Promise<Socket> {
  const before = guard.count();
  const socket = connect(listening.port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  if (text) socket.write(text);
  await expect.poll(() => guard.count() !== before || ended.length > 0).toBe(true);
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

/** Advances the clock and checks the connections once a second, as the guard does. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    clock += 1_000;
    guard.checkAll();
  }
}

const answerOf = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (/done|taken/.test(text)) resolve(text);
    });
    socket.once('close', () => resolve(text));
    socket.resume();
  });

test('invariant 17: a client that requests a film and reads nothing is disconnected', async () => {
  await open(get('/film'));
  await new Promise((resolve) => server.once('request', resolve));
  pass(5);
  expect(ended).toEqual([]);
  pass(10);
  expect(ended).toEqual(['slow']);
  expect(guard.count()).toBe(0);
});

test('invariant 17: a client that sends one byte a second is disconnected, a merely slow one is not', async () => {
  const honest = await open(post(40_000));
  const trickle = await open(post(40_000));
  await expect.poll(() => taken.length).toBe(2);
  for (let second = 0; second < 15; second++) {
    honest.write(Buffer.alloc(2_000));
    trickle.write('x');
    const sent = honest.bytesWritten;
    // The server has received everything before the clock advances.
    await expect.poll(() => Math.max(...taken.map(({ bytesRead }) => bytesRead))).toBe(sent);
    pass(1);
  }
  expect(ended).toEqual(['slow']);
  honest.write(Buffer.alloc(10_000));
  expect(await answerOf(honest)).toContain('taken');
});

test('a client is never disconnected while the server prepares its response', async () => {
  const waiting = await open(get('/wait'));
  await expect.poll(() => pending.length).toBe(1);
  pass(120);
  expect(ended).toEqual([]);
  pending[0]?.();
  expect(await answerOf(waiting)).toContain('done');
});

test('above the limit the most idle connection is closed, and the new one gets a response', async () => {
  for (let at = 0; at < LIMITS.maxConnections; at++) {
    await open();
    pass(1);
  }
  expect(guard.count()).toBe(LIMITS.maxConnections);
  const late = await open(get('/'));
  expect(await answerOf(late)).toContain('taken');
  expect(ended).toEqual(['too many']);
  await new Promise<void>((resolve) =>
    sockets[0]?.destroyed ? resolve() : sockets[0]?.resume().once('close', resolve),
  );
});

test('above the limit of a network its idle connections are closed, but never one awaiting a response', async () => {
  const other = await open();
  network = '203.0.113.7';
  const waiting = [];
  for (let at = 0; at < LIMITS.maxPerNetwork; at++) waiting.push(await open(get('/wait')));
  await expect.poll(() => pending.length).toBe(LIMITS.maxPerNetwork);
  const tooMany = await open(get('/'));
  expect(await answerOf(tooMany), 'all others await a response, so the new one is closed').toBe('');
  for (const finish of pending) finish();
  expect(await answerOf(waiting[0] as Socket)).toContain('done');
  expect(await answerOf(await open(get('/')))).toContain('taken');
  expect(other.destroyed).toBe(false);
});
