import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WEBHOOK_SECRET } from '@pillion/content/testing/preview.ts';
import { startApp } from '@pillion/server/testing/start-app.ts';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Browser, login } from './browser.ts';
import { createPage, deletePage, php, phpAfterwards, phpValue, rest, usePlugin, wordpress } from './wordpress.ts';

const SCREEN = '/wp-admin/admin.php?page=pillion-redirects';

interface Redirect {
  from: string;
  status: number;
  to: string | null;
}

const redirects = async (): Promise<Redirect[]> => (await rest('pillion/v1/redirects?lang=en')).body.items;
const at = async (from: string) => (await redirects()).find((redirect) => redirect.from === from);

const IDS = `get_posts( array( 'post_type' => 'pillion_redirect', 'post_status' => 'private', 'numberposts' => -1, 'fields' => 'ids' ) )`;
/** Ids of the redirects in the seed. */
let seeded: number[];

const removeAdded = () =>
  php(`foreach ( array_diff( ${IDS}, array( ${seeded.join()} ) ) as $id ) { wp_delete_post( $id, true ); }`);
/** Removes the redirects of a test after it. */
const removeAfterwards = () => onTestFinished(() => void removeAdded());

/** Fills in the form on the screen and submits it, as an editor does. */
async function add(browser: Browser, from: string, to: string, status = 301, edit = 0) {
  const address = edit ? `${SCREEN}&edit=${edit}` : SCREEN;
  const { fields, html } = await browser.page(address);
  for (const name of [...fields.keys()])
    if (!['_wpnonce', 'id', 'from', 'status', 'to'].includes(name)) fields.delete(name);
  // The list's form has a nonce of the same name further down.
  fields.set('_wpnonce', nonceOf(html));
  return browser.submit(address, fields, { from, to, status: String(status) });
}

const nonceOf = (html: string) => /class="pillion-redirect"[\s\S]*?name="_wpnonce" value="(\w+)"/.exec(html)?.[1] ?? '';

const said = (html: string) =>
  [...html.matchAll(/<div class="notice notice-(?:error|success|warning)[^>]*>\s*<p>([\s\S]*?)<\/p>/g)]
    .map(([, text = '']) => text.replace(/&#8220;|&#8221;|&quot;/g, '"').replace(/&amp;/g, '&'))
    .join('\n');

// Removes redirects that other tests left by moving or deleting pages.
beforeAll(() => {
  php(
    `foreach ( get_posts( array( 'post_type' => 'pillion_redirect', 'post_status' => 'private', 'numberposts' => -1, 'post_parent__not_in' => array( 0 ), 'fields' => 'ids' ) ) as $id ) { wp_delete_post( $id, true ); }`,
  );
  seeded = phpValue<number[]>(`return ${IDS};`);
});

test('an editor adds, changes and deletes a redirect', async () => {
  removeAfterwards();
  const browser = await login();
  const added = await add(browser, ' /Old Page/ ', '/paper-notes?a=1&b=2#top');
  expect(said(added.html)).toContain('Saved: /Old%20Page/ leads to /paper-notes/?a=1&b=2#top.');
  expect(await at('/Old%20Page/')).toEqual({ from: '/Old%20Page/', status: 301, to: '/paper-notes/?a=1&b=2#top' });
  const id = Number(/edit=(\d+)"[^>]*>\/Old%20Page\//.exec(added.html)?.[1]);
  await add(browser, '/old/', '/the-tour/', 302, id);
  expect(await at('/old/')).toEqual({ from: '/old/', status: 302, to: '/the-tour/' });
  expect(await at('/Old%20Page/')).toBeUndefined();
  await add(browser, '/old/', 'left over', 410, id);
  expect(await at('/old/')).toEqual({ from: '/old/', status: 410, to: null });
  const list = (await browser.page(SCREEN)).html;
  const remove = new RegExp(`href="([^"]*remove=${id}&#038;[^"]*)"`).exec(list)?.[1] ?? '';
  const gone = await browser.page(remove.replace(/&#038;/g, '&').slice(wordpress().url.length));
  expect(said(gone.html)).toBe('1 redirect removed.');
  expect(await at('/old/')).toBeUndefined();
});

test('other scripts, full addresses of this WordPress and uploads are normalised', async () => {
  removeAfterwards();
  const browser = await login();
  const { url } = wordpress();
  const saved = await add(browser, `${url}/%C3%BCber-uns`, `${url}/paper-notes/`);
  expect(said(saved.html)).toContain('/über-uns/ leads to /paper-notes/');
  expect(await at('/%C3%BCber-uns/')).toMatchObject({ to: '/paper-notes/' });
  expect(said((await add(browser, '/über-uns/', '/the-tour/')).html)).toContain('There is a redirect from /über-uns/');
  await add(browser, '/道/', '/media/music.mp3');
  expect(await at('/%E9%81%93/')).toMatchObject({ to: '/media/music.mp3' });
});

const ANOTHER_SITE = /cannot lead to another site/;
const CONTROL = /control characters/;

describe('an invalid redirect', () => {
  let editor: Browser;
  let before: Redirect[];
  beforeAll(async () => {
    editor = await login();
    before = await redirects();
  });
  // An invalid redirect that was stored fails only its own test.
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') removeAdded();
  });

  for (const [what, from, to, words] of [
    ['to itself', '/a/', '/a', /lead to itself/],
    ['to itself in another spelling', '/a/', '/%61/?x=1', /lead to itself/],
    ['to another host', '/a/', 'https://elsewhere.example/', ANOTHER_SITE],
    ['to another host without a scheme', '/a/', '//elsewhere.example/', ANOTHER_SITE],
    ['to another host by a backslash', '/a/', '/\\elsewhere.example', /backslash/],
    ['to another host by an encoded backslash', '/a/', '/%5Celsewhere.example', /backslash/],
    ['to script', '/a/', 'javascript:alert(1)', ANOTHER_SITE],
    ['to a host that begins like ours', '/a/', 'HOME.elsewhere.example/', ANOTHER_SITE],
    ['with a line break in it', '/a/', '/b/\r\nSet-Cookie: a=b', CONTROL],
    ['with an encoded line break', '/a/', '/b/%0d%0aSet-Cookie:a', CONTROL],
    ['from a path with a line break', '/a\r\n/', '/paper-notes/x', /control|no page/],
    ['with two slashes side by side', '/a//b/', '/paper-notes/', /two slashes/],
    ['without a slash', 'a', '/paper-notes/', /must begin with \//],
    ['with dots', '/a/../b/', '/paper-notes/', /not a valid path/],
    ['with half an encoding', '/%zz/', '/paper-notes/', /not a valid path/],
    ['with bytes that are no text', '/%ff/', '/paper-notes/', /not a valid path/],
    ['with a hidden slash', '/a%2fb/', '/paper-notes/', /not a valid path/],
    ['from a path with a query', '/a/?b=1', '/paper-notes/', /matches the path only/],
    ['from the front page', '/', '/paper-notes/', /front page/],
    ['from an endpoint', '/api/page', '/paper-notes/', /site uses/],
    ['from files of the build', '/assets/', '/paper-notes/', /site uses/],
    ['from the search', '/search', '/paper-notes/', /site uses/],
    ['to an endpoint', '/a/', '/api/sign-ups', /no pages under/],
    ['from a path that has one', '/journal', '/the-tour/', /already \(\/paper-notes\/\)/],
    ['from nothing', '', '/paper-notes/', /Enter the old path/],
    ['to nothing', '/a/', ' ', /Enter the new path/],
    ['with markup', '/a/', '/"><script>alert(1)</script>', /cannot contain spaces, quotes/],
    ['that is too long', `/${'x'.repeat(900)}/`, '/paper-notes/', /up to 900/],
  ] as const)
    test(`a redirect ${what} is rejected with a message, and the input stays`, async () => {
      const typed = to.replace('HOME', wordpress().url);
      const answer = await add(editor, from, typed);
      const after = await redirects();
      if (from.includes('\r')) return expect(after).not.toContainEqual(expect.objectContaining({ from: '/a%0D%0A/' }));
      expect(said(answer.html)).toMatch(words);
      expect(answer.html).toContain('aria-invalid="true" autofocus');
      expect(answer.fields.get('from')).toBe(from);
      expect(answer.fields.get('to')?.replace(/&#13;/g, '\r')).toBe(typed);
      expect(after).toEqual(before);
    });
});

test('a redirect loop is rejected, and the message shows the loop', async () => {
  removeAfterwards();
  const browser = await login();
  await add(browser, '/a/', '/b/');
  await add(browser, '/b/', '/c/?x=1');
  const answer = await add(browser, '/c/', '/a');
  expect(said(answer.html)).toContain('The redirects would form a loop: /c/ → /a/ → /b/ → /c/.');
  expect(await at('/c/')).toBeUndefined();
  expect(answer.fields.get('to')).toBe('/a');
});

test('the search finds a path as typed or as copied from a browser, and the query of a target', async () => {
  removeAfterwards();
  const browser = await login();
  await add(browser, '/über-uns/', '/paper-notes/?plan=b');
  const found = async (search: string) =>
    [
      ...(await browser.page(`${SCREEN}&s=${encodeURIComponent(search)}`)).html.matchAll(/row-title"[^>]*>([^<]*)/g),
    ].map(([, from]) => from);
  for (const search of ['über', '/%C3%BCber-uns/', '?plan=b'])
    expect([search, ...(await found(search))]).toEqual([search, '/über-uns/']);
});

test('a redirect from an existing page and one to a missing page are saved with a warning', async () => {
  removeAfterwards();
  const browser = await login();
  expect(said((await add(browser, '/paper-notes/', '/the-tour/')).html)).toContain(
    'has the address /paper-notes/ and is shown instead',
  );
  expect(said((await add(browser, '/a/', '/nowhere/')).html)).toContain('There is no page at /nowhere/');
  expect((await browser.page(SCREEN)).html).toContain('A page has this address and is shown instead.');
});

const edit = (id: number, body: Record<string, unknown>) => rest(`wp/v2/pages/${id}`, { as: 'admin', body });

test('R29: a moved page and its child pages leave redirects; moved back, they leave none', async () => {
  removeAfterwards();
  const parent = await createPage({ title: 'Reads', slug: 'reads' });
  const child = await createPage({ title: 'North', slug: 'north', parent });
  await edit(parent, { slug: 'tours' });
  expect(await at('/reads/')).toEqual({ from: '/reads/', status: 301, to: '/tours/' });
  expect(await at('/reads/north/')).toEqual({ from: '/reads/north/', status: 301, to: '/tours/north/' });
  await edit(child, { parent: 0 });
  expect(await at('/tours/north/')).toMatchObject({ to: '/north/' });
  expect(await at('/reads/north/'), 'straight to where it is now').toMatchObject({ to: '/north/' });
  await edit(child, { parent });
  await edit(parent, { slug: 'reads' });
  expect(await at('/reads/')).toBeUndefined();
  expect(await at('/reads/north/')).toBeUndefined();
  expect(await at('/tours/')).toMatchObject({ to: '/reads/' });
  expect((await (await login()).page(SCREEN)).html).toContain('Automatic: the page moved');
});

test('R29: a trashed or deleted page is gone; a restored page or a new one at its path replaces that', async () => {
  removeAfterwards();
  const gone = { from: '/brief/', status: 410, to: null };
  const id = await createPage({ title: 'Brief', slug: 'brief' });
  await rest(`wp/v2/pages/${id}`, { as: 'admin', method: 'DELETE' });
  expect(await at('/brief/')).toEqual(gone);
  php(`wp_untrash_post( ${id} );`);
  expect(await at('/brief/')).toBeUndefined();
  await edit(id, { status: 'publish' });
  await deletePage(id);
  expect(await at('/brief/')).toEqual(gone);
  const other = await createPage({ title: 'Brief', slug: 'brief' });
  expect(await at('/brief/')).toBeUndefined();
  await deletePage(other);
  expect(await at('/brief/')).toEqual(gone);
});

test('a page that becomes a draft leaves no redirect, and an editor’s redirect is not overwritten', async () => {
  removeAfterwards();
  const browser = await login();
  const id = await createPage({ title: 'Kept', slug: 'kept' });
  await edit(id, { status: 'draft' });
  expect(await at('/kept/')).toBeUndefined();
  await edit(id, { status: 'publish' });
  await add(browser, '/kept/', '/the-tour/', 302);
  await rest(`wp/v2/pages/${id}`, { as: 'admin', method: 'DELETE' });
  expect(await at('/kept/')).toMatchObject({ status: 302, to: '/the-tour/' });
});

test('a target keeps its query for users who may not write HTML', async () => {
  removeAfterwards();
  php(`kses_init_filters();
      \\Pillion\\Redirects\\Redirects::save( array( 'id' => 0, 'from' => '/plain/', 'status' => 301, 'to' => '/a/?b=1&c=2', 'page' => 0 ) );`);
  expect(await at('/plain/')).toMatchObject({ to: '/a/?b=1&c=2' });
});

test('every change triggers the action pillion_changed', async () => {
  const listener = `add_action( 'pillion_changed', function ( ...$what ) { update_option( 'heard', array_merge( get_option( 'heard', array() ), array( $what ) ) ); }, 10, 4 );`;
  phpAfterwards(`delete_option( 'heard' );`);
  usePlugin(listener);
  removeAfterwards();
  await add(await login(), '/told/', '/paper-notes/');
  await edit(await createPage({ title: 'Told', slug: 'told-too' }), { slug: 'told-three' });
  const heard = phpValue<string[][]>(`return get_option( 'heard' );`).filter(([type]) => type === 'redirects');
  expect(heard).toContainEqual(['redirects', 0, '/told/', 'publish']);
  expect(heard).toContainEqual(['redirects', 0, '/told-too/', 'publish']);
});

test('thousands of redirects arrive in pages of a thousand, small enough for the client', async () => {
  removeAfterwards();
  php(`$wpdb->query( 'START TRANSACTION' );
      for ( $i = 0; $i < 2500; $i++ ) { $wpdb->insert( $wpdb->posts, array( 'post_type' => 'pillion_redirect', 'post_status' => 'private',
      'post_title' => "/many-$i/", 'post_name' => md5( "/many-$i/" ), 'post_content' => '/paper-notes/', 'menu_order' => 301, 'post_excerpt' => '', 'to_ping' => '', 'pinged' => '', 'post_content_filtered' => '' ) ); }
      $wpdb->query( 'COMMIT' );`);
  const answers = await Promise.all([1, 2, 3, 4].map((page) => rest(`pillion/v1/redirects?page=${page}`)));
  expect(answers.map(({ body }) => body.items.length)).toEqual([1000, 1000, 503, 0]);
  expect(answers[0]?.body.total).toBe(2503);
  expect(answers[0]?.headers.get('x-wp-total')).toBe('2503');
  expect((await rest('pillion/v1/redirects?page=0')).status).toBe(400);
  expect(new Set(answers.flatMap(({ body }) => body.items.map(({ from }: Redirect) => from))).size).toBe(2503);
  const found = await (await login()).page(`${SCREEN}&s=many-2499`);
  expect(found.html).toContain('/many-2499/');
  expect(found.html).not.toContain('/many-2498/');
  // WordPress' own functions would run a dozen queries for each.
  php(`$wpdb->query( "DELETE FROM $wpdb->posts WHERE post_title LIKE '/many-%'" );`);
});

test('R29: a path that the site’s server handles itself cannot be redirected', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pillion-reserved-'));
  const { app, close } = startApp({
    // Only the address is used.
    wordpress: { url: wordpress().url } as Parameters<typeof startApp>[0]['wordpress'],
    ...{ directory, log: () => {}, env: { WEBHOOK_SECRET } },
  });
  await close();
  await rm(directory, { recursive: true, force: true });
  const routes = [...new Set(app.routes.map(({ path }) => path))].filter((path) => path !== '/*' && path !== '*');
  // For a route with a parameter, the part before it counts. Sitemaps have no such part.
  const begun = routes.map((path) => path.replace(/[:*].*$/, '')).filter((path) => path !== '/');
  const sitemaps = [
    '/sitemap-1.xml',
    '/wp-sitemap.xml',
    '/wp-sitemap-posts-page-1.xml',
    '/sitemap_index.xml',
    '/page-sitemap2.xml',
  ];
  const patterns = routes.flatMap((path) => /^\/:name\{(.*)\}$/.exec(path)?.[1] ?? []);
  for (const path of sitemaps)
    expect([path, patterns.some((pattern) => new RegExp(`^/${pattern}$`).test(path))]).toEqual([path, true]);
  expect(begun).toEqual(expect.arrayContaining(['/share/', '/preview/', '/media/', '/robots.txt']));
  const paths = [...new Set([...begun, ...sitemaps])];
  expect(
    phpValue<string[]>(
      `return array_values( array_filter( json_decode( '${JSON.stringify(paths)}' ), static function ( $path ) { return ! Pillion\\Redirects\\RedirectRules::is_reserved( Pillion\\Redirects\\RedirectRules::normalise_path( $path ) ); } ) );`,
    ),
  ).toEqual([]);
});
