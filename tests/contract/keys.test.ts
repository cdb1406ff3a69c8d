import { expect, test } from 'vitest';
import { php, phpValue, rest, withPage, wordpress } from './wordpress.ts';

const wrong = (user = wordpress().key) => ({ user, password: 'cs_wrong' });

test('R20: the key is taken on every route, core’s public ones too', async () => {
  for (const path of [
    'gusto/routes',
    'gusto/options',
    'wp/v2/pages',
    'wp/v2/search?search=ferry',
    'gf/v2/forms/1',
    'wp/v2/users/me',
  ])
    expect([path, (await rest(path)).status]).toEqual([path, 200]);
});

test('R20: a wrong secret or an unknown key is 401 with a sentence, on public routes too', async () => {
  for (const as of [wrong(), wrong('ck_unknown'), { user: wordpress().key, password: '' }])
    for (const path of ['gusto/routes', 'wp/v2/pages', 'gf/v2/forms/1'])
      expect(await rest(path, { as })).toMatchObject({
        status: 401,
        body: { code: 'pillion_wrong_key', message: 'The consumer key or its secret is wrong.' },
      });
});

test('R20: keys work the same whether application passwords are in use, and come before their check', async () => {
  const judged = async () => [
    (await rest('wp/v2/users/me')).status,
    (await rest('wp/v2/pages')).status,
    (await rest('wp/v2/pages', { as: wrong() })).status,
  ];
  const count = phpValue<number>('return count( WP_Application_Passwords::get_user_application_passwords( 1 ) );');
  expect(count).toBeGreaterThan(0);
  expect((await rest('wp/v2/users/me', { as: 'admin' })).status).toBe(200);
  expect(await judged()).toEqual([200, 200, 401]);

  // Where WordPress takes a request for an API's from the start, it answers 401 to every Basic user it does not know.
  php(`wp_mkdir_p( WPMU_PLUGIN_DIR );
    file_put_contents( WPMU_PLUGIN_DIR . '/early.php', '<?php add_filter( "application_password_is_api_request", "__return_true" );' );`);
  try {
    expect((await rest('wp/v2/pages', { as: { user: 'ghost', password: 'x' } })).status).toBe(401);
    expect(await judged()).toEqual([200, 200, 401]);
    php(`delete_network_option( null, 'using_application_passwords' );`);
    expect(await judged()).toEqual([200, 200, 401]);
  } finally {
    php(`unlink( WPMU_PLUGIN_DIR . '/early.php' ); update_network_option( null, 'using_application_passwords', 1 );`);
  }
});

test('R20: a key opens REST alone, not wp-admin', async () => {
  const site = wordpress();
  const authorization = `Basic ${Buffer.from(`${site.key}:${site.secret}`).toString('base64')}`;
  const response = await fetch(`${site.url}/wp-admin/?x=/wp-json/`, { headers: { authorization }, redirect: 'manual' });
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toContain('wp-login.php');
});

test('R20: a key reads and sends in forms; it changes nothing', async () => {
  await withPage({ title: 'Untouched' }, async (id) => {
    const change = { body: { title: 'Defaced' } };
    expect(await rest(`wp/v2/pages/${id}`, change)).toMatchObject({
      status: 403,
      body: { code: 'pillion_key_reads_only' },
    });
    expect((await rest(`wp/v2/pages/${id}`, { method: 'DELETE' })).status).toBe(403);
    expect((await rest('wp/v2/settings', { body: { title: 'Defaced' } })).status).toBe(403);
    expect((await rest(`wp/v2/pages/${id}`)).body.title.rendered).toBe('Untouched');
  });
});

test('R20: the secret is kept as a hash only, and a revoked key opens nothing', async () => {
  const made = phpValue<{ key: string; secret: string }>(
    `return Pillion\\Keys::create( '11111111-1111-4111-8111-111111111111', 'A test', 1 );`,
  );
  const as = { user: made.key, password: made.secret };
  try {
    expect(made.secret.length).toBeGreaterThan(64);
    expect(
      php(
        `global $wpdb; echo $wpdb->get_var( "SELECT option_value FROM $wpdb->options WHERE option_name = 'pillion_keys'" );`,
      ),
    ).not.toContain(made.secret);
    expect((await rest('wp/v2/users/me', { as })).status).toBe(200);
  } finally {
    php(`Pillion\\Keys::revoke( '11111111-1111-4111-8111-111111111111' );`);
  }
  expect((await rest('wp/v2/users/me', { as })).status).toBe(401);
});

test('R20: the same form sent twice makes one key', () => {
  const twice = phpValue<unknown[]>(`$id = '22222222-2222-4222-8222-222222222222';
    $made = array( Pillion\\Keys::create( $id, 'A test', 1 ), Pillion\\Keys::create( $id, 'A test', 1 ) );
    Pillion\\Keys::revoke( $id );
    return $made;`);
  expect(twice).toEqual([{ key: expect.stringMatching(/^ck_/), secret: expect.stringMatching(/^cs_/) }, null]);
});
