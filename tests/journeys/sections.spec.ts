import AxeBuilder from '@axe-core/playwright';
import { settled } from '@pillion/site-tests/axe.mjs';
import type { Locator, Page } from '@playwright/test';
import { getStatePath, test } from './states-test.ts';
import { expect, logRequests, visitPage, waitForRest } from './test.ts';

const TOUR = '/the-tour/';

const row = (page: Page) => page.getByRole('region', { name: 'Six places to stop and read' });

const scrolledBy = (element: Locator) => element.evaluate(({ scrollLeft }) => scrollLeft);

/** Waits until the row no longer scrolls. @returns Its position, in CSS pixels. */
const rowAtRest = (element: Locator): Promise<number> =>
  element.evaluate(async (row) => {
    for (let still = 0, last = row.scrollLeft; still < 15; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      still = row.scrollLeft === last ? still + 1 : 0;
      last = row.scrollLeft;
    }
    return row.scrollLeft;
  });

/** Brings the row to the middle of the window and waits until nothing moves. */
async function showRow(page: Page): Promise<Locator> {
  await row(page).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await waitForRest(page);
  return row(page);
}

test.describe('sections in every state', () => {
  /** No text is cut off, and the page has the width of the window. */
  async function expectToFit(page: Page, name: string, width: number): Promise<void> {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    const cut = await page.$$eval('main :is(h1, h2, h3, p, dt, dd, figcaption)', (elements) =>
      elements
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
        .map((element) => element.textContent?.slice(0, 40)),
    );
    expect(cut, `${name}: words that stick out of their box`).toEqual([]);
  }

  test('at 320 px nothing is wider than the window @lean', async ({ page, states }) => {
    await page.setViewportSize({ width: 320, height: 900 });
    for (const name of states.names) {
      await visitPage(page, states.url + getStatePath(name));
      await expectToFit(page, name, 320);
    }
  });

  test('at 768 and 1440 px nothing is wider than the window; everything is readable in both themes', async ({
    page,
    states,
  }) => {
    test.setTimeout(480_000);
    for (const name of states.names) {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await visitPage(page, states.url + getStatePath(name));
      for (const width of [768, 1440]) await expectToFit(page, name, width);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const theme of ['dark', 'light']) {
        await page.evaluate((theme) => {
          document.documentElement.dataset.theme = theme;
        }, theme);
        // Colours have transitions.
        await settled(page);
        const { violations } = await new AxeBuilder({ page }).include('main').analyze();
        expect(violations.map(({ id, nodes }) => `${theme} ${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
      }
    }
  });

  test('an empty section is left out, with one message @lean', async ({ page, states }) => {
    await visitPage(page, states.url + getStatePath('gallery'));
    await expect(page.getByText('Not shown')).toHaveCount(0);
    await expect(page.getByText('Twelve, and one left out')).toBeVisible();
    await expect(page.locator('section.gallery')).toHaveCount(7);
    expect(states.output()).toContain('content.gallery-picture-dropped');
    await visitPage(page, states.url + getStatePath('questions'));
    await expect(page.getByText('Unanswered?')).toHaveCount(0);
    expect(states.output()).toContain('content.question-dropped');
  });
});

test('R30: a form fits the narrowest phone in every state, even with long texts', async ({ page, states }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  expect(states.forms.length).toBeGreaterThan(10);
  for (const path of states.forms) {
    await visitPage(page, states.url + path);
    await page.locator('#inner-form').scrollIntoViewIfNeeded();
    // The card keeps its size, but its content could overflow.
    const widest = () =>
      page
        .locator('#inner-form')
        .evaluate((card) =>
          Math.max(...[...card.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right)),
        );
    await expect.poll(widest, path).toBeLessThanOrEqual(320);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
});

test.describe('every section after every other', () => {
  test('at 390 and 1440 px nothing is wider than the window, and no text covers that of the section before', async ({
    page,
    states,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(states.pairs.length).toBeGreaterThan(7);
    for (const path of states.pairs) {
      await visitPage(page, states.url + path);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
        const over = await page.$$eval('[data-ground] > *', (boxes) => {
          const words = boxes.flatMap((box) => {
            const rects = [...box.querySelectorAll('h1, h2, h3, p, dt, dd, li, summary, figcaption, button')]
              .map((element) => element.getBoundingClientRect())
              .filter(({ width, height }) => width > 1 && height > 1);
            const top = Math.min(...rects.map(({ top }) => top));
            return rects.length > 0 ? [{ top, bottom: Math.max(...rects.map(({ bottom }) => bottom)), box }] : [];
          });
          return words.flatMap(({ top, box }, at) =>
            at > 0 && top < (words[at - 1]?.bottom ?? 0) - 1 ? [`${at}: ${box.className}`] : [],
          );
        });
        expect(over, `${path} at ${width} px`).toEqual([]);
      }
    }
  });

  test('R7: the colophon hides behind the texts of each of three passages @timelines', async ({ page, states }) => {
    await visitPage(page, `${states.url}${getStatePath('pairs/passages')}`);
    const corner = page.getByRole('contentinfo').locator('div').filter({ hasText: 'All Rights Reserved' }).first();
    await expect(corner).toHaveCSS('opacity', '1');
    for (const at of [0, 1, 2]) {
      await page
        .locator('[data-ground="passage"]')
        .nth(at)
        .evaluate((box) => scrollTo({ top: scrollY + box.getBoundingClientRect().top + 300, behavior: 'instant' }));
      await expect(corner, `passage ${at + 1}`).toHaveCSS('opacity', '0');
    }
  });
});

test.describe('the gallery', () => {
  test('Tab reaches it and arrow keys scroll it by one picture @firefox', async ({ page }) => {
    await visitPage(page, TOUR);
    const gallery = await showRow(page);
    await gallery.focus();
    await expect(gallery).toBeFocused();
    // Its code is running once it takes a key. Until then this event, which is a script's, moves nothing.
    const isLeft = () =>
      gallery.evaluate((row) =>
        row.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true })),
      );
    await expect.poll(isLeft).toBe(false);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => scrolledBy(gallery)).toBe(0);
    expect(await rowAtRest(gallery)).toBe(0);
    const most = await gallery.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    const places = [0];
    for (let place = 0; place < most - 1; places.push(place)) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => scrolledBy(gallery), 'one picture further').toBeGreaterThan(place + 100);
      place = await rowAtRest(gallery);
    }
    await expect(gallery.getByText('The last sheet')).toBeInViewport();
    // Pressed faster than the row moves, each press counts.
    for (const _ of places.slice(1)) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => scrolledBy(gallery)).toBe(0);
  });

  test('on a phone a part of the next picture is visible, and without script all pictures are there @phone-only', async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(site.url + TOUR);
    const [first, second] = await row(page).locator('img').all();
    const right = (image: Locator | undefined) => image?.boundingBox().then((box) => (box ? box.x + box.width : 0));
    expect(await right(first)).toBeLessThan(390);
    expect((await second?.boundingBox())?.x).toBeLessThan(370);
    await expect(row(page).getByRole('listitem')).toHaveCount(6);
    await context.close();
  });

  test('loads its styles after a link, not before; a horizontal wheel scrolls it, a vertical one the page', async ({
    page,
  }) => {
    const styles = logRequests(page, /\.css$/);
    await visitPage(page, '/');
    expect(styles.join()).not.toMatch(/gallery|quote/);
    await page.getByRole('link', { name: 'The tour' }).click();
    await expect(row(page)).toBeVisible();
    expect(styles.join()).toMatch(/gallery.*quote|quote.*gallery/);
    await expect(row(page)).toHaveCSS('overflow-x', 'auto');
    const gallery = await showRow(page);
    const place = await waitForRest(page);
    await gallery.hover();
    // As with a trackpad: never exactly horizontal.
    for (let turn = 0; turn < 6; turn += 1) await page.mouse.wheel(90, 12);
    await expect.poll(() => scrolledBy(gallery)).toBeGreaterThan(200);
    expect(await waitForRest(page)).toBe(place);
    await page.mouse.wheel(0, 300);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(place + 100);
  });
});

test.describe('questions', () => {
  const answer = 'Nobody has one: it has never been printed';
  const id = 'q-do-i-need-a-copy';

  test('open one by one, also without script @lean', async ({ browser, site }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(site.url);
    await expect(page.getByText(answer)).toBeHidden();
    await page.getByText('Do I need a copy?').click();
    await expect(page.getByText(answer)).toBeVisible();
    await page.locator('summary', { hasText: 'And if it is late?' }).press('Enter');
    await expect(page.getByText('drink tea')).toBeVisible();
    await expect(page.getByText(answer)).toBeVisible();
    await context.close();
  });

  test('an address with its name opens it, also on the first page @firefox', async ({ page }) => {
    await visitPage(page, `/#${id}`);
    await expect(page.getByText(answer)).toBeInViewport();
  });

  test('in print every answer is visible, and on the screen a link on the page opens one', async ({ page }) => {
    await visitPage(page, '/');
    await page.emulateMedia({ media: 'print' });
    const height = await page.getByText(answer).evaluate((element) => element.getBoundingClientRect().height);
    expect(height).toBeGreaterThan(10);
    await expect(page.getByText(answer)).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await expect(page.getByText(answer)).toBeHidden();
    await page.evaluate((id) => location.assign(`#${id}`), id);
    await expect(page.getByText(answer)).toBeInViewport();
    await expect(page.locator('summary', { hasText: 'Do I need a copy?' })).toBeFocused();
  });
});

test.describe('the drawing over a statement', () => {
  const line = (page: Page) => page.locator('main [aria-hidden] svg[preserveAspectRatio] path').first();
  const left = (page: Page) =>
    line(page).evaluate((path) => Number.parseFloat(getComputedStyle(path).strokeDashoffset));

  test('the drawing over the picture is drawn while the page scrolls @timelines', async ({ page }) => {
    await visitPage(page, '/');
    expect(await left(page)).toBe(1);
    await line(page).evaluate((path) => path.closest('section')?.scrollIntoView({ block: 'end', behavior: 'instant' }));
    await expect.poll(() => left(page)).toBeLessThan(1);
    await line(page).evaluate((path) =>
      path.closest('section')?.scrollIntoView({ block: 'start', behavior: 'instant' }),
    );
    await expect.poll(() => left(page)).toBe(0);
    const boxes = await line(page).evaluate((path) => {
      const section = path.closest('section');
      return ['img', 'svg'].map((name) => JSON.stringify(section?.querySelector(name)?.getBoundingClientRect()));
    });
    expect(boxes[0]).toBe(boxes[1]);
  });

  test('is complete and still with reduced motion and in print @firefox', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await visitPage(page, '/');
    await expect(line(page)).toHaveCSS('stroke-dasharray', 'none');
    await page.emulateMedia({ reducedMotion: 'no-preference', media: 'print' });
    await expect(line(page)).toHaveCSS('stroke-dasharray', 'none');
  });
});
