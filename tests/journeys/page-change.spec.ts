import type { Locator, Page } from '@playwright/test';
import { FIXTURE } from '../support/fixture.ts';
import { expect, followLink, loadReact, test, visitPage } from './test.ts';

interface Change {
  way: string | undefined;
  /** Names that both pages have, in alphabetical order. */
  shared: string[];
}

/**
 * Notes each view transition and holds its animations, so that its middle lasts until `finish`. A browser that comes to draw
 * too late skips the animations (4 s in Chromium); such a transition has begun and settled, and is no change.
 */
async function hold(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const changes: Change[] = [];
    const counts = { begun: 0, settled: 0 };
    Object.assign(window, { changes, counts });
    if (!document.startViewTransition) return;
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      counts.begun += 1;
      const settle = () => {
        counts.settled += 1;
      };
      transition.ready.then(settle, settle);
      transition.ready.then(
        () => {
          const animations = document
            .getAnimations()
            .map((animation) => ({ animation, pseudo: (animation.effect as KeyframeEffect).pseudoElement ?? '' }))
            .filter(({ pseudo }) => pseudo.startsWith('::view-transition'));
          for (const { animation } of animations) animation.pause();
          // The browser moves only elements that both pages have.
          const shared = animations.flatMap(
            ({ pseudo }) => /^::view-transition-group\((.*)\)$/.exec(pseudo)?.[1] ?? [],
          );
          changes.push({
            way: document.documentElement.dataset.direction,
            shared: [...new Set(shared)].sort(),
          });
        },
        () => {},
      );
      return transition;
    };
  });
}

const changes = (page: Page) => page.evaluate(() => (window as unknown as { changes: Change[] }).changes);

/** How many transitions have begun, and of how many it is settled whether they run or are skipped. */
const counts = (page: Page) =>
  page.evaluate(() => (window as unknown as { counts: { begun: number; settled: number } }).counts);

/** Waits until `count` changes have begun, and the last one runs or is skipped. */
const inTheMiddleOf = (page: Page, change: number) =>
  expect.poll(() => counts(page)).toEqual({ begun: change, settled: change });

const finish = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if ((animation.effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition')) animation.finish();
  });

/** Nothing of a change is left: no name, and no word of its way. */
async function expectNothingLeft(page: Page): Promise<void> {
  await expect(page.locator('[data-direction]')).toHaveCount(0);
  await expect(page.locator('[style*="view-transition-name"]')).toHaveCount(0);
}

/** Opens a page and moves the pointer over it, and over a link, which loads React and the code of the transition. */
async function visitWithPointer(page: Page, path: string): Promise<void> {
  await hold(page);
  // Before the page loads, so that it is not missed.
  const sheet = page.waitForResponse(/page-transition-[\w-]+\.css/);
  await visitPage(page, path);
  await page.mouse.move(600, 400);
  await loadReact(page);
  await (await sheet).finished();
}

const title = (page: Page) => page.getByRole('heading', { level: 1 });
const log = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'The paper notes' });

test.describe('from page to page', () => {
  test('the text of a link becomes the title of its page, and back again with Back @firefox @lean', async ({
    page,
  }) => {
    await visitWithPointer(page, '/');
    await log(page).click();
    await expect(title(page)).toHaveText('The paper notes');
    const ahead = { way: 'ahead', shared: ['root', 'title'] };
    await expect.poll(() => changes(page)).toEqual([ahead]);
    await finish(page);
    await expectNothingLeft(page);

    const link = page.getByRole('main').getByRole('link', { name: 'The first chapter' });
    await link.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    expect(place).toBeGreaterThan(0);
    await link.click();
    await expect(title(page)).toHaveText('The first chapter');
    await expect.poll(() => changes(page)).toEqual([ahead, ahead]);
    await finish(page);
    await expectNothingLeft(page);
    expect(await page.evaluate(() => scrollY)).toBe(0);

    await page.goBack();
    await expect(title(page)).toHaveText('The paper notes');
    await expect.poll(() => changes(page)).toEqual([ahead, ahead, { ...ahead, way: 'back' }]);
    await finish(page);
    await expectNothingLeft(page);
    // R13: the position is the same. Firefox counts parts of a pixel.
    expect(await page.evaluate(() => scrollY)).toBeCloseTo(place, 0);

    await page.goForward();
    await expect
      .poll(async () => (await changes(page)).map(({ way }) => way))
      .toEqual(['ahead', 'ahead', 'back', 'ahead']);
  });

  test('the picture of a link becomes the picture of its page @firefox', async ({ page }) => {
    await visitWithPointer(page, '/paper-notes/first-chapter/');
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: '/' });
      link.append(Object.assign(new Image(300, 188), { src: '/media/hero-300x188.webp', alt: 'The pass' }));
      document.querySelector('main')?.prepend(link);
    });
    await page.getByRole('link', { name: 'The pass' }).click();
    await expect.poll(() => changes(page)).toEqual([{ way: 'ahead', shared: ['picture', 'root'] }]);
    await finish(page);
    await expectNothingLeft(page);
  });

  test('a click during the animation applies to the new page @firefox', async ({ page }) => {
    await visitWithPointer(page, '/privacy-policy/');
    const middle = async (link: Locator) => {
      const { x = 0, y = 0 } = (await link.boundingBox()) ?? {};
      return [x + 5, y + 5] as const;
    };
    await log(page).click();
    await expect.poll(async () => (await changes(page)).length).toBe(1);
    await page.mouse.click(...(await middle(page.getByRole('banner').getByRole('link', { name: 'The tour' }))));
    await expect(page).toHaveURL('/the-tour/');
    await expect.poll(async () => (await changes(page)).length).toBe(2);
    await page.mouse.click(...(await middle(page.getByRole('banner').getByRole('link', { name: 'Search' }))));
    await expect(page).toHaveURL('/search');
    await expect.poll(async () => (await changes(page)).length).toBe(3);
    await finish(page);
    await expectNothingLeft(page);
  });

  test('R23: menus that arrive during a page change with a transition stay', async ({ page }) => {
    await page.addInitScript(() => {
      const clock = { aheadMs: 0 };
      const { now } = Date;
      Date.now = () => now() + clock.aheadMs;
      Object.assign(window, { clock });
    });
    await page.route('**/api/shell?*', async (route) => {
      const response = await route.fetch();
      const shell = await response.json();
      await route.fulfill({ response, json: { ...shell, strings: { ...shell.strings, brand: 'Newer' } } });
    });
    await visitWithPointer(page, '/');
    // The browser has the old page's picture, and the change waits until `change` is called.
    await page.evaluate(() => {
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        Object.assign(window, { change: resolve });
        return start(() => promise.then(update as ViewTransitionUpdateCallback));
      };
    });
    await log(page).click();
    await page.waitForFunction(() => 'change' in window, null, { polling: 50 });
    await page.evaluate(() => {
      (window as unknown as { clock: { aheadMs: number } }).clock.aheadMs = 61_000;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const newer = page.getByRole('banner').getByRole('link', { name: 'Newer' });
    await expect(newer).toHaveCount(1);
    await expect(title(page)).not.toHaveText('The paper notes');
    await page.evaluate(() => (window as unknown as { change: () => void }).change());
    await expect(title(page)).toHaveText('The paper notes');
    await expect(newer).toHaveCount(1);
  });

  test('a change of language fades, and the text of a link that is not the page’s title stays in place', async ({
    page,
    startOwnSite,
  }) => {
    const { url } = await startOwnSite({}, FIXTURE);
    await visitWithPointer(page, `${url}/paper-notes/`);
    await page.getByRole('banner').locator('a[lang=de]').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    const aside = { way: 'aside', shared: ['root'] };
    await expect.poll(() => changes(page)).toEqual([aside]);
    await finish(page);
    await expectNothingLeft(page);
    await followLink(page, '/de/rundgang/');
    await expect.poll(() => changes(page)).toEqual([aside, { way: 'ahead', shared: ['root'] }]);
  });

  test('after several interruptions in mid-animation the page of the last click is shown @firefox', async ({
    page,
  }) => {
    await visitWithPointer(page, '/');
    await log(page).click();
    await inTheMiddleOf(page, 1);
    await followLink(page, '/privacy-policy/');
    await inTheMiddleOf(page, 2);
    await page.goBack();
    await inTheMiddleOf(page, 3);
    await page.goForward();
    await followLink(page, '/cookie-policy/');
    await expect(title(page)).toHaveText('Cookie Policy');
    await expect.poll(async () => (await counts(page)).begun).toBeGreaterThan(3);
    await expect.poll(async () => (({ begun, settled }) => begun - settled)(await counts(page))).toBe(0);
    await finish(page);
    await expectNothingLeft(page);
  });

  test('after a resize during the animation the page has its new size, without leftovers', async ({ page }) => {
    await visitWithPointer(page, '/');
    await log(page).click();
    await inTheMiddleOf(page, 1);
    await page.setViewportSize({ width: 800, height: 700 });
    // Chromium cancels a transition if the window's size changes; Firefox continues it.
    await finish(page);
    await expectNothingLeft(page);
    await expect(title(page)).toHaveText('The paper notes');
    expect(await page.evaluate(() => [scrollY, document.documentElement.scrollWidth])).toEqual([0, 800]);
    await page.goBack();
    await inTheMiddleOf(page, 2);
    await finish(page);
    await expectNothingLeft(page);
    await expect(page.locator('html')).toHaveAttribute('data-stage', 'playing');
  });

  test('without its code pages change at once @lean', async ({ page }) => {
    await hold(page);
    await page.route(/page-transition-/, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('page-transition'));
    await visitPage(page, '/');
    await page.mouse.move(600, 400);
    await failed;
    await log(page).click();
    await expect(title(page)).toHaveText('The paper notes');
    expect(await changes(page)).toEqual([]);
  });
});

test('calm: page changes are not animated', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visitWithPointer(page, '/');
  await log(page).click();
  await expect(title(page)).toHaveText('The paper notes');
  expect(await changes(page)).toEqual([]);
});
