import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Listening, listen } from '@pillion/lib/testing/listen.ts';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { createBodyBudget } from './body-budget.ts';
import { createListener } from './listener.ts';

const LONGEST = 2_000_000;

let server: Listening;
let sockets: Socket[] = [];
afterEach(async () => {
  await server.close();
  sockets = [];
});

/** A server that reads bodies within a budget. @param readMs Timeout for one body. */
async function serve(readMs?: number) {
  const budget = createBodyBudget(8_000_000, readMs);
  const app = new Hono();
  app.post('/', async (c) =>
    c.text(await budget.withBody(c, LONGEST, async (body) => `${body.byteLength} bytes`), {
      headers: { connection: 'close' },
    }),
  );
  server = await listen(createServer(createListener(app, {})));
  return budget;
}

/** Announces a body of `size` bytes and sends `sent` of them. @returns The connection. */
function send(size: number, sent: number): Socket {
  const socket = connect(server.port, '127.0.0.1', () =>
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(sent)}`),
  );
  sockets.push(socket);
  return socket;
}

test('of 40 idle connections that announce 2 MB each, 4 are awaited and 36 are rejected unread', async () => {
  const budget = await serve();
  const refused = new Set<number>();
  for (let at = 0; at < 40; at += 1)
    text(send(LONGEST, 1_000)).then(
      (response) => response.endsWith('\r\n\r\nbusy') && refused.add(at),
      // Connections that were not rejected are destroyed below.
      () => {},
    );
  await expect.poll(() => refused.size).toBe(36);
  expect(budget.usedBytes()).toBe(8_000_000);
  for (const socket of sockets) socket.destroy();
  await expect.poll(budget.usedBytes).toBe(0);
  expect(await text(send(1_000, 1_000)), 'after they are closed').toMatch(/\r\n\r\n1000 bytes$/);
});

test('a body that stops arriving is rejected, and its share of the budget is free again', async () => {
  const budget = await serve(50);
  expect(await text(send(LONGEST, 1_000))).toMatch(/\r\n\r\ntoo slow$/);
  expect(budget.usedBytes()).toBe(0);
});
