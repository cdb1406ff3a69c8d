import { holdDeadline } from '@pillion/tests/driven-time.ts';
import type { Page } from '@playwright/test';
import { canvas, expect, followLink, logRequests, test, visitPage, waitForScript } from './test.ts';

const CHUNK = /\/assets\/scene-/;
/** The chunk that checks whether to fetch the scene. */
const PROBE = /\/assets\/probe-/;
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
  };
  brightness(): number;
}

const counts = (page: Page) => page.evaluate(() => (window as unknown as { counts: Counts }).counts);

/** Counts contexts, and draws of the land, one per frame. */
const count = (page: Page) =>
  page.addInitScript(() => {
    const counts: Counts = { contexts: 0, draws: 0 };
    Object.assign(window, { counts });
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

/** Adds `brightness`: the mean of all channels of the frame that was drawn in this task, 0..255. */
const measure = (page: Page) =>
  page.addInitScript(() => {
    const brightness = () => {
      const scene = document.querySelector('canvas') as HTMLCanvasElement;
      const { width, height } = scene;
      const copy = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
      copy.drawImage(scene, 0, 0);
      const colours = copy.getImageData(0, 0, width, height).data.filter((_, at) => at % 4 !== 3);
      return colours.reduce((sum, value) => sum + value, 0) / colours.length;
    };
    Object.assign(window, { brightness });
  });

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
  await waitForScript(page);
  await expect(canvas(page)).toHaveCount(0);
  await expect(poster(page)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 1500));
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
}

test('R44: with a GPU, a page with a hero fetches the scene after its first paint @phone @firefox @lean', async ({
  page,
}) => {
  await pretendGpu(page);
  const asked = logRequests(page, CHUNK);
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
  const asked = logRequests(page, /\/assets\/(?:scene|probe)-/);
  await visitPage(page, '/privacy-policy/');
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
      const asked = logRequests(page, /\/assets\/(?:scene|probe)-/);
      await page.addInitScript(prepare);
      await visitPage(page, '/');
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
    const asked = logRequests(page, CHUNK);
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
    await visitPage(page, '/');
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
      const asked = logRequests(page, chunk);
      await page.route(chunk, (route) => route.fulfill({ status: 404 }));
      await page.goto('/');
      await expectWholePage(page);
      expect(asked.length).toBeGreaterThan(0);
    });
});

/** A small window, because the processor draws here. */
test.describe('the scene, drawn on any GPU', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(120_000);

  test.beforeEach(({ page }) => count(page));

  test('the opening begins in the dark and spreads from the sun', async ({ page, openScene }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await measure(page);
    await openScene(page);
    const lightAt = (intro: number) =>
      page.evaluate((intro) => {
        const { ride, brightness } = window as unknown as Looking;
        ride.setProgress(0);
        ride.renderAt(0, intro);
        return brightness();
      }, intro);
    const [dark, half, opened] = [await lightAt(0), await lightAt(0.35), await lightAt(1)];
    expect(dark).toBeLessThan(8);
    expect(half).toBeGreaterThan(dark + 5);
    expect(opened).toBeGreaterThan(half + 5);
  });

  for (const [screen, size, isSmooth] of [
    ['a large screen draws the fine picture, its edges smoothed', { width: 640, height: 600 }, true],
    ['a phone draws the lean picture, its edges as they are', { width: 300, height: 500 }, false],
  ] as const)
    test(screen, async ({ page, openScene }) => {
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
      await openScene(page);
      const drawn = await page.evaluate(() => ({
        isSmooth: document.querySelector('canvas')?.getContext('webgl2')?.getContextAttributes()?.antialias,
        isLean: (window as unknown as { sources: string }).sources.includes('#define LEAN'),
      }));
      expect(drawn).toEqual({ isSmooth, isLean: !isSmooth });
    });

  test('the scene runs while the hero is visible and pauses when sections cover it', async ({ page, openScene }) => {
    await openScene(page);
    await expect(canvas(page)).toHaveAttribute('aria-hidden', 'true');
    expect(await drawsDuring(page, 5)).toBeGreaterThan(2);
    await page.evaluate(() => scrollTo({ top: innerHeight * 1.5, behavior: 'instant' }));
    await expect.poll(() => drawsDuring(page), { timeout: 30_000 }).toBe(0);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await expect.poll(() => drawsDuring(page, 5), { timeout: 30_000 }).toBeGreaterThan(2);
  });

  test('calm: the scene is one still, drawn again only for another size', async ({ page, openScene }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openScene(page);
    await expect.poll(() => drawsDuring(page)).toBe(0);
    const { draws } = await counts(page);
    await page.setViewportSize({ width: 300, height: 260 });
    await expect.poll(async () => (await counts(page)).draws).toBeGreaterThan(draws);
    await expect.poll(() => drawsDuring(page)).toBe(0);
    // The picture is not the dark beginning of the opening.
    const shown = await page.screenshot();
    expect(shown.length).toBeGreaterThan(20_000);
  });

  test('motion that is switched off during the opening leaves a still in full light', async ({ page, openScene }) => {
    await measure(page);
    await openScene(page);
    const [opening, still] = await page.evaluate(() => {
      const { ride, brightness } = window as unknown as Looking;
      ride.renderAt(0, 0);
      const dark = brightness();
      dispatchEvent(new StorageEvent('storage', { key: 'motion', newValue: 'reduced' }));
      return [dark, brightness()];
    });
    expect(opening).toBeLessThan(8);
    expect(still).toBeGreaterThan(20);
  });

  test('after a zoom of the browser the scene has as many pixels as before', async ({ page, openScene }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openScene(page);
    const cdp = await page.context().newCDPSession(page);
    const zoomed = { width: 160, height: 120, deviceScaleFactor: 1.5, mobile: false };
    await cdp.send('Emulation.setDeviceMetricsOverride', zoomed);
    const size = () => canvas(page).evaluate(({ width, height }: HTMLCanvasElement) => [width, height]);
    await expect.poll(size).toEqual([240, 180]);
  });

  test('WCAG 2.2.2: the switch for motion stops the scene’s frames, and continues them', async ({
    page,
    openScene,
  }) => {
    // Wide enough for a footer that shows the switch.
    await page.setViewportSize({ width: 1024, height: 240 });
    await openScene(page);
    const motion = page.getByRole('contentinfo').getByRole('button', { name: 'motion', exact: true });
    await expect.poll(() => drawsDuring(page, 5), { timeout: 60_000 }).toBeGreaterThan(0);
    await motion.click();
    await expect(motion).toHaveAttribute('aria-pressed', 'false');
    expect(await drawsDuring(page, 20)).toBe(0);
    await motion.click();
    await expect.poll(() => drawsDuring(page, 5), { timeout: 60_000 }).toBeGreaterThan(0);
  });

  test('WCAG 2.2.2: after a page change and Back the switch for motion is shown with the scene', async ({
    page,
    openScene,
  }) => {
    await page.setViewportSize({ width: 1024, height: 240 });
    await openScene(page);
    const motion = page.getByRole('contentinfo').getByRole('button', { name: 'motion', exact: true });
    await expect(motion).toBeVisible();
    await followLink(page, '/privacy-policy/');
    await expect(motion).toHaveCount(0);
    await page.goBack();
    await expect(canvas(page)).toHaveAttribute('data-drawn', '');
    await expect(motion).toHaveAttribute('aria-pressed', 'true');
  });

  test('a shader that the driver rejects leaves the poster, with one warning', async ({ page, forcing }) => {
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
    await page.goto(`${forcing.url}/?scene=force`);
    await waitForScript(page);
    await expect(canvas(page)).toHaveCSS('opacity', '0');
    await expect(poster(page)).toBeVisible();
    await expect.poll(() => warnings.length).toBe(1);
  });

  test('without a context on the page the poster stays', async ({ page, forcing }) => {
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(`${forcing.url}/?scene=force`);
    await expectWholePage(page);
  });

  test('the scene cannot be forced without DEBUG', async ({ page }) => {
    await visitPage(page, '/?scene=force');
    await expectWholePage(page);
  });

  test('R1, R44: over 50 page changes there is one canvas, one context, one opening, and stable memory', async ({
    page,
    openScene,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openScene(page);
    const rounds = async (times: number) => {
      for (let i = 0; i < times; i++) {
        await followLink(page, '/privacy-policy/');
        await expect(page.locator('[data-scene], canvas')).toHaveCount(0);
        await followLink(page, '/');
        await expect(canvas(page)).toHaveAttribute('data-drawn', '');
      }
    };
    const cdp = await page.context().newCDPSession(page);
    /** Bytes of the heap after a collection, and number of pointer listeners on the window. */
    const figures = async () => {
      await cdp.send('HeapProfiler.collectGarbage');
      const { usedSize } = await cdp.send('Runtime.getHeapUsage');
      const { result } = await cdp.send('Runtime.evaluate', {
        expression: 'getEventListeners(window).pointermove?.length ?? 0',
        includeCommandLineAPI: true,
      });
      return { heap: usedSize, listeners: result.value as number };
    };
    await rounds(5);
    const before = await figures();
    await rounds(25);
    const after = await figures();
    expect(await page.locator('canvas').count()).toBe(1);
    expect((await counts(page)).contexts).toBe(1);
    expect([before.listeners, after.listeners]).toEqual([1, 1]);
    expect(after.heap - before.heap).toBeLessThan(1_000_000);
  });
});
