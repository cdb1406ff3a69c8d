import type { Page, Route } from '@playwright/test';
import { agePage } from '../support/driven-time.ts';
import { sendRawRequest } from '../support/raw-request.ts';
import {
  createEmail,
  fillForm,
  getButton,
  getConsent,
  getEmailField,
  getForm,
  getNameField,
  getThanks,
  visitForm,
} from '../support/sign-up-form.ts';
import { readSignUps } from '../support/sign-ups.ts';
import { readUntilPhrase, startReader } from '../support/virtual-reader.ts';
import { expect, FORM_TEXTS, goOffline, logRequests, test } from './test.ts';

const ENDPOINT = '**/api/sign-ups';

/** The sign-ups that a site has stored with this address. */
const kept = async (dataDirectory: string, email: string) =>
  (await readSignUps(dataDirectory)).filter(({ answers }) => answers?.input_2 === email);

const hasDraft = (page: Page) => page.evaluate(() => 'pillion-form-1' in sessionStorage);

/** The focused element, which a screen reader reads. */
const focused = (page: Page) => page.locator(':focus');

test('R30: a visitor signs up, sees the confirmation on the page, and the answers are in the data folder @phone @firefox @essential', async ({
  page,
  site,
}) => {
  const email = createEmail();
  // Waits until the form is 5 s old, because a faster sign-up is set aside as probable spam.
  await agePage(page, 5_000);
  await visitForm(page, '/');
  await fillForm(page, email);
  expect(await hasDraft(page)).toBe(true);
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  expect(await hasDraft(page), 'the draft is gone').toBe(false);
  await expect(focused(page)).toContainText('You are on the list');
  await expect(page).toHaveURL('/');
  await expect(getForm(page)).toHaveCount(0);
  const [first, ...others] = await kept(site.dataDirectory, email);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    formId: 1,
    state: 'waiting',
    answers: { input_1: 'Ada Quist', input_2: email, input_3_1: '1' },
  });
});

test('R30: errors appear at the field in the editor’s words, the field gets the focus, the answers stay @firefox @lean', async ({
  page,
  site,
}) => {
  await visitForm(page, '/');
  await getNameField(page).fill('Ada Quist');
  await getEmailField(page).fill('nowhere');
  const [answer] = await Promise.all([page.waitForResponse(ENDPOINT), getButton(page).click()]);
  expect(answer.status()).toBe(422);
  await expect(focused(page)).toContainText(FORM_TEXTS.invalid);
  await expect(focused(page).getByRole('link')).toHaveText([/^Email:/, /^Consent:/]);
  await expect(getEmailField(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(getEmailField(page)).toHaveAccessibleDescription(FORM_TEXTS.email);
  await expect(getConsent(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(getConsent(page)).toHaveAccessibleDescription(FORM_TEXTS.required);
  await expect(getNameField(page)).not.toHaveAttribute('aria-invalid');
  await expect(getNameField(page)).toHaveValue('Ada Quist');
  await expect(getEmailField(page)).toHaveValue('nowhere');
  expect(await kept(site.dataDirectory, 'nowhere')).toEqual([]);
  await focused(page)
    .getByRole('link', { name: /^Email:/ })
    .click();
  await expect(getEmailField(page)).toBeFocused();
  await expect(page.locator('html')).toHaveAttribute('data-template', 'landing');
});

/** Delays the requests of an address until they are released. */
async function hold(page: Page, address: string) {
  const held: Route[] = [];
  await page.route(address, (route) => void held.push(route));
  return {
    count: () => held.length,
    first: () => held[0]?.request(),
    letGo: () => Promise.all(held.map((route) => route.continue())),
  };
}

test('R22, R30: while the form is sent, with its id, the button says so, and a second click does nothing @lean', async ({
  page,
  site,
}) => {
  const email = createEmail();
  await visitForm(page, '/');
  await fillForm(page, email);
  const sending = await hold(page, ENDPOINT);
  await getButton(page).dblclick();
  await expect(getButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(getButton(page)).toHaveText(FORM_TEXTS.sending);
  await page.keyboard.press('Enter');
  await expect.poll(() => sending.count()).toBe(1);
  expect(sending.first()?.headers().env).toBe('production');
  const id = new URLSearchParams(sending.first()?.postData() ?? '').get('sign_up_id');
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  await sending.letGo();
  await expect(getThanks(page)).toBeVisible();
  expect((await kept(site.dataDirectory, email)).map((signUp) => signUp.id)).toEqual([id]);
});

test('R30: a form sent offline says so, and is sent with the same id when the browser is online again @firefox @lean', async ({
  page,
  site,
}) => {
  const email = createEmail();
  const ids: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/sign-ups'))
      ids.push(new URLSearchParams(request.postData() ?? '').get('sign_up_id'));
  });
  await visitForm(page, '/');
  await fillForm(page, email);
  await goOffline(page);
  await getButton(page).click();
  await expect(getForm(page).getByRole('group')).toHaveText(
    'You are offline. Your sign-up is sent as soon as you are connected again.',
  );
  await page.context().setOffline(false);
  await expect(getThanks(page)).toBeVisible();
  const stored = await kept(site.dataDirectory, email);
  expect(stored).toHaveLength(1);
  // Firefox does not report the body.
  expect(ids.filter((id) => id !== null && id !== stored[0]?.id)).toEqual([]);
});

test('R30: a form that was sent offline is not sent later if the visitor changes an answer', async ({ page, site }) => {
  const email = createEmail();
  await visitForm(page, '/');
  await fillForm(page, email);
  await goOffline(page);
  await getButton(page).click();
  await expect(focused(page)).toContainText('as soon as you are connected again.');
  await getEmailField(page).fill(`half-${email}`);
  await expect(getForm(page).getByRole('group')).toHaveCount(0);
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await getEmailField(page).fill(email);
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  expect(await kept(site.dataDirectory, email)).toHaveLength(1);
  expect(await kept(site.dataDirectory, `half-${email}`)).toEqual([]);
});

/** Sends the form. The server stores the sign-up, but its response is lost. */
async function sendWithoutResponse(page: Page): Promise<void> {
  await page.route(ENDPOINT, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await getButton(page).click();
  await expect(focused(page)).toContainText(FORM_TEXTS.failed);
  await page.unroute(ENDPOINT);
}

test('R30: answers that a visitor corrects after a lost response are stored too', async ({ page, site }) => {
  const [wrong, right] = [createEmail(), createEmail()];
  await visitForm(page, '/');
  await fillForm(page, wrong);
  await sendWithoutResponse(page);
  await getEmailField(page).fill(right);
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  expect(await kept(site.dataDirectory, wrong)).toHaveLength(1);
  expect(await kept(site.dataDirectory, right)).toHaveLength(1);
});

test('R30: answers corrected after a lost response, a reload and an error are stored too', async ({ page, site }) => {
  const [wrong, right] = [createEmail(), createEmail()];
  await visitForm(page, '/');
  await fillForm(page, wrong);
  await sendWithoutResponse(page);
  await page.reload();
  await visitForm(page, '/');
  await getButton(page).click();
  await expect(getConsent(page)).toHaveAttribute('aria-invalid', 'true');
  await getConsent(page).check();
  await getEmailField(page).fill(right);
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  expect(await kept(site.dataDirectory, wrong)).toHaveLength(1);
  expect(await kept(site.dataDirectory, right)).toHaveLength(1);
});

test('R30: a restored form that is sent within 3 s is not set aside as spam', async ({ page, site }) => {
  const email = createEmail();
  await visitForm(page, '/');
  await fillForm(page, email);
  await page.reload();
  await visitForm(page, '/');
  const requests = logRequests(page, /\/api\/sign-ups\/token/);
  await getConsent(page).check();
  await getButton(page).click();
  await expect(getThanks(page)).toBeVisible();
  expect(await kept(site.dataDirectory, email)).toMatchObject([{ state: 'waiting' }]);
  expect(requests).toEqual([]);
});

test('R30: a screen reader announces that answers were rejected, and the error at each field', async ({ page }) => {
  await visitForm(page, '/');
  await startReader(page, 'main form');
  await getNameField(page).fill('Ada Quist');
  await getEmailField(page).fill('nowhere');
  await getButton(page).click();
  await expect(page.locator(':focus')).toContainText(FORM_TEXTS.invalid);
  const spoken = await readUntilPhrase(page, 'end of form');
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

// Chromium only: Playwright cannot switch scripts off in a stock Firefox.
test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('R30: without script the browser sends the form, and a page with a heading thanks the visitor @lean', async ({
    page,
    site,
  }) => {
    const email = createEmail();
    await page.goto('/');
    await fillForm(page, email);
    await getButton(page).click();
    await expect(page).toHaveURL(/\/api\/sign-ups\/thanks/);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page.getByRole('main').getByText('You are on the list')).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Example' })).toBeVisible();
    expect(await kept(site.dataDirectory, email)).toHaveLength(1);
    // The confirmation is a separate page, so that a reload does not send the form again.
    await page.reload();
    await expect(page.getByRole('main').getByText('You are on the list')).toBeVisible();
    expect(await kept(site.dataDirectory, email)).toHaveLength(1);
  });

  test('R30: errors come back with the form, linked to their fields, and the answers stay @lean', async ({
    page,
    site,
  }) => {
    const email = createEmail();
    await page.goto('/');
    await getEmailField(page).fill(email);
    await getConsent(page).check();
    const [answer] = await Promise.all([page.waitForResponse(ENDPOINT), getButton(page).click()]);
    expect(answer.status()).toBe(422);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(getNameField(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(getNameField(page)).toHaveAccessibleDescription(FORM_TEXTS.required);
    await expect(getEmailField(page)).toHaveValue(email);
    await expect(getConsent(page)).toBeChecked();
    await getNameField(page).fill('Ada Quist');
    await getButton(page).click();
    await expect(page.getByRole('main').getByText('You are on the list')).toBeVisible();
    expect(await kept(site.dataDirectory, email)).toHaveLength(1);
  });
});

/** The form's request, as a script would send it. */
const FORM = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
};

const answers = (email: string, more: Record<string, string> = {}) =>
  new URLSearchParams({ form_id: '1', input_1: 'Ada', input_2: email, input_3_1: '1', ...more }).toString();

test('no visitor reaches the honeypot; filled in, the sign-up is confirmed and set aside, never dropped @lean', async ({
  page,
  request,
  site,
}) => {
  const email = createEmail();
  await visitForm(page, '/');
  await expect(getForm(page).getByRole('textbox')).toHaveCount(2);
  const trap = getForm(page).locator('[aria-hidden=true] input');
  await getEmailField(page).focus();
  for (let stop = 0; stop < 4; stop++) {
    await page.keyboard.press('Tab');
    await expect(trap).not.toBeFocused();
  }
  const answer = await request.post('/api/sign-ups', {
    headers: FORM.headers,
    data: answers(email, { [(await trap.getAttribute('name')) ?? '']: 'https://spam.example' }),
  });
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({ ok: true });
  expect(await kept(site.dataDirectory, email)).toMatchObject([{ state: 'set-aside' }]);
});

test('a form of another origin is rejected, and none of its data is stored @lean', async ({ site }) => {
  const email = createEmail();
  const { port } = new URL(site.url);
  const foreign = [
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: site.url },
    // A foreign host name that leads here (DNS rebinding).
    { origin: `http://rebound.example:${port}`, host: `rebound.example:${port}` },
    { origin: `http://127.0.0.1.example:${port}`, host: `127.0.0.1.example:${port}` },
    { origin: 'http://elsewhere.example', host: `127.0.0.1:${port}` },
  ];
  for (const headers of foreign) {
    const answer = await sendRawRequest(site.url, '/api/sign-ups', {
      ...FORM,
      headers: { ...FORM.headers, ...headers },
      body: answers(email),
    });
    expect(answer.status, JSON.stringify(headers)).toBe(403);
  }
  expect(await kept(site.dataDirectory, email)).toEqual([]);
});

test('a form is accepted under an IP address or localhost, also if SITE_URL differs @lean', async ({ site }) => {
  const { port } = new URL(site.url);
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `192.0.2.7:${port}`,
    `site.localhost`,
  ]) {
    const answer = await sendRawRequest(site.url, '/api/sign-ups', {
      ...FORM,
      headers: { ...FORM.headers, host, origin: `http://${host}` },
      body: answers(createEmail()),
    });
    expect(answer.status, host).toBe(200);
  }
});
