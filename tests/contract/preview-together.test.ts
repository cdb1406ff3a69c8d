import { createServer, request } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { renderDraft, serveApp, useServedApp } from '../support/served-app.ts';
import { findFreePort } from '../support/site.ts';
import { createPage, enrol, type Person, php, phpValue, rest, setSite, usePlugin, wordpress } from './wordpress.ts';

/** WordPress and the site together: several editors at once, and changes to a page while it is previewed. */
const app = useServedApp();

let mary: Person;
let joan: Person;

const know = (url: string) => setSite(url, app.secret);

beforeAll(() => {
  mary = enrol('mary');
  joan = enrol('joan');
});
afterAll(() => {
  php(`foreach ( array( ${mary.id}, ${joan.id} ) as $id ) { wp_delete_user( $id ); }`);
});

const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;

/** Calls WordPress as the block editor does. The editor's browser requests the receipt after each save. */
async function edit<T>({ caller: { user, password } }: Person, path: string, body: object = {}): Promise<T> {
  const response = await fetch(`${wordpress().url}/wp-json/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
      'x-wp-nonce': 'a browser sends one',
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as T;
}
const receipt = (person: Person) => edit<{ state: string; text: string }>(person, 'pillion/v1/receipt');

const visit = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(path, app.url), { headers, redirect: 'manual' });
  return { status: response.status, html: await response.text(), cookies: response.headers.getSetCookie() };
};
/** The text of the preview bar, or of the page that says why there is no preview. */
const says = (html: string) =>
  /data-preview-bar[^>]*><p>([^<]*)/.exec(html)?.[1] ?? /<h1[^>]*>([^<]*)/.exec(html)?.[1] ?? '';

/**
 * Opens a preview as the user's browser does.
 * @returns The cookie.
 */
async function open(id: number, { caller: as }: Person): Promise<string> {
  const { url } = (await rest(`pillion/v1/preview/${id}/token`, { as, body: { kind: 'open' } })).body;
  return (await visit(url)).cookies[0]?.split(';')[0] ?? '';
}

test('two editors who save one page in turn each get a receipt, and the later text is live', async () => {
  const id = await createPage({ title: 'Shared', content: paragraph('As it was') });
  const path = '/shared/';
  const save = (person: Person, text: string) => edit(person, `wp/v2/pages/${id}`, { content: paragraph(text) });
  await save(mary, 'What Mary wrote');
  await save(joan, 'What Joan wrote');
  for (const person of [mary, joan]) {
    const { state, text } = await receipt(person);
    expect([state, text]).toEqual(['live', expect.stringMatching(/^Live on the site at \d\d:\d\d:\d\d/)]);
    expect((await receipt(person)).state, 'each editor gets one receipt').toBe('none');
  }
  expect((await visit(path)).html).toContain('What Joan wrote');
  await save(mary, 'What Mary wrote then');
  expect(await receipt(mary)).toMatchObject({ state: 'live' });
  expect((await visit(path)).html).toContain('What Mary wrote then');
});

test('a restored revision is live with a receipt, and the preview shows no difference', async () => {
  const id = await createPage({ title: 'Restored', content: paragraph('No words yet') });
  const path = '/restored/';
  for (const text of ['The first words', 'The second words'])
    await edit(mary, `wp/v2/pages/${id}`, { content: paragraph(text) });
  expect(await receipt(mary)).toMatchObject({ state: 'live' });
  expect((await visit(path)).html).toContain('The second words');
  const cookie = await open(id, mary);
  // Restores it like the button on WordPress' screen of revisions, with the session and nonce of the user.
  const { address, cookies } = phpValue<{ address: string; cookies: string }>(`
    foreach ( wp_get_post_revisions( ${id} ) as $one ) { if ( str_contains( $one->post_content, 'first words' ) ) { $revision = $one->ID; } }
    $until = time() + 3600; $token = WP_Session_Tokens::get_instance( ${mary.id} )->create( $until );
    $_COOKIE[ LOGGED_IN_COOKIE ] = wp_generate_auth_cookie( ${mary.id}, $until, 'logged_in', $token );
    wp_set_current_user( ${mary.id} );
    return array( 'address' => admin_url( 'revision.php?action=restore&revision=' . $revision . '&_wpnonce=' . wp_create_nonce( 'restore-post_' . $revision ) ),
      'cookies' => LOGGED_IN_COOKIE . '=' . $_COOKIE[ LOGGED_IN_COOKIE ] . '; ' . AUTH_COOKIE . '=' . wp_generate_auth_cookie( ${mary.id}, $until, 'auth', $token ) );`);
  const restored = await fetch(address, { headers: { cookie: cookies }, redirect: 'manual' });
  expect(restored.headers.get('location')).toContain('message=5');
  expect(await receipt(mary)).toMatchObject({ state: 'live' });
  const { html } = await visit(path);
  expect(html).toContain('The first words');
  expect(html).not.toContain('The second words');
  const looked = await visit(`/preview/${id}/`, { cookie });
  expect(looked.html).toContain('The first words');
  expect(says(looked.html)).toBe('As it is live');
});

test('an open preview shows on its next load that the page is live or deleted, or the right is lost', async () => {
  const id = await createPage({ title: 'Watched', status: 'draft', content: paragraph('Words') });
  const cookie = await open(id, joan);
  const look = async () => {
    const { status, html } = await visit(`/preview/${id}/`, { cookie });
    return [status, says(html)];
  };
  expect(await look()).toEqual([200, expect.stringMatching(/^Draft, saved/)]);
  await rest(`wp/v2/pages/${id}`, { as: mary.caller, body: { status: 'publish' } });
  expect(await look()).toEqual([200, 'As it is live']);
  php(`get_user_by( 'id', ${joan.id} )->set_role( 'subscriber' );`);
  expect(await look()).toEqual([403, 'You cannot see this draft']);
  php(`get_user_by( 'id', ${joan.id} )->set_role( 'editor' );`);
  await rest(`wp/v2/pages/${id}?force=true`, { as: 'admin', method: 'DELETE' });
  expect(await look()).toEqual([404, 'This draft was deleted']);
});

test('five hundred blocks are drawn while typing, complete and in order', async () => {
  const id = await createPage({ title: 'Long', status: 'draft' });
  const content = Array.from({ length: 500 }, (_, at) =>
    at % 5 === 4
      ? `<!-- wp:pillion/statement {"heading":"Statement ${at}"} /-->`
      : paragraph(`Paragraph ${at} that an editor wrote, with as many words as a paragraph mostly has.`),
  ).join('\n\n');
  const draft = (await rest(`pillion/v1/preview/${id}/live`, { as: mary.caller, body: { content } })).body;
  const { url } = (await rest(`pillion/v1/preview/${id}/token`, { as: mary.caller, body: { kind: 'pane' } })).body;
  const rendered = await renderDraft(url, draft);
  expect(rendered.status).toBe(200);
  const { page, blocks } = await rendered.json();
  expect(page.sections.filter(({ type }: { type: string }) => type === 'statement')).toHaveLength(100);
  // Four paragraphs are one section of text.
  expect(blocks).toEqual(Array.from({ length: 200 }, (_, section) => Math.floor(section / 2) * 5 + (section % 2) * 4));
  expect(JSON.stringify(page)).toContain('Paragraph 498 that');
  const check = await rest(`pillion/v1/preview/${id}/check`, { as: mary.caller, body: { content } });
  expect(check.status).toBe(200);
});

/** Another host with WordPress at `/cms/`, behind a reverse proxy, until the end of the test. @returns Its address. */
async function serveBelow(): Promise<string> {
  const { hostname, port: behind } = new URL(wordpress().url);
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith('/cms/')) return void outgoing.writeHead(404).end();
    const asked = request({ hostname, port: behind, method, path: url.slice('/cms'.length), headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(asked);
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://localhost:${port}/cms`;
}

test('WordPress under a path on another host has its previews, its pane and live typing on the site', async () => {
  const url = await serveBelow();
  usePlugin(`foreach ( array( 'home', 'siteurl' ) as $name ) { add_filter( "option_$name", fn() => '${url}', 20 ); }`);
  const site = { ...wordpress(), url };
  const below = await serveApp(site);
  const ask = async (path: string, body: object) => (await rest(path, { as: 'admin', body, site })).body;
  know(below.url);
  onTestFinished(async () => {
    know(app.url);
    await below.remove();
  });
  const link = `<a href="${url}/cookie-policy/">cookies</a>`;
  const id = await createPage({ title: 'Below', status: 'draft', content: paragraph(`Kept ${link}`) }, site);
  const { url: opener } = await ask(`pillion/v1/preview/${id}/token`, { kind: 'open' });
  const opened = await fetch(opener, { redirect: 'manual' });
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(`${below.url}/preview/${id}/`, { headers: { cookie } });
  const html = await page.text();
  expect([page.status, says(html)]).toEqual([200, expect.stringMatching(/^Draft, saved/)]);
  expect(html, 'links of WordPress’ own are the site’s').toContain('href="/cookie-policy/"');
  const address = (await ask(`pillion/v1/preview/${id}/token`, { kind: 'pane' })).url;
  const pane = await fetch(address);
  expect(await pane.text(), 'who may speak with it').toContain(`"editor":"${new URL(url).origin}"`);
  expect(pane.headers.getSetCookie(), 'it needs none: browsers keep none for it').toEqual([]);
  const draft = await ask(`pillion/v1/preview/${id}/live`, { content: paragraph('As typed below') });
  const rendered = await renderDraft(address, draft);
  expect(JSON.stringify((await rendered.json()).page)).toContain('As typed below');
});
