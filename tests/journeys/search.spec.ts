import type { Page, Route } from '@playwright/test';
import { expect, hydrated, test, visit } from './test.ts';

const field = (page: Page) => page.getByRole('main').getByRole('searchbox', { name: 'Search' });
const said = (page: Page) => page.getByRole('main').getByRole('status');
const hits = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('link');

test.describe('R31: without script', () => {
  test.use({ javaScriptEnabled: false });

  test('a visitor searches, reads what was found with her words marked, and goes there', async ({ page }) => {
    await page.goto('/search');
    await field(page).fill('ferry');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/search?q=ferry');
    await expect(field(page)).toHaveValue('ferry');
    await expect(said(page)).toContainText('“ferry”');
    await expect(page.locator('main mark').first()).toHaveText(/^ferry$/i);
    await hits(page).filter({ hasText: 'The ferry log' }).click();
    await expect(page).toHaveURL('/ferry-log/');
  });

  test('what no page has is said, with what to do', async ({ page }) => {
    await page.goto('/search?q=submarine');
    await expect(said(page)).toHaveText('No page has “submarine”. Try fewer words, or other ones.');
    await expect(hits(page)).toHaveCount(0);
  });
});

test('R31: results come while one types, the address follows, and a reload shows the same @phone @firefox', async ({
  page,
}) => {
  await visit(page, '/search');
  await field(page).pressSequentially('ferry');
  await expect(hits(page).first()).toBeVisible();
  await expect(page).toHaveURL('/search?q=ferry');
  await expect(field(page)).toBeFocused();
  const found = await hits(page).allTextContents();
  await page.reload();
  await hydrated(page);
  await expect(hits(page)).toHaveText(found);
  await expect(field(page)).toHaveValue('ferry');
});

test('R22, R31: its calls name the deployment, and one that is outrun never shows', async ({ page }) => {
  const held: Route[] = [];
  await page.route('**/api/page?**', (route) =>
    route.request().url().includes('q%3Dprivacy') ? void held.push(route) : route.continue(),
  );
  await visit(page, '/search');
  await field(page).fill('privacy');
  await expect.poll(() => held.length).toBe(1);
  const asking = page.waitForRequest((request) => request.url().includes('q%3Dcookie'));
  await field(page).fill('cookie');
  expect((await asking).headers().env).toBe('production');
  await expect(said(page)).toContainText('“cookie”');
  await Promise.all(held.map((route) => route.continue().catch(() => {})));
  await page.waitForLoadState('networkidle');
  await expect(said(page)).toContainText('“cookie”');
});

test('R31: the arrow key leads from the field to the first result, Enter opens it in the shell', async ({ page }) => {
  await visit(page, '/search?q=ferry');
  const first = await hits(page).first().getAttribute('href');
  await field(page).press('ArrowDown');
  await expect(hits(page).first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(first ?? '');
});

test('R31: nothing moves when results arrive but what stands below the field', async ({ page }) => {
  await visit(page, '/search');
  const before = await field(page).boundingBox();
  await field(page).fill('ferry');
  await expect(hits(page).first()).toBeVisible();
  expect(await field(page).boundingBox()).toEqual(before);
});

test('R31: without network the last answer stays while one types', async ({ page, context }) => {
  await visit(page, '/search?q=ferry');
  const found = await hits(page).allTextContents();
  await context.setOffline(true);
  const failed = page.waitForEvent('requestfailed');
  await field(page).fill('ferry night');
  await failed;
  await expect(hits(page)).toHaveText(found);
  await context.setOffline(false);
});
