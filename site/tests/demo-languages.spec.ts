import { readFileSync } from 'node:fs';
import { settled, violations } from '@pillion/site-tests/axe.mjs';
import { reachForm } from '@pillion/tests/sign-up-form.ts';
import type { Page } from '@playwright/test';
import { createTestIn, expect, logRequests, visitPage } from './test.ts';

/** The bundled demo in all its languages (R28): axe, layout, links, fonts and text direction of every page. */

const test = createTestIn(process.cwd());

const routesIn = (lang: string): { path: string; group: number }[] =>
  JSON.parse(readFileSync(`site/content/${lang}/routes.json`, 'utf8'));

const OTHERS = [
  { lang: 'de', dir: 'ltr' },
  { lang: 'ar', dir: 'rtl' },
] as const;

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** A page has its language and direction, axe finds nothing, and it fits the narrowest phone, where axe looks too. */
async function inspect(page: Page, path: string, { lang, dir }: (typeof OTHERS)[number]): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visitPage(page, path);
  await expect(page.locator('html')).toHaveAttribute('lang', lang);
  await expect(page.locator('html')).toHaveAttribute('dir', dir);
  await settled(page);
  expect.soft(await violations(page), path).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  await settled(page);
  expect.soft(await violations(page), `${path} on the narrowest phone`).toEqual([]);
}

for (const language of OTHERS) {
  const { lang } = language;

  test(`R28: axe finds nothing on /${lang}/, and it fits the narrowest phone @lean @firefox`, async ({ page }) => {
    await inspect(page, `/${lang}/`, language);
  });

  test(`R28: axe finds nothing on the other pages in ${lang}, and they fit the narrowest phone`, async ({ page }) => {
    for (const { path } of routesIn(lang)) if (path !== `/${lang}/`) await inspect(page, path, language);
  });
}

test('R28: every page of the demo exists in every language @lean', () => {
  const groups = (lang: string) =>
    routesIn(lang)
      .map(({ group }) => group)
      .sort();
  for (const { lang } of OTHERS) expect(groups(lang), lang).toEqual(groups('en'));
});
/** Loaded typefaces. */
const loadedFaces = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .map(({ family }) => family.replace(/"/g, ''));
  });

test('R28: a switch to Arabic equals a load of its page; only Arabic loads its letters and styles @lean @firefox', async ({
  page,
}) => {
  const letters = logRequests(page, /readex|ruqaa/);
  // The page itself: styles of a linked page may be prefetched later.
  expect(await (await page.request.get('/')).text()).not.toMatch(/\/(?:rtl|compounds|arabic)-/);
  for (const path of ['/', '/de/']) {
    await visitPage(page, path);
    await loadedFaces(page);
    expect(letters).toEqual([]);
  }
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole('navigation', { name: 'Sprache' }).getByRole('link', { name: 'العربية' }).click();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect.poll(() => loadedFaces(page)).toEqual(expect.arrayContaining(['Readex Pro', 'Aref Ruqaa']));
  expect(await page.evaluate(() => 'isSame' in window), 'no document was loaded').toBe(true);
  const looks = () =>
    page.locator('h1').evaluate((element) => {
      const { fontFamily, lineHeight, letterSpacing } = getComputedStyle(element);
      return { fontFamily, lineHeight, letterSpacing };
    });
  const changed = await looks();
  await visitPage(page, '/ar/');
  expect(await looks()).toEqual(changed);
});

test('R28: the Arabic page has the reading and focus order of its text, and a mirrored layout @lean', async ({
  page,
}) => {
  // The language was chosen, so the page offers no other one.
  await page.addInitScript(() => localStorage.setItem('language', 'ar'));
  await visitPage(page, '/ar/');
  const centre = async (name: string) => {
    const box = await page.getByRole('banner').getByRole('link', { name, exact: true }).boundingBox();
    return box ? box.x + box.width / 2 : Number.NaN;
  };
  // From the right: the brand, the menu, the search.
  const places = [await centre('LOWSUN'), await centre('سجلّ العبّارة'), await centre('الطريق'), await centre('البحث')];
  expect(places).toEqual([...places].sort((a, b) => b - a));
  const reached: (string | null)[] = [];
  for (let stop = 0; stop < 4; stop++) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate(() => document.activeElement?.getAttribute('href') ?? null));
  }
  expect(reached).toEqual(['#main', '/ar/', '/ar/sijill-al-abbara/', '/ar/at-tariq/']);
  const bar = await page.locator('[data-scrollbar]').boundingBox();
  expect(bar?.x).toBeLessThan(40);
  // The landscape is not mirrored, so the words stay on the side without the sun.
  const words = await page.locator('[data-passage] li > :last-child').first().boundingBox();
  expect(words && words.x + words.width).toBeLessThan((page.viewportSize()?.width ?? 0) / 2);
  const spaced = await page
    .locator('h1, h1 *, h2, h2 *, main p')
    .evaluateAll(
      (all) => all.filter((node) => !['normal', '0px'].includes(getComputedStyle(node).letterSpacing)).length,
    );
  expect(spaced, 'letters that are joined and drawn apart').toBe(0);
});

test('R28: in Arabic the form’s labels and lamps are on the opposite sides', async ({ page }) => {
  await visitPage(page, '/ar/');
  const field = page.locator('#inner-form input[required]').first();
  await field.scrollIntoViewIfNeeded();
  await field.fill('آدا');
  const places = () =>
    field.evaluate((element) => {
      const box = element.parentElement as HTMLElement;
      const label = box.querySelector('label')?.getBoundingClientRect();
      const { right } = box.getBoundingClientRect();
      return { off: Math.round(right - (label?.right ?? 0)), lamp: getComputedStyle(box, '::before').left };
    });
  await expect.poll(async () => (await places()).off).toBe(0);
  await expect.poll(async () => Number.parseFloat((await places()).lamp)).toBeLessThan(0);
});

/** Number of characters in the first line of an element. */
const firstLineOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const text = element.firstChild as Text;
    const range = document.createRange();
    const topOf = (at: number) => {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().top;
    };
    let end = 1;
    while (end < text.length && topOf(end) - topOf(0) < 4) end += 1;
    return text.data.slice(0, end);
  });

test('R28: on a phone German compounds are hyphenated correctly, English words never @firefox @lean', async ({
  page,
  browserName,
}) => {
  const hyphens = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((node) => getComputedStyle(node).hyphens);
  await page.setViewportSize({ width: 320, height: 700 });
  await visitPage(page, '/de/nutzungsbedingungen/');
  expect([await hyphens('h1'), await hyphens('main p')]).toEqual(['auto', 'auto']);
  // Chromium downloads its hyphenation patterns later or never.
  if (browserName === 'firefox') expect(await firstLineOf(page, 'h1')).toMatch(/^Nut(zungs(be(din(gun)?)?)?)?$/);
  await visitPage(page, '/terms-conditions/');
  expect([await hyphens('h1'), await hyphens('main p')]).toEqual(['manual', 'manual']);
  await page.setViewportSize({ width: 1440, height: 900 });
  await visitPage(page, '/de/nutzungsbedingungen/');
  expect(await hyphens('h1')).toBe('manual');
});

test('R28: a quote has the quotation marks of its language @lean', async ({ page }) => {
  const marks = () =>
    page
      .locator('blockquote')
      .first()
      .evaluate((node) => getComputedStyle(node).quotes);
  await visitPage(page, '/ar/at-tariq/');
  expect(await marks()).toContain('"«" "»"');
  await visitPage(page, '/the-road/');
  expect(await marks()).toBe('auto');
});

/** What the browser stores, by the start of the key, in the words of the cookie policies. */
const STORED: Record<string, [en: string, de: string, ar: string]> = {
  sound: ['music', 'Musik', 'الموسيقى'],
  motion: ['motion', 'Bewegung', 'الحركة'],
  language: ['language', 'Sprache', 'لغة'],
  'pillion-form': ['type into the form', 'in das Formular eintippst', 'تكتبه في الاستمارة'],
  'pillion-first': ['campaign', 'Kampagne', 'الحملة'],
  'pillion-last': ['campaign', 'Kampagne', 'الحملة'],
  'pillion-number': ['number', 'Nummer', 'رقمك'],
  'sound-at': ['position in the music', 'Stelle in der Musik', 'موضع الموسيقى'],
};

test('the cookie policies name all that the browser stores', async ({ page }) => {
  await visitPage(page, '/?utm_source=radio');
  await page.getByRole('contentinfo').getByRole('button', { name: 'motion', exact: true }).click();
  await page.locator('[data-sound]').click();
  await reachForm(page);
  await page.locator('#inner-form input[required]').first().fill('Ada');
  const keys = () => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());
  const start = (key: string) => key.replace(/-\d+$/, '');
  await expect
    .poll(async () => (await keys()).map(start))
    .toEqual(['motion', 'pillion-first', 'pillion-form', 'pillion-last', 'sound']);
  await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  for (const key of await keys()) expect(Object.keys(STORED)).toContain(start(key));
  for (const [at, path] of ['/cookie-policy/', '/de/cookies/', '/ar/malaffat-al-irtibat/'].entries()) {
    await visitPage(page, path);
    for (const words of Object.values(STORED))
      await expect.soft(page.locator('main table')).toContainText(words[at] as string);
  }
});
