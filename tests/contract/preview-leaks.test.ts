import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { renderDraft, useServedApp } from '../support/served-app.ts';
import { createPage, dateBack, rest, withOption } from './wordpress.ts';

/** Occurs only in drafts. No content of the seed contains it or a part of it. */
const WORD = 'Zugzwangvogel';
/** A part of the word that visitors may search for. */
const PART = 'zugzwang';

const app = useServedApp();

const BLOCKS = `<!-- wp:pillion/hero {"heading":"${WORD} on wheels"} /-->
<!-- wp:paragraph --><p>The ${WORD} reads at dusk.</p><!-- /wp:paragraph -->`;

/** Every field that an editor can fill in, each containing the word. */
const worded = (slug: string, more: object = {}) => ({
  title: `${WORD} ${slug}`,
  slug,
  content: BLOCKS,
  excerpt: `${WORD} in short`,
  template: 'landing',
  meta: { _pillion_found_title: `${WORD} found`, _pillion_found_description: `${WORD} described` },
  ...more,
});

/** Requests a path and returns the response, including its headers. */
async function visit(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(new URL(path, app.url), { headers, redirect: 'manual' });
  const head = [...response.headers].map((pair) => pair.join(': ')).join('\n');
  return `${response.status}\n${head}\n\n${Buffer.from(await response.arrayBuffer()).toString('latin1')}`;
}

/**
 * Opens a preview as an editor's browser does.
 * @returns The cookie.
 */
async function open(id: number): Promise<string> {
  const { body } = await rest(`pillion/v1/preview/${id}/token`, { as: 'admin', body: { kind: 'open' } });
  const response = await fetch(body.url, { redirect: 'manual' });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Renders typed content in the preview pane. */
async function renderTyped(id: number, pane: string, typed: object): Promise<string> {
  const draft = (await rest(`pillion/v1/preview/${id}/live`, { as: 'admin', body: typed })).body;
  return (await renderDraft(pane, draft)).text();
}

const mapped = async () =>
  [...(await visit('/sitemap.xml')).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);

/** Collects everything that a visitor can request. */
async function allThatLeaves(headers: Record<string, string>): Promise<Map<string, string>> {
  const paths = [...new Set([...(await mapped()), '/', '/leaky/', '/leaky-link/', '/feed/', '/nowhere/'])];
  const own = ['/sitemap.xml', '/robots.txt', '/site.webmanifest', '/api/shell', '/metrics', `/search?q=${PART}`];
  const asked = [
    ...paths,
    ...own,
    ...[...paths, `/search?q=${PART}`].map((path) => `/api/page?path=${encodeURIComponent(path)}`),
  ];
  const left = new Map<string, string>();
  for (const path of asked) left.set(path, await visit(path, headers));
  // Share pictures are drawn from a page's words, and their address depends on them.
  const pictures = new Set([...left.values()].flatMap((text) => text.match(/\/share\/[\w./-]+/g) ?? []));
  for (const path of pictures) left.set(path, await visit(path, headers));
  return left;
}

/** The file was moved while the folder was listed. It is looked up again under its new name. */
const isMoved = (error: NodeJS.ErrnoException) => error.code === 'ENOENT';

/** Every file in the data folder: its path, and its name with its content. */
async function allThatIsKept(): Promise<Map<string, string>> {
  for (;;) {
    const kept = await readAll().catch((error: NodeJS.ErrnoException) => {
      if (!isMoved(error)) throw error;
      return null;
    });
    if (kept !== null) return kept;
  }
}

async function readAll(): Promise<Map<string, string>> {
  const entries = await readdir(app.directory, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry): Promise<[string, string]> => {
    const file = join(entry.parentPath, entry.name);
    const path = relative(app.directory, file);
    if (!entry.isFile()) return [path, entry.name];
    const bytes = await readFile(file);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return [path, `${entry.name}\n${(isPacked ? gunzipSync(bytes) : bytes).toString('latin1')}`];
  });
  return new Map(await Promise.all(texts));
}

const withWord = (left: Map<string, string>) =>
  [...left].flatMap(([path, text]) => (text.toLowerCase().includes(WORD.toLowerCase()) ? [path] : []));

/** Submits a form of the site as a browser does. */
const send = (fields: Record<string, string>, headers: Record<string, string>) =>
  fetch(`${app.url}/api/sign-ups`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', referer: `${app.url}/`, ...headers },
    body: new URLSearchParams({ form_id: '1', ...fields }),
  });

const SIGN_UP = '<!-- wp:pillion/sign-up /-->';
const GOOD = { input_1: 'Ada', input_2: 'ada@example.org', input_3_1: '1' };
const BY_SCRIPT = { accept: 'application/json' };
const BY_BROWSER = { accept: 'text/html' };

test.each([
  ['a message', `'type' => 'message', 'message' => '<p>${WORD}</p>'`],
  ['a redirect', `'type' => 'redirect', 'url' => 'https://elsewhere.example/${WORD}/'`],
])('R30: a confirmation that is %s is only in the response to a stored sign-up', async (_, confirmation) => {
  const forms = `array_map( static function ( $form ) {
    $form['confirmations'] = array( 'a' => array( 'isDefault' => true, ${confirmation} ) ); return $form; }, get_option( 'pillion_forms' ) )`;
  const draft = await createPage({ status: 'draft', title: 'Plain', template: 'landing', content: SIGN_UP });
  await withOption('pillion_forms', forms, async () => {
    await app.content.refresh({ type: 'form', id: 1, path: null, status: null });
    const cookie = await open(draft);
    const left = await allThatLeaves({});
    left.set('the preview', await visit(`/preview/${draft}/`, { cookie }));
    const pane = (await rest(`pillion/v1/preview/${draft}/token`, { as: 'admin', body: { kind: 'pane' } })).body.url;
    left.set('the pane', await visit(pane));
    left.set('what is typed', await renderTyped(draft, pane, { content: SIGN_UP }));
    for (const headers of [BY_SCRIPT, BY_BROWSER]) {
      const refused = await send({ ...GOOD, input_2: 'nobody' }, headers);
      expect(refused.status).toBe(422);
      left.set(`a refusal as ${headers.accept}`, await refused.text());
      const rehearsed = await send(GOOD, { ...headers, referer: `${app.url}/preview/${draft}/` });
      expect(rehearsed.status).toBe(200);
      left.set(`a rehearsal by a stranger as ${headers.accept}`, await rehearsed.text());
    }
    expect(left.get('/'), 'the form is there').toContain('name="form_id"');
    expect(left.get('the preview')).toContain('name="form_id"');

    const stored = await send(GOOD, BY_SCRIPT);
    expect([stored.status, await stored.text()]).toEqual([200, expect.stringContaining(WORD)]);
    const own = (await send(GOOD, BY_BROWSER)).headers.get('location') ?? '';
    expect(await visit(own)).toContain(WORD);
    left.set('the page of thanks without its reference', await visit(own.replace(/&for=[^&]*/, '')));
    expect(withWord(left)).toEqual([]);
    // The server stores WordPress' responses for outages, and nothing that it made from them.
    const elsewhere = withWord(await allThatIsKept()).filter((path) => !path.startsWith('content/'));
    expect(elsewhere).toEqual([]);
  });
  await app.content.refresh({ type: 'form', id: 1, path: null, status: null });
});

test('words of a draft appear only in its previews until the page is published', async () => {
  const future = new Date(Date.now() + 86_400_000 * 300).toISOString();
  const drafts = [
    await createPage(worded('leaky', { status: 'draft' })),
    await createPage(worded('leaky-pending', { status: 'pending' })),
    await createPage(worded('leaky-private', { status: 'private' })),
    await createPage(worded('leaky-later', { status: 'future', date: future })),
  ];
  const live = await createPage({ status: 'publish', title: 'Plain', slug: 'leaky-link', content: '<p>Plain</p>' });
  dateBack(live);
  await rest(`wp/v2/pages/${live}/autosaves`, { as: 'admin', body: { title: WORD, content: BLOCKS, excerpt: WORD } });
  await allThatLeaves({});

  let cookie = '';
  for (const id of [...drafts, live]) {
    cookie = await open(id);
    expect(await visit(`/preview/${id}/`, { cookie }), `the preview of ${id}`).toContain(WORD);
    const pane = (await rest(`pillion/v1/preview/${id}/token`, { as: 'admin', body: { kind: 'pane' } })).body.url;
    expect(await visit(pane), `the pane of ${id}`).toContain(WORD);
    const typed = { content: BLOCKS, title: WORD };
    expect(await renderTyped(id, pane, typed), `what is typed into ${id}`).toContain(WORD);
    expect((await rest(`pillion/v1/preview/${id}/check`, { as: 'admin', body: typed })).status).toBe(200);
    const link = (await rest(`pillion/v1/preview/${id}/links`, { as: 'admin', body: { days: 1 } })).body.url;
    const opened = await fetch(link, { redirect: 'manual' });
    const guest = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const byLink = await visit(`/preview/${id}/`, { cookie: guest });
    // The published page was never saved with the word, and a link does not show autosaves.
    expect(byLink.includes(WORD), `the link to ${id}`).toBe(id !== live);
    // A visitor who guesses the address, or whose token has expired.
    expect(await visit(`/preview/${id}/`)).not.toContain(WORD);
  }

  for (const headers of [{}, { cookie }] as Record<string, string>[]) {
    const left = await allThatLeaves(headers);
    expect(left.size, 'the pages of the seed, as documents and as data').toBeGreaterThan(20);
    expect(withWord(left)).toEqual([]);
  }
  expect(app.lines.join('\n')).not.toContain(WORD);
  expect(withWord(await allThatIsKept())).toEqual([]);

  // Once the page is published, the same search finds the word: it would have found it before.
  await rest(`wp/v2/pages/${drafts[0]}`, { as: 'admin', body: { status: 'publish' } });
  await app.content.refresh({ type: 'page', id: drafts[0] ?? null, path: '/leaky/', status: 'publish' });
  expect(withWord(await allThatLeaves({}))).toEqual(expect.arrayContaining(['/leaky/', '/api/page?path=%2Fleaky%2F']));
  await app.stop();
  expect(withWord(await allThatIsKept())).not.toEqual([]);
});
