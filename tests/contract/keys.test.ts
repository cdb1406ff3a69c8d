import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { login } from './browser.ts';
import {
  type Caller,
  createPage,
  php,
  phpAfterwards,
  phpValue,
  rest,
  usePlugin,
  withOption,
  wordpress,
} from './wordpress.ts';

const wrong = (user = wordpress().key) => ({ user, password: 'cs_wrong' });

test('R20: the key is accepted on every route that the site requests', async () => {
  for (const path of [
    'gusto/routes',
    'gusto/options',
    'wp/v2/pages',
    'wp/v2/search?search=paper',
    'gf/v2/forms/1',
    'wp/v2/settings',
    'wp/v2/menus',
    'wp/v2/menu-items',
    'wp/v2/menu-locations',
    'wp/v2/media',
    'pillion/v1/redirects',
  ])
    expect([path, (await rest(path)).status]).toEqual([path, 200]);
});

test('R20: a wrong secret or an unknown key gets 401 with a message, on public routes too', async () => {
  for (const as of [wrong(), wrong('ck_unknown'), { user: wordpress().key, password: '' }])
    for (const path of ['gusto/routes', 'wp/v2/pages', 'gf/v2/forms/1'])
      expect(await rest(path, { as })).toMatchObject({
        status: 401,
        body: { code: 'pillion_wrong_key', message: 'The consumer key or its secret is wrong.' },
      });
});

test('R20: keys work with application passwords on or off, and are checked before them', async () => {
  const statuses = async () => [
    (await rest('gf/v2/forms/1')).status,
    (await rest('wp/v2/pages')).status,
    (await rest('wp/v2/pages', { as: wrong() })).status,
  ];
  const count = phpValue<number>('return count( WP_Application_Passwords::get_user_application_passwords( 1 ) );');
  expect(count).toBeGreaterThan(0);
  expect((await rest('wp/v2/users/me', { as: 'admin' })).status).toBe(200);
  expect(await statuses()).toEqual([200, 200, 401]);

  // With this filter WordPress answers 401 to every unknown Basic user, because it takes all requests for API requests.
  usePlugin(`add_filter( 'application_password_is_api_request', '__return_true' );`);
  expect((await rest('wp/v2/pages', { as: { user: 'ghost', password: 'x' } })).status).toBe(401);
  expect(await statuses()).toEqual([200, 200, 401]);
  php(`delete_network_option( null, 'using_application_passwords' );`);
  phpAfterwards(`update_network_option( null, 'using_application_passwords', 1 );`);
  expect(await statuses()).toEqual([200, 200, 401]);
});

test('R20: the secret is stored as a hash only, and a revoked key opens nothing', async () => {
  const made = phpValue<{ key: string; secret: string }>(
    `return Pillion\\Access\\Keys::create( '11111111-1111-4111-8111-111111111111', 'A test', 1 );`,
  );
  const as = { user: made.key, password: made.secret };
  try {
    expect(made.secret.length).toBeGreaterThan(64);
    expect(
      php(
        `global $wpdb; echo $wpdb->get_var( "SELECT option_value FROM $wpdb->options WHERE option_name = 'pillion_keys'" );`,
      ),
    ).not.toContain(made.secret);
    expect((await rest('gf/v2/forms/1', { as })).status).toBe(200);
  } finally {
    php(`Pillion\\Access\\Keys::revoke( '11111111-1111-4111-8111-111111111111' );`);
  }
  expect((await rest('gf/v2/forms/1', { as })).status).toBe(401);
});

test('R20: submitting the same form twice creates one key', () => {
  const twice = phpValue<unknown[]>(`$id = '22222222-2222-4222-8222-222222222222';
    $made = array( Pillion\\Access\\Keys::create( $id, 'A test', 1 ), Pillion\\Access\\Keys::create( $id, 'A test', 1 ) );
    Pillion\\Access\\Keys::revoke( $id );
    return $made;`);
  expect(twice).toEqual([{ key: expect.stringMatching(/^ck_/), secret: expect.stringMatching(/^cs_/) }, null]);
});

test('R20: the key opens no route that ends in a line break, from which settings would not be removed', async () => {
  const { url, key, secret } = wordpress();
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  for (const route of ['/wp/v2/settings', '/wp/v2/menu-items', '/gf/v2/forms/1']) {
    const read = (end: string) => fetch(`${url}/?rest_route=${route}${end}`, { headers: { authorization } });
    expect([route, (await read('')).status, (await read('%0A')).status]).toEqual([route, 200, 403]);
  }
});

test('R20: the key reads only what the site shows: no other setting, no recipient, nothing unpublished', async () => {
  const settings = await rest('wp/v2/settings');
  expect(settings.body).toMatchObject({ title: 'Example', pillion_strings: { brand: expect.any(String) } });
  expect(settings.body).not.toHaveProperty('email');
  await withOption(
    'pillion_forms',
    `array_map( static function ( $form ) { $form['notifications'] = array( array( 'to' => 'desk@example.org' ) ); return $form; }, get_option( 'pillion_forms' ) )`,
    async () => {
      expect(JSON.stringify((await rest('gf/v2/forms/1')).body)).not.toContain('desk@example.org');
    },
  );
  const id = await createPage({ title: 'Hidden plans', status: 'draft' });
  const menu = phpValue<{ menu: number; item: number }>(`$menu = wp_create_nav_menu( 'Of the test' );
      return array( 'menu' => $menu, 'item' => wp_update_nav_menu_item( $menu, 0, array( 'menu-item-object' => 'page', 'menu-item-object-id' => ${id}, 'menu-item-type' => 'post_type', 'menu-item-status' => 'publish' ) ) );`);
  const draftItem = phpValue<number>(
    `return wp_update_nav_menu_item( ${menu.menu}, 0, array( 'menu-item-title' => 'Hidden plans', 'menu-item-url' => 'https://example.org/', 'menu-item-type' => 'custom', 'menu-item-status' => 'draft' ) );`,
  );
  phpAfterwards(`wp_delete_nav_menu( ${menu.menu} ); wp_delete_post( ${draftItem}, true );`);
  for (const path of [
    `wp/v2/pages/${id}`,
    'wp/v2/pages?status=draft',
    'wp/v2/pages?status=any&context=edit',
    'wp/v2/menu-items?per_page=100',
    'wp/v2/menu-items?status=draft',
    'wp/v2/menu-items?context=edit',
    `wp/v2/menu-items/${menu.item}`,
    `wp/v2/menu-items/${draftItem}`,
    'wp/v2/menu-items?per_page=100&_fields=title',
    'wp/v2/menu-items?per_page=100&_fields=type,title',
    `wp/v2/menu-items/${menu.item}?_fields=title`,
    'wp/v2/search?search=hidden',
    'wp/v2/posts?_embed',
  ])
    expect([path, JSON.stringify((await rest(path)).body)]).toEqual([
      path,
      expect.not.stringContaining('Hidden plans'),
    ]);
  expect((await rest('wp/v2/menu-items?context=edit')).body.code).toBe('pillion_key_published_only');
});

test('R20: a key’s user is on no list and has no capability, even with another role', async () => {
  const id = phpValue<number>(`return (int) get_option( 'pillion_key_user' );`);
  expect(id).toBeGreaterThan(0);
  const users = (await rest('wp/v2/users', { as: 'nobody' })).body as { id: number }[];
  expect(users.map((user) => user.id)).not.toContain(id);
  const sight = phpValue<unknown>(`( new WP_User( ${id} ) )->set_role( 'administrator' );
    $can = array_filter( array( 'read', 'edit_posts', 'manage_options', 'delete_users' ), static function ( $one ) { return user_can( ${id}, $one ); } );
    ( new WP_User( ${id} ) )->set_role( 'pillion_key' );
    return array( array_values( $can ), get_userdata( ${id} )->user_email, wp_is_application_passwords_available_for_user( ${id} ), apply_filters( 'allow_password_reset', true, ${id} ),
      in_array( ${id}, wp_list_pluck( get_users( array( 'capability' => array( 'edit_posts' ) ) ), 'ID' ), false ) );`);
  expect(sight).toEqual([[], '', false, false, false]);
});

test('R20: a key works again after a network deleted its user, which no hook of the site reports', async () => {
  // The network's admin fires `deleted_user` on the main site. Here, only the row disappears.
  php(`global $wpdb; $wpdb->delete( $wpdb->users, array( 'ID' => (int) get_option( 'pillion_key_user' ) ) );`);
  expect((await rest('wp/v2/settings')).status).toBe(200);
});

/** Sets headers that say whether the constant for page caches is set: after plugins load, and at the end. */
const TELL = `
function pillion_test_tell( $name ) { header( "$name: " . ( defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE ? 'yes' : 'no' ) ); }
add_action( 'plugins_loaded', function () { pillion_test_tell( 'X-Early' ); } );
add_filter( 'rest_pre_serve_request', function ( $served ) { pillion_test_tell( 'X-Late' ); return $served; } );`;

test('R20: responses to a key, and on routes of the site, are marked as uncacheable for every cache', async () => {
  const marksOf = async (path: string, as: Caller) => {
    const { headers } = await rest(path, { as });
    const marks = ['x-early', 'x-late', 'surrogate-control', 'cdn-cache-control', 'x-accel-expires'];
    return [...marks, 'x-litespeed-cache-control', 'cache-control'].map((name) => headers.get(name));
  };
  const noStore = ['no-store', 'no-store', '0', 'no-cache', expect.stringContaining('no-store, private')];
  const own = ['gusto/options', 'pillion/v1/facts', 'pillion/v1/nowhere', 'gf/v2/forms/1', 'wp/v2/pages', ''];
  usePlugin(TELL);
  const keys: Caller[] = ['key', wrong(), wrong('ck_unknown')];
  for (const as of keys)
    for (const path of [...own, 'wp/v2/categories'])
      expect([as, path, await marksOf(path, as)]).toEqual([as, path, ['yes', 'yes', ...noStore]]);
  for (const path of own) expect([path, await marksOf(path, 'nobody')]).toEqual([path, ['no', 'yes', ...noStore]]);
  // The site never requests this route, so its caching is up to others.
  expect((await marksOf('wp/v2/categories', 'nobody')).slice(0, 2)).toEqual(['no', 'no']);
});

test('wrong keys from IPv4 addresses that are written as IPv6 are counted per address', () => {
  const networks = phpValue<string[]>(`delete_option( 'pillion_wrong_keys' );
    foreach ( array( '::ffff:192.0.2.7', '::ffff:192.0.2.8' ) as $address ) { $_SERVER['REMOTE_ADDR'] = $address; Pillion\\Access\\WrongKeys::count_and_refuse( 'ck_x' ); }
    $networks = array_keys( Pillion\\Access\\WrongKeys::all() );
    delete_option( 'pillion_wrong_keys' );
    return $networks;`);
  expect(networks.toSorted()).toEqual(['192.0.2.7', '192.0.2.8']);
});

test('wrong keys are logged without their secret, counted per network, and delay no valid key', async () => {
  const { directory } = wordpress();
  php(`delete_option( 'pillion_wrong_keys' );`);
  const log = join(directory, 'debug.log');
  const before = existsSync(log) ? readFileSync(log, 'utf8').length : 0;
  const tryOnce = async () =>
    (await rest('gusto/routes', { as: { user: 'ck_0123456789', password: 'cs_never_logged' } })).status;
  expect(await tryOnce()).toBe(401);
  // In one call, so that a slow machine also finishes within one minute.
  php(`$_SERVER['REMOTE_ADDR'] = '127.0.0.1'; delete_option( 'pillion_wrong_keys' );
    foreach ( range( 1, 59 ) as $n ) { Pillion\\Access\\WrongKeys::count_and_refuse( 'ck_0123456789' ); }`);
  expect([await tryOnce(), await tryOnce()]).toEqual([401, 429]);
  expect((await rest('gf/v2/forms/1')).status, 'the right key from the same address').toBe(200);
  const refused = await rest('gusto/routes', { as: wrong() });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  const lines = readFileSync(log, 'utf8')
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('wrong consumer key'));
  expect(lines).toEqual([
    expect.stringContaining('…3456789 from 127.0.0.1, 1 in the last minute'),
    expect.stringContaining('1 in the last minute'),
    expect.stringContaining('60 in the last minute'),
  ]);
  expect(readFileSync(log, 'utf8')).not.toContain('cs_never_logged');
  const screen = await (await login()).page('/wp-admin/admin.php?page=pillion-keys');
  expect(screen.html).toMatch(/127\.0\.0\.1<\/td><td><code>…3456789<\/code><\/td><td>60\+/);
  const kept =
    phpValue<number>(`foreach ( range( 1, 80 ) as $n ) { $_SERVER['REMOTE_ADDR'] = "2001:db8:$n::1"; Pillion\\Access\\WrongKeys::count_and_refuse( 'ck_x' ); }
    return count( Pillion\\Access\\WrongKeys::all() );`);
  expect(kept).toBe(50);
  const ofMany =
    readFileSync(log, 'utf8')
      .slice(before)
      .match(/wrong consumer key .* from 2001:db8:/g) ?? [];
  expect([ofMany.length > 0, ofMany.length <= 20]).toEqual([true, true]);
  php(`delete_option( 'pillion_wrong_keys' );`);
});
