import { blockLight, compareSections, WINDOW_SIZES } from '@pillion/tests/looks.ts';
import { test, visitPage } from './test.ts';

/**
 * Pictures of every section, compared with those in `looks/`. They have half the size that a visitor sees: enough to
 * show changes, and small enough for the repository. To update them: `npm run test:e2e -- looks --update-snapshots`,
 * then check each one before the commit.
 */
test.use({
  deviceScaleFactor: 0.5,
  contextOptions: { reducedMotion: 'reduce' },
  // The test hides the shell with a style.
  bypassCSP: true,
});

// Every run checks one width.
for (const { width, height } of WINDOW_SIZES)
  for (const theme of ['dark', 'light'] as const)
    for (const path of ['/', '/the-road/'])
      test(`${path} at ${width} px, ${theme}${width === 390 ? ' @lean' : ''}`, async ({ page }) => {
        test.setTimeout(120_000);
        await page.setViewportSize({ width, height });
        await blockLight(page);
        await visitPage(page, path);
        await compareSections(page, path === '/' ? 'home' : 'road', theme, width);
      });
