import type { Page } from '@playwright/test';
import { holdEntry, holdStarterSeconds, waitForPaint } from '../support/driven-time.ts';
import { expect, holdRequests, logRequests, test, waitForScript } from './test.ts';

// Requests of a page before and after its first paint (decision 041).

const ENTRY = /\/assets\/entry\.client-.*\.js/;

/** The chunk with React. */
const REACT = /\/assets\/hydrate-.*\.js/;

/** Files that wait for the first paint: the entry and its chunks, typefaces, other pages. */
const LATER = /\/assets\/(?!starter-)[^/]*\.js|\.woff2|\/api\/page/;

const loader = (page: Page) => page.locator('[data-loader]');

/** The browser never reports a paint. */
const hidePaints = (page: Page) =>
  page.addInitScript(() => {
    const { observe } = PerformanceObserver.prototype;
    PerformanceObserver.prototype.observe = function (options) {
      if (options?.type !== 'paint') observe.call(this, options);
    };
  });

/** The test decides when 3 s have passed. */
const holdLatest = (page: Page) =>
  page.addInitScript(() => {
    const { setTimeout: later } = window;
    const held: (() => void)[] = [];
    Object.assign(window, { held });
    window.setTimeout = ((work: () => void, ms = 0) => (ms === 3_000 ? held.push(work) : later(work, ms))) as never;
  });

for (const path of ['/', '/privacy-policy/'])
  test(`until ${path} is painted, it requests only what the paint needs${path === '/' ? ' @firefox @lean' : ''}`, async ({
    page,
  }) => {
    await page.goto(path);
    await waitForScript(page);
    const asked = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      resources: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
    }));
    const later = asked.resources.filter(({ name }) => LATER.test(name));
    expect(later.filter(({ name }) => ENTRY.test(name))).toHaveLength(1);
    // NaN without a paint: the comparison then fails.
    expect(later.filter(({ startTime }) => !(startTime >= asked.painted))).toEqual([]);
  });

test('a picture in the first view of a page to read is requested before the styles arrive @firefox @lean', async ({
  page,
}) => {
  const release = await holdRequests(page, /\.css$/);
  const asked = page.waitForRequest(/\/media\//);
  await page.goto('/paper-notes/', { waitUntil: 'commit' });
  expect((await asked).resourceType()).toBe('image');
  release();
});

test('the document has one script and no preloads @lean', async ({ request }) => {
  const html = await (await request.get('/')).text();
  const scripts = html.match(/<script(?! type="application)[^>]*>/g);
  expect(scripts).toHaveLength(1);
  expect(scripts?.[0]).toMatch(/src="\/assets\/starter-/);
  expect(html).not.toMatch(/rel="(?:module)?preload"/);
});

test('the first paint requests the entry, not a timer @lean', async ({ page }) => {
  // The clock is paused, so no timer of the page fires.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const asked = page.waitForRequest(ENTRY);
  await page.goto('/', { waitUntil: 'commit' });
  await asked;
});

test('if the browser reports no paint, the entry is requested after 3 s @firefox @lean', async ({ page }) => {
  await hidePaints(page);
  await holdLatest(page);
  const asked = logRequests(page, ENTRY);
  await page.goto('/');
  const isAsked = () => asked.length > 0;
  await expect.poll(() => page.evaluate(() => (window as unknown as { held: unknown[] }).held.length)).toBe(1);
  // The page is painted by now.
  await waitForPaint(page);
  expect(isAsked()).toBe(false);
  await page.evaluate(() => (window as unknown as { held: (() => void)[] }).held[0]?.());
  await expect.poll(isAsked).toBe(true);
});

test('a page opened at a hash gets its entry too @firefox', async ({ page }) => {
  await hidePaints(page);
  await holdLatest(page);
  const asked = page.waitForRequest(ENTRY);
  await page.goto('/#form', { waitUntil: 'commit' });
  await asked;
});

for (const [name, file] of [
  ['the entry', ENTRY],
  ['React', REACT],
] as const)
  test(`the loader leaves while ${name} still loads, and the shell’s parts slide in with it @firefox @lean`, async ({
    page,
  }) => {
    await holdStarterSeconds(page);
    await holdEntry(page);
    const release = await holdRequests(page, file);
    // Firefox delays the load event for it.
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await expect(page.locator('html')).toHaveAttribute('data-let-in', '');
    await expect(loader(page)).toBeHidden();
    await expect(page.locator('html')).toHaveAttribute('data-stage', 'waiting');
    // R14: the visitor can scroll.
    await expect(page.locator('html')).not.toHaveCSS('overflow', /hidden/);
    const logo = page.getByRole('banner').locator('[data-entry="0"]');
    await expect(logo).toHaveCSS('opacity', '0');
    await page.evaluate(() => {
      const seen: (number | undefined)[] = [];
      Object.assign(window, { seen });
      const look = () => {
        const element = document.querySelector('[data-loader]');
        if (element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) seen.push(performance.now());
        requestAnimationFrame(look);
      };
      look();
    });
    release();
    await waitForScript(page);
    await expect(logo).toHaveCSS('animation-name', 'slide-up');
    await expect(loader(page)).toHaveCount(0);
    expect(await page.evaluate(() => (window as unknown as { seen: number[] }).seen)).toEqual([]);
  });

test('R13: after a reload the loader waits for the entry, which scrolls the page to the top', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await waitForScript(page);
  const release = await holdRequests(page, ENTRY);
  await page.reload({ waitUntil: 'commit' });
  // Everything that the loader waits for is there, and the time has passed.
  await expect(page.locator('html')).toHaveAttribute('data-typed', '');
  await page.evaluate(() => document.querySelector<HTMLImageElement>('[data-scene] img')?.decode());
  await page.clock.runFor(1_000);
  await expect(loader(page)).toHaveCSS('opacity', '1');
  release();
  await waitForScript(page);
});
