import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { broken, form, json, page, route, startFakeWordpress } from '../testing/fake-wordpress.ts';
import { planPush } from './push.ts';
import { createRest, PushFailed } from './rest.ts';

const LOGIN = { user: 'a', password: 'b' };

test('a connection that breaks during a response is a failure with the address', async () => {
  const wordpress = await startFakeWordpress();
  onTestFinished(wordpress.stop);
  wordpress.plays.set('*', broken);
  const failed = await createRest({ url: wordpress.url, ...LOGIN })
    .get('/wp/v2/pages')
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(PushFailed);
  expect(String(failed)).toContain(wordpress.url);
});

/** A folder with a front page, a page and a form. @param more Further files by path. */
function createFolder(more: Record<string, unknown> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-push-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const files = {
    'en/strings.json': { brand: 'A', form: { form_id: 7 } },
    'en/routes.json': [route(1, '/'), route(2, '/about/')],
    'en/menus.json': {},
    'en/pages/1.json': page(1),
    'en/pages/2.json': page(2),
    'en/forms/7.json': form(7),
    ...more,
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), JSON.stringify(content));
  }
  return directory;
}

/** A WordPress with the plugin. @param more Responses by path below `/wp-json` that differ from those of an empty one. */
async function startTarget(more: Record<string, unknown> = {}) {
  const wordpress = await startFakeWordpress();
  onTestFinished(wordpress.stop);
  const responses = {
    '/': { namespaces: ['pillion/v1'] },
    '/wp/v2/users/me': { capabilities: { manage_options: true, unfiltered_html: true } },
    '/wp/v2/block-types/pillion': [],
    '/wp/v2/pages': [],
    '/wp/v2/media': [],
    '/wp/v2/menus': [],
    '/wp/v2/menu-locations': {},
    '/wp/v2/settings': { show_on_front: 'posts', page_on_front: 0 },
    '/pillion/v1/push': { languages: [{ tag: 'en' }], is_listed: true, languages_by: '', is_adding_forms: true },
    '/gf/v2/forms': {},
    ...more,
  };
  for (const [path, response] of Object.entries(responses)) wordpress.plays.set(`/wp-json${path}`, json(response));
  return wordpress;
}

const namesOf = async (plan: ReturnType<typeof planPush>, isAdded: boolean) =>
  (await plan).filter(({ skipReason }) => (skipReason === null) === isAdded).map(({ name }) => name);

test('a push is not stopped by drafts without a slug, which have no address yet', async () => {
  const draft = { slug: '', status: 'draft', meta: {} };
  const pages = [
    { id: 3, parent: 0, ...draft },
    { id: 4, parent: 5, ...draft },
    { id: 5, parent: 0, slug: 'about', status: 'publish', meta: {} },
    { id: 6, parent: 3, slug: 'team', status: 'publish', meta: {} },
  ];
  const { url } = await startTarget({ '/wp/v2/pages': pages });
  const plan = planPush({ directory: createFolder(), url, ...LOGIN });
  expect(await namesOf(plan, true)).toContain('page /');
  expect((await plan).find(({ name }) => name === 'page /about/')?.skipReason).toBe('the page exists');
});

test('a form that is added later becomes the form of the site, if WordPress has set no other', async () => {
  const settings = (form_id: number | null) => ({
    '/wp/v2/settings': { pillion_strings: { brand: 'B', form: { form_id } } },
  });
  const directory = createFolder();
  const without = await startTarget(settings(null));
  expect(await namesOf(planPush({ directory, url: without.url, ...LOGIN }), true)).toContain('texts in en');
  const other = await startTarget(settings(2));
  expect(await namesOf(planPush({ directory, url: other.url, ...LOGIN }), false)).toContain('texts in en');
});

test('the front page is set in a WordPress that shows its posts, even if it remembers a page', async () => {
  const { url } = await startTarget({
    '/wp/v2/pages': [{ id: 9, parent: 0, slug: 'old', status: 'publish', meta: {} }],
    '/wp/v2/settings': { show_on_front: 'posts', page_on_front: 9 },
  });
  const names = await namesOf(planPush({ directory: createFolder(), url, ...LOGIN }), true);
  expect(names).toEqual(expect.arrayContaining(['page /', 'front page']));
});

test('the slug of an upload is no longer than WordPress allows, and differs for each file', async () => {
  const name = 'صورة'.repeat(20);
  const files = [`${name}1.webp`, `${name}2.webp`, '2026/10/a.webp', '2026/11/a.webp'];
  const sections = [{ type: 'rich-text', html: files.map((file) => `<img src="/media/${file}" alt="">`).join('') }];
  const directory = createFolder({
    'en/pages/2.json': page(2, { sections }),
    ...Object.fromEntries(files.map((file) => [`media/${file}`, ''])),
  });
  const wordpress = await startTarget();
  const steps = await planPush({ directory, url: wordpress.url, ...LOGIN });
  for (const { name, write } of steps) if (name.startsWith('file ')) await write();
  const slugs = wordpress.requests.flatMap(({ method, body }) =>
    method === 'POST' ? (/name="slug"\r\n\r\n(.*)\r\n/.exec(body)?.[1] ?? []) : [],
  );
  expect(slugs.filter(({ length }) => length <= 200)).toHaveLength(4);
  expect(new Set(slugs).size).toBe(4);
});
