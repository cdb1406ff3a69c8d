import type { Locator, Page } from '@playwright/test';
import {
  expect,
  followLink,
  goOffline,
  goOnline,
  holdRequests,
  isMarked,
  logPages,
  logRequests,
  markWindow,
  NO_SUCH_PAGE,
  test,
  visitPage,
  waitForScript,
} from './test.ts';

/** Clicks a link of the footer; on a small screen the footer is unfolded first. */
const followFooter = (page: Page, path: string) =>
  page.evaluate((path) => (document.querySelector(`footer a[href="${path}"]`) as HTMLElement).click(), path);

test.describe('moving between pages @firefox @essential', () => {
  test('R1: a link changes page, title, theme and address, and the shell stays', async ({ page }) => {
    await visitPage(page, '/');
    await markWindow(page);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    await expect(page).toHaveURL('/privacy-policy/');
    await expect(page).toHaveTitle(/Privacy Policy/);
    expect(await isMarked(page)).toBe(true);
    await page.getByRole('banner').getByRole('link', { name: 'The paper notes' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/paper-notes\/$/);
    expect(await isMarked(page)).toBe(true);
  });

  test('a page change is announced to a screen reader, and the next Tab starts at the top of the new page', async ({
    page,
  }) => {
    await visitPage(page, '/');
    await followFooter(page, '/cookie-policy/');
    await expect(page.locator('[data-announcer]')).toHaveText('Cookie Policy');
    await page.keyboard.press('Tab');
    await expect(page.locator('a[href="#main"]')).toBeFocused();
  });
});

test('the last of two quick clicks wins, in any order of the responses @lean', async ({ page }) => {
  await visitPage(page, '/');
  const release = await holdRequests(page, /api\/page\?path=%2Fprivacy-policy/);
  await followFooter(page, '/privacy-policy/');
  await followFooter(page, '/cookie-policy/');
  await expect(page.getByRole('heading', { level: 1, name: 'Cookie Policy' })).toBeVisible();
  release();
  await expect(page).toHaveURL('/cookie-policy/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cookie Policy');
});

test('R12: a missing page answers 404 in the shell, by address and by link, with a link home @lean', async ({
  page,
}) => {
  const answer = await page.goto(NO_SUCH_PAGE);
  expect(answer?.status()).toBe(404);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('404');
  await expect(main.getByText('Page not found')).toBeVisible();
  await expect(page.getByRole('contentinfo').getByText('All Rights Reserved')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Join The List' })).toHaveCount(0);
  await waitForScript(page);
  await main.getByRole('link', { name: 'Back to home' }).click();
  await expect(page).toHaveURL('/');
  await visitPage(page, '/privacy-policy/');
  await markWindow(page);
  await followLink(page, NO_SUCH_PAGE);
  await expect(page.getByRole('heading', { level: 1, name: '404' })).toBeVisible();
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await page.getByRole('link', { name: 'Back to home' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  expect(await isMarked(page)).toBe(true);
});

test('without network the error page is shown in the shell, and the site works again afterwards @lean', async ({
  page,
}) => {
  await visitPage(page, '/');
  await markWindow(page);
  await goOffline(page);
  await followLink(page, '/paper-notes/first-chapter/');
  await expect(page.locator('html')).toHaveAttribute('data-template', 'error');
  await expect(page.getByRole('banner')).toBeVisible();
  await goOnline(page);
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
  expect(await isMarked(page)).toBe(true);
});

test('after a deploy a missing chunk causes a full page load @lean', async ({ page }) => {
  let isGone = true;
  await page.route(/\/assets\/search-.*\.js/, (route) =>
    isGone ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  await visitPage(page, '/');
  await markWindow(page);
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isGone = false;
  });
  const link = page.getByRole('banner').getByRole('link', { name: 'Search' });
  await link.click();
  await expect(page.getByRole('main').locator('input[name=q]')).toBeVisible();
  await expect(page).toHaveURL('/search');
  await expect(link).toHaveAttribute('aria-current', 'page');
  expect(await isMarked(page)).toBe(false);
});

test('a stylesheet that could not be loaded is requested again by the next visit to its page', async ({ page }) => {
  const STYLES = /\/assets\/search-.*\.css/;
  await page.route(STYLES, (route) => route.abort());
  await visitPage(page, '/');
  const link = page.getByRole('banner').getByRole('link', { name: 'Search' });
  await link.click();
  const field = page.getByRole('main').locator('input[name=q]');
  await expect(field).toBeVisible();
  const unstyled = await field.evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.unroute(STYLES);
  await page.goBack();
  await link.click();
  await expect(field).not.toHaveCSS('background-color', unstyled);
});

/**
 * Records the distance of a link below the window’s lower edge at each request of a page, in CSS pixels, and whether the
 * page watches the link.
 */
const noteDistance = (page: Page, selector: string) =>
  page.addInitScript((selector) => {
    const distances: number[] = [];
    const { fetch } = window;
    window.fetch = (...request) => {
      const link = document.querySelector(selector);
      if (link) distances.push(link.getBoundingClientRect().top - innerHeight);
      return fetch(...request);
    };
    Object.assign(window, { distances, isWatched: false });
    const { observe } = IntersectionObserver.prototype;
    IntersectionObserver.prototype.observe = function (element) {
      observe.call(this, element);
      if (element.matches(selector)) Object.assign(window, { isWatched: true });
    };
  }, selector);
const noted = (page: Page) => page.evaluate(() => (window as unknown as { distances: number[] }).distances);
const isWatched = (page: Page) => page.evaluate(() => (window as unknown as { isWatched: boolean }).isWatched);

/** Scrolls from `from` to `to` pixels above the point where `link` comes into view, a few pixels in each frame. */
const approach = (link: Locator, from: number, to: number) =>
  link.evaluate(
    async (node, [from, to]) => {
      const edge = scrollY + node.getBoundingClientRect().top - innerHeight;
      for (let above = from; above >= to; above -= 5) {
        scrollTo(0, edge - above);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    [from, to] as const,
  );

test('R43: a page is prefetched once when its link is within 200 px of view; the visit needs no request @phone-only', async ({
  page,
}) => {
  const asked = logPages(page);
  await noteDistance(page, 'main a[href="/privacy-policy/"]');
  await visitPage(page, '/');
  const link = page.getByRole('main').getByRole('link', { name: 'Privacy' });
  // Once the browser is idle.
  await expect.poll(() => isWatched(page)).toBe(true);
  await approach(link, 350, 50);
  // The link to the terms is close below it.
  await expect.poll(() => asked).toEqual(['/privacy-policy/', '/terms-conditions/']);
  const [distance] = await noted(page);
  expect(distance).toBeLessThanOrEqual(200);
  expect(distance).toBeGreaterThan(100);
  await approach(link, 400, -100);
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  expect(asked.filter((path) => path === '/privacy-policy/')).toHaveLength(1);
});

test('R43: on a phone the footer’s pages are prefetched once, when the footer unfolds in view, not at load @phone-only', async ({
  page,
}) => {
  const asked = logPages(page);
  await visitPage(page, '/');
  const more = page.getByRole('button', { name: 'Show more' });
  const link = page.getByRole('main').getByRole('link', { name: 'Privacy' });
  await approach(link, 300, 100);
  // The form's link is above the footer. The request for its page, and no other, proves that prefetching works.
  await expect.poll(() => asked).toEqual(['/privacy-policy/']);
  await more.click();
  const footer = ['/cookie-policy/', '/paper-notes/', '/privacy-policy/', '/terms-conditions/', '/the-tour/'];
  await expect.poll(() => asked.toSorted()).toEqual(footer);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie Policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cookie Policy' })).toBeVisible();
  expect(asked.filter((path) => path !== '/').toSorted()).toEqual(footer);
});

test('R43: with Save-Data nothing is prefetched', async ({ browser, site }) => {
  const page = await browser.newPage();
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const asked = logRequests(page, /\/api\/page|\/page-transition-|\/light-/);
  await page.goto(`${site.url}/`);
  await waitForScript(page);
  await page.mouse.move(600, 400);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  await page.close();
});
