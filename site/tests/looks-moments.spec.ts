import { agePage } from '@pillion/tests/driven-time.ts';
import {
  blockLight,
  SCREENSHOT_OPTIONS as COMMON_OPTIONS,
  hideShell,
  WINDOW_SIZES,
  waitForImages,
} from '@pillion/tests/looks.ts';
import type { Page } from '@playwright/test';
import { joiningAt, SETTLED } from '../scene/joining.ts';
import { AT_REST } from '../scene/reaction.ts';
import { expect, test, visitPage } from './test.ts';

/**
 * Pictures of states that need input: answers in the form, the confirmation with its number, the light that joins, the
 * reacting rider. `looks.spec.ts` says how to update them.
 */
/** A lamp is small: a missing one is only a few hundred pixels. */
const SCREENSHOT_OPTIONS = { ...COMMON_OPTIONS, maxDiffPixelRatio: 0.004 };

test.describe('at the form', () => {
  test.use({
    contextOptions: { reducedMotion: 'reduce' },
    // The test hides the shell with a style.
    bypassCSP: true,
  });

  const form = (page: Page) => page.getByRole('main').locator('form');

  for (const { width, height } of WINDOW_SIZES)
    test(`the form with answers, an error and the confirmation look as before at ${width} px`, async ({
      page,
      startOwnSite,
    }) => {
      test.setTimeout(120_000);
      // No other visitor signs up on this site, so the number is the same in every run.
      const { url } = await startOwnSite({});
      await page.setViewportSize({ width, height });
      await blockLight(page);
      await agePage(page, 5_000);
      await visitPage(page, `${url}/`);
      await form(page).scrollIntoViewIfNeeded();
      await expect(form(page)).toHaveAttribute('data-hydrated', '');
      await waitForImages(page);
      await hideShell(page);
      const card = page.locator('#inner-form');
      await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
      await page.getByRole('textbox', { name: 'Email' }).fill('nowhere');
      await page.getByRole('checkbox', { name: /Send me the route/ }).focus();
      await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAttribute('aria-invalid', 'true');
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await expect.soft(card).toHaveScreenshot(`form-wrong-${width}.png`, SCREENSHOT_OPTIONS);
      await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
      await page.getByRole('checkbox', { name: /Send me the route/ }).check();
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await expect.soft(card).toHaveScreenshot(`form-answered-${width}.png`, SCREENSHOT_OPTIONS);
      await form(page).getByRole('button').click();
      await expect(page.locator('.form-number b')).toHaveText('215');
      await expect.soft(card).toHaveScreenshot(`form-thanks-${width}.png`, SCREENSHOT_OPTIONS);
    });
});

test.describe('in the scene', () => {
  // A small window, because the processor draws here.
  test.use({ viewport: { width: 320, height: 240 }, contextOptions: { reducedMotion: 'reduce' } });

  /** A large screen, a medium one and a phone, in canvas pixels. */
  const SIZES = [
    [480, 300],
    [320, 400],
    [180, 390],
  ] as const;

  /** The light while it rises, flares, climbs and has its place; the rider at speed at the lane's edge, and braking. */
  const MOMENTS = {
    ...Object.fromEntries(
      [1_300, 2_300, 4_200, 7_000].map((ms) => {
        const { lift, climbed, flare } = joiningAt(ms) ?? SETTLED;
        return [`joining-${ms}`, { progress: 1, travel: 800, own: { lift, climbed, flare } }];
      }),
    ),
    speed: { progress: 0.2, travel: 420, reaction: { ...AT_REST, pace: 1, was: 1, aside: 0.9 } },
    brake: { progress: 0.9, travel: 420, reaction: { ...AT_REST, brake: 1 } },
  };

  test('a joining light and a reacting rider look as before at three sizes', async ({ page, openScene }) => {
    test.setTimeout(240_000);
    await openScene(page);
    const still = async (more: object, width: number, height: number) => {
      const url = await page.evaluate(
        (still) => {
          const { ride } = window as unknown as { ride: { still(still: object): void } };
          ride.still(still);
          return (document.querySelector('[data-scene] canvas') as HTMLCanvasElement).toDataURL('image/jpeg', 0.8);
        },
        { width, height, seconds: 20, lamps: 40, ...more },
      );
      return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    };
    for (const [name, moment] of Object.entries(MOMENTS))
      for (const [width, height] of SIZES)
        expect
          .soft(await still(moment, width, height))
          .toMatchSnapshot(`scene-${name}-${width}.jpg`, { maxDiffPixelRatio: 0.002, threshold: 0.25 });
  });
});
