import type { Page } from '@playwright/test';
import { FIXTURE } from '../support/fixture.ts';
import { withFontSize } from '../support/font-size.ts';
import { test as base, expect, NO_SUCH_PAGE, waitForRest, waitForScript } from './test.ts';

const test = base.extend({
  context: ({ playwright, browserName, channel, launchOptions }, use) =>
    withFontSize(32, { playwright, browserName, channel, launchOptions }, use),
});

test.describe.configure({ timeout: 300_000 });

/** Where words or controls stick out of the window, or the page is wider than it. */
const sticksOut = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement;
    const found: string[] = [];
    // One pixel is a rounded fraction.
    if (root.scrollWidth > root.clientWidth + 1) found.push(`the page is ${root.scrollWidth} px wide`);
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest('.visually-hidden, [href="#main"], [data-loader], [aria-hidden=true]');
    for (const element of document.querySelectorAll('header *, main *, footer *')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      // Tables scroll inside their own frame.
      if (element.closest('table')) continue;
      if (!(hasText || element.matches('a, button, input, select, textarea')) || !isSeen(element)) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).textOverflow === 'ellipsis')
        found.push(`“${element.textContent}” is cut off`);
      if (width > 0 && (left < -1 || right > root.clientWidth + 1))
        found.push(
          `${element.localName} “${element.textContent?.trim().slice(0, 24)}” from ${Math.round(left)} to ${Math.round(right)}`,
        );
    }
    return found;
  });

for (const [lang, reading] of [
  ['/de', '/feldnotizbuch/'],
  ['/ar', '/daftar-al-waraq/'],
] as const)
  test(`WCAG 1.4.4: at a browser font size of 32 px nothing of ${lang} leaves the screen${lang === '/ar' ? ' @firefox' : ''}`, async ({
    page,
    startOwnSite,
  }) => {
    const { url } = await startOwnSite({}, FIXTURE);
    const found: string[] = [];
    for (const path of ['/', reading, NO_SUCH_PAGE, '/search?q=tour']) {
      await page.setViewportSize({ width: 320, height: 844 });
      await page.goto(`${url}${lang}${path}`);
      await waitForScript(page);
      await expect(page.locator('[data-loader]')).toHaveCount(0);
      expect(
        await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)),
      ).toBeGreaterThanOrEqual(20);
      await page.locator('footer [aria-expanded]').evaluate((button: HTMLElement) => button.click());
      for (const width of [320, 390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        await expect(page.locator('footer [data-sound]')).toBeVisible();
        // The opened footer scrolls into view.
        await waitForRest(page);
        // The form's code, and with it how it looks in use, comes as the form nears.
        if (path === '/') {
          await page.locator('#inner-form').evaluate((form) => form.scrollIntoView());
          await expect(page.locator('link[href*="form-more"]')).toBeAttached();
        }
        for (const what of await sticksOut(page)) found.push(`${path} at ${width}: ${what}`);
      }
    }
    expect(found).toEqual([]);
  });
