import type { Page } from '@playwright/test';
import {
  holdAnimations,
  holdDeadline,
  passDeadline,
  readDeadlines,
  readDurations,
  seekAnimations,
  waitForPaint,
} from '../support/driven-time.ts';
import { expect, holdRequests, loadReact, test, visitPage, waitForScript } from './test.ts';

const loader = (page: Page) => page.locator('[data-loader]');
const POSTER = /\/media\/hero/;

/** Keeps the poster from arriving: the stage waits. @returns Lets it arrive. */
const holdPoster = (page: Page) => holdRequests(page, POSTER);

/** One look at the loader; `null` once it has left the document. */
interface Look {
  stage: string | undefined;
  opacity: number | null;
}

/** Looks at the loader in every frame from the first one on. */
const recordLoader = (page: Page) =>
  page.addInitScript(() => {
    const looks: Look[] = [];
    Object.assign(window, { looks });
    const look = () => {
      const element = document.querySelector('[data-loader]');
      looks.push({
        stage: document.documentElement?.dataset.stage,
        opacity: element ? Number(getComputedStyle(element).opacity) : null,
      });
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
const looksAt = (page: Page) => page.evaluate(() => (window as unknown as { looks: Look[] }).looks);

const opacity = (page: Page) => loader(page).evaluate((element) => Number(getComputedStyle(element).opacity));

/** The parts at the first frame of `stage`, or now. */
const entries = (page: Page, stage?: string) =>
  page.evaluate(async (stage) => {
    while (stage && document.documentElement.dataset.stage !== stage) await new Promise(requestAnimationFrame);
    return (
      [...document.querySelectorAll('[data-entry]')]
        // Parts for small screens only are not drawn here.
        .filter((element) => element.checkVisibility())
        .map((element) => {
          const { animationName, animationDelay, animationDuration, opacity } = getComputedStyle(element);
          const ms = (seconds: string) => Math.round(Number.parseFloat(seconds) * 1000);
          return {
            name: animationName === 'none' ? null : animationName,
            delay: ms(animationDelay),
            duration: ms(animationDuration),
            opacity: Number(opacity),
          };
        })
    );
  }, stage);

test.describe('R9, R40: the loader', () => {
  test('is complete until the hero can play, then fades over 1000 ms, passes clicks on, and leaves @firefox @essential', async ({
    page,
  }) => {
    await holdDeadline(page);
    await holdAnimations(page, '[data-loader]');
    await recordLoader(page);
    const release = await holdPoster(page);
    await page.goto('/', { waitUntil: 'commit' });
    await expect(loader(page)).toHaveCSS('opacity', '1');
    // The stage decides: before the entry runs, the starter would let the visitor in.
    await expect.poll(() => readDeadlines(page)).toHaveLength(1);
    await waitForPaint(page);
    release();
    await waitForScript(page);
    const waiting = (await looksAt(page)).filter(({ stage, opacity }) => stage === 'waiting' && opacity !== null);
    expect(waiting.length).toBeGreaterThan(0);
    expect(new Set(waiting.map(({ opacity }) => opacity))).toEqual(new Set([1]));
    expect(await readDurations(page)).toEqual([1_000]);
    // Neither cut off at once nor left standing until the end: most of it early, so that the page is seen soon.
    for (const [ms, least, most] of [
      [0, 1, 1],
      [100, 0.65, 0.85],
      [250, 0.4, 0.6],
      [500, 0.15, 0.3],
      [990, 0.000_01, 0.01],
    ] as const) {
      await seekAnimations(page, ms);
      const left = await opacity(page);
      expect(left, `after ${ms} ms`).toBeGreaterThanOrEqual(least);
      expect(left, `after ${ms} ms`).toBeLessThanOrEqual(most);
      const isHit = await loader(page).evaluate((loader) =>
        loader.contains(document.elementFromPoint(innerWidth / 2, innerHeight / 2)),
      );
      expect(isHit, `after ${ms} ms`).toBe(false);
    }
    await seekAnimations(page, 'end');
    await expect(loader(page)).toHaveCount(0);
  });

  test('shows the brand, the headline, which screen readers get once, and the loading progress @firefox @lean', async ({
    page,
  }) => {
    await holdDeadline(page);
    const release = await holdPoster(page);
    const progress = () => loader(page).evaluate((element) => getComputedStyle(element).getPropertyValue('--progress'));
    await page.goto('/', { waitUntil: 'commit' });
    await expect(loader(page)).toContainText('Read the first page');
    await expect(loader(page).locator('svg')).toBeVisible();
    await expect(loader(page)).toHaveAttribute('aria-hidden', 'true');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    // One or two of three parts have loaded: type, scene, and the delayed poster.
    await expect.poll(async () => Number(await progress())).toBeGreaterThan(0.3);
    expect(Number(await progress())).toBeLessThan(0.7);
    release();
    // It was the poster that it waited for: the deadline does not pass here.
    await waitForScript(page);
  });

  test('the loader waits at most 4 s for a part that does not load @lean', async ({ page }) => {
    await holdDeadline(page);
    await holdPoster(page);
    await page.goto('/', { waitUntil: 'commit' });
    await expect.poll(() => readDeadlines(page)).toEqual([4_000]);
    await waitForPaint(page);
    await expect(page.locator('html')).toHaveAttribute('data-stage', 'waiting');
    await passDeadline(page);
    await waitForScript(page);
    await expect(loader(page)).toHaveCount(0);
  });

  test('opens at once when a part fails @lean', async ({ page }) => {
    // Its failure opens the page: the deadline does not pass here.
    await holdDeadline(page);
    await page.route(POSTER, (route) => route.fulfill({ status: 404 }));
    await visitPage(page, '/');
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  });

  test('is absent on a page without a hero, which waits for nothing @lean', async ({ page }) => {
    await recordLoader(page);
    await visitPage(page, '/privacy-policy/');
    expect((await looksAt(page)).every(({ opacity }) => opacity === null)).toBe(true);
  });

  test('does not return if the visitor left before the hero could play', async ({ page }) => {
    await holdDeadline(page);
    await holdPoster(page);
    await page.goto('/', { waitUntil: 'commit' });
    await expect(page.locator('html')).toHaveAttribute('data-hydrated', '');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    // The poster also holds the load event of the document.
    await page.goBack({ waitUntil: 'commit' });
    await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
    await expect(loader(page)).toHaveCount(0);
  });

  test('R39: neither the loader nor the entry animation returns after a link or Back @firefox @lean', async ({
    page,
  }) => {
    await visitPage(page, '/privacy-policy/');
    // A link followed before React is there loads the page, with its loader.
    await loadReact(page);
    await expect.poll(async () => (await entries(page)).every(({ opacity }) => opacity === 1)).toBe(true);
    await page.evaluate(() => {
      Object.assign(window, { seen: 0 });
      new MutationObserver(() => {
        if (document.querySelector('[data-loader]')) (window as unknown as { seen: number }).seen += 1;
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole('banner').getByRole('link', { name: 'Example' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Join The List' })).toBeVisible();
    expect((await entries(page)).filter(({ name }) => name !== null)).toEqual([]);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    await page.goForward();
    await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
    expect(await page.evaluate(() => (window as unknown as { seen: number }).seen)).toBe(0);
    await expect(page.locator('html')).toHaveAttribute('data-stage', 'playing');
  });
});

test('R9: the largest paint is the page’s text, during the loader', async ({ page }) => {
  await holdDeadline(page);
  const release = await holdPoster(page);
  await page.goto('/', { waitUntil: 'commit' });
  const largest = () =>
    page.evaluate(
      () =>
        new Promise<{ text: string | null; at: number }>((resolve) =>
          new PerformanceObserver((list) => {
            const last = list.getEntries().at(-1) as PerformanceEntry & { element: Element | null };
            resolve({ text: last.element?.textContent ?? null, at: last.startTime });
          }).observe({ type: 'largest-contentful-paint', buffered: true }),
        ),
    );
  await expect.poll(async () => (await largest()).text).toContain('Read the first page');
  await expect(page.locator('html')).toHaveAttribute('data-stage', 'waiting');
  release();
  await expect(loader(page)).toHaveCount(0);
});

test('a visitor who uses the keyboard sees the page, not the loader @firefox', async ({ page }) => {
  await holdDeadline(page);
  await holdPoster(page);
  // Whole, but for the poster: Firefox drops a key that comes while it still builds the page.
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await expect(loader(page)).toHaveCSS('opacity', '1');
  await page.keyboard.press('Tab');
  await expect(page.locator('a[href="#main"]')).toBeFocused();
  await expect(loader(page)).toHaveCSS('opacity', '0');
});

test.describe('R39: entry', () => {
  test('the shell’s parts wait until the hero can play, then slide in one after the other @firefox @timelines @lean', async ({
    page,
  }) => {
    await holdDeadline(page);
    const release = await holdPoster(page);
    await page.goto('/', { waitUntil: 'commit' });
    await expect.poll(async () => (await entries(page)).map(({ opacity }) => opacity)).toContain(0);
    expect(new Set((await entries(page)).map(({ opacity }) => opacity))).toEqual(new Set([0]));
    // The styles of the movement are gone 2.5 s later.
    const begun = entries(page, 'playing');
    release();
    const moving = await begun;
    // Logo, join, colophon, legal and social at the least.
    expect(moving.length).toBeGreaterThanOrEqual(5);
    expect(moving.every(({ name, duration }) => name === 'slide-up' && duration === 1_200)).toBe(true);
    const delays = [...new Set(moving.map(({ delay }) => delay))].toSorted((a, b) => a - b);
    expect(delays.slice(0, 4)).toEqual([900, 990, 1_080, 1_170]);
    // Nothing of the header is there before the rest of it.
    expect(await page.locator('header > :is(a, nav):not([data-entry])').count()).toBe(0);
    await expect.poll(async () => (await entries(page)).every(({ opacity }) => opacity === 1)).toBe(true);
  });

  test('calm: all parts are in place at once, and the loader only fades @lean', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await visitPage(page, '/');
    expect((await entries(page)).every(({ name, opacity }) => name === null && opacity === 1)).toBe(true);
    await expect(loader(page)).toHaveCount(0);
  });
});
