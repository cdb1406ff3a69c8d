import { sendRawRequest } from '../support/raw-request.ts';
import { expect, followLink, test, visitPage, waitForScript } from './test.ts';

/** Paths that attackers request. */
const HOSTILE = [
  '/%2e%2e/',
  '/%2e%2e%2f%2e%2e%2fetc/passwd',
  '/../../etc/passwd',
  '/..%5c..%5cwindows',
  '//elsewhere.example/',
  '//elsewhere.example',
  '///elsewhere.example/%2e%2e',
  '/\\elsewhere.example',
  '/%5celsewhere.example',
  '/%2f%2felsewhere.example',
  '/paper-notes//',
  '//paper-notes/',
  '//paper-notes',
  '/paper-notes/%2e%2e',
  '/paper%2Dnotes',
  '/paper-notes%2ffirst-chapter',
  '/%00',
  '/paper-notes/%00',
  '/%ff%fe',
  '/%',
  '/%zz',
  '/%c0%ae%c0%ae/',
  '/;/',
  '/?',
  '/%3f',
  '/%23form',
  '/@elsewhere.example',
  '/https://elsewhere.example',
  '/http:%2f%2felsewhere.example',
  '/%0d%0aset-cookie:a=b',
  '/paper-notes%0d%0alocation:%20https://elsewhere.example',
  '/<script>alert(1)</script>',
  '/%3Cscript%3Ealert(1)%3C/script%3E',
  '/constructor',
  '/__proto__',
  '/__proto__/',
  '/toString/',
  `/${'a'.repeat(4000)}`,
  `/${'a/'.repeat(3000)}`,
  `/${'%41'.repeat(3000)}/`,
  `/?${'q='.repeat(4000)}`,
  '/media/%00',
  '/media/',
  '/media/%2e%2e%2f%2e%2e%2fpackage.json',
  '/media/%',
  '/assets/',
  '/assets/%2e%2e/server/main.js',
  '/api/',
  '/api/nothing',
  '/api/page?path=%2F%2Felsewhere.example',
  '/api/page?path=%2F%5Celsewhere.example',
  '/api/page?path=https://elsewhere.example',
  '/api/page?path=%00',
  '/api/page?path=/%00',
  '/api/page?path=/%25',
  '/api/page?path=/&lang=../../etc',
  '/api/page?path=/&lang=__proto__',
  '/api/shell?lang=%00',
  '/api/sign-ups/thanks?form_id=__proto__',
  '/api/sign-ups/thanks?form_id=../../1',
  // Files of the build and of the content.
  '/.vite/manifest.json',
  '/../server/main.js',
  '/assets/../.vite/manifest.json',
  '/package.json',
  '/.env',
  '/content/en/strings.json',
  '/media/../en/strings.json',
  '/media/%2e%2e/en/strings.json',
  '/media/..%2fen/strings.json',
  '/media/%2e%2e%2fen%2fstrings.json',
];

/** Words of files that are not served, and markup of a path. */
const LEAKS = /root:x:|"devDependencies"|<script>alert|All Rights Reserved \| \{brand\}|isEntry/;

/** Whether a redirect stays on the site, from any address that a browser resolves it against. */
const staysHere = (location: string, site: string) => new URL(location, site).origin === new URL(site).origin;

test('no path causes a server error, returns a file, or redirects to another site @lean', async ({ site }) => {
  for (const path of HOSTILE) {
    const shown = path.slice(0, 60);
    const answer = await sendRawRequest(site.url, path);
    expect(answer.status, shown).toBeLessThan(500);
    expect(answer.body, shown).not.toMatch(LEAKS);
    expect(answer.headers['set-cookie'], shown).toBeUndefined();
    const { location } = answer.headers;
    if (location) expect(staysHere(location, site.url), `${shown} → ${location}`).toBe(true);
    if (answer.headers['content-type']?.startsWith('application/json') && 'location' in JSON.parse(answer.body))
      expect(staysHere(JSON.parse(answer.body).location, site.url), shown).toBe(true);
  }
  expect((await sendRawRequest(site.url, 'http://elsewhere.example/paper-notes')).headers.location ?? '/').toMatch(
    /^\/(?!\/)/,
  );
  expect((await sendRawRequest(site.url, '/healthz')).status).toBe(200);
  expect(site.output(), 'nothing was logged as a failure').not.toContain('"level":"error"');
});

test('R22, R23: requests contain the deployment’s name and the current language, but no key @lean', async ({
  page,
  startOwnSite,
}) => {
  const { url } = await startOwnSite({ DEPLOY_ENV: 'staging' });
  await visitPage(page, url);
  const [request] = await Promise.all([
    page.waitForRequest(/\/api\/page\?path=%2Fpaper-notes%2Ffirst-chapter%2F/),
    followLink(page, '/paper-notes/first-chapter/'),
  ]);
  expect(await request.allHeaders()).toMatchObject({ env: 'staging' });
  expect((await request.allHeaders()).authorization).toBeUndefined();
  expect(new URL(request.url()).searchParams.get('lang')).toBe('en');
});

test('R2: the editor chooses a page’s theme, independent of the visitor’s system @lean', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await visitPage(page, '/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/paper-notes/');
  await waitForScript(page);
  expect(await background()).not.toBe(dark);
});

test('assets are immutable; pages are revalidated @lean', async ({ site }) => {
  const { body, headers } = await sendRawRequest(site.url, '/');
  expect(headers['cache-control']).toContain('max-age=0');
  for (const asset of new Set(body.match(/\/assets\/[^"# ]+/g))) {
    const answer = await sendRawRequest(site.url, asset, { headers: { 'accept-encoding': 'br' } });
    expect(answer.status, asset).toBe(200);
    expect(answer.headers['cache-control'], asset).toContain('immutable');
    // Smaller files are not compressed.
    const isSmall = answer.body.length < 512;
    if (/\.(?:js|css|svg)$/.test(asset) && !isSmall) expect(answer.headers['content-encoding'], asset).toBe('br');
  }
});

test('only rich text has the styles of WordPress’ blocks, at its first paint and after a link', async ({ page }) => {
  const sheets = page.locator('link[rel=stylesheet][href*="/rich-text-"]');
  const quote = page.locator('main blockquote').first();
  await visitPage(page, '/');
  await expect(sheets).toHaveCount(0);
  await followLink(page, '/paper-notes/');
  await expect(quote).toHaveCSS('border-inline-start-width', '1px');
  await followLink(page, '/privacy-policy/');
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  await expect(sheets).toHaveCount(1);
  await page.goto('/paper-notes/');
  await expect(sheets).toHaveCount(1);
  await expect(quote).toHaveCSS('border-inline-start-width', '1px');
});
