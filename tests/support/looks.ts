import { expect, type Page } from '@playwright/test';

/** Windows in CSS pixels. Backgrounds of sections are as high as the window: a higher section would show their end. */
export const WINDOW_SIZES = [
  { width: 390, height: 960 },
  { width: 1440, height: 900 },
];

/** Differences between builds of a browser: the edges of letters, a rounded corner. */
export const SCREENSHOT_OPTIONS = { maxDiffPixelRatio: 0.02, threshold: 0.25, scale: 'device' } as const;

/** Waits until pictures are loaded and decoded, and typefaces are loaded. */
export async function waitForImages(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await document.fonts.ready;
  });
}

/** Hides what is fixed at the window's edges over the content, and the offer of a language, which loads at any time. */
export const hideShell = (page: Page) =>
  page.addStyleTag({
    content: 'header, footer, [href="#main"], [data-scrollbar], [data-offer] { visibility: hidden !important }',
  });

/** Sections in the order of the page, by the class the style sheet gives them. */
const sections = (page: Page) => page.locator('main section');

/**
 * Compares each section of the page that is open with its picture in `site/tests/looks/`.
 * @param name Prefix of the pictures' names.
 * @param width Of the window, in CSS pixels: part of the names.
 */
export async function compareSections(page: Page, name: string, theme: 'dark' | 'light', width: number): Promise<void> {
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  await page.evaluate((theme) => {
    document.documentElement.dataset.theme = theme;
  }, theme);
  await waitForImages(page);
  await hideShell(page);
  for (const [i, section] of (await sections(page).all()).entries()) {
    // Sections over a picture look the same in both themes, so they have one picture for both.
    const tone = (await section.evaluate((node) => node.closest('[data-tone]') !== null)) ? 'over' : theme;
    await expect.soft(section).toHaveScreenshot(`${name}-${i}-${tone}-${width}.png`, SCREENSHOT_OPTIONS);
  }
}

/** Replaces the background's light with nothing, which loads with the first scroll, so that pictures do not differ. */
export const blockLight = (page: Page) =>
  page.route(/assets\/light-/, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
