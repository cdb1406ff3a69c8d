import { settled, violations } from '@pillion/site-tests/axe.mjs';
import { moving, overflowing } from '@pillion/site-tests/in-page.mjs';
import { currentStop, walk } from '@pillion/site-tests/keyboard.mjs';
import type { Page } from '@playwright/test';
import { reachForm } from '../support/sign-up-form.ts';
import { expect, FORM_TEXTS, NO_SUCH_PAGE, ROUTES, test, visitPage, waitForScript } from './test.ts';

const PATHS = [...ROUTES.map(({ path }) => path), '/search?q=paper', NO_SUCH_PAGE, '/api/sign-ups/thanks?form_id=1'];

test('axe finds nothing against WCAG 2.2 A and AA on the landing page @lean', async ({ page }) => {
  await visitPage(page, '/');
  await settled(page);
  expect(await violations(page)).toEqual([]);
});

/** Texts that are cut off by their own box. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3, p, a, button, label, li, dt, dd, td, th, legend')]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.matches('.visually-hidden, .visually-hidden *'),
      )
      .filter((element) => /hidden|clip/.test(getComputedStyle(element).overflow))
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
  );

test('WCAG 1.4.12, 2.4.2, 3.1.1: pages have a language, a title, room for text spacing, no axe finding', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const titles = new Set<string>();
  for (const path of PATHS) {
    await visitPage(page, path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    titles.add(await page.title());
    if (path !== '/') {
      await settled(page);
      expect.soft(await violations(page), path).toEqual([]);
    }
    // Set from outside the page, as an extension does it, because the page's policy does not change.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-block-end: 2em !important }',
      );
      document.adoptedStyleSheets = [sheet];
    });
    expect(await overflowing(page), path).toEqual([]);
    expect(await cutOff(page), path).toEqual([]);
  }
  expect(titles.size).toBe(PATHS.length);
});

test('WCAG 2.5.8: on a phone axe finds nothing, the open footer included, and controls have 24 × 24 px @phone-only', async ({
  page,
}) => {
  await visitPage(page, '/');
  await settled(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show more' }).tap();
  await expect(page.getByRole('navigation', { name: 'Social' })).toBeInViewport();
  await settled(page);
  expect(await violations(page)).toEqual([]);
  const targets = page.locator('a:visible, button:visible, input:visible:not([type=hidden])');
  const small = await targets.evaluateAll((elements) =>
    elements
      // A link in a sentence is as high as its line (WCAG 2.5.8, exception "inline").
      .filter((element) => !element.closest('label, p') && !element.closest('[aria-hidden=true]'))
      .map((element) => ({
        box: element.getBoundingClientRect(),
        name: element.textContent || element.getAttribute('name'),
      }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ name, box }) => `${name} ${Math.round(box.width)}×${Math.round(box.height)}`),
  );
  expect(small).toEqual([]);
});

test('axe finds nothing in the search while it shows results', async ({ page }) => {
  await visitPage(page, '/search');
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill('paper');
  await expect(page.getByRole('option').first()).toBeVisible();
  await field.press('ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toBeVisible();
  await settled(page);
  expect(await violations(page)).toEqual([]);
});

const submit = (page: Page) => page.getByRole('main').locator('form').getByRole('button');

test('axe finds nothing in a form with errors, nor in the confirmation @lean', async ({ page }) => {
  await visitPage(page, '/');
  await reachForm(page);
  await submit(page).click();
  await expect(page.locator(':focus')).toContainText(FORM_TEXTS.invalid);
  await settled(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
  await page.getByRole('checkbox').check();
  await submit(page).click();
  await expect(page.getByRole('status')).toContainText('You are on the list');
  await settled(page);
  expect(await violations(page)).toEqual([]);
});

test('axe finds nothing on the page that answers an incomplete form sent without script', async ({ page }) => {
  await visitPage(page, '/');
  await page.locator('main form').evaluate((form: HTMLFormElement) => form.submit());
  await expect(page).toHaveURL(/sign-ups/);
  await waitForScript(page);
  await settled(page);
  expect(await violations(page)).toEqual([]);
});

const LEGAL = ['Terms & Conditions', 'Privacy Policy', 'Cookie Policy'];
const SOCIAL = ['X', 'Twitch', 'LinkedIn', 'Instagram', 'Facebook'];
const QUESTIONS = ['When do we start?', 'Do I need a copy?', 'And if it is late?', 'What does it cost?'];
const FORM = [
  ...['Name', 'Email', 'Send me the letter, and nothing else. Privacy', 'Privacy', 'Join The List'],
  'Terms & Conditions',
];

test('WCAG 2.1.1, 2.1.2, 2.4.3, 2.4.7, 2.4.11: Tab visits all stops of the landing page in order, visibly @lean', async ({
  page,
}) => {
  await visitPage(page, '/');
  const stops = await walk(page);
  expect(stops.map(({ name }) => name)).toEqual([
    'Skip to content',
    'Example',
    'The paper notes',
    'The tour',
    'Search',
    'Join The List',
    ...QUESTIONS,
    ...FORM,
    ...LEGAL,
    ...SOCIAL,
    'sound',
    // The page's scrollbar, by the page's title.
    'Read the first page',
  ]);
  expect(stops.filter(({ isMarked }) => !isMarked)).toEqual([]);
  expect(stops.filter(({ isInSight }) => !isInSight)).toEqual([]);
});

test('WCAG 2.4.11: going backwards with Shift+Tab, no focused element is behind the header', async ({ page }) => {
  await visitPage(page, '/');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const stops = await walk(page, 'Shift+Tab');
  expect(stops.length).toBeGreaterThan(10);
  expect(stops.filter(({ isInSight }) => !isInSight)).toEqual([]);
});

test('WCAG 2.1.1: on a small screen the folded footer has no Tab stop, and Enter unfolds it @phone-only', async ({
  page,
}) => {
  await visitPage(page, '/');
  const stops = await walk(page);
  expect(stops.map(({ name }) => name)).toEqual([
    ...['Skip to content', 'Example', 'Search', 'Join The List', ...QUESTIONS, ...FORM, 'Show more'],
  ]);
  expect(stops.filter(({ isInSight }) => !isInSight)).toEqual([]);
  await page.getByRole('button', { name: 'Show more' }).focus();
  await page.keyboard.press('Enter');
  const unfolded = [];
  for (let stop = 0; stop < 11; stop++) {
    await page.keyboard.press('Tab');
    await settled(page);
    unfolded.push(await currentStop(page));
  }
  expect(unfolded.map((stop) => stop?.name)).toEqual(['The paper notes', 'The tour', ...LEGAL, ...SOCIAL, 'sound']);
  expect(unfolded.filter((stop) => !stop?.isInSight)).toEqual([]);
});

test('WCAG 2.4.1: the skip link appears on focus, and the next Tab is in the content @firefox', async ({ page }) => {
  await visitPage(page, '/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.locator('summary', { hasText: QUESTIONS[0] as string })).toBeFocused();
});

test('WCAG 1.4.10: at 320 px no page scrolls horizontally @firefox @lean', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of PATHS) {
    await visitPage(page, path);
    expect(await overflowing(page), path).toEqual([]);
  }
});

test('WCAG 1.4.11: in forced colours every control has a visible edge or text', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await visitPage(page, '/');
  const controls = page.locator('a:visible, button:visible, input:visible:not([type=hidden])');
  for (const control of await controls.all()) {
    if (await control.evaluate((element) => element.closest('[aria-hidden=true]') !== null)) continue;
    const { edge, text, back, name } = await control.evaluate((element) => {
      const style = getComputedStyle(element);
      const borders = ['Top', 'Right', 'Bottom', 'Left'] as const;
      const box = (node: Element) =>
        borders.some((side) => Number.parseFloat(getComputedStyle(node)[`border${side}Width`]) > 0);
      return {
        edge:
          box(element) || (element.parentElement !== null && box(element.parentElement)) || style.appearance !== 'none',
        text: style.color,
        back: getComputedStyle(document.documentElement).backgroundColor,
        name: element.textContent || element.getAttribute('name'),
      };
    });
    expect(text, `${name}`).not.toBe(back);
    const isText = await control.evaluate((element) => element.tagName === 'A');
    expect(edge || isText, `${name} shows where it is`).toBe(true);
  }
  await page.keyboard.press('Tab');
  expect((await currentStop(page))?.isMarked).toBe(true);
});

test('WCAG 2.3.3: with reduced motion nothing moves automatically @phone @lean', async ({ page, isMobile }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  expect(await moving(page)).toEqual([]);
  await waitForScript(page);
  expect(await moving(page)).toEqual([]);
  await page.evaluate(() => scrollTo(0, 2000));
  expect(await moving(page)).toEqual([]);
  if (isMobile) await page.getByRole('button', { name: 'Show more' }).tap();
  expect(await moving(page)).toEqual([]);
});
