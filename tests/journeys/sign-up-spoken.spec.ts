import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, FORM_TEXTS, test, visit } from './test.ts';

/**
 * Output of a screen reader for a rejected form, read from the real page by @guidepup/virtual-screen-reader, which
 * follows the specifications (accname, core-aam) that real ones follow. It comes from the site's own address, so that the
 * page's Content-Security-Policy stays as it is.
 */
const READER = '/virtual-screen-reader.js';

interface Reader {
  start(options: { container: Element }): Promise<void>;
  next(): Promise<void>;
  stop(): Promise<void>;
  spokenPhraseLog(): Promise<string[]>;
  lastSpokenPhrase(): Promise<string>;
}

const formOf = (page: Page) => page.getByRole('main').locator('form');

async function bringReader(page: Page): Promise<void> {
  const path = fileURLToPath(new URL('./index.browser.js', import.meta.resolve('@guidepup/virtual-screen-reader')));
  await page.route(`**${READER}`, (route) => route.fulfill({ path, contentType: 'text/javascript' }));
  await page.evaluate(async (address) => {
    Object.assign(window, { reader: (await import(address)).virtual });
  }, READER);
}

/** Everything that is read from the focus on, to the end of the form. */
const readOn = (page: Page, until: string): Promise<string[]> =>
  page.evaluate(async (until) => {
    const { reader } = window as unknown as { reader: Reader };
    for (let steps = 0; steps < 80 && !(await reader.lastSpokenPhrase()).startsWith(until); steps += 1)
      await reader.next();
    return reader.spokenPhraseLog();
  }, until);

test('R30: a screen reader announces that answers were rejected, and the error at each field', async ({ page }) => {
  await visit(page, '/');
  await formOf(page).scrollIntoViewIfNeeded();
  await expect(formOf(page)).toHaveAttribute('data-hydrated', '');
  await bringReader(page);
  await page.evaluate(async () => {
    const { reader } = window as unknown as { reader: Reader };
    const container = document.querySelector('main form');
    if (container) await reader.start({ container });
  });
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Quist');
  await page.getByRole('textbox', { name: 'Email' }).fill('nowhere');
  await formOf(page).getByRole('button').click();
  await expect(page.locator(':focus')).toContainText(FORM_TEXTS.invalid);
  const spoken = await readOn(page, 'end of form');
  const summary = spoken.findIndex((phrase) => phrase.startsWith(`group, ${FORM_TEXTS.invalid}`));
  expect(summary, spoken.join('\n')).toBeGreaterThan(-1);
  const after = spoken.slice(summary);
  const said = (start: string) => after.filter((phrase) => phrase.startsWith(start));
  const listed = after.slice(0, after.indexOf('end of list')).filter((phrase) => phrase.startsWith('link'));
  expect(listed, spoken.join('\n')).toEqual([
    expect.stringContaining(`Email: ${FORM_TEXTS.email}`),
    expect.stringContaining(`Consent: ${FORM_TEXTS.required}`),
  ]);
  const [email] = said('textbox, Email');
  expect(email, spoken.join('\n')).toContain(FORM_TEXTS.email);
  expect(email).toMatch(/\binvalid\b/);
  const [consent] = said('checkbox, Send me the letter');
  expect(consent).toContain(FORM_TEXTS.required);
  expect(consent).toMatch(/\binvalid\b/);
  expect(said('textbox, Name')[0]).not.toMatch(/\binvalid\b/);
});
