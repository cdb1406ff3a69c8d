import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { agePage } from '../support/driven-time.ts';
import { BUNDLE, FIXTURE } from '../support/fixture.ts';
import { readSignUps } from '../support/sign-ups.ts';
import type { RunningSite } from '../support/site.ts';
import { createTestIn, expect, visitPage } from './test.ts';

/**
 * Texts in Arabic (R28): the form, its errors and confirmation, the search, the skip link, a missing page. English has
 * separate journeys for each. German takes the same paths, from left to right.
 */
const test = createTestIn(FIXTURE);

interface Words {
  labels: Record<'skip', string>;
  form: Record<'required' | 'email' | 'invalid', string> & { form_id: number };
  search: Record<'title' | 'none', string>;
  fourohfour: { paragraph: string; link: { title: string } };
}
interface Form {
  button: { text: string };
  confirmations: Record<string, { message: string }>;
  fields: { label: string }[];
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(BUNDLE, `${path}.json`), 'utf8'));

const lang = 'ar';

function readTexts() {
  const words = read<Words>(`${lang}/strings`);
  const form = read<Form>(`${lang}/forms/${words.form.form_id}`);
  const [name = '', email = '', consent = ''] = form.fields.map(({ label }) => label);
  const [confirmation] = Object.values(form.confirmations);
  // Its first words stand apart, in bold.
  const thanks = /<strong>(.*?)<\/strong>/.exec(confirmation?.message ?? '')?.[1] ?? '';
  return { words, send: form.button.text, fields: { name, email, consent }, thanks };
}
const { words, send, fields, thanks } = readTexts();

const form = (page: Page) => page.getByRole('main').locator('form');
const nameField = (page: Page) => form(page).getByRole('textbox', { name: fields.name });
const emailField = (page: Page) => form(page).getByRole('textbox', { name: fields.email });
const newEmail = () => `reader-${randomUUID()}@example.org`;

async function mend(page: Page, email: string): Promise<void> {
  await nameField(page).fill('آدا Quist');
  await emailField(page).fill(email);
  await form(page).getByRole('checkbox').check();
  await form(page).getByRole('button', { name: send }).click();
}

/** Answers as the store keeps them, of the form in this language. */
const kept = async ({ dataDirectory }: RunningSite, email: string) =>
  (await readSignUps(dataDirectory)).filter(({ answers }) => answers?.input_2 === email).map(({ formId }) => formId);

test('R28, R30: in Arabic errors and confirmation of the form are in that language', async ({ page, site }) => {
  const email = newEmail();
  await agePage(page, 5_000);
  await visitPage(page, `/${lang}/`);
  await form(page).scrollIntoViewIfNeeded();
  await expect(form(page)).toHaveAttribute('data-hydrated', '');
  await emailField(page).fill('nowhere');
  await form(page).getByRole('button', { name: send }).click();
  const focused = page.locator(':focus');
  await expect(focused).toContainText(words.form.invalid);
  await expect(focused.getByRole('link')).toHaveText(
    [fields.name, fields.email, fields.consent].map((label) => new RegExp(`^${label}:`)),
  );
  await expect(nameField(page)).toHaveAccessibleDescription(words.form.required);
  await expect(emailField(page)).toHaveAccessibleDescription(words.form.email);
  await mend(page, email);
  const status = page.getByRole('status').filter({ hasText: thanks });
  await expect(status).toBeVisible();
  expect(await kept(site, email)).toEqual([words.form.form_id]);
});

test('R28, R31: in Arabic search, skip link and the page for an unknown path are in that language', async ({
  page,
}) => {
  await visitPage(page, `/${lang}/search`);
  const field = page.getByRole('combobox', { name: words.search.title });
  await field.fill('qqqqq');
  const said = page.getByRole('main').getByRole('status');
  await expect(said).toHaveText(words.search.none.replace('{query}', 'qqqqq'));
  expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  await page.goto(`/${lang}/qqqqq/`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: words.labels.skip })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('main')).toContainText(words.fourohfour.paragraph);
  await expect(page.getByRole('main').getByRole('link', { name: words.fourohfour.link.title })).toHaveAttribute(
    'href',
    `/${lang}/`,
  );
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('R28, R30: in Arabic form and confirmation are in that language', async ({ page, site }) => {
    const email = newEmail();
    await page.goto(`/${lang}/`);
    await emailField(page).fill(email);
    await form(page).getByRole('button', { name: send }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(nameField(page)).toHaveAccessibleDescription(words.form.required);
    await mend(page, email);
    await expect(page).toHaveURL(/\/api\/sign-ups\/thanks/);
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(page.getByRole('main').getByText(thanks)).toBeVisible();
    expect(await kept(site, email)).toEqual([words.form.form_id]);
  });
});
