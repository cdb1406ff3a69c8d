import { meanColour } from '@pillion/tests/png.ts';
import type { Page } from '@playwright/test';
import { expect, hydrated, test, visit } from './test.ts';

const passage = (page: Page) => page.locator('[data-passage]');
const acts = (page: Page) => passage(page).locator('li');
const backdrop = (page: Page, act: number) => acts(page).nth(act).locator('> div').first();

/** Brings the page to a share of the way through the acts: 0 their head is at the window's, 1 their foot is. */
const scrollTo = (page: Page, share: number) =>
  passage(page).evaluate((section, share) => {
    const { top, height } = section.getBoundingClientRect();
    window.scrollTo({ top: scrollY + top + share * (height - innerHeight), behavior: 'instant' });
  }, share);

/** Mean colour of what a visitor sees right of the words, 0..255. */
async function colour(page: Page) {
  const { red, green, blue } = meanColour(await page.screenshot({ clip: { x: 700, y: 300, width: 500, height: 300 } }));
  return { red, blue, light: (red + green + blue) / 3 };
}

/** Where no scene draws, the loader has faded, and the pictures of the acts have come. */
async function visitActs(page: Page) {
  await visit(page, '/');
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  for (const picture of await passage(page).locator('img').all()) {
    await picture.evaluate((image: HTMLImageElement) => {
      image.loading = 'eager';
      return image.decode();
    });
  }
}

test('each fills the window with its picture and shows its words, gold to night @firefox @lean', async ({
  page,
  watched,
}) => {
  await visitActs(page);
  const seen = [];
  for (const [act, share] of [0.02, 0.5, 0.98].entries()) {
    await scrollTo(page, share);
    await expect(acts(page).nth(act).getByRole('heading')).toBeInViewport();
    seen.push(await colour(page));
  }
  const [gold, ember, night] = seen;
  if (!gold || !ember || !night) throw new Error('nothing was seen');
  expect(gold.red).toBeGreaterThan(gold.blue * 1.2);
  expect(ember.red).toBeGreaterThan(ember.blue);
  expect(night.red).toBeLessThan(ember.red / 2);
  expect(gold.light).toBeGreaterThan(ember.light);
  expect(ember.light).toBeGreaterThan(night.light);
  // To take a picture the driver hides the caret with a style that Firefox holds to our policy.
  watched.length = 0;
});

test.describe('the scene behind the acts', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(120_000);

  test('R44: its hour is the first before them, the last after them, and passes in between', async ({
    startOwnSite,
    page,
  }) => {
    const { url } = await startOwnSite({ DEBUG: 'true' });
    await page.goto(`${url}/?scene=force`);
    await hydrated(page);
    await expect(page.locator('[data-scene] canvas')).toHaveAttribute('data-drawn', '', { timeout: 60_000 });
    // Nothing stands between the visitor and the scene.
    await expect(backdrop(page, 1)).toBeHidden();
    await page.evaluate(() => {
      const told = { hour: Number.NaN };
      const { ride } = window as unknown as { ride: { setProgress(hour: number): void } };
      ride.setProgress = (hour) => {
        told.hour = hour;
      };
      Object.assign(window, { told });
    });
    const hour = () => page.evaluate(() => (window as unknown as { told: { hour: number } }).told.hour);
    await page.evaluate(() => window.scrollTo({ top: innerHeight * 1.5, behavior: 'instant' }));
    await expect.poll(hour).toBe(0);
    await scrollTo(page, 0.5);
    await expect.poll(hour).toBeCloseTo(0.5, 2);
    await scrollTo(page, 1.2);
    await expect.poll(hour).toBe(1);
  });
});
