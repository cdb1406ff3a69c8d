import type { CDPSession, Page } from '@playwright/test';
import { expect, followLink, test, visitPage } from './test.ts';

// Load on a visitor's machine while they scroll and change pages. Only Chromium reports it.

/** Only our own scripts' share of a long frame: their time, and which. */
interface LongFrame {
  blocking: number;
  scripts: { file: string; invoker: string; duration: number }[];
}

const watchLongFrames = (page: Page) =>
  page.evaluate(() => {
    const frames: LongFrame[] = [];
    Object.assign(window, { longFrames: frames });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const frame = entry as PerformanceEntry & {
          blockingDuration: number;
          scripts: { sourceURL: string; invoker: string; duration: number }[];
        };
        frames.push({
          blocking: frame.blockingDuration,
          scripts: frame.scripts
            .filter(({ sourceURL }) => sourceURL.includes('/assets/'))
            .map(({ sourceURL, invoker, duration }) => ({ file: sourceURL, invoker, duration })),
        });
      }
    }).observe({ type: 'long-animation-frame' });
  });

/** Scrolls from top to bottom as a visitor does: in turns of the wheel, or with a finger. */
async function scrollThrough(page: Page, cdp: CDPSession, isMobile: boolean): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const [x, y] = [width / 2, height / 2];
  const swipe = async () => {
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y: y + 250 }] });
    for (let step = 1; step <= 10; step += 1)
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y: y + 250 - step * 50 }] });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  const isAtEnd = () => page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2);
  await page.mouse.move(x, y);
  await expect
    .poll(
      async () => {
        await (isMobile ? swipe() : page.mouse.wheel(0, 300));
        return isAtEnd();
      },
      { intervals: [120], timeout: 45_000 },
    )
    .toBe(true);
}

/** Frames that our scripts delayed for longer than a task may take (50 ms) during one scroll through a fresh page. */
async function heldUpBy(page: Page, cdp: CDPSession, isMobile: boolean): Promise<string[]> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await visitPage(page, '/');
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await watchLongFrames(page);
  await scrollThrough(page, cdp, isMobile);
  const frames = await page.evaluate(() => (window as unknown as { longFrames: LongFrame[] }).longFrames);
  return frames
    .filter(({ blocking }) => blocking > 0)
    .flatMap(({ scripts }) => scripts.filter(({ duration }) => duration > 50))
    .map(({ file, invoker }) => `${new URL(file).pathname} ${invoker}`);
}

test('at a quarter of the speed our script delays no frame of a scroll through the whole page @phone @figure', async ({
  page,
  isMobile,
}) => {
  test.setTimeout(150_000);
  const cdp = await page.context().newCDPSession(page);
  const first = await heldUpBy(page, cdp, isMobile);
  // On a busy machine any script can be interrupted; a slow one is slow in every round.
  const again = first.length > 0 ? await heldUpBy(page, cdp, isMobile) : [];
  expect(again.filter((script) => first.includes(script))).toEqual([]);
});

test('memory is stable over 50 page changes', async ({ page }) => {
  test.setTimeout(300_000);
  await visitPage(page, '/');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  const goTo = async (path: string, heading: string) => {
    await followLink(page, path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    // The test's own links would gather in `main`, which stays: two nodes each, and each is watched.
    await page.evaluate(() => document.querySelector('main > a')?.remove());
  };
  const round = async () => {
    await goTo('/privacy-policy/', 'Privacy Policy');
    await goTo('/', 'Read the first page');
  };
  const counts = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    return { nodes, jsEventListeners, heap: usedSize };
  };
  // The first rounds fill caches: prefetched pages, code, styles.
  for (let done = 0; done < 10; done += 1) await round();
  // Pages are prefetched when the browser is idle, which is late on a busy machine: 0.25 MB of caches.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForLoadState('networkidle');
  const before = await counts();
  for (let done = 0; done < 25; done += 1) await round();
  // Memory is not freed at once.
  await expect
    .poll(async () => {
      const { nodes, jsEventListeners, heap } = await counts();
      return jsEventListeners - before.jsEventListeners <= 10 && nodes / before.nodes < 1.2 && heap / before.heap < 1.1;
    })
    .toBe(true);
});
