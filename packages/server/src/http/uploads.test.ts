import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { form, formPath, json, page, pagePath } from '@pillion/content/testing/fake-wordpress.ts';
import { MAX_UPLOAD_BYTES, MEGABYTE } from '@pillion/forms/files.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox, type Outbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECRET_KEY, SITE } from '../testing/start-app.ts';
import { startAppForEach } from '../testing/start-app-for-each.ts';

const FIELDS = [
  { id: 1, type: 'email', label: 'Email', isRequired: true },
  {
    ...{ id: 2, type: 'fileupload', label: 'Photo', isRequired: true, allowedExtensions: 'jpg, .PNG', maxFileSize: 1 },
    ...{ errorMessage: '' },
  },
  { id: 3, type: 'fileupload', label: 'Papers', multipleFiles: true, maxFiles: '2', maxFileSize: '' },
];

const app = startAppForEach({
  prepare({ wordpress: { plays } }) {
    plays.set(formPath(1), json(form(1, { fields: FIELDS })));
    plays.set(formPath(2), json(form(2)));
    // A form that is on no page cannot be used.
    plays.set(pagePath(2), json(page(2, { sections: [{ type: 'sign-up', form_id: 2 }] })));
  },
});
let outbox: Outbox;
beforeEach(() => {
  outbox = createOutbox(app.store, createCipher(SECRET_KEY));
});
afterEach(async () => {
  await app.close();
  const left = await readdir(app.directory);
  // No temporary file remains, with any outcome.
  expect(left.filter((name) => name.startsWith('.upload'))).toEqual([]);
  expect(JSON.stringify(app.lines), 'personal data in the log').not.toMatch(/example\.org|me\.jpg/);
});

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(5_000)]);
const jpeg = (size: number) => Buffer.concat([JPEG.subarray(0, 4), randomBytes(size - 4)]);

type Part = [name: string, value: string | { bytes: Uint8Array; name: string }];

const file = (input: string, name: string, bytes: Uint8Array | string = JPEG): Part => [
  input,
  { name, bytes: Buffer.from(bytes) },
];
const ANSWERS: Part[] = [
  ['form_id', '1'],
  ['input_1', 'ada@example.org'],
];
const withPhoto = (name: string, bytes?: Uint8Array | string): Part[] => [...ANSWERS, file('input_2', name, bytes)];
const GOOD = withPhoto('me.jpg');

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
  const response = await send([...GOOD, file('input_3', 'a "b".pdf', pdf), file('input_3', 'notes.txt', 'The paper.')]);
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
  await send([id, ...withPhoto('me.jpg', jpeg(90))]);
  expect((await kept()).map((one) => one?.files[0]?.bytes.length)).toEqual([JPEG.length]);
  const repeats = app.lines.filter(({ event }) => event.includes('sign-up repeated'));
  expect(repeats.map(({ details }) => details.changed)).toEqual([false, true]);
});

const REQUIRED = { input_2: 'This field is required.' };
const refused = (name: string) => ({ input_2: `“${name}” is not accepted. Allowed: jpg, png.` });

test.each<[string, Part[], Record<string, string>]>([
  ['a missing required file', ANSWERS, REQUIRED],
  ['text in a file field', [...ANSWERS, ['input_2', 'me.jpg']], REQUIRED],
  ['an empty control', withPhoto('', ''), REQUIRED],
  ['an empty file', withPhoto('me.jpg', ''), { input_2: '“me.jpg” is empty.' }],
  ['a file of another type', withPhoto('me.gif'), refused('me.gif')],
  ['a program with a picture’s name', withPhoto('me.jpg', 'MZ..'), refused('me.jpg')],
  ['a name with two extensions', withPhoto('../../x.php.jpg'), refused('x.php.jpg')],
  [
    'a file that is too large',
    withPhoto('me.jpg', jpeg(MEGABYTE + 1)),
    { input_2: '“me.jpg” is not accepted. At most 1 MB.' },
  ],
  ['a second file', [...GOOD, file('input_2', 'you.jpg')], { input_2: 'At most 1 files.' }],
  [
    'a file too many',
    [...GOOD, ...Array<Part>(3).fill(file('input_3', 'x.txt', 'x'))],
    { input_3: 'At most 2 files.' },
  ],
  [
    'an SVG in a field for any type',
    [...GOOD, file('input_3', 'x.svg', '<svg onload=alert(1)>')],
    { input_3: '“x.svg” is not accepted.' },
  ],
])('R30: %s gets 422 with the field’s message, and nothing is stored', async (_what, parts, errors) => {
  expect(await errorsOf(await send(parts))).toEqual([422, errors]);
  expect(await kept()).toEqual([]);
});

test('R30: a file of the maximum size is accepted, and a name of 10,000 characters too', async () => {
  expect((await send(withPhoto(`${'x'.repeat(10_000)}.jpg`, jpeg(MEGABYTE)))).status).toBe(200);
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
  const response = await app.request(`${SITE}/api/sign-ups`, {
    method: 'POST',
    body: new ReadableStream({ pull: () => Promise.reject(new Error('it was read')) }, { highWaterMark: 0 }),
    headers: {
      ...{ accept: 'application/json', 'content-type': 'multipart/form-data; boundary=x' },
      'content-length': String(MAX_UPLOAD_BYTES + MEGABYTE),
    },
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
  expect((await response.json()).message).toBe('All files together: at most 10 MB.');

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
  expect(pulled).toBeLessThan(MAX_UPLOAD_BYTES + MEGABYTE);
});

test('invariant 17: a form without files may have at most 64 KB in any encoding', async () => {
  const id = (form: string): Part => ['form_id', form];
  expect((await send([id('2'), file('input_9', 'a.jpg', jpeg(70_000))])).status).toBe(413);
  expect((await send([id('1'), ['input_1', 'x'.repeat(70_000)]])).status).toBe(413);
  expect((await send([id('1'), ...Array<Part>(2_000).fill(['x', 'y'])])).status).toBe(413);
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
  expect((await post('abc', 'multipart/form-data; boundary=x')).status).toBe(415);
  expect((await post(open, 'multipart/form-data; boundary=x')).status).toBe(415);
  let pulls = 0;
  const breaking = new ReadableStream({
    pull(controller) {
      if (pulls++ === 0) controller.enqueue(Buffer.from(open));
      else controller.error(new Error('connection lost'));
    },
  });
  expect((await post(breaking, 'multipart/form-data; boundary=x')).status).toBe(415);
  expect((await send(GOOD)).status).toBe(200);
});
