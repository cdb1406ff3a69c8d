import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type Frame, type Page } from '@playwright/test';
import { BUNDLE } from '../support/fixture.ts';
import { type RunningSite, startSite } from '../support/site.ts';

interface Fixtures {
  /** Fails the test when the page logs an error or throws. A test that provokes some empties the list. */
  watched: string[];
  /** Starts a site of the test's own and stops it when the test ends. */
  startOwnSite: (env: Record<string, string>, directory?: string) => Promise<RunningSite>;
}

/**
 * The pointer of the headless shell is at 0,0 of the screen from the start, so the first page would get a `pointerover`.
 * The window moves away from it, so that no page has a pointer until a test moves one, as in the complete Chromium.
 */
async function movePointerAway(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { windowId } = await devtools.send('Browser.getWindowForTarget');
  await devtools.send('Browser.setWindowBounds', { windowId, bounds: { left: 100, top: 100 } });
  await devtools.detach();
}

interface WorkerFixtures {
  /** Folder that `site` starts in. By default a copy of the fixture in English only. */
  folder: string | undefined;
  site: RunningSite;
  /** The same with a tag manager, `GTM_ID`. */
  taggedSite: RunningSite;
}

/** Id of the container that `taggedSite` loads after consent. */
export const GTM_ID = 'GTM-TEST123';

/** Journeys run against the built site with its bundled content; `site` is shared by a worker's tests. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  folder: [undefined, { scope: 'worker', option: true }],
  site: [
    async ({ folder }, use) => {
      const site = await startSite({}, folder);
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  taggedSite: [
    async ({ folder }, use) => {
      const site = await startSite({ GTM_ID }, folder);
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  page: async ({ page, browserName }, use) => {
    if (browserName === 'chromium') await movePointerAway(page);
    await use(page);
  },
  baseURL: async ({ site }, use) => use(site.url),
  // Needs `startOwnSite` so that it ends first: a page whose server stops while it fetches a module logs an error.
  watched: [
    async ({ page, startOwnSite: _ }, use) => {
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => {
        // Chromium 156 skips the transition to a document whose stylesheet is not cached, as with intercepted requests.
        if (!message.endsWith('ViewTransition opt-in disabled')) problems.push(`threw: ${message}`);
      });
      page.on('console', (message) => {
        // A page that answers 404, 422 or 503 on purpose is reported as a failed resource: that is not ours.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
          problems.push(message.text());
      });
      await use(problems);
      expect(problems, 'errors in the page’s console').toEqual([]);
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  startOwnSite: async ({}, use) => {
    const started: RunningSite[] = [];
    await use(async (env, directory) => {
      const site = await startSite(env, directory);
      started.push(site);
      return site;
    });
    await Promise.all(started.map((site) => site.stop()));
  },
});

/** The same with the site of another folder. */
export const createTestIn = (folder: string) =>
  test.extend<object, WorkerFixtures>({ folder: [folder, { scope: 'worker' }] });

export { expect };

/** Waits until the page’s own script runs it: React, or on a page to read the entry without React. */
export const waitForScript = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-stage', 'playing');

/** Opens a page and waits until its script runs it. */
export async function visitPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForScript(page);
}

/** Waits until the page no longer scrolls. @returns Where it is, in CSS pixels. */
export const waitForRest = (page: Page | Frame): Promise<number> =>
  page.evaluate(async () => {
    for (let still = 0, last = scrollY; still < 15; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      still = scrollY === last ? still + 1 : 0;
      last = scrollY;
    }
    return scrollY;
  });

/** Presses of a key while nothing moves, as a visitor would repeat it. */
const MAX_PRESSES = 3;

/**
 * Presses a key that moves the page, and waits until the browser has ended the movement. A very busy Chromium gives a key
 * up now and then, with our scripts and without: it says `scrollend` where nothing has moved, and the key is pressed again.
 * @returns Where the page is then, in CSS pixels.
 */
export async function pressToScroll(page: Page, key: string): Promise<number> {
  for (let presses = 1; ; presses += 1) {
    await page.evaluate(() => {
      const from = scrollY;
      Object.assign(window, { ended: null });
      addEventListener('scrollend', () => Object.assign(window, { ended: scrollY !== from }), {
        once: true,
        capture: true,
      });
    });
    await page.keyboard.press(key);
    const ended = () => page.evaluate(() => (window as { ended?: boolean | null }).ended);
    await expect.poll(ended, `the browser says that ${key} is over`).not.toBe(null);
    if (await ended()) return waitForRest(page);
    expect(presses, `${key} moves the page`).toBeLessThan(MAX_PRESSES);
  }
}

/** Waits until React runs the page. On a page to read it comes once a visitor is about to follow a link. */
export async function loadReact(page: Page): Promise<void> {
  await waitForScript(page);
  await page.locator('header a').first().dispatchEvent('pointerover');
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', '');
}

/**
 * Puts a link at the end of the content and clicks it: a way to addresses that no page of the fixture leads to. Waits for
 * React first: a link that it did not draw must not be there while it takes the page over.
 */
export async function followLink(page: Page, href: string): Promise<void> {
  await loadReact(page);
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href, textContent: 'onward' });
    document.querySelector('main')?.append(link);
    link.click();
  }, href);
}

/**
 * Cuts a page off from the network. The browser says that it has before it has: what a page asks for at once may still come
 * on a busy machine (1 of 120 in Chromium).
 */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect.poll(() => isOnline(page)).toBe(false);
}

/** Connects it again, and waits until the browser has. */
export async function goOnline(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await expect.poll(() => isOnline(page)).toBe(true);
}

const isOnline = (page: Page) =>
  page.evaluate(() =>
    fetch('/healthz').then(
      () => true,
      () => false,
    ),
  );

/** Holds requests until the returned function is called. A request whose page is gone by then gets no response. */
export async function holdRequests(page: Page, urls: string | RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(urls, async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  return release;
}

/** A browser that denies the page its storage, as with blocked cookies. */
export const denyStorage = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    }),
  );

/** Sets a value in the window. A page load removes it, so `isMarked` says whether the shell stayed. */
export const markWindow = (page: Page) => page.evaluate(() => void Object.assign(window, { stayed: true }));
export const isMarked = (page: Page) => page.evaluate(() => (window as { stayed?: boolean }).stayed === true);

/** Addresses of the page's requests from now on that match, in order. */
export function logRequests(page: Page, address = /./): string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (address.test(request.url())) urls.push(request.url());
  });
  return urls;
}

/** Paths of the page data that the page asks for, in order. */
export function logPages(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/page') paths.push(searchParams.get('path') ?? '');
  });
  return paths;
}

interface BundledRoute {
  path: string;
  title: string;
  template: string;
  theme: string;
}

const readBundled = (name: string) => JSON.parse(readFileSync(join(BUNDLE, `en/${name}.json`), 'utf8'));

/** Every page of the bundled fixture. */
export const ROUTES: BundledRoute[] = readBundled('routes');

/** What the fixture's form says: of a field left empty, of an invalid email address, over all that is wrong, … */
export const FORM_TEXTS: Record<'required' | 'email' | 'invalid' | 'failed' | 'sending', string> =
  readBundled('strings').form;

/** A path that no page of the fixture has. */
export const NO_SUCH_PAGE = '/no-such-page/';
