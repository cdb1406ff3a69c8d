import { expect, test } from './test.ts';

/** A browser that runs scripts and gets none of ours: a filter in between, a dropped connection, a deploy gone wrong. */
test.beforeEach(({ page }) => page.route(/\/assets\/.*\.js/, (route) => route.abort()));

test('the landing page is read in full, and its links are page loads @phone @firefox', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Nothing to look at')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Privacy' }).click();
  await expect(page).toHaveURL('/privacy-policy/');
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
});

test('R5: join is an anchor to the form @phone @firefox', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Join The Ride' }).click();
  await expect(page).toHaveURL('/#form');
  await expect(page.locator('#form')).toBeInViewport();
});

test('R30: the browser sends the form, and a page with a heading thanks the visitor @phone @firefox', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
  await page.getByRole('checkbox').check();
  await page.getByRole('main').locator('form').getByRole('button').click();
  await expect(page).toHaveURL(/\/api\/sign-ups\/thanks/);
  await expect(page.getByRole('main').getByText('You are on the list')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});

test('R8, R9: the footer of a small screen opens by itself after 8 s, so nothing stays locked away @phone-only', async ({
  page,
}) => {
  await page.goto('/');
  const legal = page.getByRole('contentinfo').getByRole('link', { name: 'Cookie Policy' });
  await expect(legal).toBeHidden();
  // The stylesheet's own clock is put forward rather than waited for.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await expect(legal).toBeVisible({ timeout: 12_000 });
});
