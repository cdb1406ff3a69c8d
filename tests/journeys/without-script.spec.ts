import { unseenTexts } from '@pillion/site-tests/in-page.mjs';
import type { Page } from '@playwright/test';
import { expect, ROUTES, test } from './test.ts';

// Chromium only: Playwright cannot disable scripts in a stock Firefox. The last tests block scripts in both.
test.use({ javaScriptEnabled: false });

for (const { path, title, template, theme } of ROUTES)
  test(`${path} is complete without script, with its title, theme and template @lean`, async ({ page, site }) => {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    expect(await page.title()).toContain(title);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme || 'dark');
    await expect(page.locator('html')).toHaveAttribute('data-template', template);
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', site.url + path);
    await expect(page.locator('meta[name=robots]')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    // What is folded up opens at a click.
    for (const question of await page.locator('summary').all()) await question.click();
    // Colophon and legal links make way for the sections that pass them: none does at the top.
    await page.evaluate(() => scrollTo(0, 0));
    // The main menu stands twice, in the header of a large screen and in the footer of a small one.
    // The toggles need script.
    await expect.poll(() => unseenTexts(page)).toEqual(['The paper notes', 'The tour', 'motion', 'sound']);
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(1);
    for (const name of ['Terms & Conditions', 'Privacy Policy', 'Cookie Policy'])
      await expect(page.getByRole('contentinfo').getByRole('link', { name })).toBeVisible();
    for (const image of await page.locator('main img').all()) {
      await image.scrollIntoViewIfNeeded();
      await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBeGreaterThan(0);
      await expect(image).toHaveAttribute('width', /^\d+$/);
      await expect(image).toHaveAttribute('height', /^\d+$/);
    }
  });

/** Resolves with the addresses that the browser has prefetched by the site's speculation rules. */
async function prefetchedPages(page: Page): Promise<Set<string>> {
  const ready = new Set<string>();
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Preload.prefetchStatusUpdated', ({ status, prefetchUrl }) => {
    if (status === 'Ready') ready.add(new URL(prefetchUrl).pathname);
  });
  await devtools.send('Preload.enable');
  return ready;
}

test('without script the browser prefetches the page of a link under the pointer', async ({ page }) => {
  const ready = await prefetchedPages(page);
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).hover();
  await expect.poll(() => [...ready]).toEqual(['/privacy-policy/']);
});

test.describe('with script', () => {
  test.use({ javaScriptEnabled: true });

  test('the rules for the browser’s own prefetch are no request, and match no link', async ({ page }) => {
    const header = (await page.goto('/'))?.headers()['speculation-rules'] ?? '';
    const [, rules = ''] = /^"data:application\/speculationrules\+json,(.*)"$/.exec(header) ?? [];
    const { selector_matches: selector } = JSON.parse(decodeURIComponent(rules)).prefetch[0].where;
    await expect(page.locator(selector.replace(':not([style])', ''))).not.toHaveCount(0);
    await expect(page.locator(selector)).toHaveCount(0);
  });
});

test('R5: without script join is an anchor to the form @lean', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Join The List' }).click();
  await expect(page).toHaveURL('/#form');
  await expect(page.locator('#form')).toBeInViewport();
});

test('R8: without script the footer of a small screen is unfolded, without a button @phone-only', async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('button')).toHaveCount(0);
  for (const link of await footer.getByRole('navigation', { name: 'Main' }).getByRole('link').all())
    await expect(link).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Social' }).getByRole('link')).toHaveCount(5);
});

test('R6, R9, R11: without script nothing covers the page, and a bar is behind the header once scrolled @lean', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.locator('[data-loader]')).toBeHidden();
  // The browser's scrollbar is there instead of the custom one.
  await expect(page.locator('html')).toHaveCSS('scrollbar-width', 'auto');
  await expect(page.locator('[data-scrollbar]')).toBeHidden();
  const bar = page.locator('[data-header-bar]');
  await expect(bar).toHaveCSS('opacity', '0');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page, 'the skip link').toHaveURL('/#main');
  await page.evaluate(() => scrollTo(0, 600));
  await expect(bar).toHaveCSS('opacity', '1');
});
