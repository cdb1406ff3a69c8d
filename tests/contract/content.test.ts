import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Content, createContent, type Resolved } from '@pillion/content/content.ts';
import { markedBundle } from '@pillion/content/testing/own-bundle.ts';
import { startWordPress } from '@pillion/scripts/wordpress.mjs';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWebm } from '../support/film.ts';
import { BUNDLE } from '../support/fixture.ts';
import { createPng } from '../support/png.ts';
import { createPage, forgetSite, rest, setSite, upload, wordpress } from './wordpress.ts';

let directory: string;
let content: Content;
let warnings: string[];

interface Site {
  url: string;
  key: string;
  secret: string;
}

/** Uses bundled copies that name this WordPress as their source. */
const open = (site: Site) =>
  createContent({
    source: 'wordpress',
    wordpress: { url: site.url, key: site.key, secret: site.secret, timeoutMs: 10_000 },
    dataDirectory: directory,
    bundleDirectory: markedBundle(join(directory, 'own-bundle'), site.url),
    log: (level, event, details) => level !== 'info' && warnings.push(`${event} ${JSON.stringify(details)}`),
  });

const bundled = () =>
  createContent({
    ...{ source: 'bundled', wordpress: null, dataDirectory: directory, bundleDirectory: BUNDLE },
    log: () => {},
  });

function pageIn(resolved: Resolved) {
  if (resolved.kind !== 'page') throw new Error(`expected a page, got ${resolved.kind}`);
  return resolved.page;
}

/** Allows for a slow first response after WordPress starts on a busy machine. */
const WARM_WITHIN = { timeout: 20_000 };

/** Collects everything that the site would show. */
async function everything(from: Content, lang = 'en') {
  const routes = await vi.waitUntil(async () => {
    const known = await from.routes(lang);
    return known !== null && known.length > 0 && known;
  }, WARM_WITHIN);
  const pages = await Promise.all(
    routes.map(({ path }) => vi.waitUntil(async () => pageIn(await from.resolve(path, lang)), WARM_WITHIN)),
  );
  return { pages, shell: await from.shell(lang) };
}

const get = (path: string, headers: Record<string, string> = {}) =>
  content.media(path, new Request(`http://site.test${path}`, { headers }));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillion-content-'));
  warnings = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await content?.close();
  await rm(directory, { recursive: true, force: true });
});

describe('the content of a real WordPress', () => {
  beforeEach(async () => {
    content = open(wordpress());
    await everything(content);
  });

  test('R31: WordPress’ own search finds pages by their words', async () => {
    // A search waits about a second for WordPress' own.
    const searched = (words: string) =>
      vi.waitUntil(async () => {
        const found = await content.search(words, 1, 'en');
        return !found.isPartial && found;
      }, WARM_WITHIN);
    const found = await searched('paper');
    expect(found.query).toBe('paper');
    expect(found.hits.map(({ path }) => path)).toContain('/paper-notes/');
    expect(found.hits[0]?.excerpt.some(({ isMatch }) => isMatch)).toBe(true);
    expect((await searched('submarine')).total).toBe(0);
  });
});

test('a picture deleted in WordPress, with its sizes, leaves the site once the change is reported as live', async () => {
  content = open(wordpress());
  const { id, source_url, media_details } = await upload('taken-down.png', 'image/png', await createPng(900, 600));
  const pathOf = (address: string) => address.replace(/^.*\/uploads/, '/media');
  const [whole, small] = [pathOf(source_url), pathOf(media_details.sizes.thumbnail.source_url)];
  for (const path of [whole, small])
    await vi.waitUntil(async () => {
      const answer = await get(path);
      await answer?.arrayBuffer();
      return answer?.status === 200;
    }, WARM_WITHIN);
  expect(small).not.toBe(whole);
  await rest(`wp/v2/media/${id}?force=true`, { as: 'admin', method: 'DELETE' });
  const change = { type: 'media', id, path: whole, status: null };
  await vi.waitUntil(() => content.refresh(change), WARM_WITHIN);
  expect(await get(whole)).toBeNull();
  expect(await get(small)).toBeNull();
});

test('an editor’s film arrives at the site and in the preview, and is served in ranges', async () => {
  const bytes = createWebm([{ data: 'AAAA', isKey: true }]);
  const { id: film } = await upload('ride.webm', 'video/webm', bytes);
  const { id: sound } = await upload('ride.wav', 'audio/wav', Buffer.from('RIFF\0\0\0\0WAVEfmt '));
  const hero = (id: number) => `<!-- wp:pillion/hero {"heading":"Ride","film":${id}} /-->`;
  const films = (sections: unknown[]) => sections.map((section) => (section as { film?: unknown }).film);
  onTestFinished(async () => {
    forgetSite();
    for (const id of [film, sound]) await rest(`wp/v2/media/${id}?force=true`, { as: 'admin', method: 'DELETE' });
  });
  const id = await createPage({ title: 'With a film', content: hero(film) });
  content = open(wordpress());
  const shown = await vi.waitUntil(async () => {
    const resolved = await content.resolve('/with-a-film/', 'en');
    return resolved.kind === 'page' && resolved.page;
  }, WARM_WITHIN);
  const src = expect.stringMatching(/^\/media\/.*ride.*\.webm$/);
  expect(films(shown.sections)).toEqual([{ src, bytes: bytes.length }]);
  const [{ src: path = '' } = {}] = films(shown.sections) as { src?: string }[];
  const answer = await get(path, { range: 'bytes=0-3' });
  expect([answer?.status, answer?.headers.get('content-type')]).toEqual([206, 'video/webm']);
  expect(new Uint8Array((await answer?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(
    new Uint8Array(bytes.subarray(0, 4)),
  );
  // Only a WordPress with a site has previews.
  setSite('http://127.0.0.1:9', `whsec_${Buffer.alloc(32).toString('base64')}`);
  const typed = async (content: string) =>
    films((await rest(`pillion/v1/preview/${id}/live`, { as: 'admin', body: { content } })).body.page.sections);
  expect(await typed(hero(film))).toEqual([expect.objectContaining({ id: film, bytes: bytes.length })]);
  expect(await typed(hero(sound)), 'the site names it').toEqual([expect.objectContaining({ id: sound })]);
  expect(await typed(hero(999_999))).toEqual([null]);
});

test('the bundled copies match the seeded WordPress in every language', async () => {
  const siteDirectory = await mkdtemp(join(tmpdir(), 'pillion-wordpress-'));
  const site = await startWordPress({ directory: siteDirectory, languages: true });
  onTestFinished(async () => {
    await site.stop();
    await rm(siteDirectory, { recursive: true, force: true });
  });
  content = open(site);
  for (const lang of ['en', 'de', 'ar']) {
    const live = await everything(content, lang);
    const copy = await everything(bundled(), lang);
    const otherwise = 'after a change of the seed: npm run wordpress -- --fresh, then npm run content:pull';
    expect(copy.shell, otherwise).toEqual(live.shell);
    expect(copy.pages.map(({ path }) => path).sort()).toEqual(live.pages.map(({ path }) => path).sort());
    for (const page of live.pages)
      expect(
        copy.pages.find(({ path }) => path === page.path),
        otherwise,
      ).toEqual(page);
  }
  expect(warnings.filter((line) => /dropped|unreadable/.test(line))).toEqual([]);
});
