import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { login } from './browser.ts';
import {
  createUser,
  php,
  phpAfterwards,
  phpValue,
  rest,
  setOption,
  usePlugin,
  withOption,
  wordpress,
} from './wordpress.ts';

/** Entries of sign-ups in wp-admin: the list, the mails, and the privacy tools for export and erasure. */
const LIST = '/wp-admin/edit.php?post_type=pillion_entry';

const send = async (answers: Record<string, unknown>, form = 1) =>
  (await rest(`gf/v2/forms/${form}/submissions`, { body: { input_3_1: '1', sign_up_id: randomUUID(), ...answers } }))
    .body;

afterAll(() => {
  php(
    `foreach ( get_posts( array( 'post_type' => 'pillion_entry', 'post_status' => array( 'private', 'trash' ), 'numberposts' => -1 ) ) as $p ) { wp_delete_post( $p->ID, true ); }`,
  );
});

test('R30: WordPress’ search finds a sign-up by any of its answers, and the list can show one form only', async () => {
  await send({ input_1: 'Ada Quist', input_2: 'Ada.Quist@example.org' });
  await send({ input_1: 'Bo Lind', input_2: 'bo@example.org' });
  const browser = await login();
  const rows = async (query: string) =>
    [...(await browser.page(`${LIST}&${query}`)).html.matchAll(/class="row-title"[^>]*>([^<]+)</g)].map(
      ([, title]) => title,
    );
  expect(await rows('s=ada.quist@example.org')).toEqual(['Ada.Quist@example.org']);
  expect(await rows('s=Lind')).toEqual(['bo@example.org']);
  expect(await rows('s=nobody@example.org')).toEqual([]);
  expect(await rows('pillion_form=1')).toEqual(expect.arrayContaining(['bo@example.org', 'Ada.Quist@example.org']));
  // Another test may have sent a sign-up to this form.
  expect(await rows('pillion_form=2')).not.toContain('bo@example.org');
});

test('R30: editors can delete many sign-ups at once and cannot change any', async () => {
  const ids = [
    await send({ input_1: 'A', input_2: 'a@example.org' }),
    await send({ input_1: 'B', input_2: 'b@example.org' }),
  ];
  const browser = await login();
  const list = await browser.page(LIST);
  expect(list.html).toContain('<option value="trash">');
  expect(list.html).not.toContain('<option value="edit"');
  expect(list.html).not.toContain('editinline');
  const nonce = /name="_wpnonce" value="(\w+)"/.exec(list.html)?.[1] ?? '';
  const posts = ids.map(({ entry_id: id }, index) => `&post[${index}]=${id}`).join('');
  await browser.page(`${LIST}&action=trash&_wpnonce=${nonce}${posts}`);
  for (const { entry_id: id } of ids) expect(phpValue(`return get_post_status( ${id} );`)).toBe('trash');
});

test('R30: the capability of the filter pillion_capability decides who reads and deletes sign-ups', async () => {
  const { entry_id: id } = await send({ input_1: 'Eve Reader', input_2: 'eve@example.org' });
  createUser('entries-editor');
  php(`add_role( 'entries_reader', 'Reader', array( 'read' => true, 'read_sign_ups' => true ) );`);
  phpAfterwards(`remove_role( 'entries_reader' );`);
  createUser('entries-reader', 'entries_reader');
  usePlugin(`add_filter( 'pillion_capability', static function () { return 'read_sign_ups'; } );`);
  const [editor, reader] = [
    await login('entries-editor', 'entries-editor'),
    await login('entries-reader', 'entries-reader'),
  ];
  const screen = `/wp-admin/post.php?post=${id}&action=edit`;
  expect((await editor.page(screen)).html).not.toContain('Eve Reader');
  expect((await reader.page(screen)).html).toContain('Eve Reader');
  expect((await reader.page(LIST)).html).toContain('Eve Reader');
  expect(
    phpValue(
      `return array_map( static function ( $name ) { return user_can( get_user_by( 'login', $name ), 'delete_post', ${id} ); }, array( 'entries-editor', 'entries-reader' ) );`,
    ),
  ).toEqual([false, true]);
});

test('R30: a sign-up restored from the trash is private again, and privacy requests include it', async () => {
  const { entry_id: id } = await send({ input_1: 'Finn', input_2: 'finn@example.org' });
  php(`wp_trash_post( ${id} );`);
  const browser = await login();
  const { html } = await browser.page(`${LIST}&post_status=trash`);
  const restore = new RegExp(`post\\.php\\?post=${id}&amp;action=untrash&amp;_wpnonce=\\w+`).exec(html)?.[0] ?? '';
  await browser.page(`/wp-admin/${restore.replaceAll('&amp;', '&')}`);
  expect(phpValue(`return get_post_status( ${id} );`)).toBe('private');
  const erased = phpValue(
    `return apply_filters( 'wp_privacy_personal_data_erasers', array() )['pillion-sign-ups']['callback']( 'finn@example.org', 1 );`,
  );
  expect(erased).toMatchObject({ items_removed: true, items_retained: false });
});

test('R30: WordPress’ privacy tools export and erase everything sent with an address', async () => {
  await send({ input_1: 'Cleo', input_2: "o'Cleo+a&b@example.org" });
  await send({ input_1: 'Cleo again', input_2: "O'CLEO+A&B@example.org" });
  const other = await send({ input_1: 'Not Cleo', input_2: 'cleo@example.org' });
  const email = `"o'Cleo+A&b@example.org"`;
  const exported = phpValue<{ data: { data: { name: string; value: string }[] }[]; done: boolean }>(
    `return apply_filters( 'wp_privacy_personal_data_exporters', array() )['pillion-sign-ups']['callback']( ${email}, 1 );`,
  );
  expect(exported.done).toBe(true);
  expect(exported.data.map(({ data }) => data.slice(0, 2))).toMatchObject([
    [
      { name: 'Name', value: 'Cleo' },
      { name: 'Email', value: "o'Cleo+a&b@example.org" },
    ],
    [{ name: 'Name', value: 'Cleo again' }, { name: 'Email' }],
  ]);
  const erase = `return apply_filters( 'wp_privacy_personal_data_erasers', array() )['pillion-sign-ups']['callback']( ${email}, 1 );`;
  expect(phpValue(erase)).toMatchObject({ items_removed: true, items_retained: false, done: true });
  expect(phpValue(erase)).toMatchObject({ items_removed: false, done: true });
  expect(phpValue(`return get_post_status( ${other.entry_id} );`)).toBe('private');
  expect(
    phpValue(
      `global $wpdb; return (int) $wpdb->get_var( "SELECT count(*) FROM $wpdb->postmeta WHERE meta_value LIKE '%Cleo again%'" );`,
    ),
  ).toBe(0);
});

test('answers keep the field names of the time they were given, with a label for each part of a name', async () => {
  const form = (label: string) =>
    `array( 6 => array( 'id' => 6, 'title' => 'Six', 'is_active' => '1', 'confirmations' => array(), 'fields' => array( array( 'id' => 4, 'type' => 'name', 'label' => '${label}', 'inputs' => array( array( 'id' => '4.3' ), array( 'id' => '4.6' ) ) ) ) ) )`;
  let id = 0;
  await withOption('pillion_forms', form('Reader'), async () => {
    id = (await send({ input_4_3: 'Ada', input_4_6: 'Quist' }, 6)).entry_id;
  });
  const { html } = await (await login()).page(`/wp-admin/post.php?post=${id}&action=edit`);
  expect(html).toMatch(/<th scope="row">Reader: First<\/th><td>Ada<\/td>/);
  expect(html).toMatch(/<th scope="row">Reader: Last<\/th><td>Quist<\/td>/);
});

test('the screen of a sign-up and the privacy export show its campaigns', async () => {
  const email = 'campaign@example.org';
  const campaigns = { first: { ref: 'ada' }, last: { utm_source: 'A "quoted" <b>\\' } };
  const { entry_id: id } = await send({
    ...{ input_1: 'Dot', input_2: email, pillion_attribution: JSON.stringify(campaigns) },
  });
  const { html } = await (await login()).page(`/wp-admin/post.php?post=${id}&action=edit`);
  expect(html).toContain('<th scope="row">First campaign: ref</th><td>ada</td>');
  expect(html).toContain('<th scope="row">Last campaign: utm_source</th><td>A &quot;quoted&quot; &lt;b&gt;\\</td>');
  const exported = phpValue<{ data: { data: object[] }[] }>(
    `return apply_filters( 'wp_privacy_personal_data_exporters', array() )['pillion-sign-ups']['callback']( '${email}', 1 );`,
  );
  expect(exported.data[0]?.data).toContainEqual({ name: 'First campaign: ref', value: 'ada' });
});

/** A mail transport that writes each mail to a file. WordPress' own mailer runs up to this point. */
const outgoing = () => join(wordpress().directory, 'outgoing.txt');
const mailProgram = () => join(wordpress().directory, 'mail.sh');
const mails = () => (existsSync(outgoing()) ? readFileSync(outgoing(), 'utf8').split('--END--\n').slice(0, -1) : []);

function useMailProgram(lines: string) {
  writeFileSync(mailProgram(), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  usePlugin(
    `add_action( 'phpmailer_init', function ( $mail ) { $mail->Mailer = 'sendmail'; $mail->Sendmail = '${mailProgram()}'; } );
      add_filter( 'wp_mail_from', function () { return 'site@example.org'; } );`,
  );
}

beforeEach(() => rmSync(outgoing(), { force: true }));

const TOLD = (to: string) => `( static function () { $forms = get_option( 'pillion_forms' );
  $forms[1]['title'] = "Join\\r\\nBcc: thief@example.org"; $forms[1]['notifications'] = array( 'a' => array( 'to' => '${to}' ) ); return $forms; } )()`;

test('R30: a sign-up sends one mail, also when it is repeated, and a reply goes to the visitor', async () => {
  useMailProgram(`cat >> '${outgoing()}'; echo '--END--' >> '${outgoing()}'`);
  setOption('pillion_forms', TOLD('crew@example.org, {admin_email}'));
  const answers = { input_1: 'Ada', input_2: 'ada@example.org', sign_up_id: randomUUID() };
  await Promise.all(Array.from({ length: 4 }, () => send(answers)));
  await send(answers);
  await expect.poll(() => mails().length).toBe(1);
  const [mail = ''] = mails();
  expect(mail).toMatch(/^To: crew@example\.org, admin@example\.org$/m);
  expect(mail).toMatch(/^Reply-To: ada@example\.org$/m);
  expect(mail).toMatch(/^Subject: Sign-up: Join Bcc: thief@example\.org$/m);
  expect(mail).toContain('Name: Ada\n');
  expect(mail).toContain('Email: ada@example.org\n');
  expect(mail).toMatch(/wp-admin\/post\.php\?post=\d+&action=edit/);
});

test('R30: no visitor input becomes a header of the mail', async () => {
  useMailProgram(`cat >> '${outgoing()}'; echo '--END--' >> '${outgoing()}'`);
  setOption('pillion_forms', TOLD('crew@example.org'));
  await send({ input_1: 'Ada\nBcc: thief@example.org', input_2: 'ada\n@example.org' });
  await send({ input_1: 'Ada', input_2: 'ada@example.org\nBcc: thief@example.org' });
  await send({ input_1: 'Ada', input_2: 'ada,thief@example.org' });
  await send({ input_1: 'End', input_2: 'end@example.org' });
  await expect.poll(() => mails().some((mail) => mail.includes('Name: End'))).toBe(true);
  for (const mail of mails()) {
    const [head = ''] = mail.split(/\r?\n\r?\n/);
    expect(head).not.toMatch(/^bcc:/im);
    expect(head.match(/^Reply-To: .*$/m)?.[0] ?? 'Reply-To: end@example.org').toBe('Reply-To: end@example.org');
  }
});

test.each([
  ['the mail server', () => useMailProgram('exit 1'), 'The notification email could not be sent: '],
  [
    'a plugin without a reason',
    () => usePlugin("add_filter( 'pre_wp_mail', '__return_false' );"),
    'The notification email could not be sent: WordPress gives no reason.',
  ],
])(
  'R30: a sign-up whose mail %s rejects is stored and confirmed, and its screen says so',
  async (_, reject, notice) => {
    reject();
    await withOption('pillion_forms', TOLD('crew@example.org'), async () => {
      const answer = await send({ input_1: 'Ada', input_2: 'ada@example.org' });
      expect(answer).toMatchObject({ is_valid: true, entry_id: expect.any(Number) });
      const browser = await login();
      await expect
        .poll(async () => (await browser.page(`/wp-admin/post.php?post=${answer.entry_id}&action=edit`)).html)
        .toContain(notice);
    });
    expect((await rest('gf/v2/forms/1')).body.notifications).toEqual([]);
  },
);
