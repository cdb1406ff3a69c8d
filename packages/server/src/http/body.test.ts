import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { type FakeSite, startFakeSite } from '@pillion/content/testing/fake-site.ts';
import { form, formPath, json } from '@pillion/content/testing/fake-wordpress.ts';
import { tokenOf } from '@pillion/content/testing/preview.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { questionHeaders } from '../testing/questions.ts';
import { type StartedApp, startApp } from '../testing/start-app.ts';
import { listenerOf } from './listener.ts';

const SECRET = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`;
const SIGNED = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };

let site: FakeSite;
let started: StartedApp;
let server: Server;
let lines: string[];
beforeEach(async () => {
  site = await startFakeSite();
  site.wordpress.plays.set(
    formPath(1),
    json(
      form(1, {
        fields: [
          { id: 1, type: 'email', label: 'Email' },
          { id: 2, type: 'fileupload', label: 'Film' },
        ],
      }),
    ),
  );
  lines = [];
  started = startApp({
    ...site,
    log: (...line) => void lines.push(JSON.stringify(line)),
    env: { WEBHOOK_SECRET: SECRET },
  });
  server = createServer(listenerOf(started.app, {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await started.close();
  await site.stop();
});

const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** Sends raw text. @returns The response as soon as its head is complete. */
function headOf(text: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text)).on('error', reject);
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
  [
    'a question with a wrong signature of its headers',
    QUESTION,
    { ...SIGNED, 'webhook-timestamp': now, 'pillion-signature': 'AAAA' },
  ],
  ['a question signed for another endpoint', QUESTION, questionHeaders('/api/doctor', '{}', SECRET)],
  ['a draft without a token', '/preview/render', {}],
  ['a draft with a forged token', '/preview/render', { 'pillion-preview-token': 'a.b' }],
])('%s (%s) is rejected before its body arrives', async (_, path, headers) => {
  expect(await headOf(post(path, asLines(headers) + WITHHELD))).toMatch(/^HTTP\/1.1 401 /);
});

test('an interrupted draft logs only one rejection', async () => {
  const headers = asLines({ 'pillion-preview-token': tokenOf({ k: 'pane' }, SECRET) });
  const answered = new Promise((resolve) => server.once('request', (_, response) => response.once('close', resolve)));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`${post('/preview/render', headers + WITHHELD)}{"draft":`, () => socket.destroy()),
  );
  await answered;
  await expect.poll(async () => await (await fetch(url('/metrics'))).text()).toContain('kind="preview"');
  expect(lines).toEqual([expect.stringContaining('"refused"')]);
});

test.each([
  ['/api/revalidate', 20_000, SIGNED],
  ['/api/sign-ups', 70_000, { 'content-type': 'application/x-www-form-urlencoded' }],
])(
  'a body to %s above the limit is rejected unread, or once it exceeds the limit without a length',
  async (path, size, more) => {
    const headers = Object.entries(more).map(([name, value]) => `${name}: ${value}\r\n`);
    expect(await headOf(post(path, `${headers.join('')}Content-Length: ${size}\r\n`))).toMatch(/^HTTP\/1.1 413 /);
    const piece = `${(1_000).toString(16)}\r\n${'x'.repeat(1_000)}\r\n`;
    // The body has no end.
    const endless = post(path, `${headers.join('')}Transfer-Encoding: chunked\r\n`) + piece.repeat(size / 1_000);
    expect(await headOf(endless)).toMatch(/^HTTP\/1.1 413 /);
  },
);

test('bodies are read without web streams, which only a full garbage collection frees', async () => {
  const wrapped = vi.spyOn(Readable, 'toWeb');
  const fields = new URLSearchParams({ form_id: '1', input_1: 'ada@example.org' });
  const files = new FormData();
  for (const [name, value] of fields) files.set(name, value);
  files.set('input_2', new Blob(['x'.repeat(100_000)]), 'film.mp4');
  const statuses: number[] = [];
  for (const [path, body, headers] of [
    ['/api/revalidate', '{}', SIGNED],
    ['/api/sign-ups', fields, {}],
    ['/api/sign-ups', files, {}],
  ] as const)
    statuses.push((await fetch(url(path), { method: 'POST', body, headers })).status);
  expect(statuses).toEqual([401, 200, 422]);
  expect(wrapped.mock.calls).toHaveLength(0);
});
