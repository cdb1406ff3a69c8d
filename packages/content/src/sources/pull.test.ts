import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Route } from '../pages/routes.ts';
import { ACCESS, type FakeSite, openContent, startFakeSite } from '../testing/fake-site.ts';
import { type FakeWordpress, formPath, json, MENUS, page, pagePath, ROUTES, route } from '../testing/fake-wordpress.ts';
import { createClient } from '../wordpress/client.ts';
import type { Warn } from '../wordpress/result.ts';
import { isBundleOf, ORIGIN_FILE } from './bundle.ts';
import { PullFailed, pullContent } from './pull.ts';

let site: FakeSite;
let wordpress: FakeWordpress;
let directory: string;
beforeEach(async () => {
  site = await startFakeSite();
  ({ directory, wordpress } = site);
  wordpress.plays.set('*', (response, request) => {
    const isPicture = request.url?.startsWith('/wp-content/uploads/');
    response.writeHead(isPicture ? 200 : 404, { 'content-type': 'image/webp' }).end(request.url);
  });
});
afterEach(() => site.stop());

const pull = (warn: Warn = () => {}) =>
  pullContent({
    client: createClient({ baseUrl: wordpress.url, ...ACCESS }),
    home: wordpress.url,
    ...{ directory, warn },
  });

const open = (source: 'bundled' | 'wordpress') =>
  openContent(site, { source, dataDirectory: join(directory, 'data'), bundleDirectory: directory });

test('a pulled bundle shows the same content as WordPress', async () => {
  const link = `<p><a href="${wordpress.url}/about/team/">a</a><img src="${wordpress.url}/wp-content/uploads/b.webp" srcset="${wordpress.url}/wp-content/uploads/b-9.webp 9w, ${wordpress.url}/wp-content/uploads/b.webp 90w"></p>`;
  wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: link } })));
  await pull();
  const live = open('wordpress');
  const bundled = open('bundled');
  for (const path of ['/', '/about/', '/about/team/', '/about'])
    expect(await bundled.resolve(path, 'en')).toEqual(await live.resolve(path, 'en'));
  expect(await bundled.shell('en')).toEqual(await live.shell('en'));
  await live.close();
});

test('a pulled bundle belongs to its WordPress, under any of its addresses, and to no other', async () => {
  wordpress.plays.set('/wp-json/', json({ home: 'https://www.brand.example', url: 'https://cms.brand.example/wp' }));
  await pull();
  for (const address of [
    wordpress.url,
    `${wordpress.url}/`,
    'https://WWW.brand.example',
    'https://cms.brand.example/wp',
  ])
    expect(isBundleOf(directory, address), address).toBe(true);
  for (const address of ['https://other.example', `${wordpress.url}0`, 'https://cms.brand.example', 'nonsense'])
    expect(isBundleOf(directory, address), address).toBe(false);
  await rm(join(directory, ORIGIN_FILE));
  expect(isBundleOf(directory, wordpress.url)).toBe(false);
});

test('a pull includes redirects, unless the plugin is too old to have any', async () => {
  await pull();
  expect(await readdir(join(directory, 'en'))).not.toContain('redirects.json');
  const items = [{ from: '/old/', status: 301, to: '/about/' }];
  wordpress.plays.set('/wp-json/pillion/v1/redirects', json({ total: 1, per_page: 1000, items }));
  await pull();
  expect(await open('bundled').resolve('/old', 'en')).toEqual({ kind: 'redirect', status: 301, location: '/about/' });
});

test('a pull includes every picture of the pages except crops, and no address of WordPress', async () => {
  await pull();
  expect((await readdir(join(directory, 'media'))).sort()).toEqual(['hero-768.webp', 'hero.webp']);
  for (const name of await readdir(join(directory, 'en'), { recursive: true }))
    if (name.endsWith('.json'))
      expect(await readFile(join(directory, 'en', name), 'utf8')).not.toContain(wordpress.url);
});

test('an address of WordPress becomes a path, with http, https or no scheme', async () => {
  const home = 'https://www.brand.example';
  wordpress.plays.set('/wp-json/', json({ home, url: home }));
  const other = '<a href="https://other.example//www.brand.example/">c</a>';
  const rendered = (link: string, src: string) => `<p><a href="${link}">a</a><img src="${src}">${other}</p>`;
  const written = rendered('http://www.brand.example/about/', '//www.brand.example/wp-content/uploads/b.webp');
  wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: written } })));
  await pull();
  const { content } = JSON.parse(await readFile(join(directory, 'en/pages/2.json'), 'utf8'));
  expect(content.rendered).toBe(rendered('/about/', '/media/b.webp'));
});

test('a missing size of a picture is replaced by its next larger file, with a warning', async () => {
  const uploads = `${wordpress.url}/wp-content/uploads`;
  const img = `<p><img src="${uploads}/a-300x200.webp" srcset="${uploads}/a-600x400.webp 600w, ${uploads}/a-900x600.webp 900w"><img src="${uploads}/b-300x200.webp"><img src="${uploads}/c.webp" srcset="${uploads}/c-300x200.webp 300w"></p>`;
  wordpress.plays.set(pagePath(2), json(page(2, { content: { rendered: img } })));
  for (const name of ['a-300x200.webp', 'a-900x600.webp', 'b-300x200.webp', 'c.webp'])
    wordpress.plays.set(`/wp-content/uploads/${name}`, json({}, 404));
  const warnings: unknown[] = [];
  await pull((event, details) => warnings.push([event, details.file, details.used]));
  const of = (name: string) => readFile(join(directory, 'media', name), 'utf8');
  for (const [file, used] of [
    ['a-300x200.webp', 'a-600x400.webp'],
    ['a-900x600.webp', 'a.webp'],
    ['b-300x200.webp', 'b.webp'],
    ['c.webp', 'c-300x200.webp'],
  ] as const) {
    expect(warnings).toContainEqual(['content.picture-size-missing', file, used]);
    expect(await of(file)).toBe(`/wp-content/uploads/${used}`);
  }
  wordpress.plays.set('/wp-content/uploads/c-300x200.webp', json({}, 404));
  await expect(pull()).rejects.toThrow(/No file of this picture exists: upload c\.webp again/);
});

test('unchanged content gives unchanged files, though its date and links in WordPress changed', async () => {
  expect((await pull()).changed).toBeGreaterThan(5);
  wordpress.plays.set(pagePath(2), json(page(2, { modified: '2026-12-24T00:00:00', _links: {} })));
  expect((await pull()).changed).toBe(0);
});

test('a page has the date of its last change, even after it was saved again or got another id', async () => {
  const dates = async () =>
    JSON.parse(await readFile(join(directory, 'en/routes.json'), 'utf8')).map(({ modified }: Route) => modified);
  await pull();
  const first = await dates();
  const later = { modified: '2026-12-24T10:00:00' };
  wordpress.plays.set(
    ROUTES,
    json([route(1, '/', later), route(7, '/about/', later), route(3, '/about/team/', later)]),
  );
  wordpress.plays.set(pagePath(7), json(page(2, { id: 7 })));
  wordpress.plays.set(pagePath(3), json(page(3, { title: { rendered: 'Another' } })));
  await pull();
  expect(await dates()).toEqual([first[0], first[1], later.modified]);
  await writeFile(join(directory, 'en/routes.json'), '<<<<<<< HEAD');
  await pull();
  expect(await dates(), 'of WordPress, if the file is damaged').toEqual(Array(3).fill(later.modified));
});

test('pages and pictures that WordPress no longer has are removed from the bundle', async () => {
  await mkdir(join(directory, 'en/pages'), { recursive: true });
  await mkdir(join(directory, 'media'));
  await writeFile(join(directory, 'en/pages/99.json'), '{}');
  await writeFile(join(directory, 'media/old.webp'), '');
  await pull();
  expect(await readdir(join(directory, 'en/pages'))).toEqual(['1.json', '2.json', '3.json']);
  expect(await readdir(join(directory, 'media'))).not.toContain('old.webp');
});

test.each([
  ['a page', pagePath(2)],
  ['the form', formPath(1)],
  ['the menus', MENUS],
  ['a picture', '/wp-content/uploads/hero.webp'],
])('if %s cannot be fetched, no file is written', async (_, path) => {
  wordpress.plays.set(path, json({ code: 'broken' }, 500));
  await expect(pull()).rejects.toThrow(PullFailed);
  expect(await readdir(directory)).toEqual([]);
});
