import { type Play, startFakeWordpress } from '@pillion/content/testing/fake-wordpress.ts';
import { undoAfterEach } from '@pillion/tests/undo.ts';
import { expect, test } from 'vitest';
import type { Outgoing, Verdict } from './backend.ts';
import { createWebhookBackend } from './webhook.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const SIGN_UP: Outgoing = { signUpId: 'an-id', formId: 1, createdAt: 0, answers: { input_2: 'ada@example.org' } };

const { undo } = undoAfterEach();

/** A backend for a receiver that answers in this way, and the requests that the receiver gets. */
async function backendFor(answer: Play) {
  const { url, plays, requests, stop } = await startFakeWordpress();
  undo(stop);
  plays.set('*', answer);
  const backend = createWebhookBackend({ url: `${url}/in`, secret: SECRET, timeoutMs: 300 });
  undo(backend.close);
  return { ...backend, requests };
}

const HTML = { 'content-type': 'text/html' };
const retried = (reason: string, retryAfterMs: number | null = null): Verdict => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});

test.each<[string, Play, Verdict]>([
  ['a text', (to) => to.writeHead(200, HTML).end('ok'), { kind: 'delivered', confirmation: null }],
  ['nothing', (to) => to.writeHead(204).end(), { kind: 'delivered', confirmation: null }],
  ['a web page', (to) => to.end('\n<!doctype html><title>Welcome</title>'), retried('receiver-page: status 200')],
  ['too much', (to) => to.end('x'.repeat(1_000_001)), retried('receiver-page: status 200')],
  ['a redirect', (to) => to.writeHead(302, { location: '/' }).end(), retried('receiver-redirects: status 302')],
  ['a missing address', (to) => to.writeHead(404, HTML).end('<html>'), retried('receiver-failed: status 404')],
  ['a limit', (to) => to.writeHead(429, { 'retry-after': '9' }).end(), retried('receiver-failed: status 429', 9_000)],
  [
    'a refusal',
    (to) => to.writeHead(400).end(),
    { kind: 'refused', reason: 'receiver-refused: status 400', fields: [] },
  ],
  ['410', (to) => to.writeHead(410).end(), { kind: 'refused', reason: 'receiver-gone: status 410', fields: [] }],
  ['no response', () => {}, retried('timeout: the receiver did not answer in time')],
  ['half a response', (to) => to.writeHead(200).write('o'), retried('timeout: the receiver did not answer in time')],
  ['a broken connection', (to) => to.destroy(), retried('network error: ECONNRESET')],
])('a sign-up whose receiver answers with %s gets the right verdict', async (_, answer, verdict) => {
  const { submit, interpret } = await backendFor(answer);
  const response = await submit(SIGN_UP, new AbortController().signal);
  expect(interpret(response, SIGN_UP, 0)).toEqual(verdict);
});

test('the receiver gets the campaign that led to a sign-up, and an empty one without a campaign', async () => {
  const { submit, requests } = await backendFor((to) => to.end());
  for (const attribution of [{ first: { utm_source: 'letter' }, last: { ref: 'ada' } }, null])
    await submit({ ...SIGN_UP, attribution }, new AbortController().signal);
  expect(requests.map(({ body }) => JSON.parse(body).data.attribution)).toEqual([
    { first: { utm_source: 'letter' }, last: { ref: 'ada' } },
    { first: {}, last: {} },
  ]);
});
