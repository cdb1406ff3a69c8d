import type { BrowserContext, Page } from '@playwright/test';
import { createEmail, fillForm, getButton, getThanks, reachForm, visitForm } from '../support/sign-up-form.ts';
import { readSignUps } from '../support/sign-ups.ts';
import { fakeTagManager, readDataLayer } from '../support/tag-manager.ts';
import { expect, followLink, test, visitPage, waitForScript } from './test.ts';

/** The campaign of a visitor, from the landing page to the stored sign-up, and Global Privacy Control. */

async function signUp(page: Page, dataDirectory: string) {
  const email = createEmail();
  await fillForm(page, email);
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  const stored = (await readSignUps(dataDirectory)).find(({ answers }) => answers?.input_2 === email);
  if (!stored) throw new Error('not stored');
  return stored;
}

/** Global Privacy Control as a browser sends it. */
async function sendPrivacySignal(context: BrowserContext): Promise<void> {
  await context.setExtraHTTPHeaders({ 'Sec-GPC': '1' });
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  );
}

const consentTo = (...categories: string[]) =>
  encodeURIComponent(
    JSON.stringify({
      categories,
      consentTimestamp: '2026-11-01T10:00:00.000Z',
      consentId: '01234567-89ab-cdef-0123-456789abcdef',
      lastConsentTimestamp: '2026-11-01T10:00:00.000Z',
    }),
  );

test('the first and last campaign of a tab are stored with its sign-up, across page changes', async ({
  page,
  context,
  startOwnSite,
}) => {
  const { url, dataDirectory } = await startOwnSite({});
  await visitPage(page, `${url}/paper-notes/?utm_source=letter&msclkid=1&city=Oslo`);
  // Another tab with another campaign.
  const other = await context.newPage();
  await visitForm(other, `${url}/?ref=ada&utm_term=${'x'.repeat(300)}&ref=bo`);
  // Within the site links have no campaign; the second one opens a document.
  await followLink(page, '/privacy-policy/');
  await expect(page).toHaveURL(`${url}/privacy-policy/`);
  await visitPage(page, `${url}/privacy-policy/?utm_source=ad&utm_medium=%3Cb%3E`);
  await followLink(page, '/');
  await expect(page).toHaveURL(`${url}/`);
  await reachForm(page);
  expect((await signUp(page, dataDirectory)).attribution).toEqual({
    first: { utm_source: 'letter', msclkid: '1' },
    last: { utm_source: 'ad', utm_medium: '<b>' },
  });
  const touch = { ref: 'ada', utm_term: 'x'.repeat(200) };
  expect((await signUp(other, dataDirectory)).attribution).toEqual({ first: touch, last: touch });
  const none = await context.newPage();
  await visitForm(none, `${url}/?city=Oslo`);
  expect((await signUp(none, dataDirectory)).attribution).toBeNull();
});

const STORED: [consent: string[], sendsSignal: boolean, keepsClickId: boolean][] = [
  [['statistics'], false, false],
  [['marketing'], false, true],
  [['statistics', 'marketing'], true, false],
];
for (const [consent, sendsSignal, keepsClickId] of STORED) {
  test(`R47: with consent to ${consent.join(' and ')}${sendsSignal ? ' and GPC' : ''} a click id is ${keepsClickId ? 'stored @firefox' : 'not stored'}`, async ({
    page,
    context,
    taggedSite: { url, dataDirectory },
    watched,
  }) => {
    await fakeTagManager(context);
    if (sendsSignal) await sendPrivacySignal(context);
    await context.addCookies([{ name: 'consent', value: consentTo(...consent), url }]);
    await visitForm(page, `${url}/?utm_source=letter&gclid=1`);
    // The code that stores click ids and reports sign-ups has run.
    await expect.poll(() => readDataLayer(page)).not.toEqual([]);
    const { id, attribution, page: address } = await signUp(page, dataDirectory);
    expect(attribution?.last).toEqual({ utm_source: 'letter', ...(keepsClickId && { gclid: '1' }) });
    if (address !== null) expect(address).toBe(`${url}/?utm_source=letter${keepsClickId ? '&gclid=1' : ''}`);
    const lead = { event: 'generate_lead', event_id: id, form_id: 1, page_path: '/' };
    const leads = async () =>
      (await readDataLayer(page)).filter((told) => (told as { event?: string }).event === 'generate_lead');
    await expect.poll(leads).toEqual([lead]);
    watched.length = 0;
  });
}

test('R47: with GPC the dialog and the footer say so, and marketing is not offered @lean', async ({
  page,
  context,
  taggedSite: { url },
}) => {
  await fakeTagManager(context);
  await visitPage(page, `${url}/`);
  const said = page.getByText('We respect your browser’s privacy signal');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expect(said.filter({ visible: true })).toHaveCount(0);
  await sendPrivacySignal(context);
  await page.reload();
  await waitForScript(page);
  await expect(dialog.filter({ has: said })).toBeVisible();
  await expect(page.locator('footer').getByText('We respect your browser’s privacy signal')).toBeVisible();
  await dialog.getByRole('button', { name: 'Settings' }).click();
  await expect(dialog.getByRole('checkbox')).toHaveCount(1);
  await dialog.getByRole('button', { name: /accept/i }).click();
  await expect
    .poll(() => readDataLayer(page))
    .toContainEqual([
      ...['command', 'consent', 'update'],
      {
        ...{ analytics_storage: 'granted' },
        ...{ ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' },
      },
    ]);
});
