import AxeBuilder from '@axe-core/playwright';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM } from '../support/chromium.ts';
import { holdClockAt } from '../support/driven-time.ts';
import {
  expect,
  followLink,
  holdRequests,
  NO_SUCH_PAGE,
  pressToScroll,
  test,
  visitPage,
  waitForRest,
  waitForScript,
} from './test.ts';

/** A long page of plain rich text, without a hero. */
const LONG = '/paper-notes/';

const bar = (page: Page) => page.locator('[data-scrollbar]');
const thumb = (page: Page) => page.locator('[data-scrollbar-thumb]');
const place = (page: Page) => page.evaluate(() => scrollY);
const limit = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
const live = (page: Page) => bar(page).and(page.locator(':not([inert])')).waitFor({ state: 'attached' });

/** Opens a page and waits until its scrollbar can be used. */
async function visitLive(page: Page, path: string): Promise<void> {
  await visitPage(page, path);
  await live(page);
}

/** Position of the painted thumb. */
async function box(page: Page) {
  const { x, y, width, height } = (await thumb(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x, y, width, height, middle: y + height / 2 };
}

/** Presses the middle of the thumb. @returns Its position. */
async function grab(page: Page): Promise<{ x: number; y: number }> {
  const { x, width, middle } = await box(page);
  const point = { x: x + width / 2, y: Math.round(middle) };
  await page.mouse.move(point.x, point.y);
  await page.mouse.down();
  return point;
}

/** The thumb's position equals the page's position, to a pixel. */
async function expectThumbInPlace(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const [{ y, height }, at, end] = [await box(page), await place(page), await limit(page)];
      const clientHeight = await page.evaluate(() => document.documentElement.clientHeight);
      return Math.abs(y - (at / end) * (clientHeight - height));
    })
    .toBeLessThanOrEqual(1);
}

test('R11: is 12 px wide at the right edge, as high as the window, and its thumb shows the visible share @firefox @lean', async ({
  page,
}) => {
  await visitLive(page, LONG);
  const rem = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const track = await bar(page).boundingBox();
  expect(track?.width).toBeCloseTo(1.2 * rem, 1);
  expect(track).toMatchObject({ y: 0, height: 900 });
  expect((track?.x ?? 0) + (track?.width ?? 0)).toBe(1440);
  const { height } = await box(page);
  const share = await page.evaluate(() => innerHeight / document.documentElement.scrollHeight);
  expect(height / 900).toBeCloseTo(share, 2);
  await expectThumbInPlace(page);
  await page.evaluate(() => scrollTo(0, 1234));
  await expectThumbInPlace(page);
});

test('R11: fades in over 1 s, 1 s after the hero can play, on every kind of page @lean', async ({ page }) => {
  await page.addInitScript(() => {
    // Paused at its beginning. Records whether it began before the hero could play.
    new MutationObserver(() => {
      const bar = document.querySelector('[data-scrollbar]:not([inert])');
      if (!bar || 'fade' in window) return;
      const [fade] = bar.getAnimations();
      fade?.pause();
      Object.assign(window, { fade, stage: document.documentElement.dataset.stage });
    }).observe(document, { attributeFilter: ['inert'], childList: true, subtree: true });
  });
  type Faded = { fade: CSSTransition; stage: string };
  for (const path of ['/', LONG]) {
    await visitLive(page, path);
    const { stage, delay, duration } = await page.evaluate(() => {
      const { fade, stage } = window as unknown as Faded;
      const { delay, duration } = fade.effect?.getComputedTiming() ?? {};
      return { stage, delay, duration };
    });
    expect({ stage, delay, duration }, path).toEqual({ stage: 'playing', delay: 1_000, duration: 1_000 });
    const opacityAt = async (ms: number) => {
      await page.evaluate((ms) => {
        (window as unknown as Faded).fade.currentTime = ms;
      }, ms);
      return bar(page).evaluate((bar) => Number(getComputedStyle(bar).opacity));
    };
    expect(await opacityAt(999), 'not seen before its time').toBe(0);
    const midway = await opacityAt(1_500);
    expect(midway).toBeGreaterThan(0);
    expect(midway).toBeLessThan(1);
    await page.evaluate(() => (window as unknown as Faded).fade.finish());
    await expect(bar(page)).toHaveCSS('opacity', '1');
  }
});

test.describe('R11: dragged @firefox', () => {
  test('the thumb follows pixel for pixel, also beyond the track, and the page at once, to its ends @lean', async ({
    page,
    browserName,
  }) => {
    await visitLive(page, LONG);
    const before = await box(page);
    const { x, y } = await grab(page);
    for (const moved of [1, 40, 200, 120, 333]) {
      await page.mouse.move(x, y + moved);
      await expect.poll(async () => Math.abs((await box(page)).y - before.y - moved)).toBeLessThanOrEqual(1);
      const wanted = (moved / (900 - before.height)) * (await limit(page));
      expect(Math.abs((await place(page)) - wanted)).toBeLessThanOrEqual(1);
    }
    await page.mouse.up();
    await page.mouse.move(x, y + 50);
    expect(Math.abs((await box(page)).y - before.y - 333), 'let go').toBeLessThanOrEqual(1);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await expectThumbInPlace(page);
    const again = await grab(page);
    await page.mouse.move(300, again.y + 100);
    await expect.poll(() => place(page)).toBeGreaterThan(300);
    // Playwright cannot do this in Firefox.
    const beyond = browserName === 'firefox' ? 0 : 300;
    await page.mouse.move(300, 899 + beyond);
    await expect.poll(async () => (await place(page)) - (await limit(page))).toBe(0);
    await page.mouse.move(300, -beyond);
    await expect.poll(() => place(page)).toBe(0);
    await page.mouse.up();
    await expectThumbInPlace(page);
  });

  test('ends smooth scrolling, selects nothing, takes no focus and is no click on the page', async ({ page }) => {
    await visitLive(page, LONG);
    await page.evaluate(() => {
      Object.assign(window, { clicks: 0 });
      document.addEventListener('click', () => (window as unknown as { clicks: number }).clicks++);
    });
    await page.mouse.move(500, 450);
    await page.mouse.wheel(0, 2000);
    await expect.poll(() => place(page)).toBeGreaterThan(10);
    const { x, y } = await grab(page);
    await page.mouse.move(x, y + 20);
    await page.mouse.move(x - 400, y + 30);
    await waitForRest(page);
    // At the pointer, not at the target of the smooth scrolling.
    const held = await box(page);
    expect(y + 30).toBeGreaterThanOrEqual(held.y);
    expect(y + 30).toBeLessThanOrEqual(held.y + held.height);
    await page.mouse.up();
    await waitForRest(page);
    expect(Math.abs((await box(page)).y - held.y)).toBeLessThanOrEqual(1);
    expect(await page.evaluate(() => String(getSelection()))).toBe('');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBe(0);
  });
});

test.describe('R11: its track', () => {
  test('scrolls by pages while pressed until the thumb is under the pointer @firefox', async ({ page }) => {
    await visitLive(page, LONG);
    await page.mouse.move(1434, 700);
    await page.mouse.down();
    await expect
      .poll(async () => {
        const { y, height } = await box(page);
        return y <= 700 && y + height >= 700;
      })
      .toBe(true);
    await waitForRest(page);
    const { y, height } = await box(page);
    expect(y).toBeLessThanOrEqual(700);
    expect(y + height).toBeGreaterThanOrEqual(700);
    await page.mouse.up();
  });

  test('scrolls at once with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await visitLive(page, LONG);
    await page.mouse.click(1434, 880);
    expect(await place(page)).toBe(788);
  });
});

test('R11: with focus, keys scroll the page, and a focus ring is visible @firefox', async ({ page }) => {
  await visitLive(page, LONG);
  await bar(page).focus();
  const end = await limit(page);
  const press = (key: string) => pressToScroll(page, key);
  expect(await press('End')).toBe(end);
  expect(await press('Home')).toBe(0);
  expect(await press('PageDown')).toBeGreaterThan(600);
  expect(await press('Home')).toBe(0);
  expect(await press('ArrowDown')).toBeGreaterThan(20);
  expect(await press('Space')).toBeGreaterThan(600);
  await expect(bar(page)).toHaveCSS('outline-style', 'solid');
  expect(Number.parseFloat(await bar(page).evaluate((node) => getComputedStyle(node).outlineOffset))).toBeLessThan(0);
});

test('R11: assistive technology gets a scrollbar of the content with its position, as the last Tab stop @lean', async ({
  page,
}) => {
  await visitLive(page, LONG);
  const scrollbar = page.getByRole('scrollbar', { name: 'The paper notes' });
  await expect(scrollbar).toHaveAttribute('aria-controls', 'main');
  await expect(scrollbar).toHaveAttribute('aria-orientation', 'vertical');
  await expect(scrollbar).toHaveAttribute('aria-valuenow', '0');
  await page.evaluate(() => scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2));
  await expect(scrollbar).toHaveAttribute('aria-valuenow', '50');
  const last = await page.evaluate(() => {
    const stops = document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]');
    return [...stops].filter((stop) => stop.checkVisibility() && !stop.closest('[data-debug-panel]')).at(-1)?.role;
  });
  expect(last).toBe('scrollbar');
});

test('R11: assistive technology gets a new position at most a few times per second', async ({ page }) => {
  await visitLive(page, LONG);
  await page.evaluate(() => {
    const told: number[] = [];
    new MutationObserver(() => told.push(performance.now())).observe(
      document.querySelector('[data-scrollbar]') as Element,
      { attributeFilter: ['aria-valuenow'] },
    );
    Object.assign(window, { told });
  });
  await page.mouse.move(500, 450);
  await expect(page.locator('html')).toHaveClass(/\blenis\b/);
  await page.mouse.wheel(0, 3000);
  await expect.poll(async () => (await place(page)) >= 2999).toBe(true);
  const shown = Math.round((3000 / (await limit(page))) * 100);
  await expect(bar(page)).toHaveAttribute('aria-valuenow', String(shown));
  const told = await page.evaluate(() => (window as unknown as { told: number[] }).told);
  expect(told.length).toBeGreaterThan(1);
  for (const [index, time] of told.slice(1).entries()) expect(time - (told[index] ?? 0)).toBeGreaterThan(250);
});

test('R11: is correct after page or window change their size', async ({ page }) => {
  await visitLive(page, LONG);
  await page.evaluate(() => scrollTo(0, 1000));
  const content = (height: number) =>
    page.evaluate((height) => {
      const late = document.getElementById('late') ?? document.createElement('div');
      late.id = 'late';
      late.style.height = `${height}px`;
      document.querySelector('main')?.append(late);
    }, height);
  const { height } = await box(page);
  await content(3000);
  await expect.poll(async () => (await box(page)).height).toBeLessThan(height - 20);
  await expectThumbInPlace(page);
  await content(400_000);
  const rem = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  await expect.poll(async () => (await box(page)).height).toBeCloseTo(4 * rem, 0);
  await content(0);
  await expect.poll(async () => (await box(page)).height).toBeCloseTo(height, 0);
  await expectThumbInPlace(page);
  await page.setViewportSize({ width: 1200, height: 500 });
  await expectThumbInPlace(page);
  expect(await bar(page).boundingBox()).toMatchObject({ height: 500 });
});

test('R11: is hidden while the page fits the window', async ({ page }) => {
  const lastStop = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
  await page.goto(NO_SUCH_PAGE);
  await waitForScript(page);
  await page.mouse.move(500, 450);
  await expect(page.locator('html')).toHaveClass(/\blenis\b/);
  await expect(bar(page)).toHaveAttribute('inert');
  await expect(bar(page)).toHaveCSS('opacity', '0');
  await page.keyboard.press('Shift+Tab');
  expect(await lastStop()).not.toBe('scrollbar');
  await followLink(page, LONG);
  await live(page);
  await expect(bar(page)).toHaveCSS('opacity', '1');
});

test('R11: a touch device has no scrollbar, also not in the accessibility tree @phone-only', async ({ page }) => {
  await visitPage(page, LONG);
  await page.waitForLoadState('networkidle');
  await expect(bar(page)).toBeHidden();
  await expect(page.getByRole('scrollbar')).toHaveCount(0);
});

test('R11: covers neither the sound toggle nor the social links, and axe finds nothing', async ({ page }) => {
  await visitLive(page, '/');
  for (const width of [1440, 1024, 800]) {
    await page.setViewportSize({ width, height: 900 });
    const edge = (await bar(page).boundingBox())?.x ?? 0;
    const ends = await page.evaluate(() =>
      [...document.querySelectorAll('footer button, footer a, header a')]
        .filter((control) => control.checkVisibility())
        .map((control) => control.getBoundingClientRect().right),
    );
    expect(Math.max(...ends)).toBeLessThanOrEqual(edge);
  }
  await expect(bar(page)).toHaveCSS('opacity', '1');
  expect((await new AxeBuilder({ page }).include('[data-scrollbar]').analyze()).violations).toEqual([]);
});

/** An entry of the Layout Instability API. */
interface LayoutShift {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

test.describe('R11: the browser’s scrollbar', () => {
  /** Playwright hides it by default. */
  const withNativeBar = async (
    site: string,
    look: (page: Page) => Promise<void>,
    media: Parameters<Page['emulateMedia']>[0] = {},
  ) => {
    const browser = await chromium.launch({
      ...CHROMIUM,
      ignoreDefaultArgs: ['--hide-scrollbars'],
    });
    const page = await browser.newPage({ baseURL: site, viewport: { width: 1440, height: 900 } });
    await page.emulateMedia(media);
    await look(page);
    await browser.close();
  };
  const widthOfNative = (page: Page) => page.evaluate(() => innerWidth - document.documentElement.clientWidth);

  /** Notes how wide the browser's own is, in every frame and while the document is read: layout comes before frames. And what shifts. */
  const noteShifts = async (page: Page) => {
    // Late typefaces move letters; `site/tests/fonts.spec.ts` measures that.
    await page.route(/\.woff2/, (route) => route.abort());
    await page.addInitScript(() => {
      const widths = new Set<number>();
      const note = () => {
        const isStyled = document.body && getComputedStyle(document.documentElement).getPropertyValue('--longest-wait');
        if (isStyled) widths.add(innerWidth - document.documentElement.clientWidth);
      };
      const watch = () => {
        note();
        requestAnimationFrame(watch);
      };
      requestAnimationFrame(watch);
      new MutationObserver(note).observe(document, { childList: true, subtree: true, attributes: true });
      const shifts: string[] = [];
      Object.assign(window, { widths, shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as unknown as LayoutShift;
          // A scrollbar moves boxes sideways. A busy browser paints before the whole document is parsed: that moves them up.
          if (sources.every(({ previousRect, currentRect }) => previousRect.x === currentRect.x)) continue;
          const moves = sources.map(({ node, previousRect, currentRect }) =>
            [(node as Element | null)?.outerHTML?.slice(0, 80), previousRect, currentRect].map((part) =>
              JSON.stringify(part),
            ),
          );
          shifts.push(`${value}: ${moves.join()}`);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
  };
  const shiftsOf = (page: Page) =>
    page.evaluate(() => {
      const seen = window as unknown as { widths: Set<number>; shifts: string[] };
      return { widths: [...seen.widths], shifts: seen.shifts };
    });

  test('is hidden while the custom one loads, and no layout shifts', async ({ site }) => {
    await withNativeBar(site.url, async (page) => {
      await noteShifts(page);
      for (const path of ['/', LONG]) {
        await visitLive(page, path);
        await expect(bar(page)).toHaveCSS('opacity', '1');
        expect(await shiftsOf(page), path).toEqual({ widths: [0], shifts: [] });
      }
    });
  });

  test('is hidden if the loader leaves before the code has loaded', async ({ site }) => {
    await withNativeBar(site.url, async (page) => {
      await noteShifts(page);
      const release = await holdRequests(page, /\/assets\/entry\.client-.*\.js/);
      await page.goto('/');
      await expect(page.locator('html')).toHaveAttribute('data-let-in', '');
      await expect(page.locator('[data-loader]')).toBeHidden();
      // R14: the visitor can scroll.
      await expect(page.locator('html')).not.toHaveCSS('overflow', /hidden/);
      release();
      await live(page);
      await expect(bar(page)).toHaveCSS('opacity', '1');
      expect(await shiftsOf(page)).toEqual({ widths: [0], shifts: [] });
    });
  });

  test('replaces the custom one in forced colours, and moves nothing when it appears after the loader', async ({
    site,
  }) => {
    const look = async (page: Page) => {
      await noteShifts(page);
      for (const path of ['/', LONG]) {
        await visitPage(page, path);
        await expect(page.locator('[data-loader]')).toBeHidden();
        expect(await widthOfNative(page)).toBeGreaterThan(5);
        await expect(bar(page)).toBeHidden();
        expect((await shiftsOf(page)).shifts).toEqual([]);
      }
    };
    await withNativeBar(site.url, look, { forcedColors: 'active' });
  });

  test('appears after 8 s if the script does not load', async ({ site }) => {
    await withNativeBar(site.url, async (page) => {
      await page.route(/\/assets\/.*\.js/, (route) => route.abort());
      for (const path of ['/', LONG]) {
        await page.goto(path);
        await holdClockAt(page, 7_999);
        expect(await widthOfNative(page)).toBe(0);
        // The animations' clock is moved instead of waited for.
        await page.evaluate(() => {
          for (const animation of document.getAnimations()) animation.finish();
        });
        await expect.poll(() => widthOfNative(page)).toBeGreaterThan(5);
        await expect(bar(page)).toHaveCSS('opacity', '0');
      }
    });
  });
});
