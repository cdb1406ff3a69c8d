import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';
import { expect, type Page } from '@playwright/test';

export async function signIn(page: Page, { url, admin }: RunningWordPress) {
  await page.goto(`${url}/wp-login.php`);
  const user = page.getByLabel('Username or Email Address');
  // WordPress moves the focus there shortly after the page has loaded, and would move typed text there.
  await expect(user).toBeFocused();
  await user.fill(admin.user);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL('**/wp-admin/**');
}

export async function changeColophon(page: Page, { url }: RunningWordPress, text: string) {
  await page.goto(`${url}/wp-admin/admin.php?page=pillion`);
  await page.getByLabel(/colophon/i).fill(text);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Settings saved.')).toBeVisible();
}

export async function renameMenuItem(page: Page, { url }: RunningWordPress, from: string, to: string) {
  await page.goto(`${url}/wp-admin/nav-menus.php?action=locations`);
  const row = page.locator('.menu-locations-row').filter({ has: page.locator('#locations-legals_menu') });
  await row.getByRole('link', { name: 'Edit' }).click();
  await page.waitForURL(/action=edit/);
  // Before its script runs, the screen opens an item as a new page, which moves away while a test presses Save.
  await page.waitForFunction(() => window.onbeforeunload !== null);
  const item = page.locator('#menu-to-edit > li').filter({ has: page.locator('.menu-item-title', { hasText: from }) });
  await item.locator('.item-edit').click();
  await item.getByLabel('Navigation Label').fill(to);
  await page.getByRole('button', { name: 'Save Menu' }).first().click();
  // WordPress saves item by item.
  await expect(page.getByText(/has been updated/)).toBeVisible({ timeout: 60_000 });
}

/** WordPress shows each user a dialog once; its preference is the same in every version. */
export const dismissWelcome = (page: Page) =>
  page.waitForFunction(() => {
    type Set = { set?(scope: string, name: string, value: boolean): void };
    const { wp } = window as unknown as { wp?: { data?: { dispatch(store: string): Set | undefined } } };
    const preferences = wp?.data?.dispatch('core/preferences');
    preferences?.set?.('core/edit-post', 'welcomeGuide', false);
    return Boolean(preferences?.set);
  });

const canvasOf = (page: Page) => page.frameLocator('iframe[name="editor-canvas"]');

/** Opens the front page in the block editor. */
export async function openFrontPage(page: Page, { url }: RunningWordPress) {
  await page.goto(`${url}/wp-admin/edit.php?post_type=page`);
  await page.locator('tr', { hasText: 'Front Page' }).getByRole('link').first().click();
  await dismissWelcome(page);
}

/** Replaces the headline of the first section in the open editor. */
export async function typeHeading(page: Page, text: string) {
  await canvasOf(page).getByRole('textbox', { name: 'Headline', exact: true }).first().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

export const clickSave = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

export async function changeHeading(page: Page, wordpress: RunningWordPress, text: string) {
  await openFrontPage(page, wordpress);
  await typeHeading(page, text);
  await clickSave(page);
  await expect(page.getByTestId('snackbar').filter({ hasText: 'Page updated.' })).toBeVisible();
}

export async function publishPage(page: Page, { url }: RunningWordPress, title: string) {
  await page.goto(`${url}/wp-admin/post-new.php?post_type=page`);
  await dismissWelcome(page);
  // WordPress 7 offers patterns for an empty page after a while.
  const patterns = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  await page.addLocatorHandler(patterns, (close) => close.click());
  await canvasOf(page).getByRole('textbox', { name: 'Add title' }).fill(title);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByLabel('Editor publish').getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByTestId('snackbar').filter({ hasText: 'Page published.' })).toBeVisible();
}
