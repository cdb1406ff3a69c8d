import { settled } from '@pillion/site-tests/axe.mjs';
import { tooFaint } from '@pillion/site-tests/text-contrast.mjs';
import type { Page } from '@playwright/test';
import { waitForPaint } from '../support/driven-time.ts';
import { expect, NO_SUCH_PAGE, test, visitPage, waitForScript } from './test.ts';

// Every screen of a long page is drawn and read, without a GPU.
test.describe.configure({ timeout: 180_000 });

/** The page in the other theme, as the editor may choose it for any page. */
const inTheme = (page: Page, theme: 'dark' | 'light') =>
  page.evaluate((theme) => {
    document.documentElement.dataset.theme = theme;
  }, theme);

/** Calls `work` at every step of the way down the page. */
async function down(page: Page, step: number, work: (top: number) => Promise<void>): Promise<void> {
  const end = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  for (let top = 0; top < end + step; top += step) {
    await page.evaluate((top) => scrollTo(0, top), Math.min(top, end));
    await waitForPaint(page);
    await work(Math.min(top, end));
  }
}

const READING = '/paper-notes/';

for (const path of ['/', READING, NO_SUCH_PAGE])
  test(`WCAG 1.4.3: on ${path} every text has contrast with the pixels behind it in both themes${path === '/' ? ' @phone' : ''}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await visitPage(page, path);
    await expect(page.locator('[data-loader]')).toHaveCount(0);
    await page.evaluate(() =>
      Promise.all([...document.images].map((image) => Object.assign(image, { loading: 'eager' }).decode())),
    );
    const blank = await context.newPage();
    const faint = new Set<string>();
    const { height } = page.viewportSize() ?? { height: 900 };
    for (const theme of ['dark', 'light'] as const) {
      await inTheme(page, theme);
      await down(page, Math.round(height * 0.7), async (top) => {
        for (const text of await tooFaint(page, blank)) faint.add(`${theme} at ${top}: ${text}`);
      });
    }
    expect([...faint]).toEqual([]);
  });

test('the header takes its tone from what is below it: dark over pictures, else the page’s theme @lean', async ({
  page,
}) => {
  await visitPage(page, '/');
  await inTheme(page, 'light');
  const header = page.getByRole('banner');
  // Both toggles share one background.
  const toggles = page.locator('footer :has(> [data-sound])');
  await expect(header).toHaveAttribute('data-tone', 'dark');
  const statement = page.locator('main section', { has: page.locator('h2') }).first();
  await statement.evaluate((section) => section.scrollIntoView({ block: 'end' }));
  await expect(toggles).toHaveAttribute('data-tone', 'page');
  await statement.locator('h2').evaluate((heading) => heading.scrollIntoView());
  await expect(header).toHaveAttribute('data-tone', 'page');
  const bar = page.locator('[data-header-bar]');
  await expect(bar).toHaveCSS('opacity', '1');
  await expect(header).toHaveCSS('color', await page.evaluate(() => getComputedStyle(document.body).color));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(header).toHaveAttribute('data-tone', 'dark');
  await expect(toggles).toHaveAttribute('data-tone', 'dark');
});

test('in the open footer of a light page, the toggles have the colour of its other controls @phone-only', async ({
  page,
}) => {
  await visitPage(page, '/');
  await inTheme(page, 'light');
  await page.getByRole('button', { name: 'Show more' }).tap();
  const toggles = page.locator('footer :has(> [data-sound])');
  await expect(toggles).toBeInViewport();
  await settled(page);
  const socialLink = page.getByRole('navigation', { name: 'Social' }).getByRole('link').first();
  await expect(toggles).toHaveCSS('color', await socialLink.evaluate((link) => getComputedStyle(link).color));
});

/** Texts and marks at the window's edges that cover texts of the page while both are visible. */
const collisions = (page: Page) =>
  page.evaluate(() => {
    const parts = (root: Element | null) => {
      if (!root) return [];
      const found: { element: Element; box: DOMRect; name: string }[] = [];
      for (const element of root.querySelectorAll('*')) {
        if (element.closest('.visually-hidden') || !element.checkVisibility({ visibilityProperty: true })) continue;
        const texts = [...element.childNodes].filter(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        );
        for (const text of texts) {
          const range = document.createRange();
          range.selectNodeContents(text);
          for (const box of range.getClientRects())
            found.push({ element, box, name: text.textContent?.trim().slice(0, 24) ?? '' });
        }
        // Drawings behind the text are ignored.
        if (element.matches('svg') && !element.closest('div[aria-hidden]'))
          found.push({ element, box: element.getBoundingClientRect(), name: 'mark' });
      }
      return found.filter(({ element }) => opacity(element) > 0.05);
    };
    const opacity = (element: Element | null): number =>
      element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
    const isFixed = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).position === 'fixed' || isFixed(element.parentElement));
    /** A section that covers the edges hides it. */
    const isSeen = ({ element, box }: { element: Element; box: DOMRect }) => {
      const stack = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const own = stack.findIndex((other) => other === element || other.contains(element));
      return (
        own >= 0 &&
        stack
          .slice(0, own)
          .every((other) => !/^rgb\(/.test(getComputedStyle(other).backgroundColor) || element.contains(other))
      );
    };
    const edges = parts(document.querySelector('footer')).filter(({ element }) => isFixed(element));
    const words = parts(document.querySelector('main'));
    const found: string[] = [];
    for (const edge of edges)
      for (const word of words) {
        const x = Math.min(edge.box.right, word.box.right) - Math.max(edge.box.left, word.box.left);
        const y = Math.min(edge.box.bottom, word.box.bottom) - Math.max(edge.box.top, word.box.top);
        if (x > 0 && y > 0 && isSeen(edge) && isSeen(word)) found.push(`${edge.name} × ${word.name}`);
      }
    return found;
  });

test('on large screens the parts at the edges of the window cover no text', async ({ page }) => {
  test.setTimeout(300_000);
  for (const path of ['/', READING, NO_SUCH_PAGE]) {
    await visitPage(page, path);
    await expect(page.locator('[data-loader]')).toHaveCount(0);
    for (const [width, height] of [
      [1024, 768],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      const found = new Set<string>();
      await down(page, 60, async (top) => {
        for (const collision of await collisions(page)) found.add(`${path} at ${width} px, ${top}: ${collision}`);
      });
      expect([...found]).toEqual([]);
    }
  }
});

test.describe('in print', () => {
  test.beforeEach(({ page }) => page.emulateMedia({ media: 'print' }));

  for (const [path, mostSheets] of [
    ['/', 5],
    [READING, Number.POSITIVE_INFINITY],
    [NO_SUCH_PAGE, 1],
  ] as const)
    test(`${path} prints on few sheets, dark on white, with addresses of links and without controls @lean`, async ({
      page,
    }) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
      for (const part of ['nav', 'form', 'button', 'canvas', '[data-scrollbar]', '[data-loader]', '[href="#main"]'])
        for (const found of await page.locator(part).all()) await expect(found, part).toBeHidden();
      const pale = await page.locator('main :is(h1, h2, h3, p, li, dt, dd, td, figcaption)').evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility())
          .filter((element) =>
            (getComputedStyle(element).color.match(/\d+/g) ?? []).slice(0, 3).some((part) => Number(part) > 110),
          )
          .filter((element) => !element.querySelector('em'))
          .map((element) => `${element.textContent?.slice(0, 30)} ${getComputedStyle(element).color}`),
      );
      // The darkest accent counts as text too.
      expect(pale.filter((line) => !line.endsWith('rgb(138, 47, 23)'))).toEqual([]);
      const fixed = await page
        .locator('body *')
        .evaluateAll((elements) =>
          elements
            .filter((element) => element.checkVisibility() && getComputedStyle(element).position === 'fixed')
            .map((element) => element.className),
        );
      expect(fixed, 'what is fixed stands on every sheet').toEqual([]);
      const address = page.locator('head [property="og:url"]');
      // Removed parts have no elements.
      if (path === NO_SUCH_PAGE) await expect(address).toHaveCount(0);
      else expect(await address.evaluate((meta) => getComputedStyle(meta, '::after').content)).toContain(path);
      if (path === READING) {
        const link = page.locator('main p a, main li a').first();
        const content = await link.evaluate((a) => getComputedStyle(a, '::after').content);
        expect(content).toContain(await link.getAttribute('href'));
      }
      await waitForScript(page);
      const file = (await page.pdf({ format: 'A4' })).toString('latin1');
      expect(file.match(/\/Type\s*\/Page\b/g)?.length, path).toBeLessThanOrEqual(mostSheets);
    });
});

test.describe('the 404 page', () => {
  test.use({ javaScriptEnabled: false });

  test('is complete without script and picture: a message and the link home @lean', async ({ page }) => {
    const pictures: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'image' && !request.url().includes('favicon')) pictures.push(request.url());
    });
    for (const width of [page.viewportSize()?.width ?? 1440, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(NO_SUCH_PAGE);
      await expect(page.getByRole('heading', { level: 1, name: '404' })).toBeInViewport({ ratio: 0.99 });
      await expect(page.getByText('Page not found')).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('link', { name: 'Back to home' })).toBeInViewport({ ratio: 1 });
    }
    expect(pictures.filter((url) => !url.endsWith('.svg'))).toEqual([]);
  });
});

/** Whether sections have a reveal animation while the page scrolls. */
const settles = (page: Page) =>
  page
    .locator('[data-reveal=rise]')
    .first()
    .evaluate((element) => getComputedStyle(element).animationName !== 'none');

test('WCAG 2.2.2: the stored choice applies before the entry script runs @lean', async ({ page, watched }) => {
  await visitPage(page, '/');
  await page.evaluate(() => localStorage.setItem('motion', 'reduced'));
  await page.route(/\/assets\/entry\.client-/, (route) => route.abort());
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'reduced');
  expect(await settles(page)).toBe(false);
  await page.evaluate(() => localStorage.setItem('motion', 'full'));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'full');
  expect(await settles(page)).toBe(true);
  watched.length = 0;
});

test('in forced colours the checkbox is the system’s, the card has an edge, the current page an underline @lean', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await visitPage(page, '/');
  await expect(page.getByRole('checkbox')).toHaveCSS('appearance', 'auto');
  await expect(page.locator('#inner-form')).toHaveCSS('border-top-width', '1px');
  await visitPage(page, READING);
  await expect(page.getByRole('banner').locator('[aria-current=page]')).toHaveCSS('text-decoration-line', 'underline');
  await expect(page.locator('main hr').first()).toHaveCSS('border-top-style', 'solid');
});

test('with more contrast there is one text colour, a bar behind the header, edges, and thicker focus rings @lean', async ({
  page,
}) => {
  await page.emulateMedia({ contrast: 'more' });
  await visitPage(page, '/');
  await expect(page.locator('[data-header-bar]')).toHaveCSS('opacity', '1');
  const card = page.locator('#inner-form');
  // Both themes of the fixture are light.
  await expect(card).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(card).toHaveCSS('border-top-color', 'rgb(0, 0, 0)');
  await expect(page.locator('main dt').first()).toHaveCSS('color', 'rgb(0, 0, 0)');
  await page.keyboard.press('Tab');
  await expect(page.locator(':focus')).toHaveCSS('outline-width', '4px');
});
