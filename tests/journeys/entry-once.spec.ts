import type { Page } from '@playwright/test';
import { holdEntry, releaseEntry } from '../support/driven-time.ts';
import { expect, test, visitPage } from './test.ts';

/** The parts that R39 names, by where a visitor finds them. */
const parts = (page: Page) => ({
  logo: page.locator('header a[href="/"]'),
  'join button': page.getByRole('banner').getByRole('link', { name: 'Join The List' }),
  colophon: page.getByRole('contentinfo').getByText('All Rights Reserved'),
  'legal links': page.getByRole('navigation', { name: 'Legal' }),
  'social icons': page.getByRole('navigation', { name: 'Social' }),
  // With the background that it shares with the switch for motion.
  'audio button': page.getByRole('contentinfo').locator(':has(> button[data-sound])'),
});

/** Animations that bring parts of the shell in, with a flush of what was just changed. */
const entering = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => /hold|slide-up/.test((animation as CSSAnimation).animationName))
      .map(({ effect }) => (effect as KeyframeEffect).target?.tagName),
  );

const entered = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-entered', '');

test('R39: logo, join, colophon, legal links, social icons and audio button slide in from below @lean', async ({
  page,
}) => {
  await holdEntry(page);
  await visitPage(page, '/');
  for (const [name, part] of Object.entries(parts(page))) {
    const moved = await part.evaluate((element) => {
      const entry = element
        .getAnimations()
        .find((animation) => (animation as CSSAnimation).animationName === 'slide-up');
      if (!entry) return null;
      const end = Number(entry.effect?.getComputedTiming().endTime);
      const at = (time: number) => {
        entry.currentTime = time;
        const { x, y } = element.getBoundingClientRect();
        return { x, y, opacity: Number(getComputedStyle(element).opacity) };
      };
      const [before, after] = [at(0), at(end - 0.01)];
      return { across: Math.abs(before.x - after.x), up: before.y - after.y, from: before.opacity };
    });
    expect(moved, name).not.toBeNull();
    expect(moved?.across, name).toBeLessThan(0.1);
    expect(moved?.up, name).toBeGreaterThan(10);
    expect(moved?.from, name).toBe(0);
  }
  await releaseEntry(page);
  await entered(page);
});

test('R39: printing, switching calm and a resize over the breakpoint do not repeat the entry animation', async ({
  page,
}) => {
  await visitPage(page, '/');
  await entered(page);
  for (const media of [
    { media: 'print' },
    { media: 'screen' },
    { reducedMotion: 'reduce' },
    { reducedMotion: 'no-preference' },
  ] as const) {
    await page.emulateMedia(media);
    expect(await entering(page), JSON.stringify(media)).toEqual([]);
  }
  for (const width of [800, 1440, 1023, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await entering(page), `${width}`).toEqual([]);
  }
});

test('R39: on a small screen all parts are in place at once, also if it becomes large later @phone-only', async ({
  page,
}) => {
  await visitPage(page, '/');
  expect(await entering(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await entering(page)).toEqual([]);
});
