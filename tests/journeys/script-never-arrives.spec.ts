import type { Page } from '@playwright/test';
import { holdClockAt } from '../support/driven-time.ts';
import { expect, test } from './test.ts';

/** A browser that runs scripts but receives none of the site's: a filter, a dropped connection, a failed deploy. */
test.beforeEach(({ page }) => page.route(/\/assets\/.*\.js/, (route) => route.abort()));

/** Opens the front page as it is after 8 s: the animations' clock is moved instead of waited for. */
async function openLater(page: Page, { reload = true } = {}): Promise<void> {
  if (reload) await page.goto('/');
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation.timeline === document.timeline) animation.finish();
  });
}

test('R9, R14: the loader stays for at most 8 s, then the visitor can scroll and read @firefox @lean', async ({
  page,
}) => {
  const position = () => page.evaluate(() => scrollY);
  const loader = page.locator('[data-loader]');
  await page.goto('/');
  await holdClockAt(page, 7_999);
  await expect(loader).toHaveCSS('opacity', '1');
  // Before its first paint a page cannot be scrolled.
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const turned = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const done = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        for (const type of ['wheel', 'keydown']) addEventListener(type, done, { passive: true });
      }),
  );
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, 500).catch(() => page.keyboard.press('End'));
  await turned;
  expect(await position()).toBe(0);
  // Eight seconds and one to fade.
  await holdClockAt(page, 8_500);
  const opacity = Number(await loader.evaluate((element) => getComputedStyle(element).opacity));
  expect(opacity).toBeGreaterThan(0);
  expect(opacity).toBeLessThan(1);
  await openLater(page, { reload: false });
  await expect(loader).toBeHidden();
  await expect
    .poll(async () => {
      await page.keyboard.press('PageDown');
      return position();
    })
    .toBeGreaterThan(100);
});

test('R30: the browser sends the form, and a page with a heading thanks the visitor @firefox @lean', async ({
  page,
}) => {
  await openLater(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
  await page.getByRole('checkbox').check();
  await page.getByRole('main').locator('form').getByRole('button').click();
  await expect(page).toHaveURL(/\/api\/sign-ups\/thanks/);
  await expect(page.getByRole('main').getByText('You are on the list')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});

test('R8, R9: the footer of a small screen unfolds after 8 s, so all links are reachable @phone-only', async ({
  page,
}) => {
  await page.goto('/');
  await holdClockAt(page, 7_999);
  const legal = page.getByRole('contentinfo').getByRole('link', { name: 'Cookie Policy' });
  await expect(legal).toBeHidden();
  await openLater(page, { reload: false });
  await expect(legal).toBeVisible();
});
