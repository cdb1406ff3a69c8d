import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { FormBackend, Outgoing, Verdict } from './backend.ts';
import { createWebhookBackend } from './webhook.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const SIGN_UP: Outgoing = { signUpId: 'an-id', formId: 1, createdAt: 0, answers: { input_2: 'ada@example.org' } };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const work of undo.splice(0)) await work();
});

/** A backend for a receiver that answers in this way. */
async function backendFor(answer: RequestListener, onBody = (_body: string) => {}): Promise<FormBackend> {
  const server = createServer(async (request, response) => {
    onBody(await text(request));
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const backend = createWebhookBackend({ url: `http://127.0.0.1:${port}/in`, secret: SECRET, timeoutMs: 300 });
  undo.push(
    backend.close,
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return backend;
}

const HTML = { 'content-type': 'text/html' };
const retried = (reason: string, retryAfterMs: number | null = null): Verdict => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});

test.each<[string, RequestListener, Verdict]>([
  ['a text', (_, to) => to.writeHead(200, HTML).end('ok'), { kind: 'delivered', confirmation: null }],
  ['nothing', (_, to) => to.writeHead(204).end(), { kind: 'delivered', confirmation: null }],
  ['a web page', (_, to) => to.end('\n<!doctype html><title>Welcome</title>'), retried('receiver-page: status 200')],
  ['too much', (_, to) => to.end('x'.repeat(1_000_001)), retried('receiver-page: status 200')],
  ['a redirect', (_, to) => to.writeHead(302, { location: '/' }).end(), retried('receiver-redirects: status 302')],
  ['a missing address', (_, to) => to.writeHead(404, HTML).end('<html>'), retried('receiver-failed: status 404')],
  [
    'a limit',
    (_, to) => to.writeHead(429, { 'retry-after': '9' }).end(),
    retried('receiver-failed: status 429', 9_000),
  ],
  [
    'a refusal',
    (_, to) => to.writeHead(400).end(),
    { kind: 'refused', reason: 'receiver-refused: status 400', fields: [] },
  ],
  ['410', (_, to) => to.writeHead(410).end(), { kind: 'refused', reason: 'receiver-gone: status 410', fields: [] }],
  ['no response', () => {}, retried('timeout: the receiver did not answer in time')],
  ['half a response', (_, to) => to.writeHead(200).write('o'), retried('timeout: the receiver did not answer in time')],
  ['a broken connection', (_, to) => to.destroy(), retried('network error: ECONNRESET')],
])('a sign-up whose receiver answers with %s gets the right verdict', async (_, answer, verdict) => {
  const { submit, interpret } = await backendFor(answer);
  const response = await submit(SIGN_UP, new AbortController().signal);
  expect(interpret(response, SIGN_UP, 0)).toEqual(verdict);
});

test('the receiver gets the campaign that led to a sign-up, and an empty one without a campaign', async () => {
  const messages: string[] = [];
  const { submit } = await backendFor(
    (_, to) => to.end(),
    (body) => messages.push(body),
  );
  for (const attribution of [{ first: { utm_source: 'letter' }, last: { ref: 'ada' } }, null]) {
    await submit({ ...SIGN_UP, attribution }, new AbortController().signal);
  }
  expect(messages.map((message) => JSON.parse(message).data.attribution)).toEqual([
    { first: { utm_source: 'letter' }, last: { ref: 'ada' } },
    { first: {}, last: {} },
  ]);
});
