import { createHmac, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  answerWith,
  isSigned,
  type RecordingSite,
  respondLive,
  startRecordingSite,
} from '../support/recording-site.ts';
import { login } from './browser.ts';
import {
  type Caller,
  createPage,
  createUser,
  dateBack,
  deletePage,
  enrol,
  forgetSite,
  type Person,
  php,
  phpAfterwards,
  phpAsync,
  phpValue,
  rest,
  setSite,
  usePlugin,
  wordpress,
} from './wordpress.ts';

/** The fields of a page that the site reads (packages/content/src/wordpress/endpoints.ts). */
const FIELDS = 'id,status,title,content,excerpt,template,acf,sections,picture,found,yoast_head_json';

let site: RecordingSite;

let editor: Person;
let author: Person;

beforeAll(async () => {
  site = await startRecordingSite();
  editor = enrol('ada', 'editor');
  author = enrol('grace', 'author');
});
beforeEach(() => {
  site.answer = respondLive;
  setSite(site.url, site.secret);
  site.received();
});
afterEach(() => void forgetSite());
afterAll(async () => {
  php(`foreach ( array( ${editor.id}, ${author.id} ) as $id ) { wp_delete_user( $id ); }`);
  await site.stop();
});

const base64url = (text: string) => Buffer.from(text).toString('base64url');

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');

/** Signs a token with the webhook secret only, which the site shares. */
function signShared(note: unknown, secret = site.secret): string {
  const payload = base64url(JSON.stringify(note));
  return `${payload}.${hmac(Buffer.from(secret.slice('whsec_'.length), 'base64'), `pillion-preview.${payload}`)}`;
}

/** Values that only WordPress knows, each read once. */
const known = new Map<string, unknown>();
function once<T>(code: string): T {
  if (!known.has(code)) known.set(code, phpValue<T>(code));
  return known.get(code) as T;
}

/** Makes a token as WordPress does, independently of its code, to compare both. */
function sign(note: Record<string, unknown>, secret = site.secret, home?: string): string {
  const own = once<{ salt: string; home: string }>(
    `return array( 'salt' => wp_salt( 'auth' ), 'home' => get_option( 'home' ) );`,
  );
  const signed = [home ?? own.home, ...['k', 'p', 'u', 'l', 's', 'o', 'e'].map((name) => note[name])].join('\n');
  return signShared({ ...note, m: hmac(own.salt, `pillion-preview-own.${signed}`) }, secret);
}
/** Name of the session for requests that are signed in by code. */
const sessionOf = (user: number) =>
  once<string>(`return Pillion\\Preview\\Session::current( get_userdata( ${user} ) );`);
const noteOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'));
const now = () => Math.floor(Date.now() / 1000);
const open = (post: number, user = 1, changes: Record<string, unknown> = {}) =>
  sign({ k: 'open', p: post, u: user, l: '', s: sessionOf(user), o: now() + 600, e: now() + 28_800, ...changes });

const show = (post: number, token: string, query = '', as: Caller = 'key') =>
  rest(`pillion/v1/preview/${post}?token=${token}&lang=en${query}`, { as });
const type = (post: number, body: object, as: Caller = 'admin') =>
  rest(`pillion/v1/preview/${post}/live`, { as, body });
const make = (id: number, days: number, as: Caller = 'admin') =>
  rest(`pillion/v1/preview/${id}/links`, { as, body: { days } });
const tokenOf = ({ url }: { url: string }) => url.split('token=')[1] ?? '';
/** Creates a draft of a user, and deletes it after the test. @returns Its id. */
async function createPost({ caller: as }: Person): Promise<number> {
  const { id } = (await rest('wp/v2/posts', { as, body: { title: 'Hers', status: 'draft' } })).body;
  phpAfterwards(`wp_delete_post( ${id}, true );`);
  return id;
}
const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;

/** Reads a file that may disappear after it was listed, like the database's journal. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw cause;
  }
}

/** All files of WordPress that contain a word, including the database and the logs. */
const holding = (word: string) =>
  readdirSync(wordpress().directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readIfThere(path).includes(word));

/** The data of the published page, read as the site reads it. */
const published = async (id: number, base = 'pages') =>
  (await rest(`wp/v2/${base}/${id}?_fields=${FIELDS}&lang=en`)).body;
const routeOf = async (id: number) =>
  (await rest('gusto/routes?lang=en')).body.find((route: { id: number }) => route.id === id);

const aPicture = () =>
  phpValue<number>(
    `return get_posts( array( 'post_type' => 'attachment', 'post_mime_type' => 'image/webp', 'fields' => 'ids', 'numberposts' => 1 ) )[0];`,
  );

/** The status and location of a response for a logged-in browser, without following redirects. */
async function leads(path: string, cookies: string): Promise<{ status: number; to: string; html: string }> {
  const response = await fetch(new URL(path, wordpress().url), { headers: { cookie: cookies }, redirect: 'manual' });
  return { status: response.status, to: response.headers.get('location') ?? '', html: await response.text() };
}
/** Cookies of a new session. The user agent distinguishes it from other sessions of the same second. */
const cookiesOf = (user: number) =>
  phpValue<string>(`$until = time() + 3600; $_SERVER['HTTP_USER_AGENT'] = '${randomUUID()}'; $token = WP_Session_Tokens::get_instance( ${user} )->create( $until );
    return LOGGED_IN_COOKIE . '=' . wp_generate_auth_cookie( ${user}, $until, 'logged_in', $token ) . '; ' . AUTH_COOKIE . '=' . wp_generate_auth_cookie( ${user}, $until, 'auth', $token );`);

describe('the preview data for the site', () => {
  const FUTURE = { date: '2099-05-01T14:00:00', date_gmt: '2099-05-01T14:00:00' };

  test.each([
    ['draft', {}, 'draft'],
    ['pending', {}, 'pending'],
    ['future', FUTURE, 'future'],
    ['private', {}, 'private'],
    ['publish', { password: 'sesame' }, 'publish'],
  ])('of a page that is %s %j is the saved page at its future path', async (status, more, said) => {
    const id = await createPage({ title: `Over & out ${status}`, status, content: paragraph('Hidden'), ...more });
    const { status: answered, body, headers } = await show(id, open(id));
    expect(answered).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store, private');
    expect(body).toMatchObject({
      page: { id, status: 'publish', content: { protected: false }, sections: [{ type: 'rich-text' }] },
      blocks: [0],
      route: { id, rest_base: 'pages', path: `/over-out-${status}/`, title: `Over & out ${status}` },
      state: { status: said, date: said === 'future' ? '2099-05-01T14:00:00+00:00' : null },
      live: null,
      editor: wordpress().url,
    });
    expect(body.page.title.rendered, 'without “Private:” or “Protected:”').toBe(`Over &#038; out ${status}`);
    expect(body.page.sections[0].html).toContain('Hidden');
    expect(body.state.saved).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    expect(body.route.modified).toMatch(/^2\d{3}-/);
    expect((await published(id)).content?.rendered ?? '').not.toContain('Hidden');
  });

  test('of a page in the trash is the page as it was, at its old path', async () => {
    const id = await createPage({ title: 'Gone by' });
    await rest(`wp/v2/pages/${id}`, { as: 'admin', method: 'DELETE' });
    const { body } = await show(id, open(id));
    expect(body).toMatchObject({ state: { status: 'trash' }, route: { path: '/gone-by/' }, live: null });
  });

  test('equals wp/v2 and gusto/routes for the same page after publishing', async () => {
    const content = [
      paragraph('One &amp; two [gallery]'),
      '<!-- wp:pillion/statement {"text":"A <em>turned</em> word"} /-->',
      // These blocks read the post from WordPress by its id.
      '<!-- wp:post-title {"level":2} /-->',
      '<!-- wp:post-featured-image /-->',
    ].join('\n\n');
    const parent = await createPage({ title: 'Above' });
    const fields = {
      title: 'As “typed” & <em>turned</em>',
      content,
      excerpt: 'One sentence.',
      template: 'landing',
      featured_media: aPicture(),
      meta: { _pillion_theme: 'light', _pillion_found_title: 'Found', _pillion_found_noindex: true },
    };
    const id = await createPage({ title: 'Empty', status: 'draft', parent });
    const typed = (await type(id, fields)).body;
    const before = (await published(id)).code;
    await rest(`wp/v2/pages/${id}`, { as: 'admin', body: fields });
    const saved = (await show(id, open(id))).body;
    await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { status: 'publish', slug: typed.route.slug } });
    const real = await published(id);
    const route = await routeOf(id);
    expect(before).toBe('rest_forbidden');
    expect(real.content.rendered).toContain('As “typed”');
    for (const answer of [typed, saved]) {
      expect(answer.page).toEqual({ yoast_head_json: null, ...real });
      expect({ ...answer.route, slug: route.slug, path: route.path, modified: '' }).toEqual({
        ...route,
        modified: '',
      });
      expect(answer.blocks).toEqual([0, 1, 2]);
    }
    expect(typed.route.path).toBe('/above/as-typed-turned/');
    expect(typed.state.kind).toBe('autosave');
    expect(saved.state.kind).toBe('saved');
    expect((await show(id, open(id))).body).toMatchObject({ live: route.path, state: { kind: 'unchanged' } });
  });

  test('of the front page is at /', async () => {
    const home = phpValue<number>(`return (int) get_option( 'page_on_front' );`);
    const { body } = await type(home, { title: 'Another' });
    expect(body).toMatchObject({ live: '/', route: { path: '/', is_front: true, title: 'Another' } });
    expect({ ...(await type(home, {})).body.page }).toEqual({ yoast_head_json: null, ...(await published(home)) });
  });

  test('of a page whose slug is taken has the slug that WordPress would assign', async () => {
    await createPage({ title: 'Twin' });
    const id = await createPage({ title: 'Other', status: 'draft' });
    expect((await type(id, { title: 'Twin' })).body.route.path).toBe('/twin-2/');
    expect((await type(id, { slug: 'Zwölf Boxkämpfer' })).body.route.path).toBe('/zwolf-boxkampfer/');
  });

  test('is next to the editor only for post types that the site shows', async () => {
    usePlugin(`add_action( 'init', function () {
      register_post_type( 'memo', array( 'publicly_queryable' => true, 'show_ui' => true, 'show_in_rest' => true, 'label' => 'Memos' ) ); } );`);
    const admin = await login();
    const hasPane = async (of: string) =>
      (await admin.page(`/wp-admin/post-new.php?post_type=${of}`)).html.includes('pillionPreview');
    expect([await hasPane('page'), await hasPane('memo')]).toEqual([true, false]);
  });

  test('of a post type of another plugin has no sections', async () => {
    const trips = `add_action( 'init', function () {
      register_post_type( 'trip', array( 'public' => true, 'show_in_rest' => true, 'rest_base' => 'trips', 'label' => 'Trips' ) ); } );`;
    usePlugin(trips);
    const id = phpValue<number>(
      `return wp_insert_post( array( 'post_type' => 'trip', 'post_status' => 'draft', 'post_title' => 'Over the top', 'post_content' => 'Up' ) );`,
    );
    phpAfterwards(`wp_delete_post( ${id}, true );`);
    expect((await show(id, open(id))).body).toMatchObject({
      page: { content: { rendered: '<p>Up</p>\n' } },
      blocks: [],
      route: { type: 'trip', rest_base: 'trips', path: '/trip/over-the-top/' },
    });
  });

  test('is the user’s autosave if it is newer than the save, with its theme and SEO fields', async () => {
    const id = await createPage({ title: 'Public', content: paragraph('Saved') });
    dateBack(id);
    const saved = await rest(`wp/v2/pages/${id}/autosaves`, {
      as: editor.caller,
      body: {
        title: 'Changed',
        content: paragraph('Autosaved'),
        meta: { _pillion_theme: 'light', _pillion_found_title: 'Sought' },
      },
    });
    expect(saved.status).toBe(200);
    const hers = (await show(id, open(id, editor.id))).body;
    // WordPress stores meta with an autosave since 6.4. The editor of older versions sends none.
    const keepsMeta = phpValue<boolean>(`return function_exists( 'wp_post_revision_meta_keys' );`);
    expect(hers).toMatchObject({
      page: {
        title: { rendered: 'Changed' },
        ...(keepsMeta && { acf: { theme: 'light' }, found: { title: 'Sought' } }),
      },
      state: { status: 'publish', kind: 'autosave', title: 'Changed' },
      live: '/public/',
    });
    expect(hers.page.sections[0].html).toContain('Autosaved');
    const others = (await show(id, open(id))).body;
    expect(others).toMatchObject({ page: { title: { rendered: 'Public' } }, state: { kind: 'unchanged' } });
    expect(await published(id), 'visitors see what is saved').toMatchObject({ acf: [], found: { title: '' } });
    await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { title: 'Saved again' } });
    expect((await show(id, open(id, editor.id))).body).toMatchObject({
      page: { title: { rendered: 'Saved again' } },
      state: { kind: 'unchanged' },
    });
  });

  test('lists other pages with unpublished changes, only those that the user may edit', async () => {
    const other = await createPage({ title: 'Other draft', status: 'draft' });
    const id = await createPage({ title: 'This', status: 'draft' });
    expect((await show(id, open(id))).body.drafts).toEqual({ '/other-draft/': other });
    const own = await createPost(author);
    expect((await show(own, open(own, author.id))).body.drafts).toEqual({});
    expect((await show(id, open(id, 1, { k: 'pane' }))).body.drafts).toEqual({});
  });

  test('has the positions of sections in groups and patterns and of text from before blocks', async () => {
    const content = [
      'Text from before blocks',
      '<!-- wp:group --><div class="wp-block-group"><!-- wp:pillion/statement {"text":"Inside"} /--></div><!-- /wp:group -->',
      paragraph('a'),
      paragraph('b'),
      '<!-- wp:pillion/statement {"text":"Last"} /-->',
    ].join('\n\n');
    const id = await createPage({ title: 'Mixed', status: 'draft' });
    const { body } = await type(id, { content });
    expect(body.page.sections.map(({ type: name }: { type: string }) => name)).toEqual([
      'rich-text',
      'statement',
      'rich-text',
      'statement',
    ]);
    expect(body.blocks).toEqual([0, 1, 2, 4]);
  });
});

describe('a preview is refused to', () => {
  const code = async (answer: Promise<{ status: number; body: { code: string } }>) => {
    const { status, body } = await answer;
    return [status, body.code];
  };

  test('a request with a missing or wrong key or token', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft', content: paragraph('Hidden') });
    const good = open(id);
    const [payload, signature] = good.split('.');
    expect(await code(rest(`pillion/v1/preview/${id}`))).toEqual([403, 'pillion_preview_wrong']);
    expect((await show(id, good, '', 'nobody')).status).toBe(401);
    expect((await show(id, good, '', 'admin')).status).toBe(403);
    expect((await show(id, good, '', { user: wordpress().key, password: 'cs_wrong' })).status).toBe(401);
    const other = `whsec_${Buffer.from('another secret, also 32 bytes...').toString('base64')}`;
    const full = { k: 'open', p: id, u: 1, l: '', s: sessionOf(1), o: now() + 600, e: now() + 600 };
    for (const token of [
      '',
      '.',
      'a.b',
      `${payload}.`,
      `${payload}.${signature}.`,
      `${payload}.${signature?.slice(1)}`,
      `${payload}x.${signature}`,
      `${base64url(JSON.stringify({ ...full, u: 2 }))}.${signature}`,
      sign(full, other),
      sign({ ...full, k: 'other' }),
      sign({ ...full, u: '1' }),
      sign({ ...full, l: null }),
      sign({ ...full, s: null }),
      sign({ ...full, e: 1e30 }),
      signShared([1]),
    ])
      expect([token, ...(await code(show(id, encodeURIComponent(token))))]).toEqual([
        token,
        403,
        'pillion_preview_wrong',
      ]);
    expect((await show(id, good)).status).toBe(200);
  });

  test('an expired token', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft' });
    expect(await code(show(id, open(id, 1, { e: now() - 1 })))).toEqual([403, 'pillion_preview_expired']);
    expect((await show(id, open(id, 1, { o: now() - 1 }))).status, 'it was opened in time: the site knows').toBe(200);
  });

  test('a user who lost the right or whose account was deleted', async () => {
    const leaving = createUser('leaving', 'editor');
    const id = await createPage({ title: 'Kept', status: 'draft' });
    const token = open(id, leaving.id);
    expect((await show(id, token)).status).toBe(200);
    php(`get_user_by( 'id', ${leaving.id} )->set_role( 'subscriber' );`);
    expect(await code(show(id, token))).toEqual([403, 'pillion_preview_rights']);
    php(`wp_delete_user( ${leaving.id} );`);
    expect(await code(show(id, token))).toEqual([403, 'pillion_preview_rights']);
    expect(await code(show(id, open(id, author.id)))).toEqual([403, 'pillion_preview_rights']);
  });

  test('a user whose session ended in any way or whose password changed', async () => {
    const { id: user, caller } = createUser('worker', 'editor');
    const ends = async (what: string) => void php(what.replaceAll('USER', String(user)));
    const sessions = `WP_Session_Tokens::get_instance( USER )`;
    const id = await createPage({ title: 'Kept', status: 'draft' });
    /** Opens a preview from a new session, as a browser does. */
    const fromSession = async () => {
      const cookies = cookiesOf(user);
      const { to } = await leads(`/?page_id=${id}&preview=true`, cookies);
      return { cookies, token: to.split('token=')[1] ?? '' };
    };
    const shown = async (token: string) => (await show(id, token)).body.code ?? 'shown';
    const sessionIn = (cookies: string) => decodeURIComponent(cookies).split('|')[2] ?? '';

    const [one, other] = [await fromSession(), await fromSession()];
    await ends(`${sessions}->destroy( '${sessionIn(one.cookies)}' );`);
    expect([await shown(one.token), await shown(other.token)], 'Log out').toEqual(['pillion_preview_expired', 'shown']);
    const late = await show(id, one.token, '&opening=1');
    expect(late.body.code, 'it is not even opened').toBe('pillion_preview_expired');
    const application = await rest(`pillion/v1/preview/${id}/token`, { as: caller, body: { kind: 'pane' } });
    const byApplication = tokenOf(application.body);
    await ends(`${sessions}->destroy_all();`);
    expect([await shown(other.token), await shown(byApplication)], 'Log Out Everywhere').toEqual([
      'pillion_preview_expired',
      'shown',
    ]);
    await ends('WP_Application_Passwords::delete_all_application_passwords( USER );');
    expect(await shown(byApplication), 'the application password is revoked').toBe('pillion_preview_expired');
    const { token } = await fromSession();
    const link = (await make(id, 1, 'admin')).body;
    expect(await shown(token)).toBe('shown');
    await ends(`wp_update_user( array( 'ID' => USER, 'user_pass' => 'another' ) );`);
    expect(await shown(token), 'a new password').toBe('pillion_preview_expired');
    await ends('WP_Session_Tokens::get_instance( 1 )->destroy_all();');
    expect(await shown(tokenOf(link)), 'a link does not end with a session').toBe('shown');
  });

  test('tokens forged with the webhook secret and the database, or made by a copy of this WordPress', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft' });
    const link = (await make(id, 1)).body;
    const note = noteOf(open(id));
    const ofLink = noteOf(tokenOf(link));
    const { m: _, ...bare } = note;
    for (const forged of [
      signShared(bare),
      signShared({ ...note, m: '' }),
      signShared({ ...note, e: note.e + 1 }),
      signShared({ ...note, p: id + 1 }),
      signShared({ ...note, k: 'pane' }),
      signShared({ ...note, u: editor.id, s: sessionOf(editor.id) }),
      signShared({ ...ofLink, e: ofLink.e + 86_400 }),
      sign(bare, site.secret, 'https://staging.example'),
    ])
      expect(await code(show(id, forged))).toEqual([403, 'pillion_preview_wrong']);
    const elsewhere = phpValue<string>(`add_filter( 'option_home', fn() => 'https://staging.example' );
        return Pillion\\Preview\\PreviewToken::create( 'open', ${id}, get_userdata( 1 ) );`);
    expect(await code(show(id, elsewhere)), 'made by a copy').toEqual([403, 'pillion_preview_wrong']);
    const same = phpValue<string>(`return Pillion\\Preview\\PreviewToken::create( 'open', ${id}, get_userdata( 1 ) );`);
    expect((await show(id, same)).status, 'made here').toBe(200);
  });

  test('requests for a page that was deleted, never existed or is not part of the site', async () => {
    const id = await createPage({ title: 'Short', status: 'draft' });
    const token = open(id);
    await deletePage(id);
    expect(await code(show(id, token))).toEqual([404, 'pillion_preview_gone']);
    expect(await code(show(987_654, open(987_654)))).toEqual([404, 'pillion_preview_gone']);
    expect(await code(show(aPicture(), open(aPicture())))).toEqual([404, 'pillion_preview_gone']);
  });

  test('visitors, keys and users without the right, and to editors if the site’s address is unknown', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft', content: paragraph('Hidden') });
    for (const path of ['live', 'token', 'check', 'links'])
      for (const [as, status] of [
        ['nobody', 401],
        ['key', 403],
        [author.caller, 403],
      ] as const) {
        const answer = await rest(`pillion/v1/preview/${id}/${path}`, { as, body: { days: 1 } });
        expect([path, as, answer.status]).toEqual([path, as, status]);
        expect(JSON.stringify(answer.body)).not.toContain('Hidden');
      }
    expect(await code(type(987_654, {}))).toEqual([404, 'pillion_preview_gone']);
    expect((await type(id, { title: ['a'] })).status).toBe(400);
    const own = await createPost(author);
    const borrowed = await rest(`pillion/v1/preview/${id}/live`, { as: author.caller, body: { post: own } });
    expect(borrowed.status, 'a body names no other page').toBe(403);
    forgetSite();
    for (const path of ['live', 'token', 'links'])
      expect(await code(rest(`pillion/v1/preview/${id}/${path}`, { as: 'admin', body: { days: 1 } }))).toEqual([
        503,
        'pillion_preview_unset',
      ]);
    expect(await code(show(id, open(id)))).toEqual([403, 'pillion_preview_wrong']);
  });
});

describe('typed content', () => {
  test('is filtered like a save for authors who may not write markup', async () => {
    const typed = {
      title: 'Sharp <script>alert(1)</script><em>title</em>',
      content: `${paragraph('<a href="javascript:alert(1)" onclick="alert(2)">x</a>')}\n\n<!-- wp:html -->\n<script>alert(3)</script><iframe src="https://example.org"></iframe>\n<!-- /wp:html -->`,
      excerpt: '<script>alert(4)</script>An excerpt',
    };
    const id = await createPost(author);
    const { page } = (await type(id, typed, author.caller)).body;
    expect(JSON.stringify(page)).not.toMatch(/<script|<iframe|onclick|javascript:/);
    await rest(`wp/v2/posts/${id}`, { as: author.caller, body: typed });
    await rest(`wp/v2/posts/${id}`, { as: author.caller, body: { status: 'publish' } });
    expect(page).toEqual({ yoast_head_json: null, ...(await published(id, 'posts')) });
    expect(JSON.stringify((await type(id, typed)).body.page), 'an administrator may').toContain('<iframe');
  });

  test('cannot be shown if a block of another plugin fails, and the log contains nothing of it', async () => {
    const failing = `add_shortcode( 'failing', function ( $with ) { throw new RuntimeException( 'Failed with ' . $with[0] ); } );`;
    usePlugin(failing);
    const id = await createPage({ title: 'Kept', status: 'draft' });
    const { status, body } = await type(id, { content: paragraph('[failing Versagenswort]') });
    expect([status, body.code]).toEqual([500, 'pillion_preview_failed']);
    const log = readFileSync(join(wordpress().directory, 'debug.log'), 'utf8');
    expect(log).toContain('a preview failed with RuntimeException');
    expect(log).not.toContain('Versagenswort');
    expect((await type(id, { content: paragraph('Whole again') })).status).toBe(200);
  });

  test('keeps the saved value for unknown, forbidden and invalid fields', async () => {
    const id = await createPage({
      title: 'Kept',
      status: 'draft',
      template: 'landing',
      meta: { _pillion_theme: 'dark' },
    });
    const { body } = await type(id, {
      template: 'nowhere.php',
      featured_media: 987_654,
      meta: { _pillion_theme: 7, _edit_lock: 'x', _pillion_preview_links: [1], unknown: 1 },
    });
    expect(body.page).toMatchObject({ template: 'landing', acf: { theme: 'dark' }, picture: null });
    expect((await type(id, { template: '', meta: { _pillion_theme: '' } })).body.page).toMatchObject({
      template: '',
      acf: [],
    });
    expect((await type(id, { meta: { _pillion_theme: 'neon' } })).body.page.acf).toEqual([]);
    expect((await type(id, {})).body.state.kind).toBe('saved');
  });

  test('has all its meta for plugins that read them without a key as a single value', async () => {
    usePlugin(
      `add_shortcode( 'keys', fn() => implode( ' ', array_keys( (array) get_post_meta( get_the_ID(), '', true ) ) ) );`,
    );
    const id = await createPage({ title: 'Kept', status: 'draft', meta: { _pillion_found_title: 'Saved' } });
    const { page } = (await type(id, { content: paragraph('[keys]'), meta: { _pillion_theme: 'light' } })).body;
    expect(page.content.rendered).toMatch(/(?=.*_pillion_found_title).*_pillion_theme/);
  });

  test('is stored in no table, cache, file or log of WordPress, even if its blocks cache', async () => {
    const word = 'Quintessenzwort';
    // Plugins that cache what they render, and a log of writes to a persistent object cache.
    const remember = `
      class Remembering_Cache extends WP_Object_Cache {
        private function note( $value ) { file_put_contents( WP_CONTENT_DIR . "/object-cache.log", serialize( $value ) . "\\n", FILE_APPEND ); }
        public function set( $key, $data, $group = "default", $expire = 0 ) { $this->note( array( $group, $key, $data ) ); return parent::set( $key, $data, $group, $expire ); }
        public function add( $key, $data, $group = "default", $expire = 0 ) { $this->note( array( $group, $key, $data ) ); return parent::add( $key, $data, $group, $expire ); }
      }
      $GLOBALS["wp_object_cache"] = new Remembering_Cache();
      add_filter( "pre_oembed_result", function ( $html, $url ) { return "<p>" . esc_html( $url ) . "</p>"; }, 10, 2 );
      add_filter( "the_content", function ( $content ) {
        set_transient( "remembered", $content ); update_option( "remembered", $content ); wp_cache_set( "remembered", $content );
        update_post_meta( get_the_ID(), "remembered", $content ); wp_insert_post( array( "post_title" => $content, "post_status" => "draft" ) );
        return $content;
      } );`;
    const id = await createPage({ title: 'Plain', status: 'draft' });
    phpAfterwards(`@unlink( WP_CONTENT_DIR . '/object-cache.log' ); delete_option( 'remembered' ); delete_transient( 'remembered' );
        foreach ( get_posts( array( 'post_status' => 'any', 'post_type' => 'post', 'numberposts' => -1 ) ) as $post ) { wp_delete_post( $post->ID, true ); }`);
    usePlugin(remember);
    const url = `https://embeds.example/${word}`;
    const { status, body } = await type(id, {
      title: `A ${word}`,
      content: `${paragraph(`Such a ${word}`)}\n\n<!-- wp:embed {"url":"${url}"} -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${url}\n</div></figure>\n<!-- /wp:embed -->\n\n<!-- wp:pillion/statement {"text":"${word}"} /-->`,
      excerpt: word,
      slug: word,
      meta: { _pillion_found_title: word },
    });
    expect(status).toBe(200);
    expect(body.page.content.rendered).toContain(`<p>${url}</p>`);
    expect(body.route.path).toBe(`/${word.toLowerCase()}/`);
    expect(holding(word)).toEqual([]);
    // After a save the search finds the word, so the search works.
    await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { content: paragraph(word) } });
    expect(holding(word).join()).toMatch(/sqlite|object-cache\.log|ibd|log/);
  });
});

describe('embeds', () => {
  test('are requested once, failed ones are not retried while typing, and their address is not stored', async () => {
    const word = 'Merkwortfilm';
    const films = `
      add_filter( "pre_http_request", function ( $answer, $args, $url ) {
        if ( ! str_contains( $url, "oembed" ) ) { return $answer; }
        file_put_contents( WP_CONTENT_DIR . "/asked.log", ( str_contains( $url, "broken" ) ? "broken" : "film" ) . "\n", FILE_APPEND );
        if ( str_contains( $url, "broken" ) ) { return new WP_Error( "down", "Down" ); }
        preg_match( "/Merk\\w+/", $url, $word );
        return array( "headers" => array(), "cookies" => array(), "filename" => null, "response" => array( "code" => 200, "message" => "OK" ),
          "body" => wp_json_encode( array( "type" => "rich", "version" => "1.0", "html" => "<blockquote>A film called $word[0]</blockquote>" ) ) );
      }, 10, 3 );`;
    const embed = (url: string) =>
      `<!-- wp:embed {"url":"${url}"} -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${url}\n</div></figure>\n<!-- /wp:embed -->`;
    const content = [`https://www.youtube.com/watch?v=${word}`, `https://vimeo.com/1234567?broken=${word}`]
      .map(embed)
      .join('\n\n');
    const asked = () =>
      readIfThere(join(wordpress().directory, 'html/wp-content/asked.log')).toString().trim().split('\n');
    phpAfterwards(`@unlink( WP_CONTENT_DIR . '/asked.log' );`);
    usePlugin(films);
    const id = await createPage({ title: 'Films', status: 'draft' });
    const first = (await type(id, { content })).body.page.content.rendered;
    expect(first).toContain(`A film called ${word}`);
    const before = asked();
    expect(before.filter((what) => what === 'film')).toHaveLength(1);
    expect(before).toContain('broken');
    expect((await type(id, { content: `${content}\n\n${paragraph('A key')}` })).body.page.content.rendered).toContain(
      `A film called ${word}`,
    );
    expect(asked(), 'nobody was asked again').toEqual(before);
    expect(holding(word)).toEqual([]);
  });
});

describe('tokens', () => {
  test('belong to the user, and are valid ten minutes for opening and eight hours for viewing', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft' });
    for (const [kind, address] of [
      ['open', `${site.url}/preview/open?token=`],
      ['pane', `${site.url}/preview/pane/${id}?token=`],
    ] as const) {
      const { status, body } = await rest(`pillion/v1/preview/${id}/token`, { as: editor.caller, body: { kind } });
      expect([status, body.site]).toEqual([200, site.url]);
      expect(body.url.startsWith(address)).toBe(true);
      const token = body.url.slice(address.length);
      const note = noteOf(token);
      const { m, ...signed } = note;
      expect(signed).toEqual({
        ...{ k: kind, p: id, u: editor.id, l: '', s: expect.stringMatching(/^[\w-]{43}$/) },
        ...{ o: expect.any(Number), e: note.o - 600 + 28_800 },
      });
      expect(Math.abs(note.o - 600 - now())).toBeLessThan(30);
      expect(token).toBe(sign(signed));
      expect((await show(id, token)).status).toBe(200);
    }
  });

  test('for opening work once; those of panes and links work repeatedly', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft', content: paragraph('Hidden') });
    const token = open(id, editor.id);
    const opened = await show(id, token, '&opening=1');
    expect([opened.status, opened.body]).toEqual([200, { opened: true }]);
    const again = await show(id, token, '&opening=1');
    expect([again.status, again.body.code]).toEqual([403, 'pillion_preview_used']);
    expect((await show(id, token)).body.page.sections[0].html, 'what was opened shows on').toContain('Hidden');
    expect((await show(id, open(id, author.id), '&opening=1')).body.code).toBe('pillion_preview_rights');
  });

  test('for opening work for every page that the user may edit', async () => {
    const one = await createPage({ title: 'One', status: 'draft' });
    const two = await createPage({ title: 'Two', status: 'draft' });
    expect((await show(two, open(one, editor.id))).body.page.id).toBe(two);
    const link = sign({ k: 'link', p: one, u: 1, l: 'abc', s: '', o: now() + 60, e: now() + 60 });
    expect((await show(two, link)).body.code).toBe('pillion_preview_wrong');
  });
});

describe('a link for others', () => {
  const links = (id: number) => rest(`pillion/v1/preview/${id}/links`, { as: 'admin' });

  test('lasts as long as chosen, shows later saves, counts its visits and can be withdrawn', async () => {
    const id = await createPage({ title: 'First', status: 'draft' });
    const { status, body: link } = await make(id, 7, editor.caller);
    expect(status).toBe(201);
    expect(link).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      until: expect.any(String),
      opened: 0,
      url: expect.stringContaining(`${site.url}/preview/open?token=`),
    });
    const note = noteOf(tokenOf(link));
    expect(note).toMatchObject({ k: 'link', p: id, u: editor.id, l: link.id, e: note.o });
    expect(Math.abs(note.o - now() - 7 * 86_400)).toBeLessThan(30);
    expect(Date.parse(link.until) / 1000).toBe(note.o);
    expect((await make(id, 2)).status).toBe(400);
    expect((await show(id, tokenOf(link))).body).toMatchObject({
      page: { title: { rendered: 'First' } },
      drafts: {},
    });
    expect((await links(id)).body).toEqual([link]);
    await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { title: 'Later' } });
    const visits = Array.from({ length: 4 }, () => show(id, tokenOf(link), '&opening=1'));
    for (const visit of await Promise.all(visits)) expect(visit.body).toEqual({ opened: true });
    expect((await show(id, tokenOf(link))).body.page.title.rendered).toBe('Later');
    expect((await links(id)).body).toEqual([{ ...link, opened: 4 }]);
    const second = (await make(id, 1)).body;
    const path = `pillion/v1/preview/${id}/links/${link.id}`;
    expect((await rest(path, { as: author.caller, method: 'DELETE' })).status).toBe(403);
    expect((await rest(path, { as: 'admin', method: 'DELETE' })).status).toBe(200);
    expect((await rest(path, { as: 'admin', method: 'DELETE' })).status).toBe(404);
    expect((await show(id, tokenOf(link), '&opening=1')).body.code).toBe('pillion_preview_withdrawn');
    expect((await links(id)).body).toEqual([second]);
    expect((await show(id, tokenOf(second))).status).toBe(200);
  });

  test.each(['publish', 'draft'])(
    'shows the saved version without autosave, its meta or its picture, of a page that is %s',
    async (status) => {
      const id = await createPage({ title: 'Saved', status, content: paragraph('As saved') });
      dateBack(id);
      const token = tokenOf((await make(id, 1)).body);
      const before = (await show(id, token)).body;
      expect(before).toMatchObject({ page: { title: { rendered: 'Saved' } } });
      const unsaved = {
        title: 'Not saved',
        content: paragraph('Not saved'),
        meta: { _pillion_theme: 'light', _pillion_found_title: 'Not saved' },
      };
      await rest(`wp/v2/pages/${id}/autosaves`, { as: editor.caller, body: unsaved });
      // A featured picture that was chosen and not saved, with an autosave and without one.
      php(`foreach ( array( ${editor.id}, 1 ) as $user ) {
          wp_set_current_user( $user ); Pillion\\Preview\\AutosavedMeta::store_picture( ${id}, ${aPicture()} ); }`);
      expect((await show(id, open(id, editor.id))).body).toMatchObject({
        page: { title: { rendered: 'Not saved' }, picture: { id: aPicture() } },
        state: { kind: 'autosave' },
      });
      expect((await show(id, token)).body).toEqual(before);
    },
  );

  test('can be made only by users who may publish the page, and ends with their right', async () => {
    const writer = createUser('writer', 'contributor');
    const id = await createPost(writer);
    const path = `pillion/v1/preview/${id}/links`;
    const refused = await make(id, 30, writer.caller);
    expect([refused.status, refused.body.code]).toEqual([403, 'pillion_preview_share']);
    const link = (await make(id, 30)).body;
    const told = JSON.stringify((await rest(path, { as: writer.caller })).body);
    expect(told, 'nor told of others’').not.toContain(link.id);
    expect((await rest(`${path}/${link.id}`, { as: writer.caller, method: 'DELETE' })).status).toBe(403);
    php(`get_user_by( 'id', ${writer.id} )->set_role( 'author' );`);
    const token = tokenOf((await make(id, 30, writer.caller)).body);
    expect((await show(id, token)).status).toBe(200);
    php(`get_user_by( 'id', ${writer.id} )->set_role( 'contributor' );`);
    expect((await show(id, token)).body.code).toBe('pillion_preview_rights');
    expect((await show(id, tokenOf(link))).status, 'another’s stays').toBe(200);
    const filter = `add_filter( 'pillion_may_share_preview', fn( $may, $post, $user ) => ${id} === $post->ID && ${writer.id} === $user, 10, 3 );`;
    usePlugin(filter);
    expect((await show(id, token)).status, 'a filter gives').toBe(200);
    expect((await make(id, 1)).body.code, 'and takes').toBe('pillion_preview_share');
    php(`get_user_by( 'id', ${writer.id} )->set_role( 'subscriber' );`);
    expect((await show(id, token)).body.code, 'never to who may not edit').toBe('pillion_preview_rights');
  });

  test('ends with its last day or the page', async () => {
    const id = await createPage({ title: 'Short', status: 'draft' });
    const own = (await make(id, 1)).body;
    php(
      `global $wpdb; foreach ( get_post_meta( ${id}, '_pillion_preview_links' ) as $link ) { update_post_meta( ${id}, '_pillion_preview_links', array( 'until' => time() - 1 ) + $link, $link ); }`,
    );
    expect((await show(id, tokenOf(own))).body.code).toBe('pillion_preview_withdrawn');
    expect((await links(id)).body).toEqual([]);
    await make(id, 30);
    expect(
      phpValue<unknown[]>(`return get_post_meta( ${id}, '_pillion_preview_links' );`),
      'the old ones are gone',
    ).toHaveLength(1);
    await deletePage(id);
    expect((await show(id, tokenOf(own))).body.code).toBe('pillion_preview_gone');
  });

  test('of a published page sends nothing to the site, since visitors see no difference', async () => {
    const id = await createPage({ title: 'Public' });
    site.received();
    const link = (await make(id, 1)).body;
    await show(id, tokenOf(link), '&opening=1');
    await rest(`pillion/v1/preview/${id}/links/${link.id}`, { as: 'admin', method: 'DELETE' });
    expect(site.received()).toEqual([]);
  });
});

describe('WordPress’ own Preview', () => {
  const opened = `/preview/open?token=`;
  const previewIn = (html: string) =>
    /href="([^"]*action=pillion_preview[^"]*)"/.exec(html)?.[1]?.replaceAll(/&(amp|#038);/g, '&') ?? '';

  test('links to the site from the list of pages, with an address only for the current user', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft' });
    const browser = await login();
    const { html } = await browser.page('/wp-admin/edit.php?post_type=page&post_status=draft');
    const address = previewIn(html);
    expect(address).toContain(`post=${id}`);
    expect((await leads(address, '')).to, 'who is not logged in is asked to').toContain('wp-login.php');
    const cookies = cookiesOf(1);
    const stale = await leads(address.replace(/_wpnonce=\w+/, '_wpnonce=1'), cookies);
    expect([stale.status, stale.to]).toEqual([403, '']);
    const again = previewIn(stale.html);
    const { status, to } = await leads(again, cookies);
    expect([status, to.startsWith(site.url + opened)]).toEqual([302, true]);
    expect(noteOf(to.split('token=')[1] ?? '')).toMatchObject({ k: 'open', p: id, u: 1 });
    expect((await leads(again, cookiesOf(author.id))).status).toBe(403);
    forgetSite();
    expect((await browser.page('/wp-admin/edit.php?post_type=page&post_status=draft')).html).not.toContain(
      'pillion_preview',
    );
  });

  test('redirects there from the address of a draft that the block editor opens', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft' });
    const address = `/?page_id=${id}&preview=true`;
    const { status, to } = await leads(address, cookiesOf(1));
    expect([status, to.startsWith(site.url + opened)]).toEqual([302, true]);
    expect((await leads(address, '')).to).not.toContain(opened);
    forgetSite();
    expect((await leads(address, cookiesOf(1))).to).not.toContain(opened);
  });

  test('keeps a chosen and unsaved featured picture without another change, and shows no notice', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft', content: paragraph('Saved') });
    dateBack(id);
    const browser = await login();
    const { html } = await browser.page('/wp-admin/edit.php?post_type=page&post_status=draft');
    const address = previewIn(html);
    // A nonce works only for its user. The response to an outdated one contains a new one.
    const cookies = cookiesOf(1);
    const stale = await leads(address.replace(/_wpnonce=\w+/, '_wpnonce=1'), cookies);
    const good = previewIn(stale.html);
    expect((await show(id, open(id))).body).toMatchObject({ page: { picture: null }, state: { kind: 'saved' } });
    expect((await leads(`${good}&_thumbnail_id=${aPicture()}`, cookies)).to).toContain(opened);
    expect((await show(id, open(id))).body).toMatchObject({
      page: { picture: { id: aPicture() }, content: { rendered: expect.stringContaining('Saved') } },
      state: { kind: 'autosave' },
    });
    expect((await show(id, open(id, editor.id))).body.page.picture, 'it is hers alone').toBeNull();
    expect(phpValue(`return wp_get_post_autosave( ${id}, 1 );`), 'WordPress has nothing to offer').toBe(false);
    expect((await leads(good, cookies)).to).toContain(opened);
    expect((await show(id, open(id))).body.page.picture).toBeNull();
  });

  test('works when WordPress’ home is the site’s address, also for a draft’s address', async () => {
    const elsewhere = `add_filter( 'option_home', function () { return 'https://site.example/below'; }, 20 );`;
    usePlugin(elsewhere);
    const id = await createPage({ title: 'Kept', status: 'draft' });
    const { link } = (await rest(`wp/v2/pages/${id}?context=edit`, { as: 'admin' })).body;
    expect(link).toContain(`${wordpress().url}/wp-admin/admin-post.php?action=pillion_preview&post=${id}&_wpnonce=`);
    const made = await rest(`pillion/v1/preview/${id}/token`, { as: 'admin', body: { kind: 'open' } });
    const { body } = await show(id, tokenOf(made.body));
    expect(body).toMatchObject({ route: { path: '/kept/' }, editor: wordpress().url });
  });

  test('in the classic editor shows the current values of its fields', async () => {
    usePlugin(`add_filter( 'use_block_editor_for_post', '__return_false' );`);
    const id = await createPage({ title: 'Public', content: 'Saved' });
    dateBack(id);
    const browser = await login('ada', 'ada');
    const { fields } = await browser.page(`/wp-admin/post.php?post=${id}&action=edit`);
    site.answer = answerWith(200, {});
    const changes = {
      action: 'editpost',
      post_ID: String(id),
      'wp-preview': 'dopreview',
      post_title: 'Classic',
      content: 'In the field',
      page_template: 'landing',
      pillion_theme: 'light',
      pillion_seo_title: 'Sought',
      _thumbnail_id: String(aPicture()),
    };
    // The browser follows to the site, which is not running: the test checks the address.
    const followed = await browser.submit('/wp-admin/post.php', fields, changes);
    expect(followed.status).toBe(404);
    const { body } = await show(id, open(id, editor.id));
    expect(body).toMatchObject({
      page: {
        title: { rendered: 'Classic' },
        content: { rendered: '<p>In the field</p>\n' },
        template: 'landing',
        acf: { theme: 'light' },
        found: { title: 'Sought' },
        picture: { id: aPicture() },
      },
      state: { kind: 'autosave' },
    });
    expect(await published(id)).toMatchObject({
      title: { rendered: 'Public' },
      template: '',
      acf: [],
      picture: null,
    });
  });
});

describe('a scheduled page', () => {
  const messages = () => {
    const received = site.received();
    expect(received.every((one) => isSigned(one))).toBe(true);
    return received.map(({ message }) => message);
  };
  const due = (as: Caller = 'key') => rest('pillion/v1/due', { method: 'POST', as });

  test('notifies the site when it is scheduled, rescheduled and cancelled', async () => {
    const id = await createPage({ title: 'Soon', status: 'draft' });
    const change = (body: object) => rest(`wp/v2/pages/${id}`, { as: 'admin', body });
    const expected = [{ id, type: 'page', path: null, status: 'future' }];
    expect(messages()).toEqual([]);
    await change({ status: 'future', date: '2099-01-01T00:00:00' });
    expect(messages()).toEqual(expected);
    await change({ date: '2098-01-01T00:00:00' });
    expect(messages()).toEqual(expected);
    await change({ status: 'draft' });
    expect(messages()).toEqual(expected);
    await change({ title: 'Not yet' });
    expect(messages()).toEqual([]);
  });

  test('has a receipt that says that the site knows it, not that it is live', () => {
    const { text } = phpValue<{ text: string }>(`return Pillion\\Site\\Receipts::receipt_for( array( array(
      'message' => array( 'id' => 1, 'type' => 'page', 'path' => null, 'status' => 'future' ), 'made' => microtime( true ), 'user' => 1,
      'tries' => 1, 'problem' => '', 'ok' => true, 'at' => '2026-11-20T13:02:07.123Z', 'stopsAll' => false, 'servers' => array( 'live' => 1, 'of' => 1, 'late' => array() ) ) ) );`);
    expect(text).toMatch(/^The site received the schedule at 13:02:07/);
  });

  test('is published when due and the site asks, and the site gets the date of the next one', async () => {
    expect((await due()).body).toEqual({ published: 0, next: null });
    const schedule = (title: string, at: string) =>
      phpAsync(`echo wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'future', 'post_title' => '${title}', 'post_date' => '2098-01-01 00:00:00', 'post_date_gmt' => '2098-01-01 00:00:00' ) );
        global $wpdb; $wpdb->update( $wpdb->posts, array( 'post_date' => '${at}', 'post_date_gmt' => '${at}' ), array( 'post_title' => '${title}' ) );`);
    const first = Number(await schedule('Due', '2020-01-01 00:00:00'));
    const later = Number(await schedule('Later', '2097-03-04 14:00:00'));
    site.received();
    onTestFinished(
      async () => void (await phpAsync(`wp_delete_post( ${first}, true ); wp_delete_post( ${later}, true );`)),
    );
    for (const [as, status] of [
      ['nobody', 401],
      ['admin', 403],
    ] as const)
      expect((await due(as)).status).toBe(status);
    expect(await routeOf(first)).toBeUndefined();
    expect((await due()).body).toEqual({ published: 1, next: '2097-03-04T14:00:00+00:00' });
    expect(await routeOf(first)).toMatchObject({ path: '/due/' });
    expect(messages()).toEqual([{ id: first, type: 'page', path: '/due/', status: 'publish' }]);
    expect((await due()).body).toEqual({ published: 0, next: '2097-03-04T14:00:00+00:00' });
    expect(phpValue(`return wp_next_scheduled( 'publish_future_post', array( ${first} ) );`)).toBe(false);
  });
});

describe('before publishing', () => {
  test('the site gets a signed request for problems, and lists them in the editor’s language', async () => {
    const id = await createPage({ title: 'Kept', status: 'draft' });
    const asked: unknown[] = [];
    site.answer = (response, one) => {
      asked.push(isSigned(one), one.message);
      answerWith(200, {
        ok: true,
        problems: [
          { block: 2, kind: 'title-long', values: { length: 71, most: 60 } },
          { block: null, kind: 'link-dead', values: { url: '/nowhere/' } },
          { block: 'x', kind: 'two-heroes', values: 'x' },
          { kind: 7 },
          'x',
        ],
      })(response);
    };
    const check = () => rest(`pillion/v1/preview/${id}/check`, { as: 'admin', body: { title: 'Typed' } });
    const { status, body } = await check();
    expect(status).toBe(200);
    expect(body.problems).toEqual([
      {
        block: 2,
        kind: 'title-long',
        text: 'The title has 71 characters, but search results show about 60. Shorten it.',
      },
      {
        block: null,
        kind: 'link-dead',
        text: 'The link to /nowhere/ does not lead to a page of the site. Correct or remove it.',
      },
      { block: null, kind: 'two-heroes', text: expect.stringContaining('second hero') },
    ]);
    expect(asked).toEqual([true, { draft: (await type(id, { title: 'Typed' })).body }]);
    site.answer = answerWith(500, {});
    expect(await check()).toMatchObject({ status: 502, body: { message: 'The site responded with error 500.' } });
    setSite('http://127.0.0.1:9', site.secret);
    expect(await check()).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('No server responds') },
    });
  });
});
