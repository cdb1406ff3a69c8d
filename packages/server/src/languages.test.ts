import {
  hang,
  html,
  json,
  MENUS,
  type Play,
  page,
  pagePath,
  ROUTES,
  route,
  STRINGS,
} from '@pillion/content/testing/fake-wordpress.ts';
import { WEBHOOK_SECRET } from '@pillion/content/testing/preview.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { SITE } from './testing/start-app.ts';
import { startAppForEach } from './testing/start-app-for-each.ts';

/** R28, decision 045: responses of a site in several languages, and with invalid languages. */

const EN = { tag: 'en', name: 'English', dir: 'ltr', fallback: '' };
const DE = { tag: 'de', name: 'Deutsch', dir: 'ltr', fallback: 'en' };
const AR = { tag: 'ar', name: 'العربية', dir: 'rtl', fallback: '' };

const app = startAppForEach({ setup: { env: { WEBHOOK_SECRET } }, isClosed: true });

/** Answers by the requested language. Languages that are not in the table get the first one's answer. */
const byLang =
  (answers: Record<string, unknown>): Play =>
  (response, request) => {
    const lang = new URL(request.url ?? '', SITE).searchParams.get('lang') ?? '';
    json(answers[lang] ?? Object.values(answers)[0])(response, request);
  };

/** English has a front page, two pages below it and no translation of the team. Arabic has no page. */
function speak(languages: unknown) {
  const { plays } = app.wordpress;
  const english = [
    route(1, '/', { template: 'landing', group: 1 }),
    route(2, '/about/', { group: 2 }),
    route(3, '/about/team/', { group: 3 }),
  ];
  const german = [
    route(11, '/de/', { template: 'landing', is_front: true, lang: 'de', group: 1 }),
    route(12, '/de/ueber/', { lang: 'de', group: 2 }),
  ];
  plays.set(ROUTES, byLang({ en: english, de: german, ar: [] }));
  plays.set(
    STRINGS,
    byLang({
      en: { brand: 'LIVE', labels: { join: 'Join' }, languages },
      de: { brand: 'LIVE', labels: { join: 'Mitmachen' }, languages },
      ar: { brand: 'LIVE', labels: { join: 'انضم' }, languages },
    }),
  );
  plays.set(pagePath(11), json(page(11, { title: { rendered: 'Start' } })));
  plays.set(pagePath(12), json(page(12, { title: { rendered: 'Über' } })));
}

const get = async (path: string) => {
  const response = await app.request(SITE + path);
  const text = await response.text();
  const root = /<html lang="([^"]*)" dir="([^"]*)"/.exec(text);
  return { status: response.status, text, lang: root?.[1], dir: root?.[2], location: response.headers.get('location') };
};
/** Until WordPress has responded a page is 503 after 1.5 s, so a slow machine may need several visits. */
const untilShown = (path: string) => expect.poll(async () => (await get(path)).status).toBe(200);
const dataOf = async (path: string) =>
  (await (await app.request(`${SITE}/api/page?path=${encodeURIComponent(path)}`)).json()).page;

describe('with three languages', () => {
  beforeEach(async () => {
    speak([EN, DE, AR]);
    app.open();
    await untilShown('/de/ueber/');
  });

  test('R28: document, data and shell are in the language of the path', async () => {
    expect(await get('/de/ueber/')).toMatchObject({ status: 200, lang: 'de', dir: 'ltr' });
    expect((await get('/de/ueber/')).text).toContain('Mitmachen');
    expect(await dataOf('/de/')).toMatchObject({ lang: 'de', title: 'Start', path: '/de/' });
    const shell = await (await app.request(`${SITE}/api/shell?lang=de`)).json();
    expect(shell).toMatchObject({ lang: 'de', strings: { labels: { join: 'Mitmachen' } } });
    expect(await get('/about/')).toMatchObject({ status: 200, lang: 'en' });
  });

  test('R28: a language’s front page keeps its address, and linked data names it as the site', async () => {
    const { text } = await get('/de/ueber/');
    const graph = JSON.parse(/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '')['@graph'];
    expect(graph).toContainEqual(expect.objectContaining({ '@type': 'WebSite', url: `${SITE}/de/`, inLanguage: 'de' }));
    const steps = graph.find((node: { '@type': string }) => node['@type'] === 'BreadcrumbList').itemListElement;
    expect(steps.map(({ item }: { item: string }) => item)).toEqual([`${SITE}/de/`, `${SITE}/de/ueber/`]);
    expect(await get('/de')).toMatchObject({ status: 301, location: '/de/' });
  });

  test('R28: the search of a language finds and links only its pages', async () => {
    const found = async (path: string) => (await dataOf(path)).search.hits.map(({ path }: { path: string }) => path);
    expect(await found('/de/search?q=content')).toEqual(['/de/', '/de/ueber/']);
    expect(await found('/search?q=content')).toEqual(['/about/', '/about/team/']);
    expect(await get('/de/search/')).toMatchObject({ status: 301, location: '/de/search' });
    expect((await get('/de/search')).text).toContain('action="/de/search"');
    expect((await dataOf('/de/search')).translations.ar.path).toBe('/ar/search');
  });

  test('R28: a missing translation shows the fallback, with the original as canonical', async () => {
    const shown = await get('/de/about/team/');
    expect(shown).toMatchObject({ status: 200, lang: 'de' });
    expect(shown.text).toContain('<main id="main" tabindex="-1" lang="en" dir="ltr">');
    expect(shown.text).toContain(`<link rel="canonical" href="${SITE}/about/team/">`);
    expect(shown.text).not.toContain('hreflang="de" href');
    expect(await get('/de/about/team')).toMatchObject({ status: 301, location: '/de/about/team/' });
    // A translation exists, so no fallback is used.
    expect(await get('/de/about/')).toMatchObject({ status: 302, location: '/de/ueber/' });
    expect(await get('/de/nowhere/')).toMatchObject({ status: 404, lang: 'de' });
  });

  test('R28: a language without a page responds in its shell, and without a fallback shows none', async () => {
    expect(await get('/ar/')).toMatchObject({ status: 404, lang: 'ar', dir: 'rtl' });
    expect(await get('/ar/about/')).toMatchObject({ status: 404, lang: 'ar', dir: 'rtl' });
    expect((await get('/ar/')).text).toContain('href="/ar/search"');
  });

  test('R28: the switcher links to the same page, to its fallback, or home', async () => {
    expect((await dataOf('/about/')).translations).toEqual({
      en: { path: '/about/', isSame: true },
      de: { path: '/de/ueber/', isSame: true },
      ar: { path: '/ar/', isSame: false },
    });
    expect((await dataOf('/about/team/')).translations.de).toEqual({ path: '/de/about/team/', isSame: false });
  });

  test('R28: hreflang is in head and sitemap, with the default’s address as x-default', async () => {
    const { text } = await get('/de/ueber/');
    const links = [...text.matchAll(/rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map((at) => at.slice(1));
    const same = [
      ['en', `${SITE}/about/`],
      ['de', `${SITE}/de/ueber/`],
      ['x-default', `${SITE}/about/`],
    ];
    expect(links).toEqual(same);
    const sitemap = (await get('/sitemap.xml')).text;
    const entry = /<url><loc>[^<]*\/about\/<\/loc>.*?<\/url>/.exec(sitemap)?.[0] ?? '';
    expect([...entry.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map((at) => at.slice(1))).toEqual(same);
    expect(sitemap).not.toContain('/de/about/');
  });

  test('R28: manifest and an unknown language', async () => {
    const manifest = await (await app.request(`${SITE}/site.webmanifest?lang=ar`)).json();
    expect(manifest).toMatchObject({ start_url: '/ar/', lang: 'ar', dir: 'rtl' });
    expect(await (await app.request(`${SITE}/api/shell?lang=fr`)).json()).toMatchObject({ lang: 'en' });
    expect(await get('/fr/about/')).toMatchObject({ status: 404, lang: 'en' });
  });
});

test('R28: a site with one language mentions no others', async () => {
  app.open();
  const { text } = await get('/about/');
  expect(text).not.toContain('hreflang');
  expect(text).not.toContain('"translations"');
  expect(text).toContain('<link rel="manifest" href="/site.webmanifest">');
  expect((await get('/sitemap.xml')).text).not.toContain('xhtml');
  expect(await get('/de/about/')).toMatchObject({ status: 404, lang: 'en' });
});

test('R28: the default language need not be English, which may be the second', async () => {
  speak([{ ...DE, fallback: '' }, EN]);
  const { plays } = app.wordpress;
  const german = [route(11, '/', { is_front: true, lang: 'de', group: 1 })];
  const english = [route(1, '/en/', { is_front: true, lang: 'en', group: 1 })];
  plays.set(ROUTES, byLang({ de: german, en: english }));
  app.open();
  expect(await dataOf('/')).toMatchObject({ lang: 'de', title: 'Start' });
  expect(await dataOf('/en/')).toMatchObject({ lang: 'en', path: '/en/' });
});

test('R28: until WordPress has named the languages, a path that may be one gets 503, not 404', async () => {
  speak([EN, DE, AR]);
  app.wordpress.plays.set(STRINGS, hang);
  app.open();
  expect((await get('/de/ueber/')).status).toBe(503);
  await expect.poll(async () => (await get('/about/')).status).toBe(200);
  expect((await get('/de/ueber/')).status).toBe(503);
});

test('R28: without WordPress the languages are those that it named last', async () => {
  speak([EN, DE, AR]);
  app.open();
  await untilShown('/de/ueber/');
  await app.close();
  for (const path of [ROUTES, STRINGS, MENUS, pagePath(12)]) app.wordpress.plays.set(path, html);
  app.open();
  expect(await get('/de/ueber/')).toMatchObject({ status: 200, lang: 'de' });
});
