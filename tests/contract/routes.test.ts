import { expect, test } from 'vitest';
import { createPage, php, phpAfterwards, phpValue, rest, usePlugin, wordpress } from './wordpress.ts';

interface Route {
  id: number;
  path: string;
  [member: string]: unknown;
}

const routes = async (query = '', as: 'key' | 'nobody' = 'key'): Promise<Route[]> =>
  (await rest(`gusto/routes${query}`, { as })).body;
const paths = async () => (await routes()).map(({ path }) => path);

test('R29: a published page has a route at once, and none in the trash', async () => {
  const made = await rest('wp/v2/pages', { as: 'admin', body: { title: 'Start times', status: 'publish' } });
  expect((await routes()).find(({ path }) => path === '/start-times/')).toMatchObject({
    modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
  });
  await rest(`wp/v2/pages/${made.body.id}`, { as: 'admin', method: 'DELETE' });
  expect(await paths()).not.toContain('/start-times/');
  await rest(`wp/v2/pages/${made.body.id}?force=true`, { as: 'admin', method: 'DELETE' });
});

for (const [what, fields] of [
  ['a draft', { status: 'draft', slug: 'hidden' }],
  ['a private page', { status: 'private', slug: 'hidden' }],
  ['a page to be published later', { status: 'future', date: '2099-01-01T00:00:00', slug: 'hidden' }],
  ['a page under a password', { password: 'sesame', slug: 'hidden' }],
] as const)
  test(`R29: ${what} has no route for any client`, async () => {
    const id = await createPage({ title: 'Hidden', ...fields });
    for (const as of ['key', 'nobody'] as const)
      expect((await routes('', as)).map((route) => route.id)).not.toContain(id);
  });

test('R29: a page of any public type has a route, with its REST address', async () => {
  phpAfterwards('flush_rewrite_rules( false );');
  usePlugin(`add_action( 'init', function () {
    register_post_type( 'trip', array( 'public' => true, 'show_in_rest' => true, 'rest_base' => 'trips', 'label' => 'Trips' ) ); } );`);
  const trip = phpValue<number>(`flush_rewrite_rules( false );
    return wp_insert_post( array( 'post_type' => 'trip', 'post_status' => 'publish', 'post_title' => 'Over the top' ) );`);
  phpAfterwards(`wp_delete_post( ${trip}, true );`);
  expect((await routes()).find(({ id }) => id === trip)).toMatchObject({
    type: 'trip',
    rest_base: 'trips',
    path: '/trip/over-the-top/',
  });
});

test('R29: with plain permalinks a route consists of the slugs of the pages', async () => {
  php(`update_option( 'permalink_structure', '' );`);
  phpAfterwards(`update_option( 'permalink_structure', '/%postname%/' );`);
  const answer = await rest('../?rest_route=/gusto/routes');
  expect(answer.body.map(({ path }: Route) => path)).toContain('/paper-notes/first-chapter/');
});

/** The answer to a client that knows a version of the routes. */
const answerTo = async (tag: string) =>
  fetch(`${wordpress().url}/wp-json/gusto/routes?lang=en`, { headers: { 'if-none-match': tag } });

test('routes have a tag that changes with each change of content, and unchanged ones are not sent', async () => {
  const tagNow = async () => (await rest('gusto/routes?lang=en')).headers.get('etag') ?? '';
  let tag = await tagNow();
  const unchanged = await answerTo(tag);
  expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  expect((await answerTo(`W/${tag}`)).status, 'as nginx marks it when it compresses').toBe(304);
  phpAfterwards(`update_option( 'blogdescription', '' );`);
  const id = await createPage({ title: 'New' });
  for (const [what, change] of [
    ['a new page', ''],
    ['a meta field', `update_post_meta( ${id}, 'pillion_theme', 'light' );`],
    ['a setting', `update_option( 'blogdescription', 'Changed' );`],
    [
      'an import past WordPress',
      `global $wpdb; $wpdb->update( $wpdb->posts, array( 'post_status' => 'private' ), array( 'ID' => ${id} ) );`,
    ],
  ] as const) {
    if (change) php(change);
    const next = await tagNow();
    expect(next, what).not.toBe(tag);
    expect((await answerTo(tag)).status, what).toBe(200);
    tag = next;
  }
});

test('3,000 unchanged routes take a fraction of the work of changed ones', async () => {
  const columns = 'post_content, post_excerpt, to_ping, pinged, post_content_filtered';
  const add = `global $wpdb; foreach ( array_chunk( range( 1, 3000 ), 500 ) as $some ) {
    $rows = array_map( function ( $i ) {
      return "( 'page', 'publish', 'Many $i', 'many-$i', '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01', '', '', '', '', '' )";
    }, $some );
    $wpdb->query( "INSERT INTO $wpdb->posts ( post_type, post_status, post_title, post_name, post_date, post_date_gmt, post_modified, post_modified_gmt, ${columns} ) VALUES " . implode( ', ', $rows ) );
  }`;
  phpAfterwards(`global $wpdb; $wpdb->query( "DELETE FROM $wpdb->posts WHERE post_name LIKE 'many-%'" );`);
  const { whole, unchanged, status } = phpValue<{ whole: number; unchanged: number; status: number }>(`${add}
      $cpu = function () { $u = getrusage(); return ( $u['ru_utime.tv_sec'] + $u['ru_stime.tv_sec'] ) * 1000 + ( $u['ru_utime.tv_usec'] + $u['ru_stime.tv_usec'] ) / 1000; };
      $ask = function ( $tag ) use ( $cpu ) {
        $request = new WP_REST_Request( 'GET', '/gusto/routes' );
        $request->set_param( 'lang', 'en' );
        $request->set_header( 'if-none-match', $tag );
        $begun = $cpu();
        $answer = rest_do_request( $request );
        wp_json_encode( rest_get_server()->response_to_data( $answer, false ) );
        return array( $answer, $cpu() - $begun );
      };
      list( $first, $whole ) = $ask( '' );
      list( $second, $unchanged ) = $ask( $first->get_headers()['ETag'] );
      return array( 'whole' => $whole, 'unchanged' => $unchanged, 'status' => $second->get_status() );`);
  console.log(`3,000 routes: ${Math.round(whole)} ms of PHP, unchanged ${Math.round(unchanged)} ms`);
  expect(status).toBe(304);
  expect(unchanged).toBeLessThan(whole / 4);
});

test('R23: an unlisted language gets the default’s response, an invalid tag is rejected', async () => {
  expect((await routes('?lang=fr'))[0]).toMatchObject({ lang: 'en' });
  expect((await rest('gusto/routes?lang=../etc')).status).toBe(400);
});
