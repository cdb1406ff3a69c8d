import type { Page } from '@playwright/test';
import { openHideableBrowser } from '../support/hidden-tab.ts';
import { expect, hydrated, test } from './test.ts';

// Recording a page keeps it from hiding.
test.use({ trace: 'off' });

const loader = (page: Page) => page.locator('[data-loader]');

/** Moves the clock of what runs by itself on by so much, as waiting behind another tab would. */
const passHiddenTime = (page: Page, ms: number) =>
  page.evaluate((ms) => {
    for (const animation of document.getAnimations())
      if (animation.timeline === document.timeline) animation.currentTime = Number(animation.currentTime) + ms;
  }, ms);

/** Holds back what matches until the returned function is called. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await free;
    await route.continue();
  });
  return release;
}

/** The script runs the page: it has told the loader how far it is. */
const isRunning = (page: Page) =>
  expect
    .poll(() => loader(page).evaluate((element) => (element as HTMLElement).style.getPropertyValue('--progress')))
    .not.toBe('');

const stillWaits = async (page: Page) => {
  await expect(page.locator('html')).toHaveAttribute('data-stage', 'waiting');
  await expect(loader(page)).toHaveCSS('opacity', '1');
  await expect(loader(page)).toHaveCSS('visibility', 'visible');
  await expect(page.locator('html')).toHaveCSS('overflow', /hidden/);
  await expect(page.getByRole('banner').locator('[data-entry="0"]')).toHaveCSS('opacity', '0');
};

test.describe('R9, R14: a page that was opened behind another tab is still loading when it is first seen', () => {
  let browser: Awaited<ReturnType<typeof openHideableBrowser>>;
  test.beforeEach(async () => {
    browser = await openHideableBrowser();
  });
  test.afterEach(() => browser.close());

  test('however long it lay there', async ({ site }) => {
    const { page, hide, show } = browser;
    await hide();
    const release = await hold(page, /\/media\/hero/);
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    await isRunning(page);
    await passHiddenTime(page, 60_000);
    await show();
    await stillWaits(page);
    release();
    await hydrated(page);
    await expect(loader(page)).toHaveCount(0);
  });

  test('also where its script came late', async ({ site }) => {
    const { page, hide, show } = browser;
    await hide();
    const release = await hold(page, /\/media\/hero/);
    const arrive = await hold(page, /\/entry\.client/);
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    await expect(loader(page)).toBeAttached();
    await passHiddenTime(page, 60_000);
    await expect(loader(page)).toHaveCSS('visibility', 'hidden');
    arrive();
    await isRunning(page);
    await show();
    await stillWaits(page);
    release();
    await hydrated(page);
    await expect(loader(page)).toHaveCount(0);
  });

  test('its script is asked for at once: no paint comes that it could wait for', async ({ site }) => {
    const { page, hide } = browser;
    await hide();
    await page.addInitScript(() => {
      // No clock of the page's passes.
      window.setTimeout = (() => 0) as unknown as typeof setTimeout;
    });
    const asked = page.waitForRequest(/\/entry\.client/);
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    await asked;
  });
});
