import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { waitForSite } from '../support/site.ts';
import { wiredTest } from '../support/wired-test.ts';
import { signIn } from '../support/wp-admin.ts';

const LIVE = /Live on the site at \d\d:\d\d:\d\d, after \d+\.\d s/;

/** What a visitor's page has. */
async function seenBy(visitor: Page, url: string) {
  await visitor.goto(url);
  return visitor.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    return {
      accent: style.getPropertyValue('--accent'),
      family: getComputedStyle(document.body).fontFamily,
      shared: document.querySelector('meta[property="og:image"]')?.getAttribute('content'),
    };
  });
}

const textOf = async (url: string) => (await fetch(url)).text();

wiredTest(
  'an editor changes the look next to the real page, cannot save unreadable text, and goes back',
  async ({ page, browser, wired: { wordpress, site } }) => {
    wiredTest.setTimeout(240_000);
    const visitor = await browser.newPage();
    await waitForSite(site.url);
    const before = await seenBy(visitor, site.url);
    await signIn(page, wordpress);
    const address = `${wordpress.url}/wp-admin/admin.php?page=pillion-look`;
    await page.goto(address);
    const dark = page.getByRole('group', { name: 'Colours of the theme “dark”' });
    const accent = dark.getByLabel('Accent: buttons and links', { exact: true });
    const root = page.frameLocator('.pillion-look-pane iframe').locator('html');
    await expect(root).toHaveAttribute('data-stage', 'playing');
    await expect(page.getByText('Opening the site…')).toHaveCount(0);

    await accent.fill('#aa0055');
    await expect(root).toHaveCSS('--accent', '#aa0055');
    await expect(accent).toHaveAttribute('aria-invalid', 'false');
    expect(await seenBy(visitor, site.url), 'nothing changes before it is saved').toEqual(before);

    const DAY_MS = 86_400_000;
    const TOKEN = /preview(\/|%2F)\d+(\/|%2F)token/;
    await page.route(TOKEN, async (route) => {
      await site.forward(-DAY_MS);
      await route.continue();
    });
    await site.forward(DAY_MS);
    await accent.fill('#aa0066');
    await expect(root, 'the token is renewed').toHaveCSS('--accent', '#aa0066', { timeout: 60_000 });
    await page.unroute(TOKEN);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await site.forward(DAY_MS);
    await accent.fill('#aa0077');
    const status = page.locator('.pillion-look-pane [role=status]');
    await expect(status).toContainText('You are no longer logged in. Log in again', { timeout: 60_000 });
    await expect(status).toContainText('Your values stay in the form');
    await site.forward(-DAY_MS);
    await page.context().addCookies(cookies);
    await accent.fill('#aa0088');
    await expect(root).toHaveCSS('--accent', '#aa0088', { timeout: 60_000 });
    await expect(status).toHaveText('');

    await accent.fill('#dddddd');
    const problem =
      /Accent: buttons and links \(dark\) cannot be read on Background \(dark\), Cards and fields \(dark\)/;
    await expect(page.getByRole('status').filter({ hasText: problem })).toContainText(
      'The nearest colour that works is #',
    );
    await expect(accent).toHaveAttribute('aria-invalid', 'true');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('cannot be read');
    await expect(accent, 'the input is still there').toHaveValue('#dddddd');
    await accent.fill('blue');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('“blue” is not a colour. Enter # and six digits');
    expect(await seenBy(visitor, site.url)).toEqual(before);

    await accent.fill('#aa0055');
    await page.getByLabel('Text and headlines').selectOption('Courier New');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('[data-pillion-receipt]')).toContainText(LIVE);
    const after = await seenBy(visitor, site.url);
    expect(after).toMatchObject({ accent: '#aa0055', family: expect.stringContaining('Courier New') });
    expect(after.shared, 'a shared link has a new picture').not.toBe(before.shared);
    expect(await textOf(`${site.url}/api/editor.css`)).toContain('--accent:#aa0055');
    const axe = await new AxeBuilder({ page }).include('.pillion-look').exclude('iframe').analyze();
    expect(axe.violations).toEqual([]);

    await page.reload();
    await page.getByRole('button', { name: 'Use again: The theme as it is' }).click();
    await expect(page.locator('[data-pillion-receipt]')).toContainText(LIVE);
    expect(await seenBy(visitor, site.url)).toEqual(before);
    await expect(page.getByRole('button', { name: /^Use again: / }), 'the way forward again').toHaveCount(1);
    await visitor.close();
  },
);
