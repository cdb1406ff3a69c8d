import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { bothTest } from '../support/own-wordpress.ts';
import { startSite, temporaryFolder, untilShown } from '../support/site.ts';
import { changeColophon, changeHeading, publishPage, renameMenuItem, signIn } from '../support/wp-admin.ts';

const test = bothTest();

/** Content is fresh for this long. The next request after it still gets the old content and starts the refresh. */
const FRESH_MS = 60_000;

/** Longest pause before content that WordPress failed to send is requested again. */
const LONGEST_PAUSE_MS = 20_000;

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

test('a page gets its form later if WordPress could not deliver it at first', async ({ page, both: { wordpress } }) => {
  test.setTimeout(180_000);
  const plugins = join(wordpress.directory, 'html/wp-content/mu-plugins');
  const broken = join(plugins, 'no-forms.php');
  mkdirSync(plugins, { recursive: true });
  writeFileSync(
    broken,
    `<?php add_filter( 'rest_pre_dispatch', fn( $result, $server, $request ) => str_starts_with( $request->get_route(), '/gf/v2/forms' )
      ? new WP_Error( 'broken', 'Forms rest.', array( 'status' => 500 ) ) : $result, 10, 3 );`,
  );
  // A separate site, which has no form in its cache.
  const site = await startSite({
    CONTENT_SOURCE: 'wordpress',
    CONTENT_URL: wordpress.url,
    CONTENT_KEY: wordpress.key,
    CONTENT_SECRET: wordpress.secret,
  });
  const form = page.locator('#inner-form form');
  try {
    await untilShown(site.url);
    await page.goto(`${site.url}/`);
    await expect(page.locator('#inner-form')).toBeAttached();
    await expect(form).toHaveCount(0);
    // The cached page has no form while the site pauses requests to WordPress after its failure.
    await expect.poll(async () => (await fetch(`${site.url}/`)).headers.get('cache-status')).toMatch(/hit/);
    await page.goto(`${site.url}/`);
    await expect(form).toHaveCount(0);

    rmSync(broken);
    // The rest of the page is still fresh: only the form changes it.
    await site.forward(LONGEST_PAUSE_MS + 1);
    await expect(async () => {
      await page.goto(`${site.url}/`);
      await expect(form).toBeAttached({ timeout: 1000 });
    }).toPass({ intervals: [250], timeout: 30_000 });
    // The next visitor gets the cached page with the form.
    await page.goto(`${site.url}/`);
    await expect(form).toBeAttached();
  } finally {
    rmSync(broken, { force: true });
    await site.stop();
  }
});

test('with WordPress stopped and the site restarted, a visitor reads the last published content @lean', async ({
  page,
  both: { wordpress },
}) => {
  const data = temporaryFolder();
  const environment = {
    CONTENT_SOURCE: 'wordpress',
    CONTENT_URL: wordpress.url,
    CONTENT_KEY: wordpress.key,
    CONTENT_SECRET: wordpress.secret,
    DATA_DIR: data,
  };
  const before = await startSite(environment);
  const first = page.getByRole('heading', { level: 2 }).first();
  // While WordPress is slow the page says so.
  await expect(async () => {
    await page.goto(`${before.url}/paper-notes/`);
    await expect(first).toBeVisible({ timeout: 1000 });
  }).toPass({ intervals: [250], timeout: 60_000 });
  const headline = await first.textContent();
  await before.stop();
  await wordpress.stop();

  const after = await startSite(environment);
  const answer = await page.goto(`${after.url}/paper-notes/`);
  expect(answer?.status()).toBe(200);
  await expect(first).toHaveText(headline ?? '');
  await after.stop();
  rmSync(data, { recursive: true, force: true });
});
