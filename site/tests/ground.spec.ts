import { tooFaint } from '@pillion/site-tests/text-contrast.mjs';
import type { Page } from '@playwright/test';
import { expect, test, visit } from './test.ts';

/** The background between the pictures of a landing page, which has its own lighting. */

const grounds = (page: Page) => page.locator('[data-ground="cover"]');
const LIGHT = /assets\/light-[\w-]+\.css/;

test('the background’s light is fetched at the first scroll, not earlier', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await visit(page, '/');
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => LIGHT.test(url))).toEqual([]);
  const sheet = page.waitForResponse(LIGHT);
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 300);
  await (await sheet).finished();
  const light = () =>
    grounds(page)
      .first()
      .evaluate((ground) => getComputedStyle(ground, '::before').backgroundImage);
  await expect.poll(light).toContain('radial-gradient');
});

for (const [theme, width, height] of [
  ['dark', 390, 844],
  ['light', 1440, 900],
] as const)
  test(`WCAG 1.4.3: words have contrast in the background’s light, ${theme}, at ${width} × ${height}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await visit(page, '/');
    // The fading loader would be measured with the page.
    await expect(page.locator('[data-loader]')).toHaveCount(0);
    await page.evaluate((theme) => {
      document.documentElement.dataset.theme = theme;
    }, theme);
    const sheet = page.waitForResponse(LIGHT);
    const blank = await context.newPage();
    for (const [i, section] of (await grounds(page).locator('section').all()).entries()) {
      await section.evaluate((node) => node.scrollIntoView({ block: 'center', behavior: 'instant' }));
      if (i === 0) await (await sheet).finished();
      const words = (await section.textContent()) ?? '';
      const faint = await tooFaint(page, blank);
      // Each entry begins with its words, in quotes.
      expect(faint.filter((text) => words.includes(text.slice(1, 12)))).toEqual([]);
    }
  });

test('with system colours or more contrast the background is plain', async ({ page }) => {
  const sheet = page.waitForResponse(LIGHT);
  await visit(page, '/');
  await page.evaluate(() => scrollTo(0, 300));
  await (await sheet).finished();
  const parts = () =>
    grounds(page)
      .first()
      .evaluate((ground) => ['::before', '::after'].map((part) => getComputedStyle(ground, part).content));
  await expect.poll(parts).toEqual(['""', '""']);
  for (const media of [{ forcedColors: 'active' }, { contrast: 'more' }, { media: 'print' }] as const) {
    await page.emulateMedia({ media: 'screen', forcedColors: 'none', contrast: 'no-preference', ...media });
    await expect.poll(parts).toEqual(['none', 'none']);
  }
});

// Firefox has no scroll timelines yet, so its visitors see everything lit.
test('content in the lamp’s light is lit, and with reduced motion it is lit from the start', async ({ page }) => {
  const sheet = page.waitForResponse(LIGHT);
  await visit(page, '/');
  await page.evaluate(() => scrollTo(0, 300));
  await (await sheet).finished();
  const machine = grounds(page).locator('section:has(> figure)');
  const wheel = machine.locator('> figure img');
  /** Brightness of the picture, and progress of the line under the first figure, both 0..1. */
  const lit = async () => {
    const filter = await wheel.evaluate((image) => getComputedStyle(image).filter);
    const scale = await machine
      .locator('dl > div')
      .first()
      .evaluate((row) => getComputedStyle(row, '::after').scale);
    return {
      picture: Number(/brightness\(([\d.]+)\)/.exec(filter)?.[1] ?? 1),
      line: scale === 'none' ? 1 : Number.parseFloat(scale),
    };
  };
  /** Scrolls the top of the machine section to a share of the window's height. */
  const bring = (share: number) =>
    machine.evaluate((section, share) => {
      const { top } = section.getBoundingClientRect();
      window.scrollTo({ top: scrollY + top - share * innerHeight, behavior: 'instant' });
    }, share);
  await bring(0.95);
  await expect.poll(lit).toEqual({ picture: expect.closeTo(0.4, 1), line: 0 });
  await bring(0);
  await expect.poll(lit).toEqual({ picture: 1, line: 1 });
  await bring(0.95);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(lit).toEqual({ picture: 1, line: 1 });
});
