import { holdDeadline } from '@pillion/tests/driven-time.ts';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, follow, hydrated, test, visit } from './test.ts';

const CHUNK = /\/assets\/scene-/;
/** The chunk that checks whether to fetch the scene. */
const PROBE = /\/assets\/probe-/;
const canvas = (page: Page) => page.locator('[data-scene] canvas');
const poster = (page: Page) => page.locator('[data-scene] img');

/** Calls to WebGL, counted outside the scene's code. */
interface Counts {
  contexts: number;
  draws: number;
}

/** Data of the tests in the page, and the handle of the forced scene. */
interface Looking {
  ride: {
    setProgress(progress: number): void;
    renderAt(seconds: number, intro: number): void;
    still(still: { width: number; height: number; seconds: number; progress: number; rider?: boolean }): void;
  };
  looks: Record<string, Uint8ClampedArray>;
}

const counts = (page: Page) => page.evaluate(() => (window as unknown as { counts: Counts }).counts);

/** Counts contexts, and draws of the land, one per frame. */
const count = (page: Page) =>
  page.addInitScript(() => {
    const counts: Counts = { contexts: 0, draws: 0 };
    Object.assign(window, { counts, looks: {} });
    const open = HTMLCanvasElement.prototype.getContext;
    const drawElements = WebGL2RenderingContext.prototype.drawElements;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: Parameters<typeof open>) {
      if (args[0] === 'webgl2') counts.contexts += 1;
      return open.apply(this, args);
    } as typeof open;
    WebGL2RenderingContext.prototype.drawElements = function (...args) {
      counts.draws += 1;
      drawElements.apply(this, args);
    };
  });

/** Number of draws during `frames` frames of the page. */
const drawsDuring = (page: Page, frames = 30) =>
  page.evaluate(async (frames) => {
    const { counts } = window as unknown as { counts: Counts };
    const before = counts.draws;
    for (let i = 0; i < frames; i++) await new Promise(requestAnimationFrame);
    return counts.draws - before;
  }, frames);

const chunksAsked = (page: Page, chunk = CHUNK) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (chunk.test(request.url())) asked.push(request.url());
  });
  return asked;
};

/** Simulates a GPU: the probe's worker reports one. This machine has no GPU. */
const pretendGpu = (page: Page) =>
  page.addInitScript(() => {
    window.Worker = class extends EventTarget {
      onmessage?: (event: MessageEvent<boolean>) => void;
      terminate() {}
      constructor() {
        super();
        queueMicrotask(() => this.onmessage?.(new MessageEvent('message', { data: true })));
      }
    } as unknown as typeof Worker;
  });

/** The page opens, shows the poster, scrolls and navigates. */
async function expectWholePage(page: Page) {
  await hydrated(page);
  await expect(canvas(page)).toHaveCount(0);
  await expect(poster(page)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 1500));
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
}

test('R44: with a GPU, a page with a hero fetches the scene after its first paint @phone @firefox @lean', async ({
  page,
}) => {
  await pretendGpu(page);
  const asked = chunksAsked(page);
  const response = await page.goto('/');
  await expect.poll(() => asked.length).toBe(1);
  expect(await response?.text()).not.toContain('scene-');
  const times = () =>
    page.evaluate(() => ({
      asked: performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/scene-'))?.startTime,
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    }));
  await expect.poll(async () => (await times()).asked).toBeDefined();
  const { asked: at, painted } = await times();
  expect(at).toBeGreaterThan(painted);
});

test('R44: a page without a hero never fetches the scene, a later one with a hero does', async ({ page }) => {
  await pretendGpu(page);
  const asked = chunksAsked(page, /\/assets\/(?:scene|probe)-/);
  await visit(page, '/privacy-policy/');
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
  await page.getByRole('banner').locator('a[href="/"]').click();
  await expect(page.locator('[data-scene]')).toBeAttached();
  await expect.poll(() => asked.some((url) => CHUNK.test(url))).toBe(true);
});

// Playwright cannot emulate calm or forced colours in this Firefox (WebDriver BiDi).
for (const [who, contextOptions, prepare] of [
  ['a visitor who saves data', {}, () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } })],
  ['a visitor who asked for calm', { reducedMotion: 'reduce' }, () => {}],
  ['a visitor with forced colours', { forcedColors: 'active' }, () => {}],
  ['a browser without WebGL2 @firefox', {}, () => Reflect.deleteProperty(globalThis, 'WebGL2RenderingContext')],
] as const)
  test.describe(who, () => {
    test.use({ contextOptions });

    test('R44: fetches no scene and checks no GPU', async ({ page }) => {
      // A GPU that could draw it.
      await pretendGpu(page);
      const asked = chunksAsked(page, /\/assets\/(?:scene|probe)-/);
      await page.addInitScript(prepare);
      await visit(page, '/');
      await page.waitForLoadState('networkidle');
      expect(asked).toEqual([]);
      await expect(canvas(page)).toHaveCount(0);
    });
  });

test.describe('without a GPU', () => {
  test('the poster stays, no scene is fetched, and the page opens no context @phone @firefox @essential', async ({
    page,
  }) => {
    await count(page);
    const asked = chunksAsked(page);
    const asking = page.waitForEvent('worker');
    await page.goto('/');
    const worker = await asking;
    // The worker ends after its answer.
    await expect.poll(() => page.workers().includes(worker)).toBe(false);
    await page.waitForLoadState('networkidle');
    await expectWholePage(page);
    expect(await counts(page)).toEqual({ contexts: 0, draws: 0 });
    expect(asked).toEqual([]);
  });

  test('the check does not block the thread for 50 ms @figure', async ({ page, browserName }) => {
    test.skip(browserName !== 'chromium', 'only Chromium reports long frames');
    await page.addInitScript(() => {
      const blocked: string[] = [];
      Object.assign(window, { blocked });
      new PerformanceObserver((list) => {
        for (const { scripts } of list.getEntries() as (PerformanceEntry & {
          scripts: { sourceURL: string; duration: number }[];
        })[])
          for (const { sourceURL, duration } of scripts)
            if (/\/assets\/(?:scene|probe)-/.test(sourceURL) && duration > 50)
              blocked.push(`${sourceURL}: ${duration} ms`);
      }).observe({ type: 'long-animation-frame', buffered: true });
    });
    await visit(page, '/');
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => (window as unknown as { blocked: string[] }).blocked)).toEqual([]);
  });

  for (const [name, chunk] of [
    ['the scene', CHUNK],
    ['its probe', PROBE],
  ] as const)
    test(`without ${name}, its failure opens the page, not the deadline`, async ({ page }) => {
      await pretendGpu(page);
      // Only the failure can open the page.
      await holdDeadline(page);
      const asked = chunksAsked(page, chunk);
      await page.route(chunk, (route) => route.fulfill({ status: 404 }));
      await page.goto('/');
      await expectWholePage(page);
      expect(asked.length).toBeGreaterThan(0);
    });
});

/** A small window, because the processor draws here. The site allows forcing the scene. */
test.describe('the scene, drawn on any GPU', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(120_000);

  let url = '';
  test.beforeEach(async ({ startOwnSite, page }) => {
    url = (await startOwnSite({ DEBUG: 'true' })).url;
    await count(page);
  });

  async function open(page: Page) {
    await page.goto(`${url}/?scene=force`);
    await hydrated(page);
    await expect(canvas(page)).toHaveAttribute('data-drawn', '', { timeout: 60_000 });
  }

  /** Draws a moment of the ride into a separate canvas and reads its pixels. All values are 0..255. */
  const look = (page: Page, name: string, progress: number, seconds = 0, intro = 1) =>
    page.evaluate(
      ({ name, progress, seconds, intro }) => {
        const { ride, looks } = window as unknown as Looking;
        const scene = document.querySelector('canvas') as HTMLCanvasElement;
        ride.setProgress(progress);
        ride.renderAt(seconds, intro);
        const { width, height } = scene;
        const copy = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
        copy.drawImage(scene, 0, 0);
        const pixels = copy.getImageData(0, 0, width, height).data;
        looks[name] = pixels;
        const mean = (which: number) => {
          let sum = 0;
          for (let i = which; i < pixels.length; i += 4) sum += pixels[i] ?? 0;
          return sum / (width * height);
        };
        const [red, green, blue] = [mean(0), mean(1), mean(2)];
        let spread = 0;
        for (let i = 1; i < pixels.length; i += 4) spread += Math.abs((pixels[i] ?? 0) - green);
        return { red, blue, light: (red + green + blue) / 3, spread: spread / (width * height) };
      },
      { name, progress, seconds, intro },
    );

  /** Mean difference of two pictures over all pixels and channels. */
  const difference = (page: Page, one: string, other: string) =>
    page.evaluate(
      ([one, other]) => {
        const { looks } = window as unknown as Looking;
        const a = looks[one] as Uint8ClampedArray;
        const b = looks[other] as Uint8ClampedArray;
        return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / (a.length * 0.75);
      },
      [one, other] as const,
    );

  test('R44: the scene is a picture, differs at night, and its hour follows the page', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    const gold = await look(page, 'gold', 0);
    const night = await look(page, 'night', 1);
    expect(gold.spread).toBeGreaterThan(15);
    expect(night.spread).toBeGreaterThan(3);
    expect(await difference(page, 'gold', 'night')).toBeGreaterThan(20);
    expect(gold.light).toBeGreaterThan(night.light * 2);
    expect(gold.red).toBeGreaterThan(gold.blue);
    expect(night.blue).toBeGreaterThan(night.red);
  });

  test('the opening begins in the dark and spreads from the sun', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    const dark = await look(page, 'dark', 0, 0, 0);
    const half = await look(page, 'half', 0, 0, 0.35);
    const opened = await look(page, 'open', 0, 0, 1);
    expect(dark.light).toBeLessThan(8);
    expect(half.light).toBeGreaterThan(dark.light + 5);
    expect(opened.light).toBeGreaterThan(half.light + 5);
  });

  test('the end of the tile is invisible: the places before and after it look the same', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    // 1,536 m at 13 m/s. Effects by time only (grain) differ slightly.
    await look(page, 'before', 0, 1536 / 13 - 0.001);
    await look(page, 'after', 0, 1536 / 13 + 0.001);
    await look(page, 'elsewhere', 0, 40);
    expect(await difference(page, 'before', 'after')).toBeLessThan(5);
    expect(await difference(page, 'before', 'elsewhere')).toBeGreaterThan(8);
  });

  test('a still has the requested size and the same pixels each time, with the rider or without', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    const still = (rider: boolean) =>
      page.evaluate((rider) => {
        const { ride } = window as unknown as Looking;
        const scene = document.querySelector('canvas') as HTMLCanvasElement;
        ride.still({ width: 200, height: 300, seconds: 30, progress: 1, rider });
        return { size: [scene.width, scene.height], picture: scene.toDataURL() };
      }, rider);
    const first = await still(true);
    const empty = await still(false);
    expect(first.size).toEqual([200, 300]);
    expect(empty.picture).not.toBe(first.picture);
    expect(await still(true)).toEqual(first);
  });

  for (const [screen, size, isSmooth] of [
    ['a large screen draws the fine picture, its edges smoothed', { width: 640, height: 600 }, true],
    ['a phone draws the lean picture, its edges as they are', { width: 300, height: 500 }, false],
  ] as const)
    test(screen, async ({ page }) => {
      await page.setViewportSize(size);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.addInitScript(() => {
        const { shaderSource } = WebGL2RenderingContext.prototype;
        Object.assign(window, { sources: '' });
        WebGL2RenderingContext.prototype.shaderSource = function (shader, source) {
          (window as unknown as { sources: string }).sources += source;
          shaderSource.call(this, shader, source);
        };
      });
      await open(page);
      const drawn = await page.evaluate(() => ({
        isSmooth: document.querySelector('canvas')?.getContext('webgl2')?.getContextAttributes()?.antialias,
        isLean: (window as unknown as { sources: string }).sources.includes('#define LEAN'),
      }));
      expect(drawn).toEqual({ isSmooth, isLean: !isSmooth });
    });

  test('the scene runs while the hero is visible and pauses when sections cover it', async ({ page }) => {
    await open(page);
    await expect(canvas(page)).toHaveAttribute('aria-hidden', 'true');
    expect(await drawsDuring(page, 5)).toBeGreaterThan(2);
    await page.evaluate(() => scrollTo({ top: innerHeight * 1.5, behavior: 'instant' }));
    await expect.poll(() => drawsDuring(page), { timeout: 30_000 }).toBe(0);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await expect.poll(() => drawsDuring(page, 5), { timeout: 30_000 }).toBeGreaterThan(2);
  });

  test('calm: the scene is one still, drawn again only for another size', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    await expect.poll(() => drawsDuring(page)).toBe(0);
    const { draws } = await counts(page);
    await page.setViewportSize({ width: 300, height: 260 });
    await expect.poll(async () => (await counts(page)).draws).toBeGreaterThan(draws);
    await expect.poll(() => drawsDuring(page)).toBe(0);
    // The picture is not the dark beginning of the opening.
    const shown = await page.screenshot();
    expect(shown.length).toBeGreaterThan(20_000);
  });

  test('after a context loss the poster shows, and after its return the scene', async ({ page }) => {
    await open(page);
    const extension = await page.evaluateHandle(() =>
      document.querySelector('canvas')?.getContext('webgl2')?.getExtension('WEBGL_lose_context'),
    );
    await extension.evaluate((lose) => lose?.loseContext());
    await expect(canvas(page)).not.toHaveAttribute('data-drawn');
    await expect(canvas(page)).toHaveCSS('opacity', '0');
    await expect.poll(() => drawsDuring(page)).toBe(0);
    await expect(poster(page)).toBeVisible();
    await extension.evaluate((lose) => lose?.restoreContext());
    await expect(canvas(page)).toHaveAttribute('data-drawn', '', { timeout: 60_000 });
    await expect.poll(() => drawsDuring(page, 5), { timeout: 30_000 }).toBeGreaterThan(2);
  });

  test('a shader that the driver rejects leaves the poster, with one warning', async ({ page }) => {
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning' && message.text().includes('scene')) warnings.push(message.text());
    });
    await page.addInitScript(() => {
      const { shaderSource } = WebGL2RenderingContext.prototype;
      WebGL2RenderingContext.prototype.shaderSource = function (shader, source) {
        shaderSource.call(this, shader, source.replace('void main', 'void nobody'));
      };
    });
    await page.goto(`${url}/?scene=force`);
    await hydrated(page);
    await expect(canvas(page)).toHaveCSS('opacity', '0');
    await expect(poster(page)).toBeVisible();
    await expect.poll(() => warnings.length).toBe(1);
  });

  test('without a context on the page the poster stays', async ({ page }) => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(`${url}/?scene=force`);
    await expectWholePage(page);
  });

  test('the scene cannot be forced without DEBUG', async ({ page }) => {
    await visit(page, '/?scene=force');
    await expectWholePage(page);
  });

  test('R1, R44: over 50 page changes there is one canvas, one context, one opening, and stable memory', async ({
    page,
    context,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    const leave = async () => {
      await follow(page, '/privacy-policy/');
      await expect(page.locator('[data-scene]')).toHaveCount(0);
      expect(await page.locator('canvas').count()).toBe(0);
    };
    const comeBack = async () => {
      await follow(page, '/');
      await expect(canvas(page)).toHaveAttribute('data-drawn', '');
      expect(await page.locator('canvas').count()).toBe(1);
    };
    const figures = await measure(context, page);
    const rounds = async (times: number) => {
      for (let i = 0; i < times; i++) {
        await leave();
        await comeBack();
      }
    };
    await rounds(5);
    const before = await figures();
    await rounds(25);
    const after = await figures();
    expect((await counts(page)).contexts).toBe(1);
    expect(before.listeners).toBe(1);
    expect(after.listeners).toBe(1);
    expect(after.heap - before.heap).toBeLessThan(1_000_000);
  });
});

/** @returns Heap size after a collection in bytes, and number of pointer listeners on the window. */
async function measure(context: BrowserContext, page: Page) {
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  return async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await cdp.send('Performance.getMetrics');
    const { result } = await cdp.send('Runtime.evaluate', {
      expression: 'getEventListeners(window).pointermove?.length ?? 0',
      includeCommandLineAPI: true,
    });
    return {
      heap: metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0,
      listeners: result.value as number,
    };
  };
}
