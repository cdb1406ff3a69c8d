import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { form, formPath, json } from '@pillion/content/testing/fake-wordpress.ts';
import { WEBHOOK_SECRET as SECRET, tokenOf } from '@pillion/content/testing/preview.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { questionHeaders } from '../testing/questions.ts';
import { listenForEach, startAppForEach } from '../testing/start-app-for-each.ts';
import { createListener } from './listener.ts';

const SIGNED = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };

const fields = [
  { id: 1, type: 'email', label: 'Email' },
  { id: 2, type: 'fileupload', label: 'Film' },
];
const app = startAppForEach({
  setup: { env: { WEBHOOK_SECRET: SECRET } },
  prepare: ({ wordpress }) => wordpress.plays.set(formPath(1), json(form(1, { fields }))),
});
const site = listenForEach(() => createServer(createListener(app.app, {})));
afterEach(() => vi.restoreAllMocks());

/** Sends raw text. @returns The response as soon as its head is complete. */
function headOf(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(site.port, '127.0.0.1', () => socket.write(text)).on('error', reject);
    let all = '';
    socket.on('data', (data) => {
      all += data;
      if (!all.includes('\r\n\r\n')) return;
      socket.destroy();
      resolve(all);
    });
  });
}

const post = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

const asLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
/** Announces a body that is never sent. A server that waits for it never responds. */
const WITHHELD = 'Content-Length: 100\r\n';
const QUESTION = '/api/preview/check';
const now = String(Math.floor(Date.now() / 1000));

test.each([
  ['an unsigned message', '/api/revalidate', {}],
  ['an unsigned question', QUESTION, {}],
  ['an unsigned question', '/api/sign-ups/troubles', {}],
  ['a question with unsigned headers', QUESTION, { ...SIGNED, 'webhook-timestamp': now }],
  ['a question with forged headers', QUESTION, { ...SIGNED, 'webhook-timestamp': now, 'pillion-signature': 'AAAA' }],
  ['a question signed for another endpoint', QUESTION, questionHeaders('/api/doctor', '{}', SECRET)],
  ['a draft without a token', '/preview/render', {}],
  ['a draft with a forged token', '/preview/render', { 'pillion-preview-token': 'a.b' }],
])('%s (%s) is rejected before its body arrives', async (_, path, headers) => {
  expect(await headOf(post(path, asLines(headers) + WITHHELD))).toMatch(/^HTTP\/1.1 401 /);
});

test('invariant 17: of 20 users’ drafts the bodies of four are awaited, the others are rejected unread', async () => {
  const statuses: string[] = [];
  for (let user = 1; user <= 20; user += 1) {
    const token = tokenOf({ k: 'pane', u: user }, SECRET);
    const headers = asLines({ 'pillion-preview-token': token, 'content-length': '1900000' });
    // The connections of the others end with the server.
    headOf(post('/preview/render', headers)).then(
      (head) => statuses.push(head.slice(0, 12)),
      () => {},
    );
  }
  await expect.poll(() => statuses).toEqual(Array(16).fill('HTTP/1.1 503'));
});

test('an interrupted draft logs only one rejection', async () => {
  const headers = asLines({ 'pillion-preview-token': tokenOf({ k: 'pane' }, SECRET) });
  const closed = new Promise((resolve) =>
    site.server.once('request', (_, response) => response.once('close', resolve)),
  );
  const socket = connect(site.port, '127.0.0.1', () =>
    socket.write(`${post('/preview/render', headers + WITHHELD)}{"draft":`, () => socket.destroy()),
  );
  await closed;
  await expect.poll(async () => (await app.request('/metrics')).text()).toContain('kind="preview"');
  expect(app.lines.map(({ event }) => event)).toEqual(['refused']);
});

test.each([
  ['/api/revalidate', 20_000, SIGNED],
  ['/api/sign-ups', 70_000, { 'content-type': 'application/x-www-form-urlencoded' }],
])(
  'a body to %s above the limit is rejected unread, or once it exceeds the limit without a length',
  async (path, size, more) => {
    const headers = asLines(more);
    expect(await headOf(post(path, `${headers}Content-Length: ${size}\r\n`))).toMatch(/^HTTP\/1.1 413 /);
    const piece = `${(1_000).toString(16)}\r\n${'x'.repeat(1_000)}\r\n`;
    // The body has no end.
    const endless = post(path, `${headers}Transfer-Encoding: chunked\r\n`) + piece.repeat(size / 1_000);
    expect(await headOf(endless)).toMatch(/^HTTP\/1.1 413 /);
  },
);

test('bodies are read without web streams, which only a full garbage collection frees', async () => {
  const wrapped = vi.spyOn(Readable, 'toWeb');
  const answers = new URLSearchParams({ form_id: '1', input_1: 'ada@example.org' });
  const files = new FormData();
  for (const [name, value] of answers) files.set(name, value);
  files.set('input_2', new Blob(['x'.repeat(100_000)]), 'film.mp4');
  const statuses: number[] = [];
  for (const [path, body, headers] of [
    ['/api/revalidate', '{}', SIGNED],
    ['/api/sign-ups', answers, {}],
    ['/api/sign-ups', files, {}],
  ] as const)
    statuses.push((await fetch(site.url + path, { method: 'POST', body, headers })).status);
  expect(statuses).toEqual([401, 200, 422]);
  expect(wrapped.mock.calls).toHaveLength(0);
});
