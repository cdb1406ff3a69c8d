import { expect, hydrated, test } from './test.ts';

/** Set in the window and gone after a page load: shows whether the shell stayed. */
const mark = () => Object.assign(window, { stayed: true });
const stayed = () => (window as { stayed?: boolean }).stayed === true;

test.describe('moving between pages @firefox', () => {
  test('R1: the shell stays while a link changes the page, its title, theme and address', async ({ page }) => {
    await page.goto('/');
    await hydrated(page);
    await page.evaluate(mark);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    await expect(page).toHaveURL('/privacy-policy/');
    await expect(page).toHaveTitle(/Privacy Policy/);
    expect(await page.evaluate(stayed)).toBe(true);
    await page.getByRole('banner').getByRole('link', { name: 'The ferry log' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/ferry-log\/$/);
    expect(await page.evaluate(stayed)).toBe(true);
  });

  test('R13: a new page begins at the top, Back returns to where the visitor was', async ({ page }) => {
    await page.goto('/');
    await hydrated(page);
    await page.evaluate(() => scrollTo(0, 1500));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(1500);
    await page.evaluate(() => (document.querySelector('footer a[href="/privacy-policy/"]') as HTMLElement).click());
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(1500);
  });

  test('a page change is said to a screen reader, and the next Tab begins at the top of the new page', async ({
    page,
  }) => {
    await page.goto('/');
    await hydrated(page);
    await page.evaluate(() => (document.querySelector('footer a[href="/cookie-policy/"]') as HTMLElement).click());
    await expect(page.locator('[data-announcer]')).toHaveText('Cookie Policy');
    await page.keyboard.press('Tab');
    await expect(page.locator('a[href="#main"]')).toBeFocused();
  });
});

test('a modified click opens a tab of its own and leaves this page alone', async ({ page, context }) => {
  await page.goto('/');
  await hydrated(page);
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page
      .getByRole('contentinfo')
      .getByRole('link', { name: 'Cookie Policy' })
      .click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await other.waitForURL('**/cookie-policy/');
  await expect(page).toHaveURL('/');
});

test('the last of two quick clicks wins, whichever page arrives last', async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/api\/page\?path=%2Fprivacy-policy/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.evaluate(() => (document.querySelector('footer a[href="/privacy-policy/"]') as HTMLElement).click());
  await page.evaluate(() => (document.querySelector('footer a[href="/cookie-policy/"]') as HTMLElement).click());
  await expect(page.getByRole('heading', { level: 1, name: 'Cookie Policy' })).toBeVisible();
  release();
  await expect(page).toHaveURL('/cookie-policy/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cookie Policy');
});

test('R12: a page that is not there shows in the shell, and home is one click away', async ({ page }) => {
  await page.goto('/privacy-policy/');
  await hydrated(page);
  await page.evaluate(mark);
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/no-such-page/', textContent: 'x' });
    document.querySelector('main')?.append(link);
    link.click();
  });
  await expect(page.getByRole('heading', { level: 1, name: '404' })).toBeVisible();
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await page.getByRole('link', { name: 'Back to home' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  expect(await page.evaluate(stayed)).toBe(true);
});

test('R29: an address in another form moves to its own without an extra step in history', async ({ page, request }) => {
  const answer = await request.get('/ferry-log?from=mail', { maxRedirects: 0 });
  expect(answer.status()).toBe(301);
  expect(answer.headers().location).toBe('/ferry-log/?from=mail');
  await page.goto('/');
  await hydrated(page);
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/ferry-log', textContent: 'x' });
    document.querySelector('main')?.append(link);
    link.click();
  });
  await expect(page).toHaveURL('/ferry-log/');
  await page.goBack();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
});

test('without network the error page shows in the shell, and the site works again when the network does', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await hydrated(page);
  await page.evaluate(mark);
  await context.setOffline(true);
  await page.evaluate(() => (document.querySelector('footer a[href="/terms-conditions/"]') as HTMLElement).click());
  await expect(page.locator('html')).toHaveAttribute('data-template', 'error');
  await expect(page.getByRole('banner')).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
  expect(await page.evaluate(stayed)).toBe(true);
});

test('after a deploy a missing chunk is answered by loading the page whole', async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  await page.evaluate(mark);
  await page.route(/\/assets\/rich-text-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }), { times: 1 });
  await page.evaluate(() => (document.querySelector('footer a[href="/privacy-policy/"]') as HTMLElement).click());
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  expect(await page.evaluate(stayed)).toBe(false);
});

test('R43: a page is fetched when its link comes within 200 px of view, and not before', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/page')) asked.push(new URL(request.url()).searchParams.get('path') ?? '');
  });
  await page.goto('/ferry-log/');
  await hydrated(page);
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/ferry-log/first-crossing/', textContent: 'x' });
    link.style.cssText = 'position:absolute;left:0;top:4000px';
    document.body.style.minHeight = '6000px';
    document.querySelector('main')?.append(link);
  });
  test.skip((await page.locator('a[href="/ferry-log/first-crossing/"]').count()) < 1, 'no such link');
  expect(asked).not.toContain('/ferry-log/first-crossing/');
});

test('R43: with Save-Data nothing is fetched ahead', async ({ browser, site }) => {
  const page = await browser.newPage();
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${site.url}/`);
  await hydrated(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => url.includes('/api/page'))).toEqual([]);
  await page.close();
});

test('R1: where the browser has no Navigation API links are plain page loads', async ({ browser, site }) => {
  const page = await browser.newPage();
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  await page.goto(`${site.url}/`);
  await hydrated(page);
  await page.evaluate(mark);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  expect(await page.evaluate(stayed)).toBe(false);
  await page.close();
});
