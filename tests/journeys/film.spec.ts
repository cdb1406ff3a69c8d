import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelsOf, contrast, luminance } from '@pillion/lib/contrast.mjs';
import type { Page, Route } from '@playwright/test';
import { editPage, requestCore } from '../support/block-editor.ts';
import { makeFilm } from '../support/film.ts';
import { BUNDLE } from '../support/fixture.ts';
import { openHideableBrowser } from '../support/hidden-tab.ts';
import { createCheckout } from '../support/one-language.ts';
import { measureColour } from '../support/png.ts';
import { type RunningSite, startSite, waitForSite } from '../support/site.ts';
import { wiredTest } from '../support/wired-test.ts';
import { test as base, expect, logRequests, visitPage, waitForScript } from './test.ts';

/** A recorded page is never hidden. */
base.use({ trace: 'off' });

const FILM = '/media/hero.webm';

/** A site whose front page has a film in its hero. */
const test = base.extend<object, { site: RunningSite }>({
  site: [
    async ({ browser, playwright: _ }, use) => {
      const folder = createCheckout();
      const media = join(folder, 'content/media');
      rmSync(media);
      mkdirSync(media);
      for (const name of readdirSync(join(BUNDLE, 'media')))
        symlinkSync(join(BUNDLE, 'media', name), join(media, name));
      const [front] = JSON.parse(readFileSync(join(folder, 'content/en/routes.json'), 'utf8'));
      const file = join(folder, `content/en/pages/${front.id}.json`);
      const page = JSON.parse(readFileSync(file, 'utf8'));
      page.sections[0].film = { id: 1, url: FILM, bytes: 1 };
      page.sections[0].picture.focal_point = { x: 0.5, y: 0 };
      writeFileSync(file, JSON.stringify(page));
      const site = await startSite({}, folder);
      writeFileSync(join(media, 'hero.webm'), await makeFilm(browser, `${site.url}/healthz`));
      await use(site);
      await site.stop();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

const film = (page: Page) => page.locator('[data-scene] video');
const poster = (page: Page) => page.locator('[data-scene] img');
const motion = (page: Page) => page.getByRole('contentinfo').getByRole('button', { name: 'motion', exact: true });

/** @returns The addresses of the film and of its code that the page requests. */
const asked = (page: Page) => logRequests(page, /\/media\/.*webm|\/assets\/film-/);

const isPaused = (page: Page, wanted: boolean) => expect(film(page)).toHaveJSProperty('paused', wanted);

/** Waits until the film shows another moment. */
const plays = (page: Page) =>
  film(page).evaluate(
    (video: HTMLVideoElement) =>
      new Promise<void>((resolve) => {
        const from = video.currentTime;
        video.addEventListener('timeupdate', () => video.currentTime !== from && resolve());
      }),
  );

test('WCAG 2.2.2: the film plays over its picture once the stage is open; a switch pauses it @lean @firefox', async ({
  page,
}) => {
  const stages: unknown[] = [];
  await page.route(`**${FILM}`, async (route) => {
    stages.push(await page.evaluate(() => document.documentElement.dataset.stage));
    await expect(poster(page)).toHaveJSProperty('complete', true);
    await route.continue();
  });
  const response = page.waitForResponse(`**${FILM}`);
  await page.addInitScript(() => {
    const largest: (string | undefined)[] = [];
    Object.assign(window, { largest });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) largest.push((entry as never as { element?: Element }).element?.tagName);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await visitPage(page, '/');
  await plays(page);
  expect(stages[0]).toBe('playing');
  expect((await response).status()).toBe(206);
  expect((await response).headers()['content-type']).toBe('video/webm');
  for (const [name, value] of Object.entries({ muted: true, loop: true, playsInline: true, controls: false }))
    await expect(film(page)).toHaveJSProperty(name, value);
  await expect(film(page)).toHaveCSS('opacity', '1');
  expect(await page.evaluate(() => (window as never as { largest: string[] }).largest)).not.toContain('VIDEO');
  const [over, under] = [await film(page).boundingBox(), await poster(page).boundingBox()];
  expect(over).toEqual(under);
  // The focal point of the picture.
  for (const shown of [poster(page), film(page)]) await expect(shown).toHaveCSS('object-position', '50% 0px');
  // A later request for another part of the film finds the page closed.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await motion(page).click();
  await isPaused(page, true);
  await motion(page).click();
  await isPaused(page, false);
  await plays(page);
});

test('the headline is readable over a dark film, which plays only in view, and not on the next page', async ({
  page,
}) => {
  await visitPage(page, '/');
  await plays(page);
  const headline = page.getByRole('heading', { level: 1 });
  const clip = (await headline.boundingBox()) ?? undefined;
  await headline.evaluate((element) => Object.assign(element.style, { color: 'transparent', textShadow: 'none' }));
  const ground = async () => {
    const { red, green, blue } = await measureColour(await page.screenshot(clip && { clip }));
    return contrast(luminance(channelsOf('#111111')), luminance([red, green, blue]));
  };
  await expect.poll(ground).toBeGreaterThan(3);
  const opaque = page.locator('main section').nth(3);
  await opaque.evaluate((section) => section.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await isPaused(page, true);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await isPaused(page, false);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveURL(/privacy/);
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
  await expect(page.locator('video')).toHaveCount(0);
});

test('a hidden tab pauses the film', async ({ site }) => {
  const { page, hide, show, close } = await openHideableBrowser();
  try {
    await page.goto(site.url);
    await waitForScript(page);
    await plays(page);
    await hide();
    await isPaused(page, true);
    await show();
    await isPaused(page, false);
  } finally {
    await close();
  }
});

test('a visitor who wants less motion gets the picture, and the film when they switch motion on', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const requests = asked(page);
  await visitPage(page, '/');
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(poster(page)).toBeVisible();
  expect(requests.filter((url) => url.endsWith(FILM))).toEqual([]);
  await motion(page).click();
  await plays(page);
});

test('a visitor who saves data gets the picture, without a switch for motion @lean', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const requests = asked(page);
  await visitPage(page, '/');
  await page.waitForLoadState('networkidle');
  expect(requests).toEqual([]);
  await expect(poster(page)).toBeVisible();
  await expect(motion(page)).toBeHidden();
});

for (const [what, address, answer] of [
  ['the film is missing', `**${FILM}`, (route: Route) => route.fulfill({ status: 404 })],
  ['the film is broken', `**${FILM}`, (route: Route) => route.fulfill({ contentType: 'video/webm', body: 'no film' })],
  ['its code does not arrive', /\/assets\/film-/, (route: Route) => route.abort()],
] as const)
  test(`the picture stays if ${what}, without a switch for motion @lean`, async ({ page }) => {
    await page.route(address, answer);
    const request = page.waitForRequest(address);
    await visitPage(page, '/');
    await request;
    await expect(film(page)).toHaveCount(0);
    await expect(poster(page)).toBeVisible();
    await expect(motion(page)).toBeHidden();
  });

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the picture is shown, and no film is requested @lean', async ({ page }) => {
    const requests = asked(page);
    await page.goto('/');
    await expect(poster(page)).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(requests).toEqual([]);
    await expect(page.locator('video')).toHaveCount(0);
  });
});

/** The beginning of a QuickTime file, which WordPress accepts and no page plays. */
const QUICKTIME = Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1');

wiredTest(
  'an editor adds a film, is told of an unusable file before publishing, and the site plays the other',
  async ({ page, browser, wired: { wordpress, site } }) => {
    wiredTest.setTimeout(300_000);
    await requestCore(wordpress, 'POST', 'media', {
      headers: { 'Content-Type': 'video/webm', 'Content-Disposition': 'attachment; filename="ride.webm"' },
      body: new Uint8Array(await makeFilm(browser, `${site.url}/healthz`)),
    });
    const body = JSON.stringify({
      ...{ title: 'With a film', status: 'draft', template: 'landing' },
      content: '<!-- wp:pillion/hero {"heading":"Read on"} /-->',
    });
    const { id } = await requestCore<{ id: number }>(wordpress, 'POST', 'pages', { body });
    const canvas = await editPage(page, wordpress, id);
    const library = page.getByRole('dialog');
    await canvas.getByRole('button', { name: 'Add film', exact: true }).click();
    await library.getByRole('tab', { name: 'Upload files' }).click();
    const file = { name: 'ride.mov', mimeType: 'video/quicktime', buffer: QUICKTIME };
    await library.locator('input[type=file]').setInputFiles(file);
    await library.getByRole('button', { name: 'Select', exact: true }).click();
    await expect(canvas.getByText('is neither MP4 nor WebM')).toBeVisible();
    const publish = page.getByRole('button', { name: 'Publish', exact: true });
    await publish.click();
    const before = page.getByLabel('Editor publish');
    await expect(before.getByRole('listitem').filter({ hasText: /cannot play the film .*ride\.mov/ })).toBeVisible();
    await before.getByRole('button', { name: 'Cancel' }).click();

    await canvas.getByRole('button', { name: 'Replace film', exact: true }).click();
    await library.getByRole('tab', { name: 'Media Library' }).click();
    await expect(library.getByRole('checkbox')).toHaveCount(1);
    await library.getByRole('checkbox', { name: 'ride' }).click();
    await library.getByRole('button', { name: 'Select', exact: true }).click();
    await expect(canvas.getByText('is neither MP4 nor WebM')).toHaveCount(0);
    await publish.click();
    await before.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByTestId('snackbar').filter({ hasText: 'Page published.' })).toBeVisible();
    await waitForSite(`${site.url}/with-a-film/`);
    await page.goto(`${site.url}/with-a-film/`);
    await plays(page);
  },
);
