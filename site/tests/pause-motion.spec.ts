import type { Page } from '@playwright/test';
import { denyStorage, expect, followLink, logRequests, NO_SUCH_PAGE, test, visitPage } from './test.ts';

const motion = (page: Page, name = 'motion') =>
  page.getByRole('contentinfo').getByRole('button', { name, exact: true });

/** Names of animations that run without an end. */
const endless = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations === Infinity)
      .map((animation) => (animation as CSSAnimation).animationName),
  );

test('WCAG 2.2.2: a press stops the drawing of the page for 404 at once, and it stays still after a reload @firefox @lean', async ({
  page,
}) => {
  await visitPage(page, NO_SUCH_PAGE);
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await endless(page)).not.toEqual([]);
  const left = await motion(page).evaluate((button: HTMLElement) => {
    button.click();
    return document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity).length;
  });
  expect(left).toBe(0);
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  expect(await endless(page)).toEqual([]);
  await motion(page).click();
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await endless(page)).not.toEqual([]);
});

test('WCAG 2.2.2: without the script of the switch, no motion is endless @lean', async ({ page, watched }) => {
  await page.route(/\/assets\/entry\.client-/, (route) => route.abort());
  await page.goto(NO_SUCH_PAGE);
  await expect(page.locator('html')).toHaveAttribute('data-typed', '');
  expect(await endless(page)).toEqual([]);
  watched.length = 0;
});

test('WCAG 2.2.2: the switch follows the system’s setting until the visitor presses it @lean', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visitPage(page, NO_SUCH_PAGE);
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'true');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  await motion(page).click();
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'true');
  expect(await endless(page)).not.toEqual([]);
  await page.reload();
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'true');
});

test('WCAG 2.2.2: a press stops motion in the site’s other tabs too', async ({ page, context }) => {
  await visitPage(page, NO_SUCH_PAGE);
  const other = await context.newPage();
  await visitPage(other, NO_SUCH_PAGE);
  await motion(page).click();
  await expect(motion(other)).toHaveAttribute('aria-pressed', 'false');
  expect(await endless(other)).toEqual([]);
});

test('WCAG 2.2.2: a page from the back/forward cache follows a press on another page', async ({ page }) => {
  await visitPage(page, NO_SUCH_PAGE);
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'true');
  await page.evaluate(() => {
    localStorage.motion = 'reduced';
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  expect(await endless(page)).toEqual([]);
});

test('WCAG 2.2.2: without storage the choice applies until the page is left', async ({ page }) => {
  await denyStorage(page);
  await visitPage(page, NO_SUCH_PAGE);
  await motion(page).click();
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  expect(await endless(page)).toEqual([]);
  // Back from another page.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
});

test('WCAG 2.2.2: a press ends the smooth wheel, and starts no music @lean', async ({ page }) => {
  await visitPage(page, NO_SUCH_PAGE);
  const root = page.locator('html');
  await page.mouse.move(500, 450);
  await expect(root).toHaveClass(/\blenis\b/);
  await motion(page).click();
  await expect(root).not.toHaveClass(/\blenis\b/);
  await expect(page.locator('[data-sound]')).toHaveAttribute('aria-pressed', 'false');
  await motion(page).click();
  await expect(root).toHaveClass(/\blenis\b/);
});

test('WCAG 2.2.2: the keyboard reaches the switch before the sound’s, and it keeps its name @lean', async ({
  page,
}) => {
  await visitPage(page, NO_SUCH_PAGE);
  await motion(page).focus();
  await page.keyboard.press('Space');
  await expect(motion(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(motion(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('[data-sound]')).toBeFocused();
});

test('a page without automatic motion has no such switch', async ({ page }) => {
  await visitPage(page, NO_SUCH_PAGE);
  await expect(motion(page)).toBeVisible();
  await followLink(page, '/privacy-policy/');
  await expect(page).toHaveTitle(/Privacy/);
  await expect(page.locator('[data-sound]')).toBeVisible();
  await expect(motion(page)).toHaveCount(0);
});

for (const path of [NO_SUCH_PAGE, '/'])
  test(`in forced colours, where nothing moves, there is no switch, and it comes when they end: ${path}`, async ({
    page,
  }) => {
    const probes = logRequests(page, /\/assets\/probe-/);
    await page.emulateMedia({ forcedColors: 'active' });
    await visitPage(page, path);
    await expect(page.locator('[data-sound]')).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(motion(page)).toHaveCount(0);
    expect(probes).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await expect(motion(page)).toHaveAttribute('aria-pressed', 'true');
    if (path === '/') await expect.poll(() => probes.length).toBe(1);
  });

for (const [path, name, width] of [
  ['/', 'motion', 1440],
  ['/de/', 'Bewegung', 390],
  ['/ar/', 'الحركة', 320],
] as const)
  test(`WCAG 2.2.2, 2.5.8: under ${path} at ${width} px the switch is next to the sound’s and can be hit`, async ({
    page,
    startOwnSite,
  }) => {
    const { url } = await startOwnSite({}, process.cwd());
    await page.setViewportSize({ width, height: 844 });
    await visitPage(page, `${url}${path}no-such-page/`);
    if (width < 1024) {
      await expect(motion(page, name)).toHaveCount(0);
      await page.locator('footer [aria-expanded]').click();
    }
    await motion(page, name).click();
    await expect(motion(page, name)).toHaveAttribute('aria-pressed', 'false');
    const [own, sound] = await Promise.all([
      motion(page, name).boundingBox(),
      page.locator('[data-sound]').boundingBox(),
    ]);
    if (!own || !sound) throw new Error('a switch is not drawn');
    for (const box of [own, sound]) {
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(width < 1024 ? 44 : 24);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
    // In one line.
    if (width < 1024) expect(own.y).toBe(sound.y);
    else expect(own.x).toBe(sound.x);
  });

test('a visitor whose system asks for calm gets the scene when they switch motion on', async ({ page }) => {
  const probes = logRequests(page, /\/assets\/probe-/);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visitPage(page, '/');
  await page.waitForLoadState('networkidle');
  expect(probes).toEqual([]);
  await motion(page).click();
  await expect.poll(() => probes.length).toBeGreaterThan(0);
});
