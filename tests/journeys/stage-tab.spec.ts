import type { Page } from '@playwright/test';
import { openHideableBrowser } from '../support/hidden-tab.ts';
import { expect, test, visit } from './test.ts';

// Recording a page keeps it from hiding, and from the back/forward cache.
test.use({ trace: 'off' });

const loader = (page: Page) => page.locator('[data-loader]');

test.describe('R9: in a separate browser', () => {
  let browser: Awaited<ReturnType<typeof openHideableBrowser>>;
  test.beforeEach(async () => {
    browser = await openHideableBrowser();
  });
  test.afterEach(() => browser.close());

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
