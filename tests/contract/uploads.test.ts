import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@pillion/content/wordpress/client.ts';
import { createGravityForms } from '@pillion/sign-ups/backends/gravity-forms/backend.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import type { StoredFile } from '@pillion/sign-ups/outbox/outbox.ts';
import { createOutbox, type Outbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { createDirectSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { login } from './browser.ts';
import { php, phpValue, setOption, wordpress } from './wordpress.ts';

/** Form 7 has a field for a picture and one for up to two documents. */
const FORM = `array( 7 => array( 'id' => 7, 'title' => 'Files', 'is_active' => '1', 'fields' => array(
  array( 'id' => 1, 'type' => 'email', 'label' => 'Email', 'isRequired' => true ),
  array( 'id' => 2, 'type' => 'fileupload', 'label' => 'Photo', 'isRequired' => true, 'allowedExtensions' => 'jpg, png', 'maxFileSize' => 1 ),
  array( 'id' => 3, 'type' => 'fileupload', 'label' => 'Papers', 'multipleFiles' => true, 'maxFiles' => '2' ),
  array( 'id' => 4, 'type' => 'multiselect', 'label' => 'Places' ),
), 'confirmations' => array() ) )`;

let directory: string;
let client: Client;
let outbox: Outbox;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-outbox-'));
  const { url, key, secret } = wordpress();
  client = createClient({ baseUrl: url, key, secret });
  outbox = createOutbox(createDirectSqliteStore(directory), createCipher('a secret of the tests'));
});
afterEach(async () => {
  client.close();
  await outbox.store.close();
  rmSync(directory, { recursive: true, force: true });
});

const file = (input: string, name: string, bytes: Uint8Array): StoredFile => ({
  input,
  name,
  type: 'image/jpeg',
  bytes,
});
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function keep(files: StoredFile[], answers: Record<string, string | string[]>): Promise<string> {
  const signUpId = randomUUID();
  await outbox.add({ signUpId, formId: 7, answers, files, consentText: null, suspected: null });
  return signUpId;
}

async function deliver(signUpId: string) {
  const signUp = await outbox.store.get(signUpId);
  if (!signUp) throw new Error('the sign-up is gone');
  const payload = outbox.open(signUp);
  if (!payload) throw new Error('the sign-up was erased');
  const { submit, interpret } = createGravityForms(client);
  const outgoing = { ...signUp, ...payload };
  return interpret(await submit(outgoing, AbortSignal.timeout(30_000)), outgoing, Date.now());
}

interface Entry {
  id: number;
  values: Record<string, string>;
  files: { folder: string; files: { input: string; name: string; size: number }[] } | null;
}

const entries = (signUpId: string) =>
  phpValue<Entry[]>(`return array_map( function ( $p ) { return array( 'id' => $p->ID,
    'values' => json_decode( get_post_meta( $p->ID, '_pillion_values', true ) ),
    'files' => json_decode( get_post_meta( $p->ID, '_pillion_files', true ) ) ); },
    array_values( array_filter( get_posts( array( 'post_type' => 'pillion_entry', 'post_status' => 'any', 'numberposts' => -1 ) ),
      function ( $p ) { return 0 === strpos( $p->post_name, '${signUpId}' ); } ) ) );`);

const uploads = () => phpValue<string>(`return wp_upload_dir()['basedir'] . '/pillion';`);
const foldersOf = (signUpId: string) => readdirSync(uploads()).filter((name) => name.startsWith(signUpId));

test('R30: files reach WordPress unchanged and once, under unguessable names, and editors can get them', async () => {
  setOption('pillion_forms', FORM);
  const photo = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(900_000), Buffer.from('\r\n--x--\r\n')]);
  const paper = randomBytes(6_000_000);
  const files = [
    file('input_2', 'Ada on the tour.jpg', photo),
    file('input_3[]', 'a.bin', paper),
    file('input_3[]', 'b.bin', Buffer.from('b')),
  ];
  const typed = `O'Neil "50%20" \\ \n\u{1F3CD}@example.org`.replace(/\s/g, '');
  const id = await keep(files, { input_1: 'ada@example.org', input_4: ['coast', typed] });
  expect(await deliver(id)).toMatchObject({ kind: 'delivered' });
  // The same as after a kill between WordPress' confirmation and the site's record of it.
  expect(await deliver(id)).toMatchObject({ kind: 'delivered' });
  const [entry, ...others] = entries(id);
  expect(others).toEqual([]);
  if (!entry) throw new Error('there is no entry');
  expect(entry.values).toMatchObject({ 1: 'ada@example.org', 3: 'a.bin, b.bin', 4: `coast, ${typed}` });
  const folders = foldersOf(id);
  expect(folders).toHaveLength(1);
  expect(folders[0]).toMatch(/-[\da-f]{32}$/);
  const kept = [0, 1, 2].map((at) => digest(readFileSync(join(uploads(), folders[0] ?? '', `${at}`))));
  expect(kept).toEqual(files.map(({ bytes }) => digest(bytes)));

  const { url } = wordpress();
  expect(
    (await fetch(`${url}/wp-content/uploads/pillion/`)).status === 200
      ? await (await fetch(`${url}/wp-content/uploads/pillion/`)).text()
      : '',
  ).not.toContain(folders[0]);
  const browser = await login();
  const screen = await browser.page(`/wp-admin/post.php?post=${entry.id}&action=edit`);
  const links = [...screen.html.matchAll(/<a href="([^"]*pillion_entry_file[^"]*)">([^<]*)<\/a>/g)];
  expect(links.map(([, , name]) => name)).toEqual(['Ada-on-the-tour.jpg', 'a.bin', 'b.bin']);
  const address = (links[2]?.[1] ?? '').replaceAll('&#038;', '&').replaceAll('&amp;', '&');
  const saved = await browser.page(address.replace(url, ''));
  expect([saved.html, saved.headers.get('content-type')]).toEqual(['b', 'application/octet-stream']);
  expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="b.bin"/);
  try {
    php(`( new WP_User( 1 ) )->set_role( 'author' );`);
    expect((await browser.page(address.replace(url, ''))).status, 'the same editor without the right').toBe(404);
  } finally {
    php(`( new WP_User( 1 ) )->set_role( 'administrator' );`);
  }
  expect((await fetch(address, { redirect: 'manual' })).status).not.toBe(200);
  php(`wp_delete_post( ${entry.id}, true );`);
  expect(foldersOf(id)).toEqual([]);
});

test.each<[string, string | null]>([
  ['a program', 'x.php'],
  ['two endings', 'x.php.jpg'],
  ['another kind', 'x.gif'],
  ['none', null],
  ['an empty one', 'empty.jpg'],
])('R30: WordPress rejects %s itself and stores nothing of it', async (_what, name) => {
  setOption('pillion_forms', FORM);
  const bytes = name === 'empty.jpg' ? Buffer.alloc(0) : Buffer.from('hello');
  const other = file('input_3[]', 'b.bin', Buffer.from('b'));
  const id = await keep(name === null ? [other] : [file('input_2', name, bytes)], { input_1: 'ada@example.org' });
  expect(await deliver(id)).toMatchObject({ kind: 'refused', fields: ['2'] });
  expect(entries(id)).toEqual([]);
});

test('R30: WordPress rejects a file whose stored name would be that of a program', async () => {
  setOption('pillion_forms', FORM);
  const photo = file('input_2', 'a.jpg', Buffer.from('hello'));
  // WordPress would store it as x.bat.
  const id = await keep([photo, file('input_3[]', 'x.bat)', Buffer.from('b'))], { input_1: 'ada@example.org' });
  expect(await deliver(id)).toMatchObject({ kind: 'refused', fields: ['3'] });
  expect(entries(id)).toEqual([]);
});
