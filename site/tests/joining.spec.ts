import { randomUUID } from 'node:crypto';
import { openedBefore } from '@pillion/tests/driven-time.ts';
import type { Page } from '@playwright/test';
import { expect, follow, hydrated, test, visit } from './test.ts';

/** Number of riders in the demo before its first sign-up (`site/content/en/strings.json`). */
const FROM = 214;

const form = (page: Page) => page.getByRole('main').locator('form');
const light = (page: Page) => page.locator('.form-number');
const number = async (page: Page) => Number(await light(page).locator('b').textContent());

async function signUp(page: Page): Promise<void> {
  await form(page).scrollIntoViewIfNeeded();
  await expect(form(page)).toHaveAttribute('data-hydrated', '');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
  await page.getByRole('textbox', { name: 'Email' }).fill(`rider-${randomUUID()}@example.org`);
  await page.getByRole('checkbox', { name: /Send me the route/ }).check();
  await form(page).getByRole('button').click();
}

test('a new number appears under the confirmation; focus and announcement stay @firefox @lean', async ({ page }) => {
  await openedBefore(page, 5_000);
  await visit(page, '/');
  await signUp(page);
  await expect(light(page)).toBeVisible();
  expect(await number(page)).toBeGreaterThan(FROM);
  // Only the confirmation is announced and focused. The light follows it.
  await expect(page.getByRole('status').filter({ hasText: 'You are on the list' })).not.toContainText('light');
  await expect(page.locator(':focus')).toContainText('You are on the list');
  const kept = () => page.evaluate(() => sessionStorage.getItem('pillion-number'));
  await expect.poll(kept).toBe(String(await number(page)));
});

test('a repeated sign-up keeps its number, and a rejected one gets no number', async ({ startOwnSite }) => {
  const { url } = await startOwnSite({});
  const post = async (id: string, email: string) => {
    const body = new URLSearchParams({
      form_id: '1',
      sign_up_id: id,
      input_1: 'Ada',
      input_2: email,
      'input_3.1': '1',
    });
    body.set('input_3_1', '1');
    const headers = { accept: 'application/json', origin: url };
    return (await fetch(`${url}/api/sign-ups`, { method: 'POST', body, headers })).json();
  };
  const [one, other] = [randomUUID(), randomUUID()];
  const first = await post(one, 'one@example.org');
  expect(first).toMatchObject({ ok: true, number: { number: FROM + 1 } });
  expect(await post(one, 'one@example.org')).toEqual(first);
  // Two tabs at once.
  const [two, again] = await Promise.all([post(other, 'two@example.org'), post(other, 'two@example.org')]);
  expect([two.number.number, again.number.number]).toEqual([FROM + 2, FROM + 2]);
  expect(await post(randomUUID(), 'nothing')).toEqual({
    ok: false,
    errors: expect.any(Object),
    message: expect.any(String),
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the confirmation page shows the number as picture and text, but no forged one @lean', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
    await page.getByRole('textbox', { name: 'Email' }).fill(`rider-${randomUUID()}@example.org`);
    await page.getByRole('checkbox', { name: /Send me the route/ }).check();
    await form(page).getByRole('button').click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(light(page).locator('svg circle').first()).toBeVisible();
    const own = await number(page);
    expect(own).toBeGreaterThan(FROM);
    await page.goto(page.url().replace(/number=\d+/, `number=${own + 1_000}`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(light(page)).toHaveCount(0);
  });
});

/** Records the frames of a joining sequence of the test. */
interface Asked {
  asked: number[];
  endAt: number;
}

const asked = (page: Page) => page.evaluate(() => [...(window as unknown as Asked).asked]);

/** Starts a joining sequence that records each frame, until `endAt` in milliseconds. */
const join = (page: Page, endAt = Number.POSITIVE_INFINITY) =>
  page.evaluate((endAt) => {
    const looking = Object.assign(window as unknown as Asked, { asked: [], endAt });
    const detail = (ms: number) => {
      looking.asked.push(ms);
      return ms < looking.endAt ? { lift: 0.5, flown: 0.5, climbed: 0.5, flare: 2 } : null;
    };
    sessionStorage.setItem('pillion-number', '215');
    dispatchEvent(new CustomEvent('pillion:join', { detail }));
  }, endAt);

/** A small window, because the processor draws here. */
test.describe('in the scene', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(180_000);

  let url = '';
  test.beforeEach(async ({ startOwnSite, page }) => {
    url = (await startOwnSite({ DEBUG: 'true' })).url;
    // The first page after a start may come before the first count.
    await expect.poll(async () => (await fetch(`${url}/`)).text()).toContain('data-sign-ups');
    await page.goto(`${url}/?scene=force`);
    await hydrated(page);
    await expect(canvas(page)).toHaveAttribute('data-drawn', '', { timeout: 90_000 });
  });

  const canvas = (page: Page) => page.locator('[data-scene] canvas');

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

  test('the joining follows the frame loop and ends; a resize does not disturb it', async ({ page }) => {
    await join(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(1);
    await page.setViewportSize({ width: 360, height: 240 });
    const soFar = (await asked(page)).length;
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(soFar);
    const times = await asked(page);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // In one task, so that no frame comes between them.
    await page.evaluate(() => {
      const looking = window as unknown as Asked;
      looking.endAt = 0;
      looking.asked.splice(0);
    });
    await expect.poll(async () => (await asked(page)).length).toBe(1);
    // After the end frames continue, but the joining is no longer called.
    await page.evaluate(async () => {
      for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
    });
    expect((await asked(page)).length).toBe(1);
  });

  test('a page change ends the joining, and Back does not resume it', async ({ page }) => {
    await join(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(0);
    await follow(page, '/privacy-policy/');
    await expect(canvas(page)).toHaveCount(0);
    await page.goBack();
    await expect(canvas(page)).toBeAttached();
    await page.evaluate(() => (window as unknown as Asked).asked.splice(0));
    await page.evaluate(async () => {
      for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
    });
    expect(await asked(page)).toEqual([]);
  });

  test('after a context loss the ride returns and the joining is over', async ({ page }) => {
    await join(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(0);
    await page.evaluate(() => {
      const gl = (document.querySelector('canvas') as HTMLCanvasElement).getContext('webgl2');
      const extension = gl?.getExtension('WEBGL_lose_context');
      Object.assign(window, { extension });
      extension?.loseContext();
    });
    await expect(canvas(page)).not.toHaveAttribute('data-drawn');
    await page.evaluate(() => (window as unknown as { extension: WEBGL_lose_context }).extension.restoreContext());
    await expect(canvas(page)).toHaveAttribute('data-drawn', '', { timeout: 90_000 });
    await page.evaluate(() => (window as unknown as Asked).asked.splice(0));
    await page.evaluate(async () => {
      for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
    });
    expect(await asked(page)).toEqual([]);
  });

  test('asking for calm during the joining returns the view to the road at once and stops it', async ({ page }) => {
    // Reading the size draws the canvas again without advancing time.
    const pixels = () =>
      page.evaluate(() => {
        const scene = document.querySelector('canvas') as HTMLCanvasElement;
        const copy = new OffscreenCanvas(scene.width, scene.height).getContext(
          '2d',
        ) as OffscreenCanvasRenderingContext2D;
        (window as unknown as { ride: { resize(): void } }).ride.resize();
        copy.drawImage(scene, 0, 0);
        return [...copy.getImageData(0, 0, scene.width, scene.height).data];
      });
    await join(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(1);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)).toBe(true);
    const calm = await pixels();
    // A joining that has already ended leaves the same picture.
    await page.evaluate(() => (window as unknown as { ride: { settle(): void } }).ride.settle());
    expect(await pixels()).toEqual(calm);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate(() => (window as unknown as Asked).asked.splice(0));
    await page.evaluate(async () => {
      for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
    });
    expect(await asked(page)).toEqual([]);
  });

  test('in calm mode nothing moves for the joining @lean', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await join(page);
    await page.evaluate(async () => {
      for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
    });
    expect(await asked(page)).toEqual([]);
  });
});
