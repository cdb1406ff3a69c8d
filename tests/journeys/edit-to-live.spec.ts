import { expect } from '@playwright/test';
import { createBothTest } from '../support/own-wordpress.ts';
import { changeColophon, changeHeading, publishPage, renameMenuItem, signIn } from '../support/wp-admin.ts';

const test = createBothTest();

/** Content is fresh for this long. The next request after it still gets the old content and starts the refresh. */
const FRESH_MS = 60_000;

test('R17, R18, R29: an edit in wp-admin is live for the next visitors within 60 s, without a rebuild @lean', async ({
  page,
  browser,
  both: { wordpress, site },
}) => {
  test.setTimeout(300_000);
  const visitor = await browser.newPage();
  await visitor.goto(`${site.url}/`);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Read the first page');

  await signIn(page, wordpress);
  await changeColophon(page, wordpress, 'Ridden by {brand}');
  await renameMenuItem(page, wordpress, 'Cookie Policy', 'Crumbs');
  await publishPage(page, wordpress, 'Winter hours');
  await changeHeading(page, wordpress, 'Read the first frost');

  const footer = visitor.getByRole('contentinfo');
  // This site gets no webhook: it sees the change when its content becomes stale.
  await site.forward(FRESH_MS + 1);
  await expect(async () => {
    await visitor.goto(`${site.url}/`);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Read the first frost', { timeout: 1000 });
    await expect(footer).toContainText('Ridden by Example', { timeout: 1000 });
    await expect(footer.getByRole('link', { name: 'Crumbs' })).toBeVisible({ timeout: 1000 });
    const answer = await visitor.goto(`${site.url}/winter-hours/`);
    expect(answer?.status()).toBe(200);
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Winter hours', { timeout: 1000 });
  }).toPass({ intervals: [250], timeout: 60_000 });
  await visitor.close();
});
