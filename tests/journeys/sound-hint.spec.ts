import type { Page } from '@playwright/test';
import { probeAudio } from '../support/audio-probe.ts';
import { holdAnimations, holdDeadline, readDurations, seekAnimations, waitForPaint } from '../support/driven-time.ts';
import { expect, followLink, holdRequests, test, visitPage, waitForScript } from './test.ts';

test.beforeEach(({ page }) => probeAudio(page));

const hint = (page: Page) => page.locator('[data-sound-hint]');

/** Position of the label once it has not moved for some frames. */
const place = (page: Page) =>
  hint(page).evaluate(async (element) => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let still = 0; still < 5; still++) {
      await new Promise(requestAnimationFrame);
      const now = element.getBoundingClientRect();
      if (now.left !== left || now.top !== top) still = -1;
      ({ left, top, right, bottom } = now);
    }
    return { left, top, right, bottom };
  });

/** Records the label's left edge in every frame from now on. */
const watchPath = (page: Page) =>
  page.evaluate(() => {
    const path: number[] = [];
    Object.assign(window, { path });
    const keep = () => {
      const left = document.querySelector('[data-sound-hint]')?.getBoundingClientRect().left;
      if (left !== undefined && left !== path.at(-1)) path.push(left);
      requestAnimationFrame(keep);
    };
    keep();
  });
const path = (page: Page) => page.evaluate(() => (window as never as { path: number[] }).path);

test('R10: the label appears at the pointer’s first movement after the hero is ready, not before @firefox @lean', async ({
  page,
}) => {
  // Without its picture the hero is not ready.
  await holdDeadline(page);
  const release = await holdRequests(page, /\/media\/hero/);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.locator('[data-loader]')).toBeVisible();
  await page.mouse.move(300, 300);
  await page.mouse.move(320, 320);
  await expect(page.locator('html')).toHaveAttribute('data-stage', 'waiting');
  release();
  await waitForScript(page);
  await expect(hint(page)).toHaveText('sound');
  await expect(hint(page)).toHaveCSS('opacity', '0');
  await page.mouse.move(340, 340);
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await expect(hint(page)).toHaveAttribute('aria-hidden', 'true');
});

test('R10: it follows the pointer softly and comes to rest next to it @firefox', async ({ page }) => {
  await visitPage(page, '/');
  await page.mouse.move(200, 300);
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await watchPath(page);
  await page.mouse.move(900, 400);
  const { left, top } = await place(page);
  expect(left - 900).toBeGreaterThan(0);
  expect(left - 900).toBeLessThan(40);
  expect(top - 400).toBeGreaterThan(0);
  expect(top - 400).toBeLessThan(40);
  const steps = await path(page);
  expect(steps.length, 'frames on its way').toBeGreaterThan(4);
  expect(steps, 'it does not swing').toEqual(steps.toSorted((a, b) => a - b));
});

test('R10: with reduced motion it is at the pointer, without delay', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visitPage(page, '/');
  await page.mouse.move(200, 300);
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await watchPath(page);
  await page.mouse.move(900, 400);
  await place(page);
  expect(await path(page)).toHaveLength(2);
});

test('R10: it covers nothing, stays within the window, passes clicks on, and fades when the pointer leaves', async ({
  page,
}) => {
  await visitPage(page, '/');
  for (const [x, y] of [
    [700, 450],
    [1435, 450],
    [700, 895],
    [1435, 895],
    [2, 2],
  ] as const) {
    await page.mouse.move(x, y);
    const { left, top, right, bottom } = await place(page);
    expect(left <= x && x <= right && top <= y && y <= bottom, `covers ${x}, ${y}`).toBe(false);
    expect(Math.min(left, top), `at ${x}, ${y}`).toBeGreaterThanOrEqual(0);
    expect(right, `at ${x}, ${y}`).toBeLessThanOrEqual(1440);
    expect(bottom, `at ${x}, ${y}`).toBeLessThanOrEqual(900);
    const isHit = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.matches('[data-sound-hint]'), [
      (left + right) / 2,
      (top + bottom) / 2,
    ] as const);
    expect(isHit).toBe(false);
  }
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await page.mouse.move(-20, 450);
  await expect(hint(page)).toHaveCSS('opacity', '0');
  await page.mouse.move(30, 450);
  await expect(hint(page)).toHaveCSS('opacity', '1');
});

test('R36: a click removes it within 500 ms, also from the document @firefox @lean', async ({ page }) => {
  await holdAnimations(page, '[data-sound-hint]');
  await visitPage(page, '/');
  await page.mouse.move(500, 400);
  await page.mouse.move(500, 450);
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await page.mouse.click(500, 450);
  await expect.poll(() => readDurations(page)).toEqual([500]);
  for (const [ms, opacity] of [
    [0, '1'],
    [250, '0.5'],
  ] as const) {
    await seekAnimations(page, ms);
    await expect(hint(page), `after ${ms} ms`).toHaveCSS('opacity', opacity);
  }
  await seekAnimations(page, 'end');
  await expect(hint(page)).toHaveCount(0);
  await page.mouse.move(700, 500);
  await waitForPaint(page);
  await expect(hint(page)).toHaveCount(0);
});

/** Names of the animations of its bars and its wave. */
const movements = (page: Page) =>
  hint(page).evaluate((element) =>
    ['::before', '::after'].map((part) => getComputedStyle(element, part).animationName),
  );

for (const [mode, before, after] of [
  ['no-preference', ['sound-hint-bars', 'none'], ['sound-hint-bars', 'sound-hint-wave']],
  ['reduce', ['none', 'none'], ['none', 'none']],
] as const)
  test(`R36: it leaves with a wave, in calm mode it only fades: ${mode}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: mode });
    await holdAnimations(page, '[data-sound-hint]');
    await visitPage(page, '/');
    await page.mouse.move(500, 450);
    await expect(hint(page)).toHaveCSS('opacity', '1');
    expect(await movements(page)).toEqual(before);
    await page.mouse.click(500, 450);
    await expect(hint(page)).toHaveAttribute('data-leaving', '');
    expect(await movements(page)).toEqual(after);
  });

test('it is hidden where a click starts no music: in the consent dialog, on plain pages, without a track', async ({
  page,
}) => {
  await visitPage(page, '/');
  await page.mouse.move(500, 450);
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await page.evaluate(() => {
    const dialog = document.createElement('div');
    dialog.dataset.consent = '';
    dialog.style.cssText = 'position: fixed; inset: auto 0 0; height: 300px; z-index: 99';
    document.body.append(dialog);
  });
  await page.mouse.move(500, 700);
  await expect(hint(page)).toHaveCSS('opacity', '0');
  await page.mouse.move(500, 450);
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await followLink(page, '/paper-notes/');
  await expect(page).toHaveURL('/paper-notes/');
  await expect(hint(page)).toHaveCount(0);
  await followLink(page, '/');
  await expect(hint(page)).toBeAttached();
  await page.mouse.move(520, 470);
  await expect(hint(page)).toHaveCSS('opacity', '1');
});

test('without its code the page works, and the label is not shown', async ({ page }) => {
  await page.route(/assets\/follow-pointer-.*\.js/, (route) => route.fulfill({ status: 404 }));
  await visitPage(page, '/');
  await page.mouse.move(500, 450);
  await page.mouse.move(520, 450);
  await expect(hint(page)).toHaveCSS('opacity', '0');
  await page.mouse.click(520, 450);
  await expect(page.getByRole('contentinfo').locator('button[data-sound]')).toHaveAttribute('aria-pressed', 'true');
  await expect(hint(page)).toHaveCount(0);
});

test('its movement changes only its own position', async ({ page }) => {
  await visitPage(page, '/');
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  // The entry animation of the shell's parts has ended.
  await expect(page.locator('html')).toHaveAttribute('data-entered', '');
  // The first movement also loads the code of the wheel and of page transitions, which change the document.
  const transition = page.waitForResponse(/page-transition-[\w-]+\.css/);
  await page.mouse.move(400, 450);
  await expect(hint(page)).toHaveCSS('opacity', '1');
  await (await transition).finished();
  await expect(page.locator('html')).toHaveClass(/\blenis\b/);
  await page.evaluate(() => {
    const changed = new Set<string>();
    Object.assign(window, { changed });
    new MutationObserver((records) => {
      for (const { target, type, attributeName } of records)
        changed.add(
          `${(target as HTMLElement).matches('[data-sound-hint]') ? 'hint' : 'other'} ${attributeName ?? type}`,
        );
    }).observe(document, { subtree: true, attributes: true, childList: true });
  });
  await page.mouse.move(700, 500, { steps: 20 });
  await place(page);
  expect(await page.evaluate(() => [...(window as never as { changed: Set<string> }).changed])).toEqual(['hint style']);
});
