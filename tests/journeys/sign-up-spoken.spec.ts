import { emailField, nameField, submit, visitForm } from '../support/sign-up-form.ts';
import { readOn, startReader } from '../support/virtual-reader.ts';
import { expect, FORM_TEXTS, test } from './test.ts';

test('R30: a screen reader announces that answers were rejected, and the error at each field', async ({ page }) => {
  await visitForm(page, '/');
  await startReader(page, 'main form');
  await nameField(page).fill('Ada Quist');
  await emailField(page).fill('nowhere');
  await submit(page).click();
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
