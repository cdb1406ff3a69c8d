import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { login } from '../contract/browser.ts';
import { rest } from '../contract/wordpress.ts';
import { readSignUps } from '../support/sign-ups.ts';
import type { RunningSite } from '../support/site.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

/** Delivery from the stored row to a whole entry, with the real Gravity Forms. */

/** Faults while an entry is stored, each triggered once. PHP is killed with SIGKILL. */
const FAULTS = `<?php
function pillion_test_fault( $name ) { $file = __DIR__ . "/$name"; return is_file( $file ) && @unlink( $file ); }
function pillion_test_die() { posix_kill( getmypid(), SIGKILL ); }
add_action( 'gform_entry_created', function () { if ( pillion_test_fault( 'die-before-id' ) ) { pillion_test_die(); } }, 0 );
add_filter( 'gform_entry_post_save', function ( $entry ) { if ( pillion_test_fault( 'die-before-mail' ) ) { pillion_test_die(); } return $entry; } );
add_filter( 'gform_entry_id_pre_save_lead', function ( $id ) {
  if ( pillion_test_fault( 'pause' ) ) {
    touch( __DIR__ . '/paused' );
    while ( ! is_file( __DIR__ . '/go' ) ) { usleep( 20000 ); }
  }
  return $id;
}, 1 );
add_filter( 'query', function ( $query ) {
  return preg_match( '/^\\s*INSERT INTO\\s+.?wp_gf_entry_meta/i', $query ) && pillion_test_fault( 'fail-one-write' ) ? 'NO SQL' : $query;
} );`;

const FORM = `array( 'title' => 'Delivery', 'is_active' => true, 'fields' => array(
    array( 'id' => 1, 'type' => 'text', 'label' => 'Name' ), array( 'id' => 2, 'type' => 'email', 'label' => 'Email' ),
    array( 'id' => 3, 'type' => 'textarea', 'label' => 'Words' ), array( 'id' => 4, 'type' => 'text', 'label' => 'More' ) ),
  'notifications' => array( 'n' => array( 'id' => 'n', 'name' => 'Desk', 'isActive' => true, 'event' => 'form_submission', 'toType' => 'email', 'to' => 'desk@example.org',
    'subject' => 'New', 'message' => 'by={user:user_login} at={embed_url} with={user_agent} from={ip} name={Name:1}', 'disableAutoformat' => true ) ),
  'confirmations' => array(
    'd' => array( 'id' => 'd', 'name' => 'Default', 'isDefault' => true, 'type' => 'message', 'message' => '<b onclick="x()">Thank you {Name:1}!</b> Your number: {entry_id}.', 'url' => '', 'queryString' => '' ),
    'r' => array( 'id' => 'r', 'name' => 'Elsewhere', 'isDefault' => false, 'type' => 'redirect', 'message' => '', 'url' => 'https://example.org/read/', 'queryString' => 'n={Name:1}',
      'conditionalLogic' => array( 'actionType' => 'show', 'logicType' => 'all', 'rules' => array( array( 'fieldId' => '1', 'operator' => 'is', 'value' => 'Away & co' ) ) ) ) ) )`;

let site: PluginSite;
let pillion: RunningSite;
let form: number;
const place = (file: string) => join(site.wordpress.directory, 'html/wp-content/mu-plugins', file);
const fault = (name: string) => writeFileSync(place(name), '');

beforeAll(async () => {
  if (!owned.gravityforms) return;
  site = await startPluginSite({ plugins: ['gravityforms'], isNotified: true });
  // Not form 1, because the bundled copy has it and replaces it when WordPress is slow.
  form = site.phpValue<number>(`GFAPI::add_form( ${FORM} ); return GFAPI::add_form( ${FORM} );`);
  site.php(
    `$strings = get_option( 'pillion_strings', array() ); $strings['form']['form_id'] = ${form}; update_option( 'pillion_strings', $strings );`,
  );
  writeFileSync(place('faults.php'), FAULTS);
  // The tests need the response of this WordPress, even on a busy machine.
  pillion = await site.startPillion({ CONTENT_TIMEOUT_MS: '30000' });
  const drawn = `name="form_id" value="${form}"`;
  const isRead = async () =>
    expect((await (await fetch(pillion.url)).text()).includes(drawn), pillion.output()).toBe(true);
  await vi.waitFor(isRead, { timeout: 60_000, interval: 500 });
});
afterEach(() => {
  for (const file of ['paused', 'go']) if (site) rmSync(place(file), { force: true });
});
afterAll(() => site?.stop());

const real = test.skipIf(!owned.gravityforms);

type Fields = Record<string, string>;

/** A request as the visitor's browser sends it. */
const visit = (fields: Fields, headers: Fields = {}) =>
  fetch(`${pillion.url}/api/sign-ups`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ form_id: `${form}`, ...fields }),
    headers: {
      accept: 'application/json',
      'user-agent': 'A browser/1.0',
      referer: `${pillion.url}/?utm_source=mail`,
      ...headers,
    },
  });

async function signUp(fields: Fields, headers: Fields = {}) {
  const id = randomUUID();
  const answer = await visit({ sign_up_id: id, ...fields }, headers);
  return { id, status: answer.status, answer: (await answer.json()) as Record<string, string> };
}

const entriesOf = (id: string) =>
  site.phpValue<Record<string, string>[]>(
    `return array_map( array( 'GFAPI', 'get_entry' ), GFAPI::get_entry_ids( ${form}, array( 'field_filters' => array( array( 'key' => 'pillion_sign_up_id', 'value' => '${id}' ) ) ) ) );`,
  );
const countEntries = () =>
  site.phpValue<number>(`global $wpdb; return (int) $wpdb->get_var( "SELECT count(*) FROM {$wpdb->prefix}gf_entry" );`);
const delivered = async (id: string) => {
  await expect.poll(async () => (await rowOf(id))?.state, { timeout: 60_000 }).toBe('delivered');
  return entriesOf(id);
};
const rowOf = async (id: string) => (await readSignUps(pillion.dataDirectory, null)).find((row) => row.id === id);

/** Sends directly to WordPress, as the site does. */
const submit = (id: string, fields: Fields = {}) =>
  fetch(`${site.wordpress.url}/wp-json/gf/v2/forms/${form}/submissions`, {
    method: 'POST',
    body: new URLSearchParams({ input_1: 'Ada', input_2: 'ada@example.org', sign_up_id: id, ...fields }),
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${site.wordpress.key}:${site.wordpress.secret}`).toString('base64')}`,
    },
  }).then(async (response) => ({ status: response.status, body: (await response.json()) as Record<string, unknown> }));

const restApi = (enabled: 0 | 1) =>
  site.php(`update_option( 'gravityformsaddon_gravityformswebapi_settings', array( 'enabled' => '${enabled}' ) );`);

const letTimePass = (seconds: number) =>
  site.php(
    `global $wpdb; $wpdb->query( "UPDATE {$wpdb->prefix}pillion_intake SET taken_at = taken_at - ${seconds}" );`,
  );

real('R30: the entry and its mail have the visitor’s page and address on the site, none of WordPress', async () => {
  site.forgetMails();
  const { id } = await signUp({ input_1: 'Zoë', input_2: 'zoe@example.org' });
  const page = `${pillion.url}/?utm_source=mail`;
  expect(await delivered(id)).toMatchObject([
    { source_url: page, user_agent: 'A browser/1.0', ip: '127.0.0.1', created_by: null, status: 'active' },
  ]);
  expect(site.mails().map(({ message }) => message)).toEqual([
    expect.stringContaining(`by= at=${page} with=A browser/1.0 from=127.0.0.1 name=Zo`),
  ]);
  expect((await rowOf(id))?.answers).toEqual({ input_1: 'Zoë', input_2: 'zoe@example.org' });
  expect((await signUp({ input_1: 'a\0b' })).status).toBe(422);
});

real('R30: no address is sent for a form that stores none', async () => {
  site.php(
    `$form = GFAPI::get_form( ${form} ); $form['personalData'] = array( 'preventIP' => true ); GFAPI::update_form( $form );`,
  );
  await expect
    .poll(async () => (await delivered((await signUp({ input_1: 'Bo' })).id))[0]?.ip, {
      timeout: 90_000,
      interval: 5_000,
    })
    .toBe('');
  site.php(`$form = GFAPI::get_form( ${form} ); unset( $form['personalData'] ); GFAPI::update_form( $form );`);
});

real(
  'R30: the visitor gets Gravity Forms’ confirmation, filled in and sanitised, with and without script',
  async () => {
    const { id, answer } = await signUp({ input_1: '<i>Ada</i> & co', input_2: 'ada@example.org' });
    const [entry] = await delivered(id);
    expect(answer.confirmation).toContain(`Your number: ${entry?.id}.`);
    expect(answer.confirmation).toMatch(/<b>Thank you .*Ada.*co!<\/b>/);
    expect(answer.confirmation).not.toMatch(/onclick|\{/);
    const away = await signUp({ input_1: 'Away & co', input_2: 'ada@example.org' });
    expect(away.answer.redirect).toBe('https://example.org/read/?n=Away+%26+co');

    const posted = await visit({ input_1: 'Cleo', input_2: 'cleo@example.org' }, { accept: 'text/html' });
    const thanks = posted.headers.get('location') ?? '';
    expect([posted.status, thanks]).toEqual([303, expect.stringContaining('/api/sign-ups/thanks?form_id=')]);
    expect(thanks).not.toMatch(/cleo|[\da-f]{8}-[\da-f]{4}/i);
    const page = await fetch(pillion.url + thanks);
    expect(await page.text()).toContain('Thank you Cleo!');
    expect(page.headers.get('cache-control')).toContain('no-store');
    const other = await fetch(pillion.url + thanks.replace(/&for=[^&]*/, ''));
    expect(await other.text()).not.toContain('Thank you!');
    const gone = await visit({ input_1: 'Away & co', input_2: 'ada@example.org' }, { accept: 'text/html' });
    const next = await fetch(pillion.url + gone.headers.get('location'));
    expect([next.status, next.headers.get('refresh')]).toEqual([200, '0; url=https://example.org/read/?n=Away+%26+co']);
  },
);

real(
  'invariant 5: a kill before the id is stored leaves no entry; before the mail, one entry and one mail',
  async () => {
    const before = countEntries();
    const first = randomUUID();
    fault('die-before-id');
    await expect(submit(first)).rejects.toThrow();
    expect(countEntries()).toBe(before);
    expect((await submit(first)).status).toBe(503);
    letTimePass(31);
    expect(await submit(first)).toMatchObject({ status: 200, body: { is_valid: true } });
    expect([countEntries(), (await entriesOf(first)).length]).toEqual([before + 1, 1]);

    site.forgetMails();
    const second = randomUUID();
    fault('die-before-mail');
    await expect(submit(second)).rejects.toThrow();
    expect([countEntries(), site.mails().length]).toEqual([before + 2, 0]);
    letTimePass(301);
    expect(await submit(second)).toMatchObject({ status: 200, body: { is_valid: true, confirmation_type: 'message' } });
    expect(await submit(second)).toMatchObject({ status: 200, body: { is_valid: true } });
    await expect.poll(() => [countEntries(), site.mails().length], { timeout: 60_000 }).toEqual([before + 2, 1]);
  },
);

real('invariant 5: one failed write leaves nothing, and an immediate retry stores the whole entry', async () => {
  const before = countEntries();
  const id = randomUUID();
  fault('fail-one-write');
  const { status } = await submit(id);
  expect(status).toBeGreaterThanOrEqual(500);
  expect(countEntries()).toBe(before);
  expect(await submit(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  expect(await entriesOf(id)).toMatchObject([{ 1: 'Ada', 2: 'ada@example.org' }]);
});

real('invariants 5 and 8: fifty copies at once, a taken-over claim and late retries: one entry, one mail', async () => {
  site.forgetMails();
  const before = countEntries();
  const id = randomUUID();
  fault('pause');
  const slow = submit(id);
  await expect.poll(() => existsSync(place('paused'))).toBe(true);
  letTimePass(31);
  expect(await submit(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  fault('go');
  expect((await slow).status).toBe(503);
  const all = await Promise.all(Array.from({ length: 50 }, () => submit(id)));
  expect(all.every(({ body }) => body.is_valid === true)).toBe(true);
  const other = randomUUID();
  const crowd = await Promise.all(Array.from({ length: 50 }, () => submit(other)));
  expect(crowd.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  site.php(`GFAPI::update_entry_property( ${(await entriesOf(id))[0]?.id}, 'status', 'trash' );`);
  expect(await submit(id)).toMatchObject({ status: 200, body: { is_valid: true } });
  expect(await submit(other)).toMatchObject({ status: 200, body: { is_valid: true } });
  await expect.poll(() => [countEntries(), site.mails().length], { timeout: 60_000 }).toEqual([before + 2, 2]);
});

real('R30: while the REST API is off sign-ups wait with that reason, and are delivered once it is on', async () => {
  restApi(0);
  const { id, status } = await signUp({ input_1: 'Ada', input_2: 'ada@example.org' });
  expect(status).toBe(200);
  const browser = await login('admin', 'admin', site.wordpress);
  const said = async () => (await browser.page('/wp-admin/edit.php?post_type=pillion_entry')).html;
  await expect.poll(said, { timeout: 30_000, interval: 1_000 }).toContain('Enable the REST API');
  restApi(1);
  expect(await delivered(id)).toMatchObject([{ 1: 'Ada' }]);
});

real(
  'R30: sign-ups that WordPress rejects are listed with the reason, and can be corrected and sent again',
  async () => {
    // The form becomes inactive after the confirmation, because a form that is already inactive rejects at once.
    restApi(0);
    const inactive = await signUp({ input_1: 'Ada', input_2: 'ada@example.org' });
    expect(inactive.status).toBe(200);
    await expect
      .poll(async () => (await rowOf(inactive.id))?.lastError, { timeout: 60_000, interval: 500 })
      .toContain('rest-api-off');
    site.php(`GFFormsModel::update_form_active( ${form}, false );`);
    restApi(1);
    await expect
      .poll(async () => (await rowOf(inactive.id))?.state, { timeout: 240_000, interval: 1_000 })
      .toBe('dead');
    const browser = await login('admin', 'admin', site.wordpress);
    const list = await browser.page('/wp-admin/edit.php?post_type=pillion_entry');
    expect(list.status).toBe(200);
    expect(list.html).toMatch(/1 sign-up of “Delivery[^”]*” was not accepted/);
    expect(list.html).toContain('inactive, in the trash or deleted');
    expect(list.html).toContain('Gravity Forms stores new sign-ups');
    expect(list.html).not.toContain('ada@example.org');
    site.php(`GFFormsModel::update_form_active( ${form}, true );`);
    const again = /href="([^"]*action=pillion_retry[^"]*)"/.exec(list.html)?.[1]?.replaceAll('&#038;', '&') ?? '';
    const { html } = await browser.page(new URL(again).pathname + new URL(again).search);
    expect(html).toContain('1 sign-up is being sent again.');
    expect(await delivered(inactive.id)).toMatchObject([{ 1: 'Ada' }]);
  },
);

real('uninstalling the plugin removes its ids from Gravity Forms’ entries, and keeps the entries', async () => {
  const ids = () =>
    site.phpValue<number>(
      `global $wpdb; return (int) $wpdb->get_var( "SELECT count(*) FROM {$wpdb->prefix}gf_entry_meta WHERE meta_key LIKE 'pillion%'" );`,
    );
  const before = countEntries();
  expect(ids()).toBeGreaterThan(0);
  const plugin = 'wp/v2/plugins/pillion/pillion';
  await rest(plugin, { site: site.wordpress, as: 'admin', body: { status: 'inactive' } });
  expect((await rest(plugin, { site: site.wordpress, as: 'admin', method: 'DELETE' })).status).toBe(200);
  expect([ids(), countEntries()]).toEqual([0, before]);
});
