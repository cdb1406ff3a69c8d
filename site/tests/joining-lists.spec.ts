import { randomUUID } from 'node:crypto';
import { openedBefore } from '@pillion/tests/driven-time.ts';
import { demoCheckout } from '@pillion/tests/one-language.ts';
import type { Page } from '@playwright/test';
import { lampsFor } from '../sign-up-number/steps.ts';
import { expect, test, visit } from './test.ts';

/** A light joins (decision 051): with no sign-ups, one, many, or an unknown number. */

/** A site whose list begins at a number. Empty: no number is shown. */
const withList = (from: string) =>
  demoCheckout((strings) => ({ ...strings, sign_up_number: { ...(strings.sign_up_number as object), from } }));

const form = (page: Page) => page.getByRole('main').locator('form');
const light = (page: Page) => page.locator('.form-number');
const thanks = (page: Page) => page.getByRole('status').filter({ hasText: 'You are on the list' });

async function signUp(page: Page, url: string): Promise<void> {
  await openedBefore(page, 5_000);
  await visit(page, `${url}/`);
  await form(page).scrollIntoViewIfNeeded();
  await expect(form(page)).toHaveAttribute('data-hydrated', '');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
  await page.getByRole('textbox', { name: 'Email' }).fill(`rider-${randomUUID()}@example.org`);
  await page.getByRole('checkbox', { name: /Send me the route/ }).check();
  await form(page).getByRole('button').click();
  await expect(thanks(page)).toBeVisible();
}

for (const [from, told] of [
  [0, '1'],
  [100_000, '100,001'],
] as const)
  test(`with ${from} sign-ups the number is ${told}, formatted, and fits the narrowest phone`, async ({
    page,
    startOwnSite,
  }) => {
    const { url } = await startOwnSite({}, withList(String(from)));
    // The first page after a start may come before the first count.
    await expect.poll(async () => (await fetch(`${url}/`)).text()).toContain(`data-sign-ups="${lampsFor(from)}"`);
    await signUp(page, url);
    await expect(light(page).locator('b')).toHaveText(told);
    await expect(light(page).locator('svg circle').first()).toBeVisible();
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(isTooWide, `${width} px`).toBe(false);
    }
    await page.reload();
    expect(await page.evaluate(() => sessionStorage.getItem('pillion-number')), 'her light burns in this tab').toBe(
      String(from + 1),
    );
  });

test('without a number the visitor sees the usual confirmation, and the scene has all its lamps', async ({
  page,
  startOwnSite,
}) => {
  const { url } = await startOwnSite({}, withList(''));
  await signUp(page, url);
  await expect(page.locator(':focus')).toContainText('You are on the list');
  await expect(light(page)).toHaveCount(0);
  await expect(page.locator('html')).not.toHaveAttribute('data-sign-ups');
  expect(await page.evaluate(() => sessionStorage.getItem('pillion-number'))).toBeNull();
});

test('R28: a visitor who signs up reads their number in the words of their language', async ({
  page,
  startOwnSite,
}) => {
  const { url } = await startOwnSite({}, process.cwd());
  await openedBefore(page, 5_000);
  for (const [lang, told] of [
    ['de', /^Licht \d+ auf der Straße ist deins\.$/],
    ['ar', /^ضوؤك هو الضوء رقم \d+ على الطريق\.$/],
  ] as const) {
    await visit(page, `${url}/${lang}/`);
    await form(page).scrollIntoViewIfNeeded();
    await form(page).getByRole('textbox').first().fill('Ada Quist');
    await form(page).getByRole('textbox').nth(1).fill(`rider-${randomUUID()}@example.org`);
    await form(page).getByRole('checkbox').check();
    await form(page).getByRole('button').click();
    await expect(page.getByText(told)).toBeVisible();
  }
});
