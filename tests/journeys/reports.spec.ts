import type { Page } from '@playwright/test';
import { CHROMIUM } from '../support/chromium.ts';
import { startHttps } from '../support/https.ts';
import { parseMetrics } from '../support/prometheus.ts';
import { findFreePort, type RunningSite } from '../support/site.ts';
import { expect, test, visitPage } from './test.ts';

// Chromium holds reports of the Reporting API for up to a minute. The first switch shortens that.
test.use({
  ignoreHTTPSErrors: true,
  launchOptions: {
    ...CHROMIUM,
    args: [...CHROMIUM.args, '--short-reporting-delay', '--ignore-certificate-errors'],
  },
});

async function counted({ url }: RunningSite): Promise<string[]> {
  const families = parseMetrics(await (await fetch(`${url}/metrics`)).text());
  const samples = families.get('pillion_browser_reports_total')?.samples ?? [];
  return samples.map(({ labels: { type, directive, blocked, route } }) => [type, directive, blocked, route].join(' '));
}

const violate = (page: Page) => page.evaluate(() => document.body.setAttribute('style', 'color: red'));

const VIOLATION = 'csp-violation style-src-attr inline page';

test('on http a violation of the policy and an uncaught error of the site are counted', async ({
  page,
  site,
  watched,
}) => {
  await visitPage(page, '/privacy-policy/');
  await violate(page);
  await expect.poll(() => counted(site)).toEqual([VIOLATION]);
  // Not the site's: an extension, and a script of another origin.
  await page.evaluate(() => {
    for (const filename of ['chrome-extension://abc/content.js', ''])
      dispatchEvent(new ErrorEvent('error', { filename }));
  });
  // The site's own code then fails at each click.
  await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'closest'));
  await page.locator('h1').click();
  await expect.poll(() => counted(site)).toEqual([VIOLATION, 'error   page']);
  watched.length = 0;
});

test('an error in a template, which shows the error page, is counted', async ({ page, startOwnSite, watched }) => {
  const site = await startOwnSite({});
  // The search page formats the number of results with it.
  await page.addInitScript(() => Object.assign(Number.prototype, { toLocaleString: null }));
  await visitPage(page, `${site.url}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await page.getByRole('main').getByRole('combobox').fill('paper');
  await expect(page.locator('[data-kind="error"]')).toBeVisible();
  await expect.poll(() => counted(site)).toEqual(['error   search']);
  watched.length = 0;
});

test('on https a violation of the policy arrives by the Reporting API', async ({ page, startOwnSite, watched }) => {
  const port = await findFreePort();
  const site = await startOwnSite({ SITE_URL: `https://127.0.0.1:${port}` });
  const https = await startHttps(port, site.url);
  try {
    await page.goto(`https://127.0.0.1:${port}/privacy-policy/`);
    await violate(page);
    await expect.poll(() => counted(site)).toEqual([VIOLATION]);
    // A page whose server stops while it fetches a module would log an error.
    await page.close();
  } finally {
    https.closeAllConnections();
    https.close();
  }
  watched.length = 0;
});
