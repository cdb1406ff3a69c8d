import AxeBuilder from '@axe-core/playwright';
import type { RunningWordPress } from '@pillion/scripts/wordpress.mjs';
import { expect, mergeTests } from '@playwright/test';
import { agePage } from '../support/driven-time.ts';
import { createBothTest, watchedTest } from '../support/own-wordpress.ts';
import { signIn } from '../support/wp-admin.ts';

/** An editor at Pillion → Forms and Sign-ups of a real WordPress, and a visitor on its site. */
const test = mergeTests(createBothTest(), watchedTest);

test.describe.configure({ timeout: 300_000 });

/** By an administrator: the site's key reads one form by its number and lists none. */
async function formNamed({ url, admin }: RunningWordPress, title: string) {
  const basic = Buffer.from(`${admin.user}:${admin.applicationPassword}`).toString('base64');
  const headers = { Authorization: `Basic ${basic}` };
  const ask = async (path: string) => (await fetch(`${url}/wp-json/gf/v2/forms${path}`, { headers })).json();
  const forms = Object.values((await ask('')) as Record<string, { id: string; title: string }>);
  return ask(`/${forms.find((form) => form.title === title)?.id}`);
}

test('R30: an editor makes a form by keyboard only; errors are linked; the site gets the fields in order', async ({
  page,
  both: { wordpress },
}) => {
  await signIn(page, wordpress);
  await page.goto(`${wordpress.url}/wp-admin/admin.php?page=pillion-forms`);
  await page.getByRole('link', { name: 'Add form' }).press('Enter');
  await page.getByLabel('Name of the form').fill('Press day');

  // A drop down is added at the end.
  await page.getByLabel('Kind of field').selectOption({ label: 'Drop down' });
  const add = page.getByRole('button', { name: 'Add field' });
  await expect(add, 'the screen’s script runs').toBeEnabled();
  await add.press('Enter');
  const topic = page.locator('[data-pillion-field]').last();
  await expect(topic.getByLabel('Label')).toBeFocused();
  await page.keyboard.type('Topic');
  await topic.getByLabel('Choices, one per line').fill('Read\nPress');

  // It moves up with its button, which keeps the focus.
  const up = page.getByRole('button', { name: 'Move up: Topic' });
  await up.press('Enter');
  await expect(up).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-pillion-title]')).toHaveText(['Topic', 'Name', 'Email']);
  await page.getByRole('button', { name: 'Remove: Name' }).press('Enter');
  await expect(page.locator('[data-pillion-title]')).toHaveText(['Topic', 'Email']);
  await expect(page.locator('#a11y-speak-polite')).toContainText('Name removed');

  // A condition names an existing field.
  const email = page.locator('[data-pillion-field]').last();
  await email.locator('summary').press('Enter');
  await email.getByRole('button', { name: 'Add a condition' }).press('Enter');
  await expect(email.getByLabel('Field', { exact: true })).toBeFocused();
  await email.getByLabel('Field', { exact: true }).selectOption({ label: 'Topic' });
  await email.getByLabel('Answer').fill('Nobody');
  await page.getByRole('button', { name: 'Save form' }).press('Enter');

  const summary = page.locator('[data-pillion-summary]');
  await expect(summary).toBeFocused();
  await expect(summary).toContainText(
    '“Email” (Email): a condition compares with “Nobody”, which is not a choice of “Topic”.',
  );
  await summary.getByRole('link', { name: /Nobody/ }).press('Enter');
  await expect(email.getByLabel('Answer')).toBeFocused();
  await expect(email.getByLabel('Answer')).toHaveAccessibleDescription(/which is not a choice/);
  const { violations } = await new AxeBuilder({ page }).include('.pillion-form').analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  await email.getByLabel('Answer').fill('press');
  await page.getByRole('button', { name: 'Save form' }).press('Enter');
  await expect(page.getByText('Form saved.')).toBeVisible();

  expect(await formNamed(wordpress, 'Press day')).toMatchObject({
    fields: [
      { type: 'select', label: 'Topic', choices: [{ text: 'Read' }, { text: 'Press' }] },
      { type: 'email', conditionalLogic: { logicType: 'all', rules: [{ operator: 'is', value: 'press' }] } },
    ],
  });

  // On a phone the screen needs no horizontal scrolling.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator('summary').first().press('Enter');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('R30: a sign-up appears in the list in wp-admin and is found by its email address @lean', async ({
  page,
  browser,
  both: { wordpress, site },
}) => {
  const visitor = await browser.newPage();
  // A form is ready to be sent 5 s after it was shown.
  await agePage(visitor, 5_000);
  const form = visitor.getByRole('main').locator('form');
  // Read for the first time: if WordPress is slow, the page can be there before its form.
  await expect(async () => {
    await visitor.goto(site.url);
    await expect(form).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await form.scrollIntoViewIfNeeded();
  await expect(form).toHaveAttribute('data-hydrated', '');
  await visitor.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
  await visitor.getByRole('textbox', { name: 'Email' }).fill('ada.quist@example.org');
  await visitor.getByRole('checkbox', { name: /Send me the letter/ }).check();
  await form.getByRole('button').click();
  await expect(visitor.getByRole('status').filter({ hasText: 'You are on the list' })).toBeVisible();
  await visitor.close();

  await signIn(page, wordpress);
  await page.goto(`${wordpress.url}/wp-admin/edit.php?post_type=pillion_entry`);
  const row = page.getByRole('row').filter({ hasText: 'ada.quist@example.org' });
  await expect(async () => {
    await page.reload();
    await expect(row).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 30_000 });
  await page.getByRole('searchbox').fill('ada.quist@example.org');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Ada Quist');
  await row.getByRole('link', { name: 'ada.quist@example.org', exact: true }).click();
  await expect(page.getByRole('row', { name: 'Name Ada Quist' })).toBeVisible();
  await page.goto(`${wordpress.url}/wp-admin/edit.php?post_type=pillion_entry&s=nobody@example.org`);
  await expect(page.getByText('No sign-up found.')).toBeVisible();
});
