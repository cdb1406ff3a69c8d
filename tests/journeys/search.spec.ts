import { DEFAULT_STRINGS } from '@pillion/content/wordpress/default-strings.ts';
import type { Page, Route } from '@playwright/test';
import { waitForPaint } from '../support/driven-time.ts';
import { takeShifts, watchShifts } from '../support/layout-shifts.ts';
import { readSpoken, startReader } from '../support/virtual-reader.ts';
import {
  expect,
  goOffline,
  holdRequests,
  isMarked,
  markWindow,
  test,
  visitPage,
  waitForRest,
  waitForScript,
} from './test.ts';

const main = (page: Page) => page.getByRole('main');
const field = (page: Page) => main(page).getByRole('combobox', { name: 'Search' });
const said = (page: Page) => main(page).getByRole('status');
/** Options of the field while a visitor types. */
const options = (page: Page) => main(page).getByRole('listbox', { name: 'Search' }).getByRole('option');
/** The same list after the field has lost focus: links. */
const hits = (page: Page) => main(page).getByRole('listitem').getByRole('link');
const chosen = (page: Page) => main(page).getByRole('option', { selected: true });

/** Pause in typing after which a search starts, in milliseconds. */
const PAUSE_MS = 200;

const SEARCHES = '**/api/page?path=%2Fsearch**';
const isFor = (route: Route, query: string) => route.request().url().includes(`q%3D${query}`);

/** Requests while a visitor types, in order. */
function asked(page: Page): string[] {
  const queries: string[] = [];
  page.on('request', (request) => {
    const path = new URL(request.url()).searchParams.get('path');
    if (path?.startsWith('/search')) queries.push(new URLSearchParams(path.split('?')[1]).get('q') ?? '');
  });
  return queries;
}

test.describe('R31: without script', () => {
  test.use({ javaScriptEnabled: false });

  const field = (page: Page) => main(page).getByRole('textbox', { name: 'Search' });

  test('a visitor searches, reads results with the search words marked, and opens one @lean', async ({ page }) => {
    await page.goto('/search');
    await field(page).fill('paper');
    await main(page).getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL('/search?q=paper');
    await expect(field(page)).toHaveValue('paper');
    await expect(said(page)).toContainText('“paper”');
    await expect(page.locator('main mark').first()).toHaveText(/^paper$/i);
    await hits(page).filter({ hasText: 'The paper notes' }).click();
    await expect(page).toHaveURL('/paper-notes/');
    await page.goto('/search?q=submarine');
    await expect(said(page)).toHaveText('No page has “submarine”. Try fewer words, or other ones.');
    await expect(hits(page)).toHaveCount(0);
  });
});

test('R31: results appear while the visitor types, address and title follow, a reload shows the same @phone @firefox @essential', async ({
  page,
}) => {
  await visitPage(page, '/search');
  await expect(page).toHaveTitle('Search | Example');
  await field(page).pressSequentially('paper');
  await expect(said(page)).toContainText('“paper”');
  await expect(options(page).first()).toBeVisible();
  await expect(page).toHaveURL('/search?q=paper');
  await expect(page).toHaveTitle('Search: paper | Example');
  await expect(field(page)).toBeFocused();
  const found = await options(page).allTextContents();
  await page.reload();
  await waitForScript(page);
  await expect(hits(page)).toHaveText(found);
  await expect(field(page)).toHaveValue('paper');
});

test('R31: a search starts when typing pauses, and the same words are not requested twice', async ({ page }) => {
  const queries = asked(page);
  await page.clock.install();
  await visitPage(page, '/search');
  // The page's clock is paused between keys, on a busy machine too.
  await page.clock.pauseAt(Date.now() + 60_000);
  const rest = (ms: number) => page.clock.runFor(ms);
  for (const letter of 'paper') {
    await field(page).press(letter);
    await rest(PAUSE_MS - 1);
  }
  expect(queries).toEqual([]);
  await rest(1);
  await expect(said(page)).toContainText('“paper”');
  expect(queries).toEqual(['paper']);
  await field(page).press('Space');
  await rest(2 * PAUSE_MS);
  await field(page).press('Backspace');
  await rest(2 * PAUSE_MS);
  await field(page).fill('letter');
  await rest(PAUSE_MS);
  await expect(said(page)).toContainText('“letter”');
  expect(queries).toEqual(['paper', 'letter']);
});

test('R22, R31: its requests name the deployment; an outdated one is cancelled and never shown @lean', async ({
  page,
}) => {
  const held: Route[] = [];
  await page.route(SEARCHES, (route) => (isFor(route, 'privacy') ? void held.push(route) : route.continue()));
  await visitPage(page, '/search');
  await field(page).fill('privacy');
  await expect.poll(() => held.length).toBe(1);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('q%3Dprivacy'));
  const asking = page.waitForRequest((request) => request.url().includes('q%3Dcookie'));
  await field(page).fill('cookie');
  await ended;
  expect((await asking).headers().env).toBe('production');
  await expect(said(page)).toContainText('“cookie”');
  await Promise.all(held.map((route) => route.continue().catch(() => {})));
  await page.waitForLoadState('networkidle');
  await expect(said(page)).toContainText('“cookie”');
  await expect(page).toHaveURL('/search?q=cookie');
});

test('R31: the field is a combobox with arrow keys, Home, End, Enter and Escape @firefox @lean', async ({ page }) => {
  await visitPage(page, '/search');
  const input = field(page);
  await expect(input).toHaveAttribute('aria-autocomplete', 'list');
  await expect(input).toHaveAttribute('aria-expanded', 'false');
  await input.fill('paper');
  await expect(input).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator(`#${await input.getAttribute('aria-controls')}`)).toHaveRole('listbox');
  const count = await options(page).count();
  expect(count).toBeGreaterThan(2);
  await expect(chosen(page)).toHaveCount(0);

  const reached = async (at: number) => {
    await expect(chosen(page)).toHaveCount(1);
    const id = await options(page).nth(at).getAttribute('id');
    await expect(input).toHaveAttribute('aria-activedescendant', id ?? 'no id');
    await expect(options(page).nth(at)).toHaveAttribute('aria-selected', 'true');
    await expect(options(page).nth(at)).toBeInViewport({ ratio: 0.9 });
    await expect(input).toBeFocused();
  };
  await input.press('ArrowDown');
  await reached(0);
  await input.press('ArrowDown');
  await reached(1);
  await input.press('ArrowUp');
  await input.press('ArrowUp');
  await reached(count - 1);
  await input.press('ArrowDown');
  await reached(0);
  for (const [key, at] of [
    ['Home', 0],
    ['End', 5],
  ] as const) {
    await input.press('ArrowDown');
    await input.press(key);
    await expect(chosen(page)).toHaveCount(0);
    await expect(input).not.toHaveAttribute('aria-activedescendant');
    expect(await input.evaluate((element: HTMLInputElement) => element.selectionStart)).toBe(at);
  }

  await input.press('ArrowDown');
  await input.press('Escape');
  await expect(input).toHaveAttribute('aria-expanded', 'false');
  await expect(input).toHaveValue('paper');
  await expect(hits(page)).toHaveCount(count);
  await input.press('Alt+ArrowDown');
  await expect(input).toHaveAttribute('aria-expanded', 'true');
  await expect(chosen(page)).toHaveCount(0);
  await input.press('ArrowDown');
  const target = await options(page).first().getAttribute('href');
  await markWindow(page);
  await input.press('Enter');
  await expect(page).toHaveURL(target ?? '');
  expect(await isMarked(page)).toBe(true);
  await page.goBack();
  await expect(field(page)).toHaveValue('paper');
  await expect(hits(page)).toHaveCount(count);

  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  await expect(hits(page)).toHaveCount(0);
  await expect(page).toHaveURL('/search');
});

test('R31: a screen reader announces the field, the number of pages, then links with their excerpts @lean', async ({
  page,
}) => {
  await visitPage(page, '/search');
  await startReader(page);
  await field(page).focus();
  // In one event: a pause between two keys would announce the results of a part of the word.
  await page.keyboard.insertText('paper');
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(main(page).getByRole('search')).toMatchAriaSnapshot(`
    - search:
      - combobox "Search" [expanded]: paper
      - button "Search"
  `);
  await expect(main(page).getByRole('listbox')).toMatchAriaSnapshot(`
    - listbox "Search":
      - option "The paper notes" [selected]
  `);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(hits(page).first()).toBeFocused();
  await expect
    .poll(() => readSpoken(page))
    .toEqual([
      'main',
      expect.stringMatching(/^combobox, Search, has popup listbox, not expanded/),
      'polite: 4 pages have “paper”.',
      'button, Search',
      expect.stringMatching(/^link, The paper notes, .*paper.* …$/),
    ]);
});

test('R31: a result opens although a search is running when it is clicked', async ({ page }) => {
  const answerSearch = await holdRequests(page, /q%3Dletter/);
  const answerPage = await holdRequests(page, /api\/page\?path=%2F(?!search)/);
  await visitPage(page, '/search');
  await field(page).fill('paper');
  await expect(said(page)).toContainText('“paper”');
  const href = (await options(page).first().getAttribute('href')) ?? '';
  const asking = page.waitForRequest(/q%3Dletter/);
  await field(page).fill('letter');
  await asking;
  await options(page).first().click();
  await expect(page).toHaveURL(href);
  const answered = page.waitForResponse(/q%3Dletter/);
  answerSearch();
  await (await answered).finished();
  await waitForPaint(page);
  answerPage();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The paper notes');
  await expect(page).toHaveURL(href);
});

test('R31: the search waits until an input method has completed its word', async ({ page }) => {
  const queries = asked(page);
  await visitPage(page, '/search');
  await field(page).focus();
  const session = await page.context().newCDPSession(page);
  for (const text of ['k', 'き', 'きり'])
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  // Longer than the pause; there is no event to wait for.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)));
  expect(queries).toEqual([]);
  await session.send('Input.insertText', { text: '霧' });
  await expect(said(page)).toContainText('“霧”');
  expect(queries).toEqual(['霧']);
});

test('R31: the search also works on a page that the browser has translated', async ({ page }) => {
  await visitPage(page, '/search');
  await field(page).fill('road');
  await expect(said(page)).toContainText('“road”');
  // As Chrome's translation does it.
  await said(page).evaluate((status) => {
    const walker = document.createTreeWalker(status, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts)
      text.replaceWith(Object.assign(document.createElement('font'), { textContent: 'Traducido' }));
  });
  await field(page).fill('');
  await expect(said(page)).toHaveText('');
  await field(page).fill('pass');
  await expect(said(page)).toContainText('“pass”');
});

test('R31: nothing moves while the visitor types, even if responses are late @phone', async ({ page }) => {
  // Movement later than half a second after a key counts as layout shift.
  await page.route(SEARCHES, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => {});
  });
  await watchShifts(page);
  await visitPage(page, '/search');
  await waitForRest(page);
  await takeShifts(page);
  const before = await field(page).boundingBox();
  for (const query of ['paper', 'letter', 'submarine', 'tour', '']) {
    await field(page).fill(query);
    if (query) await expect(said(page)).toContainText(`“${query}”`);
    else await expect(said(page)).toBeEmpty();
  }
  expect(await field(page).boundingBox()).toEqual(before);
  expect(await takeShifts(page)).toEqual([]);
});

test('R31: without network an error appears, the last results stay, and the search runs when it is back @firefox', async ({
  page,
  context,
}) => {
  await visitPage(page, '/search?q=paper');
  const found = await hits(page).allTextContents();
  await goOffline(page);
  await field(page).fill('letter');
  await expect(said(page)).toContainText('You are offline');
  await expect(said(page)).toContainText('“paper”');
  await expect(options(page)).toHaveText(found);
  await expect(page).toHaveURL('/search?q=paper');
  await field(page).press('Enter');
  await expect(said(page)).toContainText('You are offline');
  await context.setOffline(false);
  await expect(said(page)).toContainText('“letter”');
  await expect(said(page)).not.toContainText('You are offline');
});

test('R31: an error, HTML or nothing instead of a response shows an error, and the last results stay', async ({
  page,
}) => {
  for (const answer of [
    { status: 500, contentType: 'application/json', body: '{"status":500}' },
    { status: 200, contentType: 'text/html', body: '<!doctype html><h1>Hello</h1>' },
    { status: 200, contentType: 'application/json', body: 'null' },
  ]) {
    await visitPage(page, '/search?q=paper');
    const found = await hits(page).allTextContents();
    await page.route(SEARCHES, (route) => route.fulfill(answer));
    await field(page).fill('letter');
    await expect(said(page)).toContainText(DEFAULT_STRINGS.search.failed);
    await expect(said(page)).toContainText('“paper”');
    await expect(options(page)).toHaveText(found);
    await page.unroute(SEARCHES);
    await main(page).getByRole('button', { name: 'Search' }).click();
    await expect(said(page)).toContainText('“letter”');
    await expect(said(page)).not.toContainText('does not answer');
  }
});

test('R31: text typed before the script loaded is searched @lean', async ({ page }) => {
  const held: Route[] = [];
  await page.route('**/assets/entry.client-*.js', (route) => void held.push(route));
  await page.goto('/search', { waitUntil: 'commit' });
  await main(page).getByRole('textbox').fill('paper');
  // The script is requested after the first paint, possibly after typing.
  await expect.poll(() => held.length).toBe(1);
  await Promise.all(held.map((route) => route.continue()));
  await expect(said(page)).toContainText('“paper”');
  await expect(field(page)).toHaveValue('paper');
});

test('R31: pages of results are links, and Back leads through them', async ({ page }) => {
  await page.route(SEARCHES, async (route) => {
    const answer = await (await route.fetch()).json();
    const number = isFor(route, 'paper%26page%3D2') ? 2 : 1;
    Object.assign(answer.page.search, { page: number, pages: 2 });
    await route.fulfill({ json: answer, headers: { 'pillion-build': await build(page) } });
  });
  await visitPage(page, '/search');
  await field(page).fill('paper');
  await main(page).getByRole('link', { name: 'Next' }).click();
  await expect(main(page)).toContainText('2 / 2');
  await expect(page).toHaveURL('/search?q=paper&page=2');
  // A search that Back interrupts.
  await holdRequests(page, /q%3Dletter/);
  await field(page).fill('letter');
  await expect(page.locator('[data-asking]')).toBeVisible();
  await page.goBack();
  await expect(main(page)).toContainText('1 / 2');
  await expect(field(page)).toHaveValue('paper');
  await expect(page.locator('[data-asking]')).toHaveCount(0);
});

const build = (page: Page) =>
  page.evaluate(() => JSON.parse(document.getElementById('boot')?.textContent ?? '{}').build as string);
