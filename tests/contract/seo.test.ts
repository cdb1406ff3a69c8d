import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContent } from '@pillion/content/content.ts';
import { expect, test } from 'vitest';
import { BUNDLE } from '../support/fixture.ts';
import { createPage, php, rest, setOption, usePlugin, wordpress } from './wordpress.ts';

const seoOf = async (id: number) => (await rest(`wp/v2/pages/${id}`)).body.found;
const routeOf = async (id: number) =>
  (await rest('gusto/routes')).body.find((route: { id: number }) => route.id === id);
const NONE = {
  ...{ title: '', description: '', noindex: false, picture: null },
  ...{ share_title: '', share_description: '', verification: [] },
};

/** Reads a page as the site shows it, through the site's content layer. */
async function shown<T>(path: string, read: (page: { meta: Record<string, unknown> }) => T): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'pillion-seo-'));
  const content = createContent({
    source: 'wordpress',
    wordpress: { ...wordpress(), timeoutMs: 10_000 },
    dataDirectory: directory,
    bundleDirectory: BUNDLE,
    log: () => {},
  });
  try {
    await expect.poll(async () => (await content.resolve(path, 'en')).kind).toBe('page');
    const resolved = await content.resolve(path, 'en');
    if (resolved.kind !== 'page') throw new Error(resolved.kind);
    return read(resolved.page as never);
  } finally {
    await content.close();
    await rm(directory, { recursive: true, force: true });
  }
}

test('SEO: the editor’s title and description are saved and override the page’s own', async () => {
  const media = (await rest('wp/v2/media?per_page=1&search=hero')).body[0];
  const meta = {
    _pillion_found_title: 'Found & shown',
    _pillion_found_description: 'Said by the editor.',
    _pillion_found_picture: media.id,
    _pillion_found_noindex: true,
  };
  const id = await createPage({ title: 'Its own title', excerpt: 'Its own words.' });

  expect(await seoOf(id)).toEqual(NONE);
  const { path } = await routeOf(id);
  expect(await routeOf(id)).toMatchObject({ noindex: false });
  expect(await shown(path, ({ meta }) => meta)).toMatchObject({ description: 'Its own words.', noindex: false });
  await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { meta } });
  expect(await seoOf(id)).toMatchObject({
    ...{ title: 'Found & shown', description: 'Said by the editor.', noindex: true },
    picture: { id: media.id, url: media.source_url },
  });
  expect(await routeOf(id)).toMatchObject({ noindex: true });
  expect(await shown(path, ({ meta }) => meta)).toMatchObject({
    ...{ title: 'Found & shown', description: 'Said by the editor.', noindex: true },
    share: { title: 'Found & shown', description: 'Said by the editor.' },
    image: { src: expect.stringMatching(/^\/share\/|^\/media\//) },
  });
});

test('SEO: the route of a page that a plugin hides says so, by the page’s setting or its type’s', async () => {
  // Yoast SEO cannot be downloaded here. Its version constant and its documented meta and option replace it.
  usePlugin(`define( 'WPSEO_VERSION', '27.0' );`);
  const id = await createPage({ title: 'Hidden' });
  const set = (value: string) => php(`update_post_meta( ${id}, '_yoast_wpseo_meta-robots-noindex', '${value}' );`);
  set('1');
  expect(await routeOf(id)).toMatchObject({ noindex: true });
  setOption('wpseo_titles', `array( 'noindex-page' => true )`);
  set('0');
  expect(await routeOf(id)).toMatchObject({ noindex: true });
  set('2');
  expect(await routeOf(id)).toMatchObject({ noindex: false });
});
