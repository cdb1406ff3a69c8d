import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { login } from './browser.ts';
import { type Caller, installPlugin, php, phpValue, rest, useOwnWordPress, wordpress } from './wordpress.ts';

/**
 * Pillion's code next to Gravity Forms. Gravity Forms is a paid plugin and cannot be installed here, so a stand-in has
 * its documented names and stores an entry for each submission. It does not show the behaviour of the real plugin.
 */
const STAND_IN = `
class GFForms {}
class GFWebAPI {}
class GFAPI {
  public static function get_forms() {
    return array( array( 'id' => 1, 'title' => 'Of Gravity', 'fields' => array(
      (object) array( 'id' => 1, 'type' => 'email', 'label' => 'Email', 'isRequired' => true ),
      (object) array( 'id' => 2, 'type' => 'signature', 'label' => 'Sign here', 'isRequired' => true ),
      (object) array( 'id' => 3, 'type' => 'list', 'label' => 'Readers', 'isRequired' => false ) ) ) );
  }
  public static function get_entry_ids( $form_id, $search = array() ) {
    $filter = $search['field_filters'][0];
    return array_keys( array_filter( get_option( 'standin_entries', array() ), function ( $entry ) use ( $form_id, $filter ) {
      return $entry['form_id'] === (int) $form_id && ( $entry[ $filter['key'] ] ?? '' ) === $filter['value'];
    } ) );
  }
}
function gform_get_meta( $id, $key ) { return get_option( 'standin_entries', array() )[ $id ][ $key ] ?? false; }
function gform_update_meta( $id, $key, $value, $form_id = null ) {
  $all = get_option( 'standin_entries', array() ); $all[ $id ][ $key ] = $value; update_option( 'standin_entries', $all );
}
function gform_delete_meta( $id, $key ) {
  $all = get_option( 'standin_entries', array() ); unset( $all[ $id ][ $key ] ); update_option( 'standin_entries', $all );
}
add_action( 'rest_api_init', function () {
  register_rest_route( 'gf/v2', '/forms/(?P<form_id>\\\\d+)/submissions', array( 'methods' => 'POST', 'permission_callback' => 'is_user_logged_in',
    'callback' => function ( $request ) {
      usleep( 300000 );
      if ( 'wrong' === $request['input_1'] ) { return new WP_REST_Response( array( 'is_valid' => false, 'validation_messages' => array( 1 => 'No.' ) ), 400 ); }
      $all = get_option( 'standin_entries', array() ); $id = count( $all ) + 1;
      $all[ $id ] = array( 'form_id' => (int) $request['form_id'] ); update_option( 'standin_entries', $all );
      do_action( 'gform_entry_created', array( 'id' => $id ), array( 'id' => (int) $request['form_id'] ) );
      return array( 'is_valid' => true, 'entry_id' => $id, 'confirmation_type' => 'message' );
    } ) );
  register_rest_route( 'gf/v2', '/forms/(?P<form_id>\\\\d+)', array( 'methods' => 'GET', 'permission_callback' => '__return_true', 'callback' => function () {
    return array( 'id' => 1, 'notifications' => array( 'a' => array( 'to' => 'owner@example.org' ) ), 'confirmations' => array( 'a' => array( 'type' => 'page', 'pageId' => get_page_by_path( 'privacy-policy' )->ID, 'url' => '' ) ) );
  } ) );
} );`;

useOwnWordPress();
beforeAll(() => {
  installPlugin(STAND_IN);
  php(`update_option( 'gravityformsaddon_gravityformswebapi_settings', array( 'enabled' => '1' ) );`);
});

const send = (body: Record<string, unknown>, as: Caller = 'key') => rest('gf/v2/forms/1/submissions', { body, as });
const entries = () =>
  phpValue<Record<string, Record<string, unknown>>>(`return (object) get_option( 'standin_entries', array() );`);

test('R30: with Gravity Forms, a repeated sign-up is stored once and answered with its entry', async () => {
  const id = randomUUID();
  const first = await send({ input_1: 'ada@example.org', sign_up_id: id });
  expect(first).toMatchObject({ status: 200, body: { is_valid: true, entry_id: 1 } });
  expect(entries()).toMatchObject({ 1: { form_id: 1, pillion_sign_up_id: id } });
  expect(await send({ input_1: 'ada@example.org', sign_up_id: id.toUpperCase() })).toMatchObject({
    status: 200,
    body: { is_valid: true, entry_id: 1 },
  });
  expect(Object.keys(entries())).toEqual(['1']);
});

test('with Gravity Forms, an entry has the campaigns as meta, in a box and as merge tags', async () => {
  // Shortcodes and merge tags in a value must not run.
  const campaigns = {
    first: { utm_source: '[let]{ter}' },
    last: { utm_source: '<b>A & B</b>', gclid: '1', utm_own: 'x' },
  };
  const { body } = await send({
    ...{ input_1: 'ada@example.org', sign_up_id: randomUUID() },
    pillion_attribution: JSON.stringify({
      ...campaigns,
      third: { ref: 'x' },
      last: { ...campaigns.last, 'no name': 'x' },
    }),
  });
  const { pillion_attribution: json, ...entry } = entries()[body.entry_id] ?? {};
  expect(JSON.parse(String(json))).toEqual(campaigns);
  expect(entry).toMatchObject({
    ...{ pillion_first_utm_source: '[let]{ter}', pillion_last_utm_source: '<b>A & B</b>', pillion_last_gclid: '1' },
  });
  const { box, columns, html, url } = phpValue<Record<string, string>>(
    `$entry = array( 'id' => ${body.entry_id} );
     $boxes = apply_filters( 'gform_entry_detail_meta_boxes', array(), $entry, array() );
     ob_start(); $boxes['pillion_attribution']['callback'](); $box = ob_get_clean();
     $replace = fn( $text, $is_url ) => apply_filters( 'gform_replace_merge_tags', $text, array(), $entry, $is_url, false, true, 'html' );
     return array(
       'box' => $box,
       'columns' => implode( ' ', array_keys( apply_filters( 'gform_entry_meta', array() ) ) ),
       'html' => $replace( '{first_campaign:utm_source}, {last_campaign:utm_source}, {last_campaign:ref}.', false ),
       'url' => $replace( '{last_campaign:utm_source}', true ) );`,
  );
  expect(box).toContain('<th scope="row">Last campaign: utm_source</th><td>&lt;b&gt;A &amp; B&lt;/b&gt;</td>');
  expect(box).toContain('<th scope="row">Last campaign: utm_own</th><td>x</td>');
  expect(columns).toContain('pillion_last_utm_source');
  expect(html).toBe('letter, &lt;b&gt;A &amp; B&lt;/b&gt;, .');
  expect(url).toBe('%3Cb%3EA%20%26%20B%3C%2Fb%3E');
});

test('Gravity Forms’ personal-data tools export and erase the campaigns of an entry', async () => {
  const campaigns = { first: { ref: '<b>ada</b>' }, last: { gclid: '1', utm_own: 'x' } };
  const sent = { input_1: 'ada@example.org', pillion_attribution: JSON.stringify(campaigns) };
  const { body } = await send({ ...sent, sign_up_id: randomUUID() });
  expect(Object.keys(entries()[body.entry_id] ?? {})).toContain('pillion_last_gclid');
  // As GF_Personal_Data calls them.
  const [label, exported] = phpValue<[string, object]>(
    `$entry = array( 'id' => ${body.entry_id} );
     $item = apply_filters( 'gform_personal_data', array(), array( 'id' => 1 ) )['pillion_attribution'];
     $exported = call_user_func( $item['exporter_callback'], array( 'id' => 1 ), $entry );
     call_user_func( $item['eraser_callback'], array( 'id' => 1 ), $entry );
     return array( $item['label'], $exported );`,
  );
  expect(label).toBe('Campaign');
  expect(exported).toEqual({
    name: 'Campaign',
    value: 'First campaign: ref: &lt;b&gt;ada&lt;/b&gt;; Last campaign: gclid: 1; Last campaign: utm_own: x',
  });
  expect(Object.keys(entries()[body.entry_id] ?? {}).filter((key) => /attribution|first|last/.test(key))).toEqual([]);
});

test('R30: with Gravity Forms, simultaneous copies of a sign-up are stored once, the others get 503', async () => {
  const id = randomUUID();
  const before = Object.keys(entries()).length;
  const all = await Promise.all(Array.from({ length: 3 }, () => send({ input_1: 'bo@example.org', sign_up_id: id })));
  expect(all.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(all.some(({ status }) => status === 200)).toBe(true);
  expect(await send({ input_1: 'bo@example.org', sign_up_id: id })).toMatchObject({ status: 200 });
  expect(Object.keys(entries())).toHaveLength(before + 1);
});

test('R30: with Gravity Forms, a rejected sign-up can be corrected; sign-ups without an id are all stored', async () => {
  const before = Object.keys(entries()).length;
  const id = randomUUID();
  expect((await send({ input_1: 'wrong', sign_up_id: id })).status).toBe(400);
  expect((await send({ input_1: 'right', sign_up_id: id })).status).toBe(200);
  await send({ input_1: 'x' });
  await send({ input_1: 'x' });
  expect(Object.keys(entries())).toHaveLength(before + 3);
  // Without a key, the response does not reveal whether a sign-up exists.
  expect((await send({ input_1: 'right', sign_up_id: id }, 'nobody')).status).toBe(401);
});

test('R20: with Gravity Forms, only the key and users who may edit entries can send a sign-up id', async () => {
  const users = phpValue<Record<string, Caller>>(
    `$users = array();
     foreach ( array( 'subscriber' => '', 'editor' => '', 'author' => 'gravityforms_edit_entries' ) as $role => $right ) {
       $user = new WP_User( wp_insert_user( array( 'user_login' => "sender-$role", 'user_pass' => 'x', 'user_email' => "$role@example.org", 'role' => $role ) ) );
       if ( $right ) { $user->add_cap( $right ); }
       $users[ $role ] = array( 'user' => "sender-$role", 'password' => WP_Application_Passwords::create_new_application_password( $user->ID, array( 'name' => 'x' ) )[0] );
     }
     return $users;`,
  );
  const id = randomUUID();
  const { body } = await send({ input_1: 'ada@example.org', sign_up_id: id });
  const entryFor = async (as: Caller) => (await send({ input_1: 'eve@example.org', sign_up_id: id }, as)).body.entry_id;
  expect(await entryFor(users.author ?? 'nobody')).toBe(body.entry_id);
  // Gravity Forms stores a new entry.
  expect(await entryFor(users.subscriber ?? 'nobody')).not.toBe(body.entry_id);
  expect(await entryFor(users.editor ?? 'nobody')).not.toBe(body.entry_id);
  expect(Object.values(entries()).filter(({ pillion_sign_up_id }) => pillion_sign_up_id === id)).toHaveLength(1);
});

test('with Gravity Forms, a confirmation page reaches the site by its address', async () => {
  const { body } = await rest('gf/v2/forms/1');
  expect(body.confirmations.a.url).toBe(`${wordpress().url}/privacy-policy/`);
});

const screen = () =>
  phpValue<string>(`ob_start(); ( new Pillion\\Forms\\FormsPage() )->render(); return ob_get_clean();`);

test('with Gravity Forms, the screen lists the fields that work differently or are not drawn', () => {
  const html = screen();
  expect(html).toContain('“Sign here” (signature) is not shown. The site does not support this kind of field.');
  expect(html).toContain('Gravity Forms rejects every sign-up from the site');
  expect(html).toContain('“Readers” (list) works with a difference. Without script');
  expect(html).not.toContain('The rest of the form works');
  expect(html).toContain('page=gf_edit_forms&#038;id=1');
});

test('with Gravity Forms, the screen reports a disabled REST API, and a button enables it', async () => {
  const settings = `'gravityformsaddon_gravityformswebapi_settings'`;
  expect(screen()).not.toContain('REST API is off');
  php(`update_option( ${settings}, array( 'enabled' => '0', 'other' => 'kept' ) );`);
  const browser = await login();
  const address = '/wp-admin/admin.php?page=pillion-forms';
  const page = await browser.page(address);
  expect(page.html).toContain('Gravity Forms’ REST API is off');
  await browser.submit(address, page.fields, { do: 'api', _wpnonce: 'wrong' });
  expect(phpValue(`return get_option( ${settings} );`)).toMatchObject({ enabled: '0' });
  await browser.submit(address, page.fields, { do: 'api' });
  expect(phpValue(`return get_option( ${settings} );`)).toEqual({ enabled: '1', other: 'kept' });
  expect((await browser.page(address)).html).not.toContain('REST API is off');
});

test('with Gravity Forms, the recipients of notifications do not leave WordPress', async () => {
  const { body } = await rest('gf/v2/forms/1');
  expect(body.pillion).toMatchObject({ closed: { reason: 'inactive' }, asks: false });
  expect(body).not.toHaveProperty('notifications');
  // Users who edit forms over REST still get the recipients.
  expect((await rest('gf/v2/forms/1', { as: 'admin' })).body).toHaveProperty('notifications');
  expect((await rest('pillion/v1/forms/1/check', { as: 'admin' })).status).toBe(403);
});
