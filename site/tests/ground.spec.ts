import type { Page } from '@playwright/test';
import { expect, logRequests, test, visitPage } from './test.ts';

/** The background between the pictures of a landing page, which has its own lighting. */

const grounds = (page: Page) => page.locator('[data-ground="cover"]');
const LIGHT = /assets\/light-[\w-]+\.css/;

/** Opens the page and scrolls, which loads the background's light. */
async function visitLit(page: Page): Promise<void> {
  const sheet = page.waitForResponse(LIGHT);
  await visitPage(page, '/');
  await page.evaluate(() => scrollTo(0, 300));
  await (await sheet).finished();
}

test('the background’s light is fetched at the first scroll, not earlier', async ({ page }) => {
  const asked = logRequests(page, LIGHT);
  await visitPage(page, '/');
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
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

test('with system colours or more contrast the background is plain', async ({ page }) => {
  await visitLit(page);
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
  await visitLit(page);
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
