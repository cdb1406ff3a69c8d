import AxeBuilder from '@axe-core/playwright';
import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';
import { settled, violations } from '@pillion/site-tests/axe.mjs';
import { mergeTests, type Page } from '@playwright/test';
import { createBothTest } from '../support/own-wordpress.ts';
import { sendRawRequest } from '../support/raw-request.ts';
import { signIn } from '../support/wp-admin.ts';
import { expect, followLink, isMarked, markWindow, test, visitPage } from './test.ts';

/** Content is fresh for this long. The next request after it still gets the old content and starts the refresh. */
const FRESH_MS = 60_000;

const GONE = /page has been removed/;

test('an old link leads to the top of its new page inside the shell, and Back skips the redirect @firefox @lean', async ({
  page,
}) => {
  await visitPage(page, '/privacy-policy/');
  await markWindow(page);
  await page.evaluate(() => scrollTo(0, 300));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
  await followLink(page, '/journal?from=mail#nowhere');
  await expect(page).toHaveURL('/paper-notes/?from=mail#nowhere');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The paper notes');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  expect(await isMarked(page), 'no page load').toBe(true);
  await page.goBack();
  await expect(page).toHaveURL('/privacy-policy/');
});

test('a page that is gone says so in the shell, with a link home, by link and by address', async ({ page }) => {
  await visitPage(page, '/privacy-policy/');
  await markWindow(page);
  await followLink(page, '/first-edition');
  await expect(page.getByRole('heading', { level: 1, name: 'Gone' })).toBeVisible();
  await expect(page.getByText(GONE)).toBeVisible();
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  expect(await isMarked(page), 'no page load').toBe(true);

  const answer = await page.goto('/first-edition/');
  expect(answer?.status()).toBe(410);
  await expect(page.locator('html')).toHaveAttribute('data-stage', 'playing');
  await settled(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'Back to home' }).click();
  await expect(page).toHaveURL('/');
});

const inBoth = mergeTests(test, createBothTest());

async function openRedirects(page: Page) {
  await page.locator('#adminmenu').getByRole('link', { name: 'Pillion', exact: true }).click();
  await page.locator('#adminmenu').getByRole('link', { name: 'Redirects', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Redirects' })).toBeVisible();
}

async function addByKeyboard(page: Page, from: string, to: string) {
  await page.getByLabel('From', { exact: true }).focus();
  await page.keyboard.type(from);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('What happens')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type(to);
  await page.keyboard.press('Enter');
}

/** Rows of WordPress' lists have no name; the first column is their title. */
const rowOf = (page: Page, title: string) =>
  page.locator('#the-list > tr').filter({ has: page.locator('.row-title', { hasText: title }) });

async function moveToTrash(page: Page, { url }: RunningWordPress, title: string) {
  await page.goto(`${url}/wp-admin/edit.php?post_type=page`);
  const row = rowOf(page, title);
  await row.hover();
  await row.getByRole('link', { name: `Move “${title}” to the Trash` }).click();
  await expect(page.getByText('1 page moved to the Trash.')).toBeVisible();
}

async function quickRename(page: Page, { url }: RunningWordPress, title: string, slug: string) {
  await page.goto(`${url}/wp-admin/edit.php?post_type=page`);
  const row = rowOf(page, title);
  await row.hover();
  await row.getByRole('button', { name: `Quick edit “${title}” inline` }).click();
  // WordPress keeps the form it copies from in the page.
  const form = page.locator('tr.inline-edit-row').filter({ visible: true });
  await form.getByLabel('Slug').fill(slug);
  await form.getByRole('button', { name: 'Update' }).click();
  await expect(form).toHaveCount(0);
}

inBoth(
  'R29: an editor adds a redirect, renames a page and deletes another; once what it knows is 60 s old the site leads on, and says what is gone',
  async ({ page, browser, both: { wordpress, site: live } }) => {
    inBoth.setTimeout(180_000);
    // Read for the first time: if WordPress is slow, the site answers 503.
    for (const path of ['/paper-notes/first-chapter/', '/cookie-policy/'])
      await expect.poll(async () => (await sendRawRequest(live.url, path)).status, path).toBe(200);

    await signIn(page, wordpress);
    await openRedirects(page);
    await addByKeyboard(page, '/winter/', 'https://elsewhere.example/');
    await expect(page.getByRole('alert')).toContainText('The redirect is not saved yet');
    await expect(page.getByLabel('To', { exact: true })).toBeFocused();
    await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription(/cannot lead to another site/);
    await expect(page.getByLabel('From', { exact: true })).toHaveValue('/winter/');
    await page.getByLabel('To', { exact: true }).fill('/the-tour/');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Saved: /winter/ leads to /the-tour/.')).toBeVisible();
    const axe = new AxeBuilder({ page }).include('#wpbody-content');
    expect((await axe.withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze()).violations.map(({ id }) => id)).toEqual(
      [],
    );
    await quickRename(page, wordpress, 'The first chapter', 'crossing');
    await moveToTrash(page, wordpress, 'Cookie Policy');

    const visitor = await browser.newPage();
    await live.forward(FRESH_MS + 1);
    await expect(async () => {
      expect((await sendRawRequest(live.url, '/winter?a=1')).headers.location).toBe('/the-tour/?a=1');
      expect((await sendRawRequest(live.url, '/paper-notes/first-chapter/')).headers.location).toBe(
        '/paper-notes/crossing/',
      );
      expect((await sendRawRequest(live.url, '/cookie-policy/')).status).toBe(410);
    }).toPass({ intervals: [250], timeout: 60_000 });

    await visitor.goto(`${live.url}/winter/`);
    await expect(visitor).toHaveURL(`${live.url}/the-tour/`);
    await visitor.goto(`${live.url}/paper-notes/first-chapter/`);
    await expect(visitor).toHaveURL(`${live.url}/paper-notes/crossing/`);
    await visitor.goto(`${live.url}/cookie-policy/`);
    await expect(visitor.getByRole('heading', { level: 1, name: 'Gone' })).toBeVisible();
    await visitor.close();
    expect((await sendRawRequest(live.url, '/sitemap.xml')).body).not.toContain('cookie-policy');

    await openRedirects(page);
    await expect(rowOf(page, '/cookie-policy/')).toContainText('Automatic: the page was deleted');
    await expect(rowOf(page, '/paper-notes/first-chapter/')).toContainText('Automatic: the page moved');
    await wordpress.stop();
    expect((await sendRawRequest(live.url, '/winter/')).status, 'with WordPress down').toBe(301);
    expect((await sendRawRequest(live.url, '/cookie-policy/')).status).toBe(410);
  },
);
