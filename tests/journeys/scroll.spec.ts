import type { Page, Route } from '@playwright/test';
import { build } from 'vite';
import {
  driveFrames,
  holdDeadline,
  passDeadline,
  readDeadlines,
  readFrames,
  releaseFrames,
} from '../support/driven-time.ts';
import {
  expect,
  followLink,
  holdRequests,
  loadReact,
  logRequests,
  pressToScroll,
  test,
  visitPage,
  waitForRest,
  waitForScript,
} from './test.ts';

/** A long page of plain rich text, without a hero: nothing else moves on it. */
const LONG = '/paper-notes/';

const place = (page: Page) => page.evaluate(() => scrollY);
const root = (page: Page) => page.locator('html');

/** Opens a page and waits until its wheel is smooth. */
async function visitSmooth(page: Page, path: string): Promise<void> {
  await visitPage(page, path);
  // The tests add elements, which must not be there while React takes the page over.
  await loadReact(page);
  await page.mouse.move(500, 450);
  await expect(root(page)).toHaveClass(/\blenis\b/);
}

/** Records time and position in every frame from now on. */
const record = (page: Page) =>
  page.evaluate(() => {
    const samples: [time: number, place: number][] = [];
    const sample = (time: number) => {
      samples.push([time, scrollY]);
      requestAnimationFrame(sample);
    };
    requestAnimationFrame(sample);
    Object.assign(window, { samples });
  });
type Samples = [time: number, place: number][];
const recorded = (page: Page) => page.evaluate(() => (window as unknown as { samples: Samples }).samples);

/** Share of the rest that is covered in 1/60 s: the slope of the rest's logarithm over time. */
function shareOfWayLeft(samples: Samples): number {
  const end = samples.at(-1)?.[1] ?? 0;
  const way = samples
    .map(([time, place]) => [time, end - place] as const)
    .filter(([, left]) => left < end * 0.95 && left > end * 0.03);
  const mean = (pick: (point: readonly [number, number]) => number) =>
    way.reduce((sum, point) => sum + pick(point), 0) / way.length;
  const time = mean(([time]) => time);
  const left = mean(([, left]) => Math.log(left));
  const slope =
    mean((point) => (point[0] - time) * (Math.log(point[1]) - left)) / mean(([t]) => (t - time) * (t - time));
  return 1 - Math.exp((slope * 1000) / 60);
}

/** Three frames: Firefox scrolls by its last paint. */
const painted = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });

/** Adds a box at the top of the content. @returns Once it is painted. */
async function putBox(page: Page, style: string, inside: string): Promise<void> {
  await page.evaluate(
    ([style, inside]) => {
      const box = document.createElement('div');
      box.id = 'box';
      box.tabIndex = 0;
      box.style.cssText = style;
      const content = document.createElement('div');
      content.style.cssText = inside;
      box.append(content);
      document.querySelector('main')?.prepend(box);
    },
    [style, inside] as const,
  );
  await painted(page);
}

// 60 Hz in Firefox too: the rates are calculated, the wheel is the browser's.
for (const [rate, where] of [
  [60, '@firefox @essential'],
  [120, ''],
] as const)
  test(`R15: at ${rate} Hz the wheel covers 0.07 to 0.088 of the rest per 1/60 s, and finally all ${where}`, async ({
    page,
  }) => {
    await driveFrames(page, rate);
    await visitSmooth(page, LONG);
    const before = (await readFrames(page)).length;
    await page.mouse.wheel(0, 1200);
    await expect.poll(() => place(page)).toBe(1200);
    expect(await waitForRest(page)).toBe(1200);
    const share = shareOfWayLeft((await readFrames(page)).slice(before));
    expect(share).toBeGreaterThan(0.07);
    expect(share).toBeLessThan(0.088);
  });

/** The browser’s Back, without waiting for a load that may not come: not from its cache, and not within a page. */
const back = (page: Page) => page.evaluate(() => void setTimeout(() => history.back()));

test.describe('R13: on load @firefox', () => {
  test('the page is at the top, also after a reload, and stays there @timelines @lean', async ({ page }) => {
    for (const path of ['/', LONG]) {
      await visitPage(page, path);
      expect(await place(page)).toBe(0);
      await page.evaluate(() => scrollTo(0, 900));
      await expect.poll(() => place(page)).toBe(900);
      await page.reload();
      await waitForScript(page);
      expect(await waitForRest(page), path).toBe(0);
      expect(await page.evaluate(() => history.scrollRestoration)).toBe('auto');
    }
  });

  test('a hash leads to its target, also after a reload from elsewhere @timelines', async ({ page }) => {
    for (const path of [`${LONG}#reading-the-grain`, '/#form']) {
      await visitPage(page, path);
      await expectAtTarget(page);
      await page.evaluate(() => scrollTo(0, 100));
      await page.reload();
      await waitForScript(page);
      await expectAtTarget(page);
      await page.goto('about:blank');
    }
  });

  test('a hash leads to its target when the loader leaves, not before', async ({ page }) => {
    await holdDeadline(page);
    await holdPoster(page);
    await page.goto('/#form', { waitUntil: 'commit' });
    await expect(page.locator('[data-loader]')).toBeVisible();
    await expect.poll(() => place(page)).toBe(0);
    expect(await root(page).getAttribute('data-stage')).toBe('waiting');
    await openStage(page);
    await expectAtTarget(page);
  });

  test('a target that late content moves stays in place until the visitor scrolls @timelines', async ({ page }) => {
    await visitPage(page, '/#form');
    await expectAtTarget(page);
    // Without the browser's scroll anchoring, which not all have.
    await page.evaluate(() => document.documentElement.style.setProperty('overflow-anchor', 'none'));
    const grow = () =>
      page.evaluate(() => {
        const late = document.createElement('div');
        late.style.height = '400px';
        document.querySelector('main')?.prepend(late);
      });
    await grow();
    await expectAtTarget(page);
    await page.mouse.move(500, 450);
    const from = await place(page);
    await page.mouse.wheel(0, -300);
    await expect.poll(() => place(page)).toBeLessThan(from);
    const rest = await waitForRest(page);
    await grow();
    expect(await waitForRest(page)).toBe(rest);
  });

  test('Back from another document restores the position @lean', async ({ page }) => {
    await visitPage(page, LONG);
    await page.evaluate(() => scrollTo(0, 1500));
    await expect.poll(() => place(page)).toBe(1500);
    await page.goto('/privacy-policy/');
    await waitForScript(page);
    await back(page);
    // Read in the page: Firefox's driver gets no event for a page from the back/forward cache.
    const now = () => page.evaluate(() => [location.pathname, document.documentElement.dataset.stage, scrollY]);
    await expect.poll(() => now().catch(() => null)).toEqual([LONG, 'playing', 1500]);
    expect(await waitForRest(page)).toBe(1500);
  });

  test('Back restores the position while code still loads: Firefox cancels loading when a link is pressed @firefox-only', async ({
    page,
  }) => {
    const held: Route[] = [];
    const release = await holdRequests(page, '**/privacy-policy/');
    await page.route(/\/scrollbar-.*\.js/, (route) => void (held.length ? route.continue() : held.push(route)));
    await visitPage(page, LONG);
    await page.evaluate(() => scrollTo(0, 1500));
    await expect.poll(() => place(page)).toBe(1500);
    await expect.poll(() => held.length).toBe(1);
    const given = page.waitForEvent('requestfailed', (request) => /scrollbar-/.test(request.url()));
    const leaving = page.goto('/privacy-policy/');
    // What a test holds the browser does not give up: this does so in its place.
    await held[0]?.abort();
    await given;
    expect(await waitForRest(page), 'still where she was').toBe(1500);
    release();
    await leaving;
    await waitForScript(page);
    await back(page);
    const now = () => page.evaluate(() => [location.pathname, document.documentElement.dataset.stage, scrollY]);
    await expect.poll(() => now().catch(() => null)).toEqual([LONG, 'playing', 1500]);
    expect(await waitForRest(page)).toBe(1500);
  });

  test('a link leads to the top of its page, and Back restores the position, also during smooth scrolling @essential', async ({
    page,
  }) => {
    await visitSmooth(page, LONG);
    await page.evaluate(() => scrollTo(0, 1500));
    await expect.poll(() => place(page)).toBe(1500);
    await followLink(page, '/privacy-policy/');
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
    await expect.poll(() => place(page)).toBe(0);
    await page.mouse.wheel(0, 700);
    await expect.poll(() => place(page)).toBeGreaterThan(0);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'The paper notes' })).toBeVisible();
    await expect.poll(() => place(page)).toBe(1500);
    expect(await waitForRest(page)).toBe(1500);
  });
});

/** Ends the deadline that the stage waits for. */
async function openStage(page: Page): Promise<void> {
  await expect.poll(() => readDeadlines(page)).toHaveLength(1);
  await passDeadline(page);
  await waitForScript(page);
}

/** The hero’s poster never comes: the stage waits until its deadline. */
const holdPoster = (page: Page) => page.route(/\/media\/.*hero.*|\/media\/.*(?:jpg|webp|avif|png)/, () => {});

/** The target of the address is where the browser itself would put it, or the page is at its end. */
async function expectAtTarget(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const target = document.getElementById(location.hash.slice(1)) as HTMLElement;
        const { scrollMarginTop } = getComputedStyle(target);
        const { scrollPaddingTop } = getComputedStyle(document.documentElement);
        const wanted = Number.parseFloat(scrollMarginTop) + Number.parseFloat(scrollPaddingTop);
        const isAtEnd = scrollY >= document.documentElement.scrollHeight - innerHeight - 1;
        return isAtEnd ? 0 : Math.round(Math.abs(target.getBoundingClientRect().top - wanted));
      }),
    )
    .toBeLessThanOrEqual(1);
}

/** One finger drawn upwards. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: string, y?: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: y === undefined ? [] : [{ x: 200, y }],
    });
  await touch('touchStart', from);
  for (let step = 1; step <= 10; step++) await touch('touchMove', from + ((to - from) * step) / 10);
  await touch('touchEnd');
}

test.describe('R14: under the loader', () => {
  test('neither wheel nor keys scroll the page until the hero can play @firefox @timelines @lean', async ({ page }) => {
    await holdDeadline(page);
    await holdPoster(page);
    // Recorded in the page while the loader is shown.
    await page.addInitScript(() => {
      const waiting = new Set<string>();
      Object.assign(window, { waiting });
      for (const type of ['wheel', 'keydown', 'scroll'])
        addEventListener(
          type,
          () => document.documentElement.dataset.stage === 'waiting' && waiting.add(scrollY > 0 ? 'moved' : type),
          { capture: true, passive: true },
        );
    });
    await page.goto('/', { waitUntil: 'commit' });
    await expect(page.locator('[data-loader]')).toBeVisible();
    await page.mouse.move(500, 450);
    await page.mouse.wheel(0, 800);
    for (const key of ['Space', 'PageDown', 'ArrowDown', 'End']) await page.keyboard.press(key);
    // A turn of the wheel has its effect some frames later.
    await expect
      .poll(() => page.evaluate(() => [...(window as never as { waiting: Set<string> }).waiting]))
      .toEqual(expect.arrayContaining(['wheel', 'keydown']));
    expect(await waitForRest(page)).toBe(0);
    await openStage(page);
    const waiting = await page.evaluate(() => [...(window as never as { waiting: Set<string> }).waiting]);
    expect(waiting).not.toContain('moved');
    expect(await place(page)).toBe(0);
    await expect(root(page)).toHaveClass(/\blenis\b/);
    await page.mouse.wheel(0, 800);
    await expect.poll(() => place(page)).toBe(800);
    await page.keyboard.press('End');
    await expect.poll(() => place(page)).toBeGreaterThan(2000);
  });
});

test('R14: a touch device scrolls natively and does not fetch the smooth scrolling @phone-only', async ({ page }) => {
  const scripts = logRequests(page, /\/(?:lenis|scrollbar)-/);
  await visitPage(page, LONG);
  await swipe(page, 700, 200);
  await expect.poll(() => place(page)).toBeGreaterThan(300);
  expect(scripts).toEqual([]);
  await expect(root(page)).not.toHaveClass(/\blenis\b/);
});

for (const [how, act, fetched] of [
  ['key press', (page: Page) => page.keyboard.press('Tab'), ['lenis', 'page-transition']],
  [
    'pointer movement',
    (page: Page) => page.mouse.move(500, 450),
    ['follow-pointer', 'lenis', 'page-transition', 'sound-hint'],
  ],
] as const)
  test(`R10, R14: what moves with the visitor is fetched at the first ${how}, not earlier`, async ({ page }) => {
    const MOVES = /\/assets\/(lenis|page-transition|follow-pointer|sound-hint)-/;
    const asked = logRequests(page, MOVES);
    await visitPage(page, '/');
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    await act(page);
    await expect.poll(() => [...new Set(asked.map((url) => MOVES.exec(url)?.[1]))].sort()).toEqual(fetched);
    await expect(root(page)).toHaveClass(/\blenis\b/);
  });

test.describe('R14: native scrolling still works', () => {
  test('Space, Page, arrow, End and Home scroll the page, also during smooth scrolling @firefox @lean', async ({
    page,
  }) => {
    await visitSmooth(page, LONG);
    const space = await pressToScroll(page, 'Space');
    expect(space).toBeGreaterThan(500);
    const down = await pressToScroll(page, 'PageDown');
    expect(down).toBeGreaterThan(space + 500);
    const up = await pressToScroll(page, 'ArrowUp');
    expect(up).toBeLessThan(down);
    expect(up).toBeGreaterThan(space);
    await page.mouse.wheel(0, -900);
    await page.keyboard.press('End');
    const limit = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    await expect.poll(() => place(page)).toBe(limit);
    expect(await waitForRest(page)).toBe(limit);
    expect(await pressToScroll(page, 'Home')).toBe(0);
  });

  test('Space in a form field types a space', async ({ page }) => {
    await visitSmooth(page, '/#form');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.focus();
    const before = await waitForRest(page);
    await page.keyboard.type('Ada Quist');
    await expect(name).toHaveValue('Ada Quist');
    expect(await waitForRest(page)).toBe(before);
  });

  test('Tab scrolls the focused element into view, also during smooth scrolling @firefox @lean', async ({ page }) => {
    await visitSmooth(page, LONG);
    await page.evaluate(() => {
      const far = document.createElement('button');
      far.id = 'far';
      document.querySelector('main')?.append(far);
      const near = document.createElement('button');
      document.querySelector('main')?.prepend(near);
      near.focus();
      for (const stop of document.querySelectorAll('main :is(a, [tabindex])')) (stop as HTMLElement).tabIndex = -1;
    });
    await page.mouse.wheel(0, 600);
    await expect.poll(() => place(page)).toBeGreaterThan(0);
    await page.keyboard.press('Tab');
    await expect(page.locator('#far')).toBeFocused();
    await waitForRest(page);
    await expect(page.locator('#far')).toBeInViewport();
  });

  test('find-in-page and scrolling by script end smooth scrolling @firefox', async ({ page }) => {
    await visitSmooth(page, LONG);
    await page.mouse.wheel(0, 300);
    await expect.poll(() => place(page)).toBeGreaterThan(0);
    await page.evaluate(() => scrollTo(0, 2500));
    expect(await waitForRest(page)).toBe(2500);
    await page.mouse.wheel(0, 100);
    await expect.poll(() => place(page)).toBe(2600);
    await expect(page.locator('#the-sizes-as-a-file')).not.toBeInViewport();
    await page.evaluate(() => {
      getSelection()?.removeAllRanges();
      (window as unknown as { find(text: string, c: boolean, backwards: boolean, wrap: boolean): boolean }).find(
        'The sizes, as a file',
        false,
        false,
        true,
      );
    });
    await waitForRest(page);
    await expect(page.locator('#the-sizes-as-a-file')).toBeInViewport();
  });

  test('a scroll area inside the page scrolls first, then the page @firefox @lean', async ({ page }) => {
    await visitSmooth(page, LONG);
    await putBox(
      page,
      'position:fixed;z-index:9;top:200px;left:300px;width:500px;height:500px;overflow:auto;background:gray',
      'height:800px',
    );
    await page.mouse.wheel(0, 300);
    await expect.poll(() => page.locator('#box').evaluate((box) => box.scrollTop)).toBe(300);
    expect(await waitForRest(page)).toBe(0);
    await page.mouse.wheel(0, 400);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => place(page)).toBeGreaterThan(0);
  });

  test('an iframe and an open dialog scroll, the page behind them does not @firefox', async ({ page }) => {
    await visitSmooth(page, LONG);
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.style.cssText = 'position:fixed;z-index:9;top:200px;left:300px;width:500px;height:500px';
      document.body.append(frame);
      const content = frame.contentDocument?.createElement('div') as HTMLElement;
      content.style.height = '2000px';
      frame.contentDocument?.body.append(content);
    });
    await painted(page);
    await page.mouse.move(501, 451);
    await page.mouse.wheel(0, 300);
    await expect
      .poll(() => page.evaluate(() => document.querySelector('iframe')?.contentWindow?.scrollY))
      .toBeGreaterThan(200);
    expect(await place(page)).toBe(0);
    await page.evaluate(() => document.querySelector('iframe')?.remove());
    await page.evaluate(() => {
      const dialog = document.createElement('dialog');
      dialog.style.cssText = 'height:400px;width:500px;overflow:auto;margin:200px auto auto 300px';
      const content = document.createElement('div');
      content.style.height = '1200px';
      dialog.append(content);
      document.body.append(dialog);
      dialog.showModal();
    });
    await painted(page);
    await page.mouse.wheel(0, 200);
    await expect.poll(() => page.locator('dialog').evaluate((dialog) => dialog.scrollTop)).toBe(200);
    await page.mouse.move(1200, 100);
    await page.mouse.wheel(0, 600);
    await page.mouse.move(500, 450);
    await page.mouse.wheel(0, 2000);
    await page.mouse.wheel(0, 2000);
    expect(await waitForRest(page)).toBe(0);
    await page.keyboard.press('Escape');
    await painted(page);
    await page.mouse.wheel(0, 600);
    await expect.poll(() => place(page)).toBe(600);
  });

  test('the wheel with a modifier key, or handled by the browser already, stays with the browser @lean', async ({
    page,
  }) => {
    await visitSmooth(page, LONG);
    await page.evaluate(() => {
      const taken: boolean[] = [];
      addEventListener('wheel', (event) => taken.push(event.defaultPrevented));
      Object.assign(window, { taken });
    });
    const taken = () => page.evaluate(() => (window as unknown as { taken: boolean[] }).taken);
    await page.mouse.wheel(0, 10);
    await expect.poll(taken).toEqual([true]);
    for (const modifiers of [{ ctrlKey: true }, { altKey: true }, { shiftKey: true }])
      await page.evaluate(
        (modifiers) =>
          document.body.dispatchEvent(
            new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true, ...modifiers }),
          ),
        modifiers,
      );
    expect(await taken()).toEqual([true, false, false, false]);
    const from = await waitForRest(page);
    // Browsers send an event that cannot be cancelled when smooth scrolling starts during a native scroll.
    await page.evaluate(() => {
      const turn = (deltaY: number, cancelable: boolean) =>
        document.body.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, cancelable }));
      turn(2_000, false);
      turn(300, true);
    });
    await expect.poll(() => place(page)).toBe(from + 300);
    expect(await waitForRest(page)).toBe(from + 300);
  });

  test('the wheel reaches the end of a page that is zoomed with two fingers', async ({ page }) => {
    await visitSmooth(page, LONG);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.synthesizePinchGesture', { x: 700, y: 300, scaleFactor: 1.5 });
    await expect.poll(() => page.evaluate(() => visualViewport?.scale)).toBeGreaterThan(1.3);
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await page.mouse.wheel(0, 2000);
    /** Distance from the visible part to the end of the window, which is at the end of the page. */
    const left = () =>
      page.evaluate(() => {
        const { height, offsetTop } = visualViewport as VisualViewport;
        return innerHeight - height - offsetTop;
      });
    await expect.poll(left).toBeLessThan(1);
  });
});

test('R14: the page scrolls natively as soon as the visitor chooses reduced motion @lean', async ({ page }) => {
  await visitSmooth(page, LONG);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(root(page)).not.toHaveClass(/\blenis\b/);
  await record(page);
  await page.mouse.wheel(0, 700);
  await expect.poll(() => place(page)).toBe(700);
  const between = (await recorded(page)).filter(([, place]) => place > 0 && place < 700);
  expect(between, 'nothing between the old place and the new').toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect(root(page)).toHaveClass(/\blenis\b/);
});

test('R14: without its code the page scrolls natively, and no error is shown', async ({ page }) => {
  await page.route(/\/(?:lenis|scrollbar)-.*\.js/, (route) => route.fulfill({ status: 404, body: '' }));
  await visitPage(page, LONG);
  await expect(page.locator('[data-scrollbar]')).toHaveCount(0);
  await page.mouse.move(500, 450);
  await page.mouse.wheel(0, 700);
  await expect.poll(() => place(page)).toBe(700);
  await expect(root(page)).toHaveCSS('scrollbar-width', 'auto');
});

test.describe('jumps within the page', () => {
  const link = (page: Page, href: string) =>
    page.evaluate((href) => {
      const link = Object.assign(document.createElement('a'), { href, textContent: 'onward', id: 'onward' });
      link.style.cssText = 'position:fixed;z-index:9;top:50%;left:0';
      document.querySelector('main')?.append(link);
    }, href);
  const TARGET = 'the-sizes-as-a-file';

  test('are smooth, stop below the header, move the focus, load nothing, and work again after Back @firefox @timelines @lean', async ({
    page,
  }) => {
    await visitSmooth(page, LONG);
    await page.evaluate(() => scrollTo(0, 200));
    await link(page, `#${TARGET}`);
    await record(page);
    await page.locator('#onward').click();
    await expect(page).toHaveURL(`${LONG}#${TARGET}`);
    await expect(page.locator(`#${TARGET}`)).toBeFocused();
    const rest = await waitForRest(page);
    await expectAtTarget(page);
    const places = (await recorded(page)).map(([, place]) => place);
    expect(places, 'no jump back or forth').toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size, 'a smooth jump has steps').toBeGreaterThan(8);
    await back(page);
    await expect(page).toHaveURL(LONG);
    await expect.poll(() => place(page)).toBe(200);
    expect(await waitForRest(page)).toBe(200);
    await page.evaluate(() => history.forward());
    await expect.poll(() => place(page)).toBe(rest);
    const asked = logRequests(page, /\/api\/page/);
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('#onward').click();
    await expect.poll(() => place(page)).toBeGreaterThan(500);
    await waitForRest(page);
    await expectAtTarget(page);
    expect(asked).toEqual([]);
  });

  for (const [what, act] of [
    ['the wheel', (page: Page) => page.mouse.wheel(0, -20)],
    ['a key', (page: Page) => page.keyboard.press('ArrowUp')],
    ['the scrollbar', (page: Page) => page.mouse.click(1435, 5)],
  ] as const)
    test(`are cancelled by ${what}`, async ({ page }) => {
      // There are no frames beyond this position, so the jump is still in progress afterwards.
      await driveFrames(page, 60, 100);
      await visitSmooth(page, LONG);
      await page.locator('[data-scrollbar]:not([inert])').waitFor({ state: 'attached' });
      await link(page, `#${TARGET}`);
      await page.locator('#onward').click();
      await expect.poll(() => place(page)).toBeGreaterThan(100);
      await act(page);
      await releaseFrames(page);
      const rest = await waitForRest(page);
      const target = await page.locator(`#${TARGET}`).evaluate((node) => node.getBoundingClientRect().top + scrollY);
      expect(rest).toBeLessThan(target - 400);
    });

  test('end at their target, even if it moves', async ({ page }) => {
    await visitSmooth(page, LONG);
    await link(page, `#${TARGET}`);
    await page.locator('#onward').click();
    await expect.poll(() => place(page)).toBeGreaterThan(20);
    await page.locator(`#${TARGET}`).evaluate((node) => {
      const late = document.createElement('div');
      late.style.height = '300px';
      node.before(late);
    });
    await waitForRest(page);
    await expectAtTarget(page);
  });
});

test('a page at rest requests no animation frames, before and after scrolling @firefox @timelines', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const native = requestAnimationFrame.bind(window);
    const frames = { asked: 0, native };
    window.requestAnimationFrame = (work) => {
      frames.asked++;
      return native(work);
    };
    Object.assign(window, { frames });
  });
  /**
   * Frames that the page asks for while the browser draws sixty of the test's own, once it has asked for none during as
   * many: longer than any of our timers.
   */
  const framesAtRest = () =>
    page.evaluate(async () => {
      const { frames } = window as unknown as { frames: { asked: number; native(work: () => void): void } };
      const during = async () => {
        const before = frames.asked;
        for (let drawn = 0; drawn < 60; drawn++) await new Promise<void>((resolve) => frames.native(() => resolve()));
        return frames.asked - before;
      };
      while ((await during()) > 0);
      return during();
    });
  await visitSmooth(page, '/');
  // The label at the pointer has come to rest too.
  await expect(page.locator('[data-sound-hint]')).toHaveCSS('opacity', '1');
  expect(await framesAtRest()).toBe(0);
  await page.mouse.wheel(0, 500);
  await expect.poll(() => place(page)).toBe(500);
  expect(await framesAtRest()).toBe(0);
});

test('R16: scrolling changes nothing in the page’s content', async ({ page }) => {
  await visitSmooth(page, LONG);
  await page.locator('[data-scrollbar]:not([inert])').waitFor({ state: 'attached' });
  // Past the threshold of the header's bar, and the links ahead fetched.
  await page.mouse.wheel(0, 300);
  await expect.poll(() => place(page)).toBe(300);
  await waitForRest(page);
  await page.evaluate(() => {
    const changes: string[] = [];
    new MutationObserver((records) => {
      for (const { target, type, attributeName } of records)
        if (!(target as Element).closest?.('[data-scrollbar]'))
          changes.push(`${target.nodeName} ${attributeName ?? type}`);
    }).observe(document.getElementById('root') as HTMLElement, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    Object.assign(window, { changes });
  });
  for (let turn = 0; turn < 5; turn++) await page.mouse.wheel(0, 200);
  await expect.poll(() => place(page)).toBe(1300);
  expect(await page.evaluate(() => (window as unknown as { changes: string[] }).changes)).toEqual([]);
});

test('R16, R45: the debug panel shows the frame, the page’s real position and state', async ({
  page,
  startOwnSite,
}) => {
  const site = await startOwnSite({ DEBUG: 'true' });
  await visitSmooth(page, `${site.url}${LONG}`);
  const panel = page.locator('[data-debug-panel]');
  const limit = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  const shows = (place: number, direction: number) =>
    expect(panel).toContainText(
      `scroll ${place} of ${limit} px, progress ${(place / limit).toFixed(3)}, direction ${direction}, velocity 0.0`,
    );
  await expect(panel).toContainText(/frame [\d.]+ ms/);
  await expect(panel).toContainText('heroCanPlay true');
  await page.mouse.wheel(0, 1000);
  await shows(1000, 1);
  await page.evaluate(() => scrollTo(0, 400));
  await shows(400, -1);
  await page.keyboard.press('End');
  await shows(limit, 1);
});

/** The engine's code as it runs, in one file. */
const buildEngine = async () => {
  const [bundle] = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: 'tests/support/scroll-engine.ts', formats: ['iife'], name: 'Alone', fileName: 'alone' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as unknown as [{ output: [{ code: string }] }];
  return bundle.output[0].code;
};

/** The engine alone on a page without other parts of the kit. */
async function engineAlone(page: Page): Promise<void> {
  await page.setContent('<!doctype html><body style="margin:0"><div id="content" style="height:3000px"></div>');
  await page.addScriptTag({ content: await buildEngine() });
}

/** One frame of the page's clock, at the most, in milliseconds. */
const FRAME_MS = 17;

test('R15: the engine’s velocity is 0 after 400 ms without movement, its direction stays', async ({ page }) => {
  type Alone = { Alone: { scroll: { state(): { direction: number; velocity: number } } } };
  const state = () => page.evaluate(() => (window as unknown as Alone).Alone.scroll.state());
  await page.clock.install();
  await engineAlone(page);
  await page.clock.runFor(1_000);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => scrollTo(0, 300));
  const velocity = async () => (await state()).velocity;
  // The browser reports the movement later; the engine follows in the page's next frame.
  await expect
    .poll(async () => {
      await page.clock.runFor(FRAME_MS);
      return velocity();
    })
    .toBeGreaterThan(0);
  await page.clock.runFor(400 - FRAME_MS);
  expect(await velocity()).toBeGreaterThan(0);
  await page.clock.runFor(3 * FRAME_MS);
  expect(await velocity()).toBe(0);
  expect((await state()).direction).toBe(1);
});
