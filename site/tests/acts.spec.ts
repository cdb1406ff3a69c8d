import { getActs, getBackdrop, scrollToActs, visitActs } from '@pillion/tests/acts.ts';
import { measureColour } from '@pillion/tests/png.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';

/** Mean colour to the right of the words, 0..255. */
async function colour(page: Page) {
  const { red, green, blue } = await measureColour(
    await page.screenshot({ clip: { x: 700, y: 300, width: 500, height: 300 } }),
  );
  return { red, blue, light: (red + green + blue) / 3 };
}

test('each act fills the window with its picture and shows its words, gold to night @firefox @timelines @lean', async ({
  page,
  watched,
}) => {
  await visitActs(page);
  const seen = [];
  for (const [act, share] of [0.02, 0.5, 0.98].entries()) {
    await scrollToActs(page, share);
    await expect(getActs(page).nth(act).getByRole('heading')).toBeInViewport();
    seen.push(await colour(page));
  }
  const [gold, ember, night] = seen;
  if (!gold || !ember || !night) throw new Error('nothing was seen');
  expect(gold.red).toBeGreaterThan(gold.blue * 1.2);
  expect(ember.red).toBeGreaterThan(ember.blue);
  expect(night.red).toBeLessThan(ember.red / 2);
  expect(gold.light).toBeGreaterThan(ember.light);
  expect(ember.light).toBeGreaterThan(night.light);
  // For a screenshot Playwright hides the caret with a style that Firefox blocks by the site's policy.
  watched.length = 0;
});

test.describe('the scene behind the acts', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(120_000);

  test('R44: the scene’s hour is gold before the acts, night after them, and passes in between', async ({
    openScene,
    page,
  }) => {
    await openScene(page);
    // The picture of the act does not cover the scene.
    await expect(getBackdrop(page, 1)).toBeHidden();
    await page.evaluate(() => {
      const probe = { hour: Number.NaN };
      const { ride } = window as unknown as { ride: { setProgress(hour: number): void } };
      ride.setProgress = (hour) => {
        probe.hour = hour;
      };
      Object.assign(window, { probe });
    });
    const hour = () => page.evaluate(() => (window as unknown as { probe: { hour: number } }).probe.hour);
    await page.evaluate(() => window.scrollTo({ top: innerHeight * 1.5, behavior: 'instant' }));
    await expect.poll(hour).toBe(0);
    await scrollToActs(page, 0.5);
    await expect.poll(hour).toBeCloseTo(0.5, 2);
    await scrollToActs(page, 1.2);
    await expect.poll(hour).toBe(1);
  });
});
