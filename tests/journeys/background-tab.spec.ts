import type { Page } from '@playwright/test';
import { holdDeadline } from '../support/driven-time.ts';
import { openHideableBrowser } from '../support/hidden-tab.ts';
import { expect, holdRequests, test, visitPage, waitForScript } from './test.ts';

// A recorded page is never hidden, and never in the back/forward cache.
test.use({ trace: 'off' });

const loader = (page: Page) => page.locator('[data-loader]');

/**
 * Moves the clock of the stylesheet's animations on by `ms`. Chromium stops it behind another tab: the hidden time is added when
 * the tab is seen.
 */
const passHiddenTime = (page: Page, ms: number) =>
  page.evaluate((ms) => {
    for (const animation of document.getAnimations())
      if (animation.timeline === document.timeline) animation.currentTime = Number(animation.currentTime) + ms;
  }, ms);

/** The script runs: it has reported progress to the loader. */
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

test.describe('R9, R14: in a browser that can hide its tabs', () => {
  let browser: Awaited<ReturnType<typeof openHideableBrowser>>;
  test.beforeEach(async () => {
    browser = await openHideableBrowser();
  });
  test.afterEach(() => browser.close());

  test('a page opened in a background tab shows the loader when it is first visible, also with a late script', async ({
    site,
  }) => {
    const { page, hide, show } = browser;
    await holdDeadline(page);
    await hide();
    const release = await holdRequests(page, /\/media\/hero/);
    const arrive = await holdRequests(page, /\/starter/);
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    // The stylesheet is loaded.
    await expect(loader(page)).not.toHaveCSS('animation-name', 'none');
    await passHiddenTime(page, 60_000);
    await expect(loader(page)).toHaveCSS('visibility', 'hidden');
    arrive();
    await isRunning(page);
    await show();
    await passHiddenTime(page, 60_000);
    await stillWaits(page);
    release();
    await waitForScript(page);
    await expect(loader(page)).toHaveCount(0);
  });

  test('the loader leaves after 8 s of visible time if the script does not load', async ({ site }) => {
    const { page, hide, show } = browser;
    await hide();
    await page.addInitScript(() => {
      const { setTimeout: later } = window;
      const clock = { ticks: [] as (() => void)[] };
      Object.assign(window, { clock });
      window.setTimeout = ((work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
        ms === 1_000 ? clock.ticks.push(() => work(...given)) : later(work, ms, ...given)) as typeof setTimeout;
    });
    /** @returns Number of running clocks. */
    const passSeconds = (seconds: number) =>
      page.evaluate((seconds) => {
        const { clock } = globalThis as unknown as { clock: { ticks: (() => void)[] } };
        for (let second = 0; second < seconds; second += 1) for (const tick of clock.ticks.splice(0)) tick();
        return clock.ticks.length;
      }, seconds);
    await page.route(/\/entry\.client/, (route) => route.abort());
    // With the poster the loader would leave.
    await page.route(/\/media\/hero/, () => {});
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    await expect.poll(() => passSeconds(0)).toBe(1);
    await passSeconds(60);
    await show();
    // The second in which the tab is shown counts as hidden.
    await passSeconds(8);
    await stillWaits(page);
    await passSeconds(1);
    await expect(loader(page)).toHaveCSS('visibility', 'hidden');
    await expect(page.locator('html')).not.toHaveCSS('overflow', /hidden/);
    await expect(page.getByRole('banner').locator('[data-entry="0"]')).toHaveCSS('opacity', '1');
  });

  test('in a hidden tab the script is requested at once, because no paint will come', async ({ site }) => {
    const { page, hide } = browser;
    await hide();
    await page.addInitScript(() => {
      // The page's timers do not fire.
      window.setTimeout = (() => 0) as unknown as typeof setTimeout;
    });
    const asked = page.waitForRequest(/\/entry\.client/);
    await page.goto(`${site.url}/`, { waitUntil: 'commit' });
    await asked;
  });

  test('a visitor who returns by the back/forward cache does not see the loader again', async ({ site }) => {
    const { page } = browser;
    await visitPage(page, `${site.url}/`);
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
