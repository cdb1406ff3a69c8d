import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { bodyOf } from './body.ts';

/** The body that a server reads from a client that sends `text` and then calls `go` to end the connection. */
async function readOf(text: string, go: (socket: ReturnType<typeof connect>) => void): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const server = createServer(async (request) => {
    const reading = bodyOf(request);
    go(socket);
    resolve(await reading);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text));
  return promise;
}

const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n';

test('a body is read to its end', async () => {
  expect((await readOf(`${head}hello`, () => {}))?.toString()).toBe('hello');
});

test('a connection that breaks within the body gives `null` and no error', async () => {
  expect(await readOf(`${head}he`, (socket) => socket.resetAndDestroy())).toBeNull();
  expect(await readOf(`${head}he`, (socket) => socket.end())).toBeNull();
});
