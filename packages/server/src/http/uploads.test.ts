import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { type FakeSite, startFakeSite } from '@pillion/content/testing/fake-site.ts';
import { form, formPath, json, page, pagePath } from '@pillion/content/testing/fake-wordpress.ts';
import { LARGEST_UPLOAD, MEGABYTE } from '@pillion/forms/files.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox, type Outbox } from '@pillion/sign-ups/outbox/outbox.ts';
import type { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECRET_KEY, SITE, startApp } from '../testing/start-app.ts';

const FIELDS = [
  { id: 1, type: 'email', label: 'Email', isRequired: true },
  {
    ...{ id: 2, type: 'fileupload', label: 'Photo', isRequired: true, allowedExtensions: 'jpg, .PNG', maxFileSize: 1 },
    ...{ errorMessage: '' },
  },
  { id: 3, type: 'fileupload', label: 'Papers', multipleFiles: true, maxFiles: '2', maxFileSize: '' },
];

let site: FakeSite;
let outbox: Outbox;
let app: Hono;
let close: () => Promise<void>;
let lines: string[];

beforeEach(async () => {
  lines = [];
  site = await startFakeSite();
  const { wordpress } = site;
  wordpress.plays.set(formPath(1), json(form(1, { fields: FIELDS })));
  wordpress.plays.set(formPath(2), json(form(2)));
  // A form that is on no page cannot be used.
  wordpress.plays.set(pagePath(2), json(page(2, { sections: [{ type: 'sign-up', form_id: 2 }] })));
  const log = (level: string, event: string, details = {}) =>
    void lines.push(JSON.stringify({ level, event, ...details }));
  const started = startApp({ ...site, log });
  ({ app, close } = started);
  outbox = createOutbox(started.store, createCipher(SECRET_KEY));
});
afterEach(async () => {
  await close();
  const left = await readdir(site.directory);
  await site.stop();
  // No temporary file remains, with any outcome.
  expect(left.filter((name) => name.startsWith('.upload'))).toEqual([]);
  expect(lines.join('\n'), 'personal data in the log').not.toMatch(/example\.org|me\.jpg/);
});

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(5_000)]);
const jpeg = (size: number) => Buffer.concat([JPEG.subarray(0, 4), randomBytes(size - 4)]);

type Part = [name: string, value: string | { bytes: Uint8Array; name: string }];

const GOOD: Part[] = [
  ['form_id', '1'],
  ['input_1', 'ada@example.org'],
  ['input_2', { bytes: JPEG, name: 'me.jpg' }],
];

/** @param init Other headers, such as `Accept` for a page. */
async function send(parts: Part[], headers: Record<string, string> = { accept: 'application/json' }) {
  const body = new FormData();
  for (const [name, value] of parts)
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([new Uint8Array(value.bytes)]), value.name);
  const encoded = new Response(body);
  const type = encoded.headers.get('content-type') ?? '';
  return app.request(`${SITE}/api/sign-ups`, {
    method: 'POST',
    body: await encoded.arrayBuffer(),
    headers: { ...headers, 'content-type': type },
  });
}

const errorsOf = async (response: Response) => [response.status, (await response.json()).errors];

async function kept() {
  const rows = await outbox.store.list({ states: [], limit: 100 });
  return rows.map((row) => outbox.open(row));
}

test('R30: files are stored unchanged and encrypted next to the answers before the confirmation', async () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\r\n--boundary\r\n'), randomBytes(300_000)]);
  const response = await send([
    ...GOOD,
    ['input_3', { bytes: pdf, name: 'a "b".pdf' }],
    ['input_3', { bytes: Buffer.from('The paper.'), name: 'notes.txt' }],
  ]);
  expect(await response.json()).toMatchObject({ ok: true });
  const [first, ...others] = await kept();
  expect(others).toEqual([]);
  expect(first?.answers).toEqual({ input_1: 'ada@example.org' });
  const files = first?.files.map(({ input, name, type, bytes }) => [input, name, type, Buffer.from(bytes)]);
  expect(files).toEqual([
    ['input_2', 'me.jpg', 'image/jpeg', JPEG],
    ['input_3[]', expect.stringMatching(/^a .*b.*\.pdf$/), 'application/pdf', pdf],
    ['input_3[]', 'notes.txt', 'text/plain', Buffer.from('The paper.')],
  ]);
  const [row] = await outbox.store.list({ states: [], limit: 1 });
  expect(Buffer.from(row?.payload ?? []).includes(JPEG.subarray(10, 40))).toBe(false);
});

test('R30: a repeated sign-up is stored once, and other files under its id change nothing', async () => {
  const id: Part = ['sign_up_id', randomUUID()];
  await send([id, ...GOOD]);
  await send([id, ...GOOD]);
  await send([id, ...GOOD.slice(0, 2), ['input_2', { bytes: jpeg(90), name: 'me.jpg' }]]);
  expect((await kept()).map((one) => one?.files[0]?.bytes.length)).toEqual([JPEG.length]);
  expect(lines.filter((line) => line.includes('sign-up repeated')).map((line) => JSON.parse(line).changed)).toEqual([
    false,
    true,
  ]);
});

const REFUSED = '“{file}” is not accepted. Allowed: jpg, png.';
const refused = (name: string) => REFUSED.replace('{file}', name);

test.each<[string, Part[], Record<string, string>]>([
  ['a missing required file', GOOD.slice(0, 2), { input_2: 'This field is required.' }],
  ['text in a file field', [...GOOD.slice(0, 2), ['input_2', 'me.jpg']], { input_2: 'This field is required.' }],
  [
    'an empty control',
    [...GOOD.slice(0, 2), ['input_2', { bytes: Buffer.alloc(0), name: '' }]],
    { input_2: 'This field is required.' },
  ],
  [
    'an empty file',
    [...GOOD.slice(0, 2), ['input_2', { bytes: Buffer.alloc(0), name: 'me.jpg' }]],
    { input_2: '“me.jpg” is empty.' },
  ],
  [
    'a file of another type',
    [...GOOD.slice(0, 2), ['input_2', { bytes: JPEG, name: 'me.gif' }]],
    { input_2: refused('me.gif') },
  ],
  [
    'a program with a picture’s name',
    [...GOOD.slice(0, 2), ['input_2', { bytes: Buffer.from('MZ..'), name: 'me.jpg' }]],
    { input_2: refused('me.jpg') },
  ],
  [
    'a name with two extensions',
    [...GOOD.slice(0, 2), ['input_2', { bytes: JPEG, name: '../../x.php.jpg' }]],
    { input_2: refused('x.php.jpg') },
  ],
  [
    'a file that is too large',
    [...GOOD.slice(0, 2), ['input_2', { bytes: jpeg(MEGABYTE + 1), name: 'me.jpg' }]],
    { input_2: '“me.jpg” is not accepted. At most 1 MB.' },
  ],
  ['a second file', [...GOOD, ['input_2', { bytes: JPEG, name: 'you.jpg' }]], { input_2: 'At most 1 files.' }],
  [
    'a file too many',
    [...GOOD, ...Array<Part>(3).fill(['input_3', { bytes: Buffer.from('x'), name: 'x.txt' }])],
    { input_3: 'At most 2 files.' },
  ],
  [
    'an SVG in a field for any type',
    [...GOOD, ['input_3', { bytes: Buffer.from('<svg onload=alert(1)>'), name: 'x.svg' }]],
    { input_3: '“x.svg” is not accepted.' },
  ],
])('R30: %s gets 422 with the field’s message, and nothing is stored', async (_what, parts, errors) => {
  expect(await errorsOf(await send(parts))).toEqual([422, errors]);
  expect(await kept()).toEqual([]);
});

test('R30: a file of the maximum size is accepted, and a name of 10,000 characters too', async () => {
  const parts: Part[] = [
    ...GOOD.slice(0, 2),
    ['input_2', { bytes: jpeg(MEGABYTE), name: `${'x'.repeat(10_000)}.jpg` }],
  ];
  expect((await send(parts)).status).toBe(200);
  expect((await kept())[0]?.files[0]?.name).toBe(`${'x'.repeat(80)}.jpg`);
});

test('R30: without script the page returns with the answers and asks for the file again', async () => {
  const response = await send([...GOOD.slice(0, 1), ['input_1', 'nobody'], ...GOOD.slice(2)], {});
  expect(response.status).toBe(422);
  const html = await response.text();
  expect(html).toMatch(/<form[^>]* enctype="multipart\/form-data"/i);
  expect(html).toContain('value="nobody"');
  expect(html).toMatch(/id="form-1-2-error"[^>]*>Please choose your file again\./i);
});

test('invariant 17: a body over the limit is rejected unread, with or without a length', async () => {
  const said = await app.request(`${SITE}/api/sign-ups`, {
    method: 'POST',
    body: new ReadableStream({ pull: () => Promise.reject(new Error('it was read')) }, { highWaterMark: 0 }),
    headers: {
      ...{ accept: 'application/json', 'content-type': 'multipart/form-data; boundary=x' },
      'content-length': String(LARGEST_UPLOAD + MEGABYTE),
    },
    duplex: 'half',
  } as RequestInit);
  expect(said.status).toBe(413);
  expect((await said.json()).message).toBe('All files together: at most 10 MB.');

  let pulled = 0;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const endless = new ReadableStream({
    pull(controller) {
      const head = `--x\r\nContent-Disposition: form-data; name="form_id"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="input_3"; filename="a.txt"\r\n\r\n`;
      controller.enqueue(pulled === 0 ? Buffer.from(head) : chunk);
      pulled += chunk.length;
    },
  });
  const undeclared = await app.request(`${SITE}/api/sign-ups`, {
    ...{ method: 'POST', body: endless, duplex: 'half' },
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  } as RequestInit);
  expect(undeclared.status).toBe(413);
  expect(await undeclared.text()).toContain('All files together: at most 10 MB.');
  expect(pulled).toBeLessThan(LARGEST_UPLOAD + MEGABYTE);
});

test('invariant 17: a form without files may have at most 64 KB in any encoding', async () => {
  const files: Part[] = [
    ['form_id', '2'],
    ['input_1', 'ada@example.org'],
    ['input_9', { bytes: jpeg(70_000), name: 'a.jpg' }],
  ];
  expect((await send(files)).status).toBe(413);
  expect(
    (
      await send([
        ['form_id', '1'],
        ['input_1', 'x'.repeat(70_000)],
      ])
    ).status,
  ).toBe(413);
  const many = Array<Part>(2_000).fill(['x', 'y']);
  expect((await send([['form_id', '1'], ...many])).status).toBe(413);
  expect(await kept()).toEqual([]);
});

test('invariant 17: invalid, truncated and interrupted bodies are rejected, and the next one is accepted', async () => {
  const post = (body: BodyInit, type: string) =>
    app.request(`${SITE}/api/sign-ups`, {
      method: 'POST',
      body,
      headers: { 'content-type': type, accept: 'application/json' },
      duplex: 'half',
    } as RequestInit);
  const open = '--x\r\nContent-Disposition: form-data; name="input_2"; filename="a.jpg"\r\n\r\nabc';
  expect((await post('abc', 'multipart/form-data')).status).toBe(415);
  expect((await post('abc', 'multipart/form-data; boundary=x')).status).toBeGreaterThanOrEqual(400);
  expect((await post(open, 'multipart/form-data; boundary=x')).status).toBeGreaterThanOrEqual(400);
  let pulls = 0;
  const breaking = new ReadableStream({
    pull(controller) {
      if (pulls++ === 0) controller.enqueue(Buffer.from(open));
      else controller.error(new Error('connection lost'));
    },
  });
  expect((await post(breaking, 'multipart/form-data; boundary=x')).status).toBeGreaterThanOrEqual(400);
  expect((await send(GOOD)).status).toBe(200);
});
