import { tooFaint } from '@pillion/site-tests/text-contrast.mjs';
import { waitForPaint } from '@pillion/tests/driven-time.ts';
import type { Page } from '@playwright/test';
import { expect, test, waitForScript } from './test.ts';

/** Scroll positions between the top of the page and its end. */
const MOMENTS = 20;

/** Everything has loaded and settled. Only scroll effects still move. */
const settled = (page: Page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(
          ({ timeline, effect }) => timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity,
        )
        .map(({ finished }) => finished),
    ),
  );

async function faintOnTheWay(page: Page, blank: Page): Promise<string[]> {
  const faint: string[] = [];
  const seen: number[] = [];
  for (let moment = 0; moment < MOMENTS; moment++) {
    await page.evaluate(
      (share) => scrollTo({ top: share * (document.documentElement.scrollHeight - innerHeight), behavior: 'instant' }),
      moment / (MOMENTS - 1),
    );
    await waitForPaint(page);
    await settled(page);
    seen.push(await page.evaluate(() => scrollY));
    for (const text of await tooFaint(page, blank)) faint.push(`moment ${moment}: ${text}`);
  }
  expect(new Set(seen).size, 'as many places').toBe(MOMENTS);
  return faint;
}

for (const [theme, width, height] of [
  ['dark', 1440, 900],
  ['light', 390, 844],
  ['dark', 320, 640],
] as const)
  test(`L, WCAG 1.4.3: text has contrast at ${MOMENTS} moments in motion, ${theme}, ${width} × ${height}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'no-preference' });
    await page.goto('/');
    await waitForScript(page);
    // The fading loader would be measured with the page.
    await expect(page.locator('[data-loader]')).toHaveCount(0);
    await page.evaluate((theme) => {
      document.documentElement.dataset.theme = theme;
    }, theme);
    expect(await faintOnTheWay(page, await context.newPage())).toEqual([]);
  });
