import { randomUUID } from 'node:crypto';
import { agePage } from '@pillion/tests/driven-time.ts';
import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import type { Page } from '@playwright/test';
import { lampsFor } from '../sign-up-number/steps.ts';
import { expect, test, visitPage } from './test.ts';

/** A light joins (decision 051). */

/** Number of riders in the demo before its first sign-up (`site/content/en/strings.json`). */
const FROM = 214;

const form = (page: Page) => page.getByRole('main').locator('form');
const light = (page: Page) => page.locator('.form-number');
const number = async (page: Page) => Number(await light(page).locator('b').textContent());
const thanks = (page: Page) => page.getByRole('status').filter({ hasText: 'You are on the list' });
const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('pillion-number'));

/** Fills in the form of any language, and sends it. */
async function send(page: Page): Promise<void> {
  await form(page).getByRole('textbox').first().fill('Ada Quist');
  await form(page).getByRole('textbox').nth(1).fill(`rider-${randomUUID()}@example.org`);
  await form(page).getByRole('checkbox').check();
  await form(page).getByRole('button').click();
}

async function signUp(page: Page, url = ''): Promise<void> {
  await agePage(page, 5_000);
  await visitPage(page, `${url}/`);
  await form(page).scrollIntoViewIfNeeded();
  await expect(form(page)).toHaveAttribute('data-hydrated', '');
  await send(page);
}

test('a new number appears under the confirmation; focus and announcement stay @firefox @lean', async ({ page }) => {
  await signUp(page);
  await expect(light(page)).toBeVisible();
  expect(await number(page)).toBeGreaterThan(FROM);
  // Only the confirmation is announced and focused. The light follows it.
  await expect(thanks(page)).not.toContainText('light');
  await expect(page.locator(':focus')).toContainText('You are on the list');
  await expect.poll(() => stored(page)).toBe(String(await number(page)));
});

/** A site whose list begins at a number. Empty: no number is shown. */
const withList = (from: string) =>
  createDemoCheckout((strings) => ({ ...strings, sign_up_number: { ...(strings.sign_up_number as object), from } }));

for (const [from, shown] of [
  [0, '1'],
  [100_000, '100,001'],
] as const)
  test(`with ${from} sign-ups the number is ${shown}, formatted, and fits the narrowest phone`, async ({
    page,
    startOwnSite,
  }) => {
    const { url } = await startOwnSite({}, withList(String(from)));
    // The first page after a start may come before the first count.
    await expect.poll(async () => (await fetch(`${url}/`)).text()).toContain(`data-sign-ups="${lampsFor(from)}"`);
    await signUp(page, url);
    await expect(light(page).locator('b')).toHaveText(shown);
    await expect(light(page).locator('svg circle').first()).toBeVisible();
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.reload();
    expect(await stored(page), 'their light burns in this tab').toBe(String(from + 1));
  });

test('without a number the visitor sees the usual confirmation, and the scene has all its lamps', async ({
  page,
  startOwnSite,
}) => {
  const { url } = await startOwnSite({}, withList(''));
  await signUp(page, url);
  await expect(thanks(page)).toBeVisible();
  await expect(page.locator(':focus')).toContainText('You are on the list');
  await expect(light(page)).toHaveCount(0);
  await expect(page.locator('html')).not.toHaveAttribute('data-sign-ups');
  expect(await stored(page)).toBeNull();
});

test('R28: a visitor who signs up reads their number in the words of their language', async ({
  page,
  startOwnSite,
}) => {
  const { url } = await startOwnSite({}, process.cwd());
  for (const [lang, words] of [
    ['de', /^Licht \d+ auf der Straße ist deins\.$/],
    ['ar', /^ضوؤك هو الضوء رقم \d+ على الطريق\.$/],
  ] as const) {
    await signUp(page, `${url}/${lang}`);
    await expect(page.getByText(words)).toBeVisible();
  }
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the confirmation page shows the number as picture and text, but no forged one @lean', async ({ page }) => {
    await page.goto('/');
    await send(page);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(light(page).locator('svg circle').first()).toBeVisible();
    const own = await number(page);
    expect(own).toBeGreaterThan(FROM);
    await page.goto(page.url().replace(/number=\d+/, `number=${own + 1_000}`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(light(page)).toHaveCount(0);
  });
});

/** A small window, because the processor draws here. */
test.describe('in the scene', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(180_000);

  test.beforeEach(async ({ forcing, openScene, page }) => {
    // The first page after a start may come before the first count.
    await expect.poll(async () => (await fetch(`${forcing.url}/`)).text()).toContain('data-sign-ups');
    await openScene(page);
  });

  /** The brightness of one still, as the sum of its pixels. */
  const still = (page: Page, more: object) =>
    page.evaluate((more) => {
      const { ride } = window as unknown as { ride: { still(still: object): void } };
      ride.still({ width: 320, height: 200, seconds: 20, progress: 1, travel: 800, rider: false, ...more });
      const scene = document.querySelector('canvas') as HTMLCanvasElement;
      const copy = new OffscreenCanvas(320, 200).getContext('2d') as OffscreenCanvasRenderingContext2D;
      copy.drawImage(scene, 0, 0);
      return copy.getImageData(0, 0, 320, 200).data.reduce((sum, value) => sum + value, 0);
    }, more);

  test('the pass has as many lamps as the server reports, and the visitor’s own @lean', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await page.locator('html').getAttribute('data-sign-ups')).toBe('41');
    const joinType = page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('pillion:join', (event) => resolve(typeof (event as CustomEvent).detail), { once: true });
          dispatchEvent(new CustomEvent('pillion:signed-up', { detail: { number: 215 } }));
        }),
    );
    expect(await joinType, 'a sign-up tells the scene how to join').toBe('function');
    const [none, few, all] = [await still(page, { lamps: 0 }), await still(page, { lamps: 24 }), await still(page, {})];
    expect(few).toBeGreaterThan(none);
    expect(all).toBeGreaterThan(few);
    const own = { lift: 0, climbed: 1, flare: 2.2 };
    expect(await still(page, { lamps: 0, own })).toBeGreaterThan(none);
    expect(await still(page, { lamps: 0, own: { ...own, flare: 7 } })).toBeGreaterThan(
      await still(page, { lamps: 0, own }),
    );
  });
});
