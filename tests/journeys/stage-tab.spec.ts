import type { Page } from '@playwright/test';
import { deadlines, holdDeadline, passDeadline } from '../support/driven-time.ts';
import { openHideableBrowser } from '../support/hidden-tab.ts';
import { expect, hydrated, test, visit } from './test.ts';

// Recording a page keeps it from hiding, and from the back/forward cache.
test.use({ trace: 'off' });

/** Sets the page's clock to `ms`, and holds it there. */
const setClock = (page: Page, ms: number) =>
  page.evaluate((ms) => {
    performance.now = () => ms;
  }, ms);

const loader = (page: Page) => page.locator('[data-loader]');

test.describe('R9: in a separate browser', () => {
  let browser: Awaited<ReturnType<typeof openHideableBrowser>>;
  test.beforeEach(async () => {
    browser = await openHideableBrowser();
  });
  test.afterEach(() => browser.close());

  test('time in which the tab is hidden does not count for the deadline', async ({ site }) => {
    const { page } = browser;
    await holdDeadline(page);
    await page.addInitScript(() => {
      performance.now = () => 0;
    });
    // The poster never answers: the stage waits.
    await page.route(/\/media\/hero/, () => {});
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    await expect.poll(() => page.evaluate(() => document.readyState)).not.toBe('loading');
    await expect(loader(page)).toBeVisible();
    await expect.poll(() => deadlines(page)).toEqual([4_000]);
    await setClock(page, 700);
    await browser.hide();
    expect(await deadlines(page), 'no time runs while the tab is behind another').toEqual([]);
    await setClock(page, 60_000);
    expect(await page.evaluate(() => document.documentElement.dataset.stage)).toBe('waiting');
    await browser.show();
    await expect.poll(() => deadlines(page)).toEqual([3_300]);
    expect(await page.evaluate(() => document.documentElement.dataset.stage)).toBe('waiting');
    await passDeadline(page);
    await hydrated(page);
  });

  test('a visitor who returns by the back/forward cache does not see the loader again', async ({ site }) => {
    const { page } = browser;
    await visit(page, `${site.url}/`);
    await expect(loader(page)).toHaveCount(0);
    await page.evaluate(() =>
      addEventListener('pageshow', ({ persisted }) => Object.assign(window, { returned: persisted })),
    );
    await page.goto(`${site.url}/robots.txt`);
    await page.goBack({ waitUntil: 'commit' });
    await expect.poll(() => page.evaluate(() => (window as { returned?: boolean }).returned)).toBe(true);
    await expect(loader(page)).toHaveCount(0);
    await expect(page.locator('html')).toHaveAttribute('data-stage', 'playing');
  });
});
