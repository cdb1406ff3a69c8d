import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';
import { expect, type Page } from '@playwright/test';
import { createBlock, createPage, createPreviewUrl, openFakeEditor } from '../support/previews.ts';
import { createWiredTest } from '../support/wired-test.ts';
import { dismissWelcome, signIn, typeHeading } from '../support/wp-admin.ts';
import { waitForScript } from './test.ts';

/** R28, decision 045: an editor lists languages while the site runs, and visitors find them in every part of it. */

/** No other file has this WordPress, since these tests add languages to it. */
const test = createWiredTest();

// One WordPress: the first test adds languages, and the last one removes them.
test.describe.configure({ mode: 'serial', timeout: 180_000 });

const LIVE = /Live on the site at \d\d:\d\d:\d\d, after \d+\.\d s/;

/** Fills a row of the screen, from 0. */
async function fillLanguage(page: Page, row: number, tag: string, name: string, fallback = '') {
  const field = (name: string) => page.locator(`[name="languages[${row}][${name}]"]`);
  await field('tag').fill(tag);
  await field('name').fill(name);
  if (fallback) await field('fallback').selectOption(fallback);
}

async function saveLanguages(page: Page) {
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.locator('[data-pillion-receipt]')).toContainText(LIVE);
}

const openLanguages = (page: Page, { url }: RunningWordPress) =>
  page.goto(`${url}/wp-admin/admin.php?page=pillion-languages`);

/** The original of a translation, by its address. */
async function idOf({ url, key, secret }: RunningWordPress, path: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const routes = await (await fetch(`${url}/wp-json/gusto/routes`, { headers: { authorization } })).json();
  return (routes as { id: number; path: string }[]).find((route) => route.path === path)?.id ?? 0;
}

const translate = async (wordpress: RunningWordPress, lang: string, path: string, title: string, more: object = {}) =>
  createPage(wordpress, {
    title,
    content: createBlock('hero', { heading: title }),
    meta: { _pillion_lang: lang, _pillion_translation_of: await idOf(wordpress, path) },
    ...more,
  });

const switcher = (page: Page) => page.getByRole('navigation', { name: /^(Language|Sprache|اللغة)$/ });

test('R28: a language is on the site without a restart once it is listed and its front page published', async ({
  page,
  wired: { wordpress, site },
}) => {
  // Until WordPress has responded once, the site has no list of languages.
  await expect.poll(async () => (await fetch(`${site.url}/de/`)).status).toBe(404);
  await signIn(page, wordpress);
  await openLanguages(page, wordpress);
  await fillLanguage(page, 1, 'de', 'Deutsch', 'en');
  await saveLanguages(page);
  await fillLanguage(page, 2, 'ar', 'العربية');
  await saveLanguages(page);
  await translate(wordpress, 'de', '/', 'Lies die erste Seite');
  await translate(wordpress, 'de', '/the-tour/', 'Der Rundgang', { slug: 'rundgang' });
  await translate(wordpress, 'ar', '/', 'اقرأ أول صفحة');

  await page.goto(`${site.url}/de/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lies die erste Seite');
  await page.goto(`${site.url}/ar/`);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
});

test('R28: a draft is previewed in its language, alone and next to the editor', async ({
  page,
  wired: { wordpress },
}) => {
  const title = 'لم يكتمل بعد';
  const { id } = await translate(wordpress, 'ar', '/', title, { status: 'draft' });
  await page.goto(await createPreviewUrl(wordpress, id));
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Example' })).toHaveAttribute('href', '/ar/');
  // Its texts are in the editor's language, which is the language of WordPress.
  const bar = page.getByRole('region', { name: 'Preview' });
  await expect(bar.locator('p')).toHaveText(/^Draft, saved/);
  await expect(bar).toHaveAttribute('lang', 'en');

  const { site } = await openFakeEditor(page, await createPreviewUrl(wordpress, id, 'pane'), wordpress.url);
  await expect(site.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(site.getByRole('heading', { level: 1 })).toHaveText(title);
});

test('R28: untranslated blocks of a copied page are outlined until their text changes', async ({
  page,
  wired: { wordpress },
}) => {
  const content =
    createBlock('hero', { heading: 'Loud and clear' }) + createBlock('statement', { heading: 'Slow and quiet' });
  await createPage(wordpress, { title: 'To be copied', content });
  await signIn(page, wordpress);
  await openLanguages(page, wordpress);
  await page.getByRole('row', { name: 'To be copied' }).getByRole('link', { name: 'Deutsch' }).click();
  await dismissWelcome(page);
  const canvas = page.frameLocator('iframe[name="editor-canvas"]');
  await expect(canvas.locator('[data-pillion-to-do]')).toHaveCount(2);
  await typeHeading(page, 'Laut und deutlich');
  await expect(canvas.locator('[data-pillion-to-do]')).toContainText(['Slow and quiet']);
});

test('R28: a visitor on a page of a removed language gets a page that says so', async ({
  page,
  browser,
  wired: { wordpress, site },
}) => {
  const visitor = await browser.newPage();
  await visitor.clock.install();
  await visitor.goto(`${site.url}/de/rundgang/`);
  await waitForScript(visitor);
  await signIn(page, wordpress);
  await openLanguages(page, wordpress);
  await fillLanguage(page, 1, '', '');
  await fillLanguage(page, 2, '', '');
  await saveLanguages(page);
  // Prefetched pages are used for 30 s.
  await visitor.clock.fastForward(31_000);
  await visitor.getByRole('banner').getByRole('link', { name: 'Example' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('404');
  expect((await fetch(`${site.url}/de/rundgang/`)).status).toBe(404);
  await expect(switcher(visitor)).toHaveCount(0);
  await visitor.close();
});
