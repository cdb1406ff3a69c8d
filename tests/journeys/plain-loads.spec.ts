import type { Page } from '@playwright/test';
import { expect, test, visitPage } from './test.ts';

/** Stops the time of all animations, also of the next page, so that a transition lasts until it is seen. */
async function holdAnimations(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Animation.enable');
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
}

/** The parts of the page that a view transition moves at the moment. */
const inTransition = (page: Page) =>
  page.evaluate(() => [
    ...new Set(
      document
        .getAnimations()
        .map(({ effect }) => (effect as KeyframeEffect).pseudoElement ?? '')
        .filter((part) => part.startsWith('::view-transition-')),
    ),
  ]);

/** The old page is hidden at once. */
const FADE = ['::view-transition-group(root)', '::view-transition-new(root)'];

const link = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name });

/** Notes for each document whether it was revealed with a transition from the one before. */
const noteReveals = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('pagereveal', ({ viewTransition }) => {
      document.documentElement.dataset.reveal = viewTransition ? 'fade' : 'at once';
    });
  });

/** A browser without the Navigation API loads each page. */
const withoutNavigation = (page: Page) => page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the next page fades in', async ({ page }) => {
    await page.goto('/');
    await holdAnimations(page);
    await link(page, 'Privacy Policy').click();
    await expect(page).toHaveURL('/privacy-policy/');
    await expect.poll(() => inTransition(page)).toEqual(FADE);
  });

  test('with reduced motion pages change at once', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await holdAnimations(page);
    await link(page, 'Privacy Policy').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    expect(await inTransition(page)).toEqual([]);
  });
});

test('R1: without the Navigation API links are page loads, and the next page fades in @lean', async ({ page }) => {
  await withoutNavigation(page);
  await noteReveals(page);
  await visitPage(page, '/');
  await link(page, 'Privacy Policy').click();
  await expect(page).toHaveURL('/privacy-policy/');
  await expect(page.locator('html')).toHaveAttribute('data-reveal', 'fade');
});

test('with motion switched off, a link changes the page at once before the entry script is loaded', async ({
  page,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem('motion', 'reduced');
    // The starter learns of no paint and its time does not pass, so the entry is never loaded. Intercepted requests would
    // prevent the transition.
    PerformanceObserver.prototype.observe = () => {};
    Object.assign(window, { setTimeout: () => 0 });
  });
  await noteReveals(page);
  await page.goto('/privacy-policy/');
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'reduced');
  await link(page, 'Privacy Policy').evaluate((shown: HTMLAnchorElement) => {
    shown.href = '/paper-notes/';
  });
  await link(page, 'Privacy Policy').click();
  await expect(page).toHaveURL('/paper-notes/');
  await expect(page.locator('html')).toHaveAttribute('data-stage', 'waiting');
  await expect(page.locator('html')).toHaveAttribute('data-reveal', 'at once');
});
