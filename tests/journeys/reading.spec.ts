import type { Page } from '@playwright/test';
import {
  expect,
  followLink,
  holdRequests,
  isMarked,
  loadReact,
  markWindow,
  NO_SUCH_PAGE,
  test,
  visitPage,
  waitForScript,
} from './test.ts';

const READING = '/paper-notes/';

/** The chunk with React. */
const REACT = '**/assets/hydrate-*.js';

const home = (page: Page) => page.getByRole('banner').getByRole('link').first();

/** Names of the scripts that a page loads. `bench/budgets.mjs` limits their bytes. */
function watchScripts(page: Page) {
  const loaded: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    loaded.push(/([\w.]+)-[^/]*$/.exec(response.url())?.[1] ?? response.url());
  });
  return () => loaded.toSorted();
}

const focusLink = (page: Page) => home(page).focus();
for (const [path, what, act] of [
  [READING, 'a link has focus', focusLink],
  [NO_SUCH_PAGE, 'a link has focus', focusLink],
  ['/first-edition/', 'the music starts', (page: Page) => page.getByRole('button', { name: 'Sound' }).click()],
] as const)
  test(`${path} loads no React until ${what}`, async ({ page }) => {
    const scripts = watchScripts(page);
    await visitPage(page, path);
    await expect(page.locator('[data-scrollbar-thumb]')).toHaveAttribute('style', /./);
    await page.waitForLoadState('networkidle');
    expect(scripts()).toEqual(['entry.client', 'scrollbar', 'starter']);
    await expect(page.locator('html')).not.toHaveAttribute('data-hydrated');
    await act(page);
    await expect(page.locator('html')).toHaveAttribute('data-hydrated', '');
  });

test('React loads when the pointer is over a link, and the link changes the page in the shell @firefox', async ({
  page,
}) => {
  await visitPage(page, READING);
  await markWindow(page);
  const parts = await page.evaluateHandle(() => [
    ...document.querySelectorAll('#root header, #root footer *, #root h1'),
  ]);
  await home(page).hover();
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', '');
  expect(await parts.evaluate((parts) => parts.every(({ isConnected }) => isConnected))).toBe(true);
  await home(page).click();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
  expect(await isMarked(page)).toBe(true);
});

test('a link that is clicked before React is loaded is a plain page load @firefox', async ({ page }) => {
  // With music, the click would start it, and the page would wait for React.
  await visitPage(page, READING);
  await page.evaluate(() => localStorage.setItem('sound', 'off'));
  await page.route(REACT, () => {});
  await visitPage(page, READING);
  await markWindow(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveURL('/privacy-policy/');
  await waitForScript(page);
  expect(await isMarked(page)).toBe(false);
});

test('a click on a link that starts the music waits for React, so that the music continues', async ({ page }) => {
  const release = await holdRequests(page, REACT);
  await visitPage(page, READING);
  await markWindow(page);
  const sound = page.getByRole('button', { name: 'Sound' });
  await expect(sound).toHaveAttribute('data-sound', 'waiting');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(sound).toHaveAttribute('aria-pressed', 'true');
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  await expect(sound).toHaveAttribute('data-sound', 'playing');
  expect(await isMarked(page)).toBe(true);
});

test('if React cannot be loaded, the page stays as it is and its links work', async ({ page, watched }) => {
  await page.route(REACT, (route) => route.abort());
  await visitPage(page, READING);
  const failed = page.waitForEvent('requestfailed');
  await home(page).hover();
  await failed;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page).toHaveURL('/privacy-policy/');
  await waitForScript(page);
  watched.splice(0, watched.length, ...watched.filter((problem) => !/hydrate|Failed to fetch/.test(problem)));
});

test('newer menus do not undo the translation of a page by the browser', async ({ page }) => {
  await page.clock.install();
  await page.route('**/api/shell?*', async (route) => {
    const response = await route.fetch();
    const shell = await response.json();
    await route.fulfill({ response, json: { ...shell, strings: { ...shell.strings, brand: 'Newer' } } });
  });
  const scripts = watchScripts(page);
  await visitPage(page, READING);
  // As Chrome marks a page that it has translated.
  await page.evaluate(() => document.documentElement.classList.add('translated-ltr'));
  await page.clock.fastForward(61_000);
  const answered = page.waitForResponse('**/api/shell?*');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await (await answered).finished();
  await page.waitForLoadState('networkidle');
  expect(scripts()).not.toContain('hydrate');
});

test('with Save-Data React is not loaded before a click', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: Object.assign(new EventTarget(), { saveData: true }) }),
  );
  const scripts = watchScripts(page);
  await visitPage(page, READING);
  await home(page).hover();
  await page.waitForLoadState('networkidle');
  expect(scripts()).not.toContain('hydrate');
});

test('an open menu stays open while React takes over, and closes with Escape @phone-only', async ({ page }) => {
  await visitPage(page, READING);
  const toggle = page.getByRole('contentinfo').getByRole('button', { expanded: false });
  await toggle.click();
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'The tour' });
  await expect(link).toBeVisible();
  await loadReact(page);
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link).toBeHidden();
  await expect(toggle).toHaveAccessibleName('Show more');
});

test('Back after a reload of a page to read shows the page before it @firefox', async ({ page }) => {
  await visitPage(page, '/');
  await page.evaluate(() => scrollTo(0, 1500));
  await followLink(page, READING);
  await expect(page).toHaveURL(READING);
  await page.reload();
  await waitForScript(page);
  await page.goBack();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
