import { settled, violations } from '@pillion/site-tests/axe.mjs';
import type { Page } from '@playwright/test';
import { waitForPaint } from '../support/driven-time.ts';
import { FIXTURE } from '../support/fixture.ts';
import { fakeTagManager } from '../support/tag-manager.ts';
import {
  createTestIn,
  denyStorage,
  expect,
  followLink,
  holdRequests,
  isMarked,
  logRequests,
  markWindow,
  NO_SUCH_PAGE,
  visitPage,
  waitForScript,
} from './test.ts';

/** A visitor is offered the page in the language that their browser prefers, and never redirected (R28). */

const test = createTestIn(FIXTURE);

/** Languages that the browser prefers, most preferred first. */
const prefers = (page: Page, ...languages: string[]) =>
  page.addInitScript((languages) => {
    Object.defineProperty(Navigator.prototype, 'languages', { configurable: true, get: () => languages });
  }, languages);

/** By its mark, since a form has a status too. */
const offer = (page: Page) => page.locator('[data-offer][role="status"]');
const german = (page: Page) => offer(page).getByRole('link', { name: 'Diese Seite auf Deutsch lesen' });
const switcher = (page: Page) => page.getByRole('banner').getByRole('navigation', { name: /Language|Sprache/ });
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('language'));

/** Opens a page, and waits until there are no more requests: an offer would be visible by then. */
async function seesNoOffer(page: Page, path: string): Promise<void> {
  const asked = logRequests(page, /assets\/offer-/);
  await visitPage(page, path);
  await page.waitForLoadState('networkidle');
  await expect(offer(page)).toHaveCount(0);
  expect(asked, 'what an offer needs was asked for').toEqual([]);
}

test.describe('a browser that prefers German', () => {
  test.use({ locale: 'de-AT' });

  test('R28: one line in German links to the same page, which shows no offer @lean', async ({ page }) => {
    await visitPage(page, '/the-tour/');
    await expect(page.locator('html'), 'she is not led there').toHaveAttribute('lang', 'en');
    await expect(german(page)).toHaveAttribute('href', '/de/rundgang/');
    await expect(german(page)).toHaveAttribute('hreflang', 'de');
    await expect(offer(page).locator('[lang="de"]')).toHaveAttribute('dir', 'ltr');
    await german(page).click();
    await expect(page).toHaveURL(/\/de\/rundgang\/$/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(offer(page)).toHaveCount(0);
    expect(await kept(page)).toBe('de');
    await seesNoOffer(page, '/');
  });

  test('R28: a closed offer does not come back, and closing it does not start the music @lean', async ({ page }) => {
    await visitPage(page, '/');
    await offer(page).getByRole('button', { name: 'Schließen' }).click();
    await expect(offer(page)).toHaveCount(0);
    await expect(page.locator('[data-sound]').first()).not.toHaveAttribute('aria-pressed', 'true');
    await seesNoOffer(page, '/');
    await seesNoOffer(page, '/the-tour/');
  });

  test('R28: the offer stays on pages with a German translation, disappears on others, and Escape closes it', async ({
    page,
  }) => {
    await visitPage(page, '/');
    await expect(german(page)).toHaveAttribute('href', '/de/');
    await page.getByRole('banner').getByRole('link', { name: 'The tour' }).click();
    await expect(page).toHaveURL(/\/the-tour\/$/);
    await expect(german(page)).toHaveAttribute('href', '/de/rundgang/');
    await followLink(page, NO_SUCH_PAGE);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404');
    await expect(offer(page)).toHaveCount(0);
    await page.goBack();
    await expect(german(page)).toHaveAttribute('href', '/de/rundgang/');
    await german(page).focus();
    await page.keyboard.press('Escape');
    await expect(offer(page)).toHaveCount(0);
    expect(await kept(page)).toBe('de');
  });

  test('R28: the offer follows the skip link in Tab order, and closing it keeps that position @firefox', async ({
    page,
  }) => {
    await visitPage(page, '/the-tour/');
    await expect(german(page)).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(german(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(offer(page).getByRole('button', { name: 'Schließen' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(offer(page)).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Example' })).toBeFocused();
  });

  test('R28: it shifts no layout, is not the largest paint, and is announced in an existing live region', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const seen = { largest: '', filled: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const paint of list.getEntries() as (PerformanceEntry & { element: Element | null })[])
          seen.largest = paint.element?.closest('[data-offer]') ? 'offer' : (paint.element?.tagName ?? 'gone');
      }).observe({ type: 'largest-contentful-paint', buffered: true });
      // Nodes that come into its region, not with it.
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes)
          if ((target as HTMLElement).dataset?.offer === '') seen.filled += addedNodes.length;
      }).observe(document, { subtree: true, childList: true });
    });
    for (const path of ['/', '/the-tour/', '/ar/']) {
      await visitPage(page, path);
      await expect(german(page)).toBeVisible();
      await settled(page);
      await waitForPaint(page);
      const seen = await page.evaluate(() => (window as unknown as { seen: Record<string, unknown> }).seen);
      expect([path, seen]).toEqual([path, { largest: expect.not.stringMatching('offer'), filled: 1 }]);
      // Both layouts are read in one task, so nothing else can move between them.
      const moved = await offer(page).evaluate((host) => {
        const places = () =>
          [...document.querySelectorAll<HTMLElement>('header, main, main *, footer')].map(
            ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) =>
              `${offsetLeft} ${offsetTop} ${offsetWidth} ${offsetHeight}`,
          );
        const there = places();
        host.style.display = 'none';
        const gone = places();
        return there.filter((place, at) => place !== gone[at]).length;
      });
      expect([path, moved]).toEqual([path, 0]);
    }
  });

  for (const [width, height] of [
    [1440, 900],
    [320, 480],
    [667, 375],
  ] as const)
    test(`R28: on ${width} × ${height} the offer covers no text, and axe finds nothing${width === 320 ? ' @firefox' : ''}`, async ({
      page,
    }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      for (const path of ['/', '/the-tour/', '/search', '/ar/', '/ar/al-jawla/']) {
        await visitPage(page, path);
        await expect(german(page)).toBeVisible();
        await settled(page);
        const { box, under } = await offer(page)
          .locator('p')
          .evaluate((line) => {
            const { left, right, top, bottom } = line.getBoundingClientRect();
            const covers = (other: DOMRect) =>
              other.left < right && other.right > left && other.top < bottom && other.bottom > top;
            const words = document.createTreeWalker(document.getElementById('root') as Node, NodeFilter.SHOW_TEXT);
            const under: string[] = [];
            const range = document.createRange();
            while (words.nextNode()) {
              const { currentNode: node } = words;
              const isSeen = node.parentElement?.checkVisibility({ opacityProperty: true, visibilityProperty: true });
              range.selectNodeContents(node);
              if (
                isSeen &&
                !line.contains(node) &&
                node.textContent?.trim() &&
                [...range.getClientRects()].some(covers)
              )
                under.push(node.textContent);
            }
            return { box: { left, right, top, bottom }, under };
          });
        expect([path, under]).toEqual([path, []]);
        expect(box.left).toBeGreaterThanOrEqual(0);
        expect(box.right).toBeLessThanOrEqual(width);
        expect(box.bottom).toBeLessThanOrEqual(height);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect([path, await violations(page)]).toEqual([path, []]);
      }
    });

  test('R47: the offer waits until the consent dialog is closed', async ({ page, context, taggedSite: { url } }) => {
    await fakeTagManager(context);
    await page.goto(`${url}/`);
    await waitForScript(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expect(page.locator('[data-offer] a')).toHaveCount(1);
    await expect(page.locator('[data-offer]')).toBeHidden();
    await dialog.getByRole('button', { name: /reject/i }).click();
    await expect(german(page)).toBeVisible();
  });

  test('R28: on a page to read, hydration keeps the offer, its focus and the announced text', async ({ page }) => {
    await visitPage(page, '/paper-notes/');
    await expect(german(page)).toBeVisible();
    const parts = await page.evaluateHandle(() => {
      if ('hydrated' in document.documentElement.dataset) throw new Error('The page is already hydrated');
      // Loads React.
      document.querySelector<HTMLElement>('[data-offer] a')?.focus();
      const announcer = document.querySelector('[data-announcer]');
      if (announcer) announcer.textContent = 'Cookies';
      return [...document.querySelectorAll('[data-offer], #root > *, [data-announcer]')];
    });
    await expect(page.locator('html')).toHaveAttribute('data-hydrated', '');
    expect(await parts.evaluate((parts) => parts.every(({ isConnected }) => isConnected))).toBe(true);
    await expect(german(page)).toBeFocused();
    await expect(page.locator('[data-announcer]')).toHaveText('Cookies');
  });

  test('R28: without storage no language is offered, because the choice could not be stored', async ({ page }) => {
    await denyStorage(page);
    await seesNoOffer(page, '/');
  });

  test('R28: without its code or texts the page is unchanged', async ({ page, watched }) => {
    await page.route('**/api/shell*', (route) => route.abort());
    await visitPage(page, '/the-tour/');
    await page.waitForLoadState('networkidle');
    await expect(offer(page)).toHaveCount(0);
    watched.length = 0;
  });
});

test('R28: the first preferred language with a translation is offered, Arabic from right to left', async ({ page }) => {
  await prefers(page, 'fr', 'ar', 'de');
  await visitPage(page, '/the-tour/');
  await expect(offer(page).getByRole('link')).toHaveText('اقرأ هذه الصفحة بالعربية');
  await expect(offer(page).getByRole('link')).toHaveAttribute('href', '/ar/al-jawla/');
  await expect(offer(page).locator('p')).toHaveAttribute('dir', 'rtl');
  const link = await offer(page).getByRole('link').boundingBox();
  const button = await offer(page).getByRole('button', { name: 'إغلاق' }).boundingBox();
  expect(button?.x).toBeLessThan(link?.x ?? 0);
});

test('R28: no language is offered to a browser that prefers the page’s language or has no translation', async ({
  context,
}) => {
  for (const [languages, path] of [
    [['en-GB', 'de'], '/'],
    [['de-CH', 'en'], '/de/'],
    // The page is in none of the preferred languages.
    [['fr', 'nl-BE'], '/'],
    [['de'], '/no-such-page/'],
    // A value that browsers may send.
    [['*', 'de'], '/'],
  ] as const) {
    const page = await context.newPage();
    await prefers(page, ...languages);
    await seesNoOffer(page, path);
    await page.close();
  }
});

test('R23, R28: English menus that arrive after a change to German are not shown', async ({ page }) => {
  await page.clock.install();
  await visitPage(page, '/');
  await page.clock.fastForward(61_000);
  const release = await holdRequests(page, '**/api/shell?lang=en');
  const asking = page.waitForRequest('**/api/shell?lang=en');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await asking;
  await switcher(page).getByRole('link', { name: 'Deutsch' }).click();
  const home = page.getByRole('banner').getByRole('link', { name: 'Example' });
  await expect(home).toHaveAttribute('href', '/de/');
  const answered = page.waitForResponse('**/api/shell?lang=en');
  release();
  await (await answered).finished();
  await waitForPaint(page);
  await expect(home).toHaveAttribute('href', '/de/');
});

for (const how of ['in the shell', 'if each page is a new document'])
  test(`R28: after a visitor chose a language, later pages and visits offer no other, ${how}`, async ({ page }) => {
    const isInShell = how.startsWith('in');
    if (!isInShell) await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    await seesNoOffer(page, '/');
    await markWindow(page);
    await switcher(page).getByRole('link', { name: 'Deutsch' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await waitForScript(page);
    expect(await isMarked(page)).toBe(isInShell);
    await expect(switcher(page).getByRole('link', { name: 'Deutsch' })).toHaveAttribute('aria-current', 'true');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Example' })).toHaveAttribute('href', '/de/');
    await expect.poll(() => kept(page)).toBe('de');
    await page.reload();
    await waitForScript(page);
    await page.waitForLoadState('networkidle');
    await expect(offer(page)).toHaveCount(0);
    await visitPage(page, '/de/rundgang/');
    await page.waitForLoadState('networkidle');
    await expect(offer(page)).toHaveCount(0);
  });
