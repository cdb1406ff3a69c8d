import { blockLight, compareSections, WINDOW_SIZES } from '@pillion/tests/looks.ts';
import { createTestIn, visitPage } from './test.ts';

/**
 * Pictures of every section in German and Arabic (R28), in the page's theme: long compounds, another script, and a
 * mirrored layout. Smaller than those of `looks.spec.ts`, which says how to update them.
 */
const test = createTestIn(process.cwd());

test.use({
  deviceScaleFactor: 0.3,
  contextOptions: { reducedMotion: 'reduce' },
  // The test hides the shell with a style.
  bypassCSP: true,
});

const PAGES = [
  { path: '/de/', name: 'home-de', theme: 'dark' },
  { path: '/de/strasse/', name: 'road-de', theme: 'light' },
  { path: '/ar/', name: 'home-ar', theme: 'dark' },
  { path: '/ar/at-tariq/', name: 'road-ar', theme: 'light' },
] as const;

for (const { width, height } of WINDOW_SIZES)
  for (const { path, name, theme } of PAGES)
    test(`R28: ${path} at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await blockLight(page);
      await visitPage(page, path);
      await compareSections(page, name, theme, width);
    });
