import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, login } from './browser.ts';
import {
  type Caller,
  installPlugin,
  php,
  phpAfterwards,
  phpValue,
  rest,
  setOption,
  withOption,
  wordpress,
} from './wordpress.ts';

/**
 * R20, decision 054: a post that claims a page (as its translation, or by its path) counts only if its author may edit
 * that page. Every role writes every meta key in REST in every way that WordPress offers. The site's routes, fronts,
 * languages and menus must stay the same.
 */

const LANG = '_pillion_lang';
const ORIGINAL = '_pillion_translation_of';

/**
 * Returns nonces and meta rows. Returns what the site reads after it has published every draft, as an editor might.
 * XML-RPC checks the password in every request, so hashes are cheap here.
 */
const WITNESS = `
add_filter( 'wp_hash_password_options', static function () { return array( 'cost' => 4 ); } );
add_action( 'init', static function () {
  if ( isset( $_GET['rights_rows'] ) ) { wp_send_json( array_map( static function ( $key ) { return add_post_meta( (int) $_GET['rights_rows'], $key, '' ); }, explode( ',', $_GET['keys'] ) ) ); }
  if ( isset( $_GET['rights_nonces'] ) ) { wp_send_json( array_map( 'wp_create_nonce', explode( ',', $_GET['rights_nonces'] ) ) ); }
  if ( ! isset( $_GET['rights_content'] ) ) { return; }
  wp_set_current_user( 0 );
  foreach ( get_posts( array( 'post_status' => 'draft', 'post_type' => 'post', 'numberposts' => -1 ) ) as $draft ) { wp_publish_post( $draft ); }
  $content = array();
  foreach ( array( 'en', 'de', 'fr' ) as $lang ) {
    foreach ( array( 'routes', 'nav/menu-locations', 'options' ) as $name ) {
      $request = new WP_REST_Request( 'GET', "/gusto/$name" );
      $request->set_param( 'lang', $lang );
      $content[ "$name $lang" ] = rest_do_request( $request )->get_data();
    }
  }
  foreach ( array( '/', '/de/', '/fr/', '/live/' ) as $path ) { $content[ $path ] = Pillion\\Content\\Routes::post_at( $path ); }
  wp_send_json( $content );
}, 99 );`;

const LANGUAGES = ['en', 'de', 'fr'];

const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
type Role = (typeof ROLES)[number];

interface Route {
  id: number;
  slug: string;
  path: string;
  is_front: boolean;
  group: number;
}

type Meta = Record<string, string | number | boolean>;

/** One attempt: the user's role, the post and the meta to write. */
interface Writing {
  role: Role;
  type: 'post' | 'page';
  id: number;
  meta: Meta;
}

interface Fixture {
  front: number;
  live: number;
  legal: number;
  colleague: number;
  german: number;
  /** By role. Each post is older than the page that it claims. */
  posts: Record<Role, number[]>;
  passwords: Record<Role, string>;
}

/** One post for each claim, one for the control and one that the author may claim. */
const POSTS = 24;

let before: string;
let fixture: Fixture;
let keys: { key: string; type: string }[];
const browsers = {} as Record<Role, Browser>;
/** By role and action. */
const nonces = {} as Record<Role, Record<string, string>>;

const MAKE = `
  update_option( 'permalink_structure', '/%postname%/' ); flush_rewrite_rules();
  update_option( 'pillion_languages', array_map( static function ( $tag ) { return array( 'tag' => $tag, 'name' => $tag, 'dir' => 'ltr', 'fallback' => '' ); }, array( '${LANGUAGES.join("', '")}' ) ) );
  $made = array( 'front' => (int) get_option( 'page_on_front' ), 'legal' => get_page_by_path( 'privacy-policy' )->ID );
  foreach ( array( '${ROLES.join("', '")}' ) as $role ) {
    $user = wp_insert_user( array( 'user_login' => "rights-$role", 'user_pass' => "rights-$role", 'user_email' => "rights-$role@example.org", 'role' => $role ) );
    $made['passwords'][ $role ] = WP_Application_Passwords::create_new_application_password( $user, array( 'name' => 'rights' ) )[0];
    $type = in_array( $role, array( 'administrator', 'editor' ), true ) ? 'page' : 'post';
    foreach ( range( 1, 'page' === $type ? 2 : ${POSTS} ) as $n ) {
      $made['posts'][ $role ][] = wp_insert_post( array( 'post_type' => $type, 'post_author' => $user, 'post_status' => 'contributor' === $role ? 'draft' : 'publish', 'post_title' => "Mine $n", 'post_name' => "mine-$role-$n" ) );
    }
  }
  $other = array( 'post_status' => 'publish', 'post_author' => 1 );
  $made['live'] = wp_insert_post( $other + array( 'post_type' => 'page', 'post_title' => 'Live', 'post_name' => 'live' ) );
  $made['german'] = wp_insert_post( $other + array( 'post_type' => 'page', 'post_title' => 'Start', 'post_name' => 'start', 'meta_input' => array( '${LANG}' => 'de', '${ORIGINAL}' => $made['front'] ) ) );
  $made['colleague'] = wp_insert_post( $other + array( 'post_title' => 'Colleague', 'post_name' => 'colleague' ) );
  wp_insert_post( $other + array( 'post_title' => 'Kollege', 'post_name' => 'kollege', 'meta_input' => array( '${LANG}' => 'de', '${ORIGINAL}' => $made['colleague'] ) ) );
  return $made;`;

/** Removes claims and new posts between two walks. */
const reset = () =>
  php(`global $wpdb;
    foreach ( get_posts( array( 'post_type' => array( 'post', 'page' ), 'post_status' => 'any', 'numberposts' => -1, 'suppress_filters' => true ) ) as $post ) {
      if ( 0 === strpos( $post->post_title, 'Made' ) ) { wp_delete_post( $post->ID, true ); continue; }
      if ( 0 !== strpos( $post->post_title, 'Mine' ) ) { continue; }
      foreach ( array_keys( get_registered_meta_keys( 'post', $post->post_type ) + get_registered_meta_keys( 'post' ) ) as $key ) { delete_post_meta( $post->ID, $key ); }
      if ( user_can( $post->post_author, 'edit_posts' ) && ! user_can( $post->post_author, 'publish_posts' ) ) { wp_update_post( array( 'ID' => $post->ID, 'post_status' => 'draft' ) ); }
    }`);

beforeAll(() => installPlugin(WITNESS));
beforeAll(async () => {
  before = php(`echo get_option( 'permalink_structure' );`);
  fixture = phpValue<Fixture>(MAKE);
  keys = phpValue(`$keys = array();
    foreach ( get_post_types() as $type ) { foreach ( get_registered_meta_keys( 'post', $type ) + get_registered_meta_keys( 'post' ) as $key => $about ) {
      if ( ! empty( $about['show_in_rest'] ) ) { $keys[ $key ] = array( 'key' => $key, 'type' => $about['type'] ); }
    } }
    return array_values( $keys );`);
  for (const role of ROLES) {
    browsers[role] = await login(`rights-${role}`, `rights-${role}`);
    const actions = ['pillion_language_nonce', 'inlineeditnonce', 'bulk-posts'];
    actions.push(...fixture.posts[role].map((id) => `update-post_${id}`));
    const made: string[] = JSON.parse((await browsers[role].page(`/?rights_nonces=${actions.join()}`)).html);
    nonces[role] = Object.fromEntries(actions.map((action, at) => [action, made[at] ?? '']));
  }
}, 900_000);

afterAll(() => {
  php(`delete_option( 'pillion_languages' ); update_option( 'permalink_structure', '${before}' ); flush_rewrite_rules();
    foreach ( get_posts( array( 'post_type' => array( 'post', 'page' ), 'post_status' => 'any', 'numberposts' => -1 ) ) as $post ) { if ( preg_match( '/^(Mine|Made|Live|Start|Colleague|Kollege)/', $post->post_title ) ) { wp_delete_post( $post->ID, true ); } }
    foreach ( array( '${ROLES.join("', '")}' ) as $role ) { wp_delete_user( get_user_by( 'login', "rights-$role" )->ID ); }`);
});

const caller = (role: Role): Caller => ({ user: `rights-${role}`, password: fixture.passwords[role] });
const base = (type: 'post' | 'page') => `wp/v2/${type}s`;

/** Everything that the site reads from WordPress, except the test's posts at paths without a page. */
async function siteContent(): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = await (await fetch(`${wordpress().url}/?rights_content`)).json();
  const mine = new Set(Object.values(fixture.posts).flat());
  const isOwn = ({ id, slug, path, is_front, group }: Route) =>
    /^(mine|made)/.test(slug) && path.endsWith(`/${slug}/`) && !is_front && (group === id || mine.has(group));
  for (const lang of LANGUAGES)
    all[`routes ${lang}`] = (all[`routes ${lang}`] as Route[])
      .filter((route) => !isOwn(route))
      .map(({ id, path, is_front, group }) => ({ id, path, is_front, group }));
  return all;
}

const metaOf = (id: number) =>
  phpValue<Meta>(
    `return array( '${LANG}' => get_post_meta( ${id}, '${LANG}', true ), '${ORIGINAL}' => (int) get_post_meta( ${id}, '${ORIGINAL}', true ) );`,
  );

/** The fields of the box *Language*, and every key as a custom field. */
function boxFields({ role, meta }: Writing): Record<string, string> {
  const fields: Record<string, string> = { pillion_language_nonce: nonces[role].pillion_language_nonce ?? '' };
  if (LANG in meta || ORIGINAL in meta) {
    fields.pillion_lang = String(meta[LANG] ?? 'en');
    fields.pillion_original = String(meta[ORIGINAL] ?? '');
  }
  const [[key, value] = ['', '']] = Object.entries(meta);
  return { ...fields, metakeyinput: key, metavalue: String(value) };
}

const statusOf = (role: Role) => (role === 'contributor' ? 'draft' : 'publish');

async function xmlRpc(method: string, { role }: Writing, rest: string[], fields: string): Promise<void> {
  const params = ['<int>1</int>', `<string>rights-${role}</string>`, `<string>rights-${role}</string>`, ...rest];
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${[
    ...params,
    `<struct>${fields}</struct>`,
  ]
    .map((value) => `<param><value>${value}</value></param>`)
    .join('')}</params></methodCall>`;
  const answer = await fetch(`${wordpress().url}/xmlrpc.php`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/xml' },
  });
  expect(await answer.text()).toContain('<methodResponse>');
}

const member = (name: string, value: string) => `<member><name>${name}</name><value>${value}</value></member>`;
const customFields = (rows: { key: string; value: unknown; id?: number }[]) =>
  member(
    'custom_fields',
    `<array><data>${rows
      .map(
        ({ key, value, id }) =>
          `<value><struct>${id ? member('id', `<string>${id}</string>`) : ''}${member('key', `<string>${key}</string>`)}${member('value', `<string>${value}</string>`)}</struct></value>`,
      )
      .join('')}</data></array>`,
  );
const rowsOf = (meta: Meta) => Object.entries(meta).map(([key, value]) => ({ key, value }));

let made = 0;

/** Every way to write meta from outside. */
const WAYS: Record<string, (writing: Writing) => Promise<unknown>> = {
  'REST, an update': ({ role, type, id, meta }) => rest(`${base(type)}/${id}`, { as: caller(role), body: { meta } }),
  'REST, a new post': ({ role, type, meta }) =>
    rest(base(type), {
      as: caller(role),
      body: { title: 'Made by REST', slug: `made-${++made}`, status: statusOf(role), meta },
    }),
  'REST, an autosave': ({ role, type, id, meta }) =>
    rest(`${base(type)}/${id}/autosaves`, { as: caller(role), body: { title: 'Mine, kept', meta } }),
  'the classic editor': async (writing) => {
    const { role, type, id } = writing;
    const core = nonces[role][`update-post_${id}`] ?? '';
    await browsers[role].submit('/wp-admin/post.php', new Map(), {
      ...{ action: 'editpost', post_ID: String(id), post_type: type, post_title: 'Mine', _wpnonce: core },
      ...{ post_status: statusOf(role), visibility: 'public', ...boxFields(writing) },
    });
  },
  'quick edit': async (writing) => {
    const { role, type, id } = writing;
    const core = nonces[role].inlineeditnonce ?? '';
    await browsers[role].submit('/wp-admin/admin-ajax.php', new Map(), {
      ...{ action: 'inline-save', post_ID: String(id), post_type: type, post_title: 'Mine', _inline_edit: core },
      ...{ post_view: 'list', screen: `edit-${type}`, _status: statusOf(role), ...boxFields(writing) },
    });
  },
  'bulk edit': async (writing) => {
    const { role, type, id } = writing;
    const core = nonces[role]['bulk-posts'] ?? '';
    await browsers[role].submit(`/wp-admin/edit.php?post_type=${type}`, new Map(), {
      ...{ action: 'edit', bulk_edit: 'Update', 'post[]': String(id), post_type: type, _wpnonce: core },
      ...{ _status: '-1', post_view: 'list', screen: `edit-${type}`, ...boxFields(writing) },
    });
  },
  'XML-RPC, fields added': (writing) =>
    xmlRpc('wp.editPost', writing, [`<int>${writing.id}</int>`], customFields(rowsOf(writing.meta))),
  'XML-RPC, fields changed by their number': async (writing) => {
    const asked = `?rights_rows=${writing.id}&keys=${Object.keys(writing.meta).join()}`;
    const ids: number[] = await (await fetch(`${wordpress().url}/${asked}`)).json();
    const rows = rowsOf(writing.meta).map((row, at) => ({ ...row, id: ids[at] ?? 0 }));
    return xmlRpc('wp.editPost', writing, [`<int>${writing.id}</int>`], customFields(rows));
  },
  'XML-RPC, a new post': (writing) =>
    xmlRpc(
      'wp.newPost',
      writing,
      [],
      member('post_title', '<string>Made by XML-RPC</string>') +
        member('post_name', `<string>made-${++made}</string>`) +
        member('post_type', `<string>${writing.type}</string>`) +
        member('post_status', `<string>${statusOf(writing.role)}</string>`) +
        customFields(rowsOf(writing.meta)),
    ),
};

/** These do not change the post itself: an autosave is a revision, and a new post has another id. */
const ELSEWHERE = new Set(['REST, a new post', 'REST, an autosave', 'XML-RPC, a new post']);

/** Every registered key with a value of its type, and the two of languages with several values, alone and together. */
function claims(): Meta[] {
  const { front, legal, colleague, german } = fixture;
  const others = keys.filter(({ key }) => key !== LANG && key !== ORIGINAL);
  const values: Record<string, Meta[string]> = { integer: front, string: 'fr', boolean: true };
  return [
    ...others.map(({ key, type }) => ({ [key]: values[type] ?? '' })),
    ...['fr', 'de'].map((lang) => ({ [LANG]: lang })),
    ...[front, legal, colleague, german].flatMap((page) => [{ [ORIGINAL]: page }, { [LANG]: 'fr', [ORIGINAL]: page }]),
    ...[front, colleague].map((page) => ({ [LANG]: 'de', [ORIGINAL]: page })),
  ];
}

describe('R20: users who may not edit a page cannot take its place', () => {
  test('the walk knows the two keys that claim a page', () => {
    expect(keys.map(({ key }) => key)).toEqual(expect.arrayContaining([LANG, ORIGINAL]));
    expect(claims().length + 2).toBeLessThanOrEqual(POSTS);
  });

  for (const [way, write] of Object.entries(WAYS))
    test(`${way}: users without rights change no route, front, language or menu`, {
      timeout: 900_000,
    }, async () => {
      reset();
      const as = await siteContent();
      for (const role of ['author', 'contributor', 'subscriber'] as const) {
        reset();
        const [control = 0, own = 0, ...posts] = fixture.posts[role];
        // A permitted claim shows first that this way can write meta.
        const claim = { [LANG]: 'fr', [ORIGINAL]: own };
        await write({ role, type: 'post', id: control, meta: claim });
        if (!ELSEWHERE.has(way))
          expect([role, metaOf(control)]).toEqual([
            role,
            role === 'subscriber' ? { [LANG]: '', [ORIGINAL]: 0 } : claim,
          ]);
        for (const [at, meta] of claims().entries()) await write({ role, type: 'post', id: posts[at] ?? 0, meta });
        expect([role, await siteContent()]).toEqual([role, as]);
      }
      for (const role of ['editor', 'administrator'] as const) {
        reset();
        const claim = { [LANG]: 'fr', [ORIGINAL]: fixture.front };
        await write({ role, type: 'page', id: fixture.posts[role][0] ?? 0, meta: claim });
        const fronts = (
          (await (await fetch(`${wordpress().url}/?rights_content`)).json())['routes fr'] as Route[]
        ).filter(({ is_front }) => is_front);
        expect([role, fronts.length]).toEqual([role, way === 'REST, an autosave' ? 0 : 1]);
      }
      reset();
    });
});

describe('an author', () => {
  const author = (path: string, body: object) => rest(path, { as: caller('author'), body });
  const post = () => fixture.posts.author[0] ?? 0;
  const claim = (meta: Meta) => author(`wp/v2/posts/${post()}`, { meta });
  afterAll(reset);

  test('cannot claim the front page, and the response says why and what to do', async () => {
    const as = await siteContent();
    expect(await claim({ [ORIGINAL]: fixture.front })).toMatchObject({
      status: 400,
      body: { code: 'pillion_other_type', message: expect.stringContaining('a post translates a post') },
    });
    expect(await claim({ [ORIGINAL]: 4_000_000 })).toMatchObject({
      status: 400,
      body: {
        code: 'pillion_no_original',
        message: expect.stringContaining('There is no page with the number 4000000'),
      },
    });
    expect(await claim({ [LANG]: 'fr', [ORIGINAL]: fixture.colleague })).toMatchObject({
      status: 403,
      body: { code: 'pillion_not_yours', message: expect.stringContaining('Ask an editor') },
    });
    expect(metaOf(post())).toEqual({ [LANG]: '', [ORIGINAL]: 0 });
    expect(await siteContent()).toEqual(as);
  });

  test('sees in the box why the language was not saved, until the next successful save', async () => {
    const box = async () => (await browsers.author.page(`/wp-admin/post.php?post=${post()}&action=edit`)).html;
    const write = WAYS['the classic editor'];
    await write?.({ role: 'author', type: 'post', id: post(), meta: { [LANG]: 'fr', [ORIGINAL]: fixture.colleague } });
    expect(await box()).toContain(`You may not edit page ${fixture.colleague}`);
    expect(metaOf(post())).toEqual({ [LANG]: '', [ORIGINAL]: 0 });
    await write?.({ role: 'author', type: 'post', id: post(), meta: { [LANG]: 'fr', [ORIGINAL]: 0 } });
    expect(await box()).not.toContain('You may not edit page');
    expect(metaOf(post())).toEqual({ [LANG]: 'fr', [ORIGINAL]: 0 });
  });

  test('cannot take a page’s path with an older post, even if the page has a password', async () => {
    reset();
    const shown = async () =>
      ((await rest('gusto/routes?lang=en')).body as Route[])
        .filter(({ path }) => path === '/live/')
        .map(({ id }) => id);
    const renamed = await author(`wp/v2/posts/${post()}`, { slug: 'live' });
    expect(renamed.body.slug).toBe('live');
    expect(await shown()).toEqual([fixture.live]);
    expect(phpValue(`return Pillion\\Content\\Routes::path_of( ${post()} );`)).toBeNull();
    php(`wp_update_post( array( 'ID' => ${fixture.live}, 'post_password' => 'sesame' ) );`);
    expect(await shown()).toEqual([]);
    php(`wp_update_post( array( 'ID' => ${fixture.live}, 'post_password' => '' ) );`);
    // The post leaves no redirect either, which would apply once the page is deleted.
    await author(`wp/v2/posts/${post()}`, { slug: 'mine-author-1' });
    expect(phpValue(`return Pillion\\Redirects\\Redirects::find_at( '/live/' );`)).toBeNull();
    expect(await shown()).toEqual([fixture.live]);
  });

  test('cannot take the address of a language, by a claim or by a slug', async () => {
    reset();
    await claim({ [LANG]: 'fr', [ORIGINAL]: fixture.front });
    await author(`wp/v2/posts/${post()}`, { slug: 'fr', meta: { [LANG]: 'fr' } });
    const french: Route[] = (await rest('gusto/routes?lang=fr')).body;
    expect(french.map(({ path, is_front }) => [path, is_front])).toEqual([['/fr/fr/', false]]);
    await author(`wp/v2/posts/${post()}`, { slug: 'mine-author-1' });
  });

  test('cannot take an entry of the French legal menu, by a claim or by its page’s slug', async () => {
    reset();
    const legal = async () =>
      JSON.stringify(
        (await rest('gusto/nav/menu-locations/legals_menu?lang=fr')).body.items.map(({ url }: { url: string }) => url),
      );
    const as = await legal();
    expect(as).toContain('/privacy-policy/');
    await claim({ [LANG]: 'fr', [ORIGINAL]: fixture.legal });
    expect(await legal()).toBe(as);
    const standing = LANGUAGES.map((tag) => ({ tag, name: tag, dir: 'ltr', fallback: tag === 'fr' ? 'en' : '' }));
    await withOption('pillion_languages', `json_decode( '${JSON.stringify(standing)}', true )`, async () => {
      // French falls back to English: this path shows the English page.
      expect(await legal()).toContain('/fr/privacy-policy/');
      await author(`wp/v2/posts/${post()}`, { slug: 'privacy-policy', meta: { [LANG]: 'fr' } });
      expect((await rest('gusto/routes?lang=fr')).body).toEqual([]);
      expect(phpValue(`return Pillion\\Content\\Routes::path_of( ${post()} );`)).toBeNull();
    });
    await author(`wp/v2/posts/${post()}`, { slug: 'mine-author-1' });
  });

  test('can still save a post that an editor linked to a colleague’s, but not in another language', async () => {
    reset();
    const joined = { [LANG]: 'fr', [ORIGINAL]: fixture.colleague };
    expect((await rest(`wp/v2/posts/${post()}`, { as: caller('editor'), body: { meta: joined } })).status).toBe(200);
    expect((await author(`wp/v2/posts/${post()}`, { title: 'Mine, again', meta: joined })).status).toBe(200);
    expect((await claim({ [LANG]: 'de' })).status).toBe(403);
    await WAYS['the classic editor']?.({ role: 'author', type: 'post', id: post(), meta: joined });
    expect(metaOf(post())).toEqual(joined);
    // Leaving a group displaces no other post.
    await WAYS['the classic editor']?.({
      role: 'author',
      type: 'post',
      id: post(),
      meta: { [LANG]: 'de', [ORIGINAL]: 0 },
    });
    expect(metaOf(post())).toEqual({ [LANG]: 'de', [ORIGINAL]: 0 });
  });

  /** Custom fields by XML-RPC. An entry with only an id deletes the row. */
  const rows = (fields: string) =>
    xmlRpc(
      'wp.editPost',
      { role: 'author', type: 'post', id: post(), meta: {} },
      [`<int>${post()}</int>`],
      member('custom_fields', `<array><data><value><struct>${fields}</struct></value></data></array>`),
    );

  test('cannot claim with a list, which WordPress stores as the number 1', async () => {
    reset();
    const asked = await fetch(`${wordpress().url}/?rights_rows=${post()}&keys=${ORIGINAL}`);
    const [row] = (await asked.json()) as number[];
    const list = '<array><data><value><int>5</int></value></data></array>';
    await rows(
      member('id', `<string>${row}</string>`) + member('key', `<string>${ORIGINAL}</string>`) + member('value', list),
    );
    expect(metaOf(post())).toEqual({ [LANG]: '', [ORIGINAL]: 0 });
  });

  test('cannot replace a colleague’s translation by deleting the first of two rows', async () => {
    reset();
    const own = fixture.posts.author[1] ?? 0;
    php(
      `wp_insert_post( array( 'post_status' => 'publish', 'post_author' => 1, 'post_title' => 'Made in French', 'meta_input' => array( '${LANG}' => 'fr', '${ORIGINAL}' => ${own} ) ) );`,
    );
    for (const [key, value] of [
      [LANG, 'de'],
      [LANG, 'fr'],
      [ORIGINAL, own],
    ])
      await rows(member('key', `<string>${key}</string>`) + member('value', `<string>${value}</string>`));
    const joined = { [LANG]: 'de', [ORIGINAL]: own };
    expect(metaOf(post())).toEqual(joined);
    const first = phpValue<number>(`global $wpdb;
      return (int) $wpdb->get_var( "SELECT MIN(meta_id) FROM $wpdb->postmeta WHERE post_id = ${post()} AND meta_key = '${LANG}'" );`);
    await rows(member('id', `<string>${first}</string>`));
    expect(metaOf(post())).toEqual(joined);
    reset();
  });

  test('cannot take the place of a colleague’s translation of the author’s own post', async () => {
    reset();
    const [own = 0, other = 0] = fixture.posts.author;
    const theirs = phpValue<number>(
      `return wp_insert_post( array( 'post_status' => 'publish', 'post_author' => 1, 'post_title' => 'Kollege', 'meta_input' => array( '${LANG}' => 'de', '${ORIGINAL}' => ${own} ) ) );`,
    );
    const takes = async (id: number, meta: Meta) => (await author(`wp/v2/posts/${id}`, { meta })).status;
    phpAfterwards(`wp_delete_post( ${theirs}, true );`);
    expect(await takes(other, { [LANG]: 'de', [ORIGINAL]: own })).toBe(403);
    expect(await takes(own, { [LANG]: 'de' })).toBe(403);
    expect(await takes(other, { [LANG]: 'fr', [ORIGINAL]: own })).toBe(200);
  });

  test('moves a post to another original and another language in one save', async () => {
    reset();
    const [first = 0, moved = 0, second = 0] = fixture.posts.author;
    const theirs = phpValue<number>(
      `update_post_meta( ${moved}, '${LANG}', 'fr' ); update_post_meta( ${moved}, '${ORIGINAL}', ${first} );
      return wp_insert_post( array( 'post_status' => 'publish', 'post_author' => 1, 'post_title' => 'Kollege', 'meta_input' => array( '${LANG}' => 'de', '${ORIGINAL}' => ${first} ) ) );`,
    );
    phpAfterwards(`wp_delete_post( ${theirs}, true );`);
    const write = WAYS['the classic editor'];
    await write?.({ role: 'author', type: 'post', id: moved, meta: { [LANG]: 'de', [ORIGINAL]: second } });
    expect(metaOf(moved)).toEqual({ [LANG]: 'de', [ORIGINAL]: second });
    reset();
  });

  test('gains nothing from a claim that is already in the database', async () => {
    reset();
    const as = await siteContent();
    php(
      `update_post_meta( ${post()}, '${LANG}', 'fr' ); update_post_meta( ${post()}, '${ORIGINAL}', ${fixture.front} );`,
    );
    expect(await siteContent()).toEqual(as);
    php(`update_post_meta( ${post()}, '${LANG}', 'de' );`);
    expect(await siteContent()).toEqual(as);
    // The same on a site with one language.
    php(`delete_post_meta( ${post()}, '${LANG}' );`);
    setOption('pillion_languages', 'array()');
    const fronts = ((await rest('gusto/routes')).body as Route[]).filter(
      ({ path, is_front }) => is_front || path === '/',
    );
    expect(fronts.map(({ id }) => id)).toEqual([fixture.front]);
  });
});

test('an import by an administrator keeps the number of an original that is imported later', () => {
  const [id = 0] = fixture.posts.author;
  const written = (role: Role) =>
    phpValue<number>(`wp_set_current_user( get_user_by( 'login', 'rights-${role}' )->ID ); delete_post_meta( ${id}, '${ORIGINAL}' );
      add_post_meta( ${id}, '${ORIGINAL}', 4000001 ); return (int) get_post_meta( ${id}, '${ORIGINAL}', true );`);
  expect(written('author')).toBe(0);
  expect(written('administrator')).toBe(4_000_001);
  reset();
});
