import { lookAtSections, WINDOWS, withoutLight } from '@pillion/tests/looks.ts';
import { test, visit } from './test.ts';

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

// One width is looked at in every run.
for (const { width, height } of WINDOWS)
  for (const theme of ['dark', 'light'] as const)
    for (const path of ['/', '/the-road/'])
      test(`${path} at ${width} px, ${theme}${width === 390 ? ' @lean' : ''}`, async ({ page }) => {
        test.setTimeout(120_000);
        await page.setViewportSize({ width, height });
        await withoutLight(page);
        await visit(page, path);
        await lookAtSections(page, path === '/' ? 'home' : 'road', theme, width);
      });
