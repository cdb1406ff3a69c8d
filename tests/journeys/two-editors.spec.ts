import { expect } from '@playwright/test';
import { wiredTest } from '../support/wired-test.ts';
import { signIn } from '../support/wp-admin.ts';

wiredTest('a screen that is still open overwrites nothing that another editor saves', async ({ page, wired }) => {
  wiredTest.setTimeout(180_000);
  const { wordpress } = wired;
  const screen = (name: string) => `${wordpress.url}/wp-admin/admin.php?page=${name}`;
  await signIn(page, wordpress);
  const other = await page.context().newPage();
  const open = async (name: string) => {
    await page.goto(screen(name));
    await other.goto(screen(name));
  };

  // Each saves a text, and neither touches that of the other.
  await open('pillion');
  for (const [tab, label, text] of [
    [other, /colophon/i, 'Said by the other'],
    [page, 'Skip link', 'Said by the first'],
  ] as const) {
    await tab.getByLabel(label).first().fill(text);
    if (tab === other) await tab.getByLabel('Tone of the music').selectOption({ index: 1 });
    await tab.getByRole('button', { name: 'Save Changes' }).click();
    await expect(tab.getByText('Settings saved.')).toBeVisible();
  }
  await expect(page.getByLabel(/colophon/i)).toHaveValue('Said by the other');
  expect(await page.getByLabel('Tone of the music').evaluate((choice: HTMLSelectElement) => choice.selectedIndex)).toBe(
    1,
  );
  await expect(page.getByLabel('Skip link').first()).toHaveValue('Said by the first');

  await open('pillion-languages');
  const tags = page.locator('input[name$="[tag]"]');
  await other.locator('input[name$="[tag]"]').last().fill('fr');
  await other.locator('input[name$="[name]"]').last().fill('Français');
  await other.getByRole('button', { name: 'Save Changes' }).click();
  await expect(other.getByText('The languages are saved.')).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Another user has changed the languages')).toBeVisible();
  await page.goto(screen('pillion-languages'));
  await expect(tags.nth(-2)).toHaveValue('fr');

  await page.goto(screen('pillion-destinations'));
  await page.locator('#pillion-destination-name').fill('Letters');
  await page.locator('#pillion-destination-url').fill('https://letters.example.com/in');
  await page.getByRole('button', { name: 'Add the destination' }).click();
  const address = page.locator('#pillion-destination-url');
  for (const tab of [page, other]) {
    await tab.goto(screen('pillion-destinations'));
    await tab.getByRole('link', { name: 'Letters' }).click();
  }
  await other.locator('#pillion-destination-url').fill('https://new.example.com/in');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(other.getByText('Saved.')).toBeVisible();
  await address.fill('https://mine.example.com/in');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Another user has changed this destination')).toBeVisible();
  await expect(address, 'the input is still there').toHaveValue('https://mine.example.com/in');
  await expect(page.getByRole('cell', { name: 'new.example.com' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('cell', { name: 'mine.example.com' })).toBeVisible();
});
