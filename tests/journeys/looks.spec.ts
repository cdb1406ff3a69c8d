import type { Page } from '@playwright/test';
import { expect, test, visit } from './test.ts';

/**
 * Pictures of every section, compared with those in `looks/`. Taken at half the size a visitor sees: enough to show
 * what has moved, and light enough to keep. To take them anew: `npm run test:e2e -- looks --update-snapshots`, then look
 * at each before it is committed.
 */
test.use({
  deviceScaleFactor: 0.5,
  contextOptions: { reducedMotion: 'reduce' },
  // A style of the test's own hides the shell.
  bypassCSP: true,
});

/** Windows in CSS pixels. What stands behind a section is as high as the window: a higher section would show its end. */
const WINDOWS = [
  { width: 390, height: 960 },
  { width: 768, height: 960 },
  { width: 1440, height: 900 },
];

/** What browsers of another build may draw differently: the edges of letters, a rounded corner. */
const ALIKE = { maxDiffPixelRatio: 0.02, threshold: 0.25, scale: 'device' } as const;

/** Pictures that have come and been decoded, and letters in their own faces. */
async function whole(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await document.fonts.ready;
  });
}

/** The shell stands at the window's edges, over whatever is scrolled under it: it has pictures of its own. */
const withoutShell = (page: Page) =>
  page.addStyleTag({ content: 'header, footer, [data-scrollbar] { visibility: hidden !important }' });

/** Sections in the order of the page, by the class the style sheet gives them. */
const sections = (page: Page) => page.locator('main section');

// One width is looked at in every run.
for (const { width, height } of WINDOWS)
  for (const theme of ['dark', 'light'] as const)
    for (const path of ['/', '/the-road/'])
      test(`${path} at ${width} px, ${theme}${width === 390 ? ' @lean' : ''}`, async ({ page }) => {
        test.setTimeout(120_000);
        await page.setViewportSize({ width, height });
        // The ground's own light comes with the first scrolling: one picture would have it and the next not.
        await page.route(/assets\/light-/, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
        await visit(page, path);
        await expect(page.locator('[data-loader]')).toHaveCount(0);
        await page.evaluate((theme) => {
          document.documentElement.dataset.theme = theme;
        }, theme);
        await whole(page);
        await withoutShell(page);
        const name = path === '/' ? 'home' : 'road';
        for (const [i, section] of (await sections(page).all()).entries()) {
          // What lies over a picture looks the same in both themes, and so has one picture for both.
          const tone = (await section.evaluate((node) => node.closest('[data-tone]') !== null)) ? 'over' : theme;
          await expect.soft(section).toHaveScreenshot(`${name}-${i}-${tone}-${width}.png`, ALIKE);
        }
      });
