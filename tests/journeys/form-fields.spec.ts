import AxeBuilder from '@axe-core/playwright';
import { EVERY_ANSWER, EVERY_FIELD, PAGED_FORM } from '@pillion/forms/testing/every-field.ts';
import { choice, field, show } from '@pillion/forms/testing/gravity-forms.ts';
import type { Page } from '@playwright/test';
import { createFormTest, ENDPOINT, visitAgedForm } from '../support/form-site.ts';
import { getButton, getForm } from '../support/sign-up-form.ts';
import { readSignUps } from '../support/sign-ups.ts';
import { expect, FORM_TEXTS, followLink, logRequests } from './test.ts';

const test = createFormTest({ fields: EVERY_FIELD });

const control = (page: Page, name: string) => getForm(page).locator(`[name="${name}"]`).first();

async function fillAll(page: Page): Promise<void> {
  for (const name of ['input_1_3', 'input_1_6', 'input_2']) await control(page, name).fill(EVERY_ANSWER[name] ?? '');
  await control(page, 'input_5').selectOption('read');
  await control(page, 'input_19_1').check();
}

test('R30: a field appears when its condition is met, and answers of hidden fields are not sent @lean', async ({
  page,
  formSite,
}) => {
  await visitAgedForm(page, formSite.url);
  const which = page.getByRole('textbox', { name: 'Which topic?' });
  await expect(which).toBeHidden();
  await expect(page.getByRole('heading', { name: 'More' })).toBeHidden();
  await control(page, 'input_5').selectOption('press');
  await expect(page.getByRole('textbox', { name: 'Outlet' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Website' })).toBeVisible();
  await control(page, 'input_5').selectOption('other');
  await expect(page.getByRole('textbox', { name: 'Outlet' })).toBeHidden();
  await which.fill('The paper');
  await fillAll(page);
  await expect(which).toBeHidden();
  await getButton(page).click();
  await expect(page.getByRole('status')).toHaveText('Thanks');
  const delivered = () => formSite.wordpress.requests.find(({ url }) => url.includes('/submissions'));
  await expect.poll(delivered).toBeTruthy();
  const body = Object.fromEntries(new URLSearchParams(delivered()?.body ?? ''));
  expect(body).toMatchObject(EVERY_ANSWER);
  expect(Object.keys(body)).not.toContain('input_6');
});

test('R30: an error appears when a visitor leaves a field, in the server’s words, and only there @lean', async ({
  page,
  formSite,
}) => {
  await visitAgedForm(page, formSite.url);
  const email = control(page, 'input_2');
  await email.focus();
  await control(page, 'input_3').focus();
  await expect(email).not.toHaveAttribute('aria-invalid');
  await email.fill('nowhere');
  // The message moves the box away during the press. The click must still reach it.
  await control(page, 'input_19_1').click();
  await expect(control(page, 'input_19_1')).toBeChecked();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  const said = (await page.locator('#form-1-2-error').textContent()) ?? '';
  const [answer] = await Promise.all([page.waitForResponse(ENDPOINT), getButton(page).click()]);
  expect((await answer.json()).errors.input_2).toBe(said);
  await email.fill('ada@example.org');
  await expect(email).not.toHaveAttribute('aria-invalid');
});

test('R30: a reload restores answers but no consent, and a sent form leaves no data in the browser', async ({
  page,
  formSite,
}) => {
  await visitAgedForm(page, formSite.url);
  await fillAll(page);
  await control(page, 'input_5').selectOption('other');
  await control(page, 'input_6').fill('The paper');
  await control(page, 'input_9').check();
  await page.reload();
  await visitAgedForm(page, formSite.url);
  await expect(control(page, 'input_2')).toHaveValue('ada@example.org');
  await expect(control(page, 'input_6')).toBeVisible();
  await expect(control(page, 'input_6')).toHaveValue('The paper');
  await expect(control(page, 'input_9')).toBeChecked();
  await expect(control(page, 'input_19_1')).not.toBeChecked();
  await control(page, 'input_19_1').check();
  await getButton(page).click();
  await expect(page.getByRole('status')).toHaveText('Thanks');
  expect(await page.evaluate(() => ({ ...sessionStorage }))).not.toHaveProperty('pillion-form-1');
});

test('R30: fields are filled in from the address if the editor allows it', async ({ page, formSite }) => {
  await visitAgedForm(page, `${formSite.url}/?utm_source=poster&outlet=The%20Post&input_2=a@example.org`);
  await expect(control(page, 'input_14')).toHaveValue('poster');
  await expect(control(page, 'input_17')).toHaveValue('The Post');
  await expect(control(page, 'input_2')).toHaveValue('');
});

/**
 * Types into a control after React has committed the hydrated form and before passive effects run. React calls
 * `queueMicrotask` in a commit. A second later, by the page's clock, it leaves passive effects to the next task, which a
 * message starts. Call it before the page is opened.
 */
const typeAfterCommit = (page: Page, name: string, value: string) =>
  page.addInitScript(
    ({ name, value }) => {
      const { postMessage } = MessagePort.prototype;
      const now = performance.now.bind(performance);
      const queue = queueMicrotask.bind(window);
      const input = () => document.querySelector<HTMLInputElement>(`main form [name="${name}"]`);
      let isCommitted = false;
      let hasTyped = false;
      const type = () => {
        hasTyped = true;
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input(), value);
        input()?.dispatchEvent(new Event('input', { bubbles: true }));
      };
      performance.now = () => now() + (isCommitted ? 1_000 : 0);
      window.queueMicrotask = (callback) => {
        isCommitted ||= '_valueTracker' in (input() ?? {});
        queue(callback);
      };
      MessagePort.prototype.postMessage = function (...given: [unknown]) {
        setTimeout(() => {
          if (isCommitted && !hasTyped) type();
          postMessage.apply(this, given);
        });
      };
    },
    { name, value },
  );

test.describe('with answers of several parts', () => {
  test.use({
    formDefinition: {
      fields: [
        field(1, 'radio', 'Size', { choices: [choice('S'), choice('M')], enableOtherChoice: true }),
        field(2, 'list', 'Machines', { maxRows: 4 }),
        field(3, 'time', 'At', { timeFormat: '12' }),
        field(4, 'select', 'Topic', { choices: [choice('Read')], allowsPrepopulate: true, inputName: 'topic' }),
      ],
    },
  });

  const machines = (page: Page) => getForm(page).getByRole('group', { name: 'Machines' });

  test('R30: a reload restores own text, a time with am or pm, and rows of a list, but no removed row', async ({
    page,
    formSite,
  }) => {
    const parts = [...[1, 2, 3, 4].map((row) => `Machines ${row}`), 'Hour', 'Minute', 'AM/PM'];
    const values = ['R 80', '', 'R 90', 'R 100', '9', '30', 'pm'];
    await visitAgedForm(page, `${formSite.url}/?topic=none`);
    await expect(control(page, 'input_4'), 'the address names no choice').toHaveValue('Read');
    await control(page, 'input_1_other').fill('XL');
    await machines(page).getByRole('button', { name: 'Add a row' }).press('Enter');
    await expect(machines(page).getByLabel('Machines 4')).toBeFocused();
    for (const [at, name] of parts.slice(0, 6).entries())
      await getForm(page)
        .getByLabel(name)
        .fill(values[at] ?? '');
    await getForm(page).getByLabel('AM/PM').selectOption('pm');
    const expectValues = async () => {
      for (const [at, name] of parts.entries())
        await expect(getForm(page).getByLabel(name)).toHaveValue(values[at] ?? '');
      await expect(control(page, 'input_1_other')).toHaveValue('XL');
    };
    await expectValues();
    await page.reload();
    await visitAgedForm(page, formSite.url);
    await expectValues();
    await expect(getForm(page).getByRole('radio', { name: 'Other' })).toBeChecked();
    await machines(page).getByRole('button', { name: 'Remove row 4' }).press('Enter');
    await expect(machines(page).getByLabel('Machines 1')).toBeFocused();
    await page.reload();
    await visitAgedForm(page, formSite.url);
    await expect(machines(page).getByRole('textbox')).toHaveCount(3);
  });

  test('R30: a key press during hydration after a reload removes no rows of a list', async ({ page, formSite }) => {
    await visitAgedForm(page, formSite.url);
    await machines(page).getByRole('button', { name: 'Add a row' }).press('Enter');
    await expect(machines(page).getByLabel('Machines 4')).toBeFocused();
    await machines(page).getByLabel('Machines 4').fill('R 80');
    await typeAfterCommit(page, 'input_3[]', '9');
    await page.reload();
    await visitAgedForm(page, formSite.url);
    await expect(machines(page).getByLabel('Machines 4')).toHaveValue('R 80');
    await expect(getForm(page).getByLabel('Hour')).toHaveValue('9');
  });
});

test.describe('with incomplete answers', () => {
  const fields = [
    field(1, 'email', 'Email'),
    field(2, 'date', 'Date'),
    field(3, 'time', 'At', { timeFormat: '24' }),
    field(4, 'number', 'Riders'),
  ];
  test.use({ formDefinition: { fields } });

  test('R30: a key press during hydration after a reload does not overwrite the draft', async ({ page, formSite }) => {
    await visitAgedForm(page, formSite.url);
    await control(page, 'input_1').fill('ada@example.org');
    await typeAfterCommit(page, 'input_4', '2');
    await page.reload();
    await visitAgedForm(page, formSite.url);
    await expect(control(page, 'input_1')).toHaveValue('ada@example.org');
    await expect(control(page, 'input_4')).toHaveValue('2');
  });

  test('R30: a date without its year is reported at its field, and the form is not sent', async ({
    page,
    formSite,
  }) => {
    await visitAgedForm(page, formSite.url);
    const requests = logRequests(page, /\/api\/sign-ups$/);
    await control(page, 'input_1').fill('ada@example.org');
    await control(page, 'input_2').pressSequentially('1102');
    await control(page, 'input_4').pressSequentially('1e');
    await expect(control(page, 'input_2'), 'no error while the visitor types').not.toHaveAttribute('aria-invalid');
    await getButton(page).click();
    await expect(page.locator(':focus')).toContainText(FORM_TEXTS.invalid);
    for (const name of ['input_2', 'input_4']) {
      await expect(control(page, name)).toHaveAttribute('aria-invalid', 'true');
      await expect(control(page, name)).toHaveAccessibleDescription(/\w/);
    }
    await expect(control(page, 'input_3')).not.toHaveAttribute('aria-invalid');
    expect(requests).toEqual([]);
    await control(page, 'input_2').fill('2026-11-02');
    await control(page, 'input_4').fill('2');
    await getButton(page).click();
    await expect(page.getByRole('status')).toHaveText('Thanks');
  });

  test.describe('in pages', () => {
    test.use({
      formDefinition: {
        pagination: { type: 'steps', pages: ['When', 'You'] },
        fields: [field(2, 'date', 'Date'), field(5, 'page', ''), field(1, 'email', 'Email')],
      },
    });

    test('R30: a date without its year keeps the form on its page', async ({ page, formSite }) => {
      await visitAgedForm(page, formSite.url);
      await control(page, 'input_2').pressSequentially('1102');
      await getForm(page).getByRole('button', { name: 'Next' }).click();
      await expect(control(page, 'input_2')).toBeFocused();
      await expect(control(page, 'input_2')).toHaveAttribute('aria-invalid', 'true');
    });
  });
});

test('the first interaction with the form fetches a token, which is sent with a proof of work', async ({
  page,
  formSite,
}) => {
  const tokens = logRequests(page, /\/api\/sign-ups\/token/);
  const sent: URLSearchParams[] = [];
  await page.route(ENDPOINT, (route) => {
    sent.push(new URLSearchParams(route.request().postData() ?? ''));
    return route.abort('internetdisconnected');
  });
  await visitAgedForm(page, formSite.url);
  expect(tokens).toEqual([]);
  await fillAll(page);
  const proof = async () => {
    const before = sent.length;
    await getButton(page).click();
    await expect.poll(() => sent.length).toBeGreaterThan(before);
    return sent.at(-1)?.get('sign_up_proof') ?? '';
  };
  await expect.poll(proof, { timeout: 30_000 }).toMatch(/^\d+$/);
  expect(tokens).toHaveLength(1);
  await page.unroute(ENDPOINT);
  await getButton(page).click();
  await expect(page.getByRole('status')).toHaveText('Thanks');
  const [kept] = await readSignUps(formSite.dataDirectory);
  expect(kept?.id).toBe(sent[0]?.get('sign_up_id'));
});

test('in a form with every field type each control has a name, and axe finds nothing', async ({ page, formSite }) => {
  await visitAgedForm(page, formSite.url);
  await control(page, 'input_5').selectOption('press');
  await page.getByRole('group', { name: 'Name' }).getByRole('textbox', { name: 'First' }).fill('Ada');
  await expect(page.getByRole('group', { name: 'Places' }).getByRole('checkbox')).toHaveCount(3);
  await expect(page.getByRole('spinbutton', { name: 'Readers' })).toHaveAttribute('max', '4');
  const { violations } = await new AxeBuilder({ page }).include('main form').analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});

test.describe('in pages', () => {
  test.use({ formDefinition: PAGED_FORM });

  test('R30: a form of several pages skips pages without fields and shows its progress @lean', async ({
    page,
    formSite,
  }) => {
    await visitAgedForm(page, formSite.url);
    const next = (name: string) => getForm(page).getByRole('button', { name });
    const focused = page.locator(':focus');
    await expect(getForm(page).getByText('1 / 2 You')).toBeVisible();
    // Text from right to left would reorder the numbers.
    await expect(getForm(page).locator('[dir=ltr]')).toHaveText('1 / 2');
    await expect(control(page, 'input_6_1')).toBeHidden();
    await next('Go on').click();
    await expect(control(page, 'input_1')).toBeFocused();
    await expect(control(page, 'input_1')).toHaveAccessibleDescription(/required/);
    await control(page, 'input_1').fill('ada@example.org');
    await control(page, 'input_2').selectOption('press');
    await next('Go on').click();
    await expect(focused).toHaveText('2 / 3 The press');
    await control(page, 'input_4').fill('The Post');
    await page.keyboard.press('Enter');
    await expect(focused).toHaveText('3 / 3 Consent');
    await next('Back').click();
    await next('Back').click();
    await expect(focused).toHaveText('1 / 3 You');
    await control(page, 'input_2').selectOption('read');
    await next('Go on').click();
    await expect(focused).toHaveText('2 / 2 Consent');
    // The second click of a double click, on “Send” in the place of “Go on”.
    await next('Send').hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await next('Send').getAttribute('aria-disabled')).toBe('false');
    const [answer] = await Promise.all([page.waitForResponse(ENDPOINT), next('Send').click()]);
    expect(answer.status()).toBe(422);
    await expect(control(page, 'input_6_1')).toHaveAttribute('aria-invalid', 'true');
    await control(page, 'input_6_1').check();
    await next('Send').click();
    await expect(page.getByRole('status')).toHaveText('Thanks');
    const [kept] = await readSignUps(formSite.dataDirectory);
    expect(kept?.answers).toEqual({ input_1: 'ada@example.org', input_2: 'read', input_6_1: '1' });
  });

  test('R30: the link to a field with an error opens its page', async ({ page, formSite }) => {
    await visitAgedForm(page, formSite.url);
    await page.route(ENDPOINT, (route) =>
      route.fulfill({ json: { ok: false, message: 'Wrong.', errors: { input_1: 'First.', input_6_1: 'Last.' } } }),
    );
    await control(page, 'input_1').fill('ada@example.org');
    await getForm(page).getByRole('button', { name: 'Go on' }).click();
    await control(page, 'input_6_1').check();
    await getButton(page).and(page.locator('[type=submit]')).click();
    await expect(getForm(page).getByText('1 / 2 You')).toBeVisible();
    await getForm(page).getByRole('link', { name: /Last/ }).click();
    await expect(control(page, 'input_6_1')).toBeFocused();
  });
});

test.describe('with a condition for the next page', () => {
  const condition = show('all', ['1', 'is', 'yes']);
  test.use({
    formDefinition: {
      pagination: { type: 'steps', pages: ['Question', 'You'] },
      fields: [
        field(1, 'text', 'Do you ride?'),
        field(2, 'page', '', { nextButton: { text: 'Go on', conditionalLogic: condition } }),
        field(3, 'email', 'Email'),
      ],
    },
  });

  test('R30: Enter in a field does not open the next page while its button is hidden', async ({ page, formSite }) => {
    await visitAgedForm(page, formSite.url);
    await control(page, 'input_1').press('Enter');
    await expect(getForm(page).getByRole('button')).toHaveCount(0);
    await control(page, 'input_1').fill('yes');
    await expect(getForm(page).getByRole('button', { name: 'Go on' })).toBeVisible();
    await control(page, 'input_1').press('Enter');
    await expect(page.locator(':focus')).toHaveText('2 / 2 You');
  });
});

test.describe('with a confirmation at another address', () => {
  test.use({
    formDefinition: {
      fields: [field(1, 'email', 'Email', { isRequired: true })],
      confirmations: { a: { id: 'a', isDefault: true, type: 'redirect', url: '/#top' } },
    },
  });

  test('R30: the form is sent once, also if the address is on the same page @lean', async ({ page, formSite }) => {
    await visitAgedForm(page, formSite.url);
    await control(page, 'input_1').fill('ada@example.org');
    await getButton(page).click();
    await expect(page).toHaveURL(/#top$/);
    await expect(getButton(page)).toHaveCount(0);
    await expect(page.getByRole('status').getByRole('link')).toBeVisible();
  });

  test('R30: visitors who have gone to another page stay there', async ({ page, formSite }) => {
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(ENDPOINT, (route) => held.then(() => route.continue()));
    await visitAgedForm(page, formSite.url);
    await control(page, 'input_1').fill('ada@example.org');
    await Promise.all([page.waitForRequest(ENDPOINT), getButton(page).click()]);
    await followLink(page, '/about/');
    await expect(getForm(page)).toHaveCount(0);
    const addresses = page.evaluate(
      () =>
        new Promise((resolve) => {
          const addresses: string[] = [];
          navigation.addEventListener('navigate', ({ destination }) => addresses.push(destination.url));
          addEventListener('pillion:sign-up', () => setTimeout(() => resolve(addresses)));
        }),
    );
    send();
    expect(await addresses).toEqual([]);
  });
});

const FILE_FIELDS = [
  field(1, 'email', 'Email', { isRequired: true }),
  field(2, 'text', 'Machine'),
  field(3, 'fileupload', 'Photo', { allowedExtensions: 'jpg', conditionalLogic: show('all', ['2', 'isnot', '']) }),
];
for (const [how, fields] of [
  ['on one page', FILE_FIELDS],
  ['with a page of its own before it', [field(7, 'text', 'Town'), field(8, 'page', ''), ...FILE_FIELDS]],
] as const)
  test.describe(`with files, ${how}`, () => {
    test.use({ formDefinition: { fields } });

    test('R30: a wrong file in a field that is hidden again does not prevent a sign-up', async ({ page, formSite }) => {
      const gif = { name: 'machine.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') };
      await visitAgedForm(page, formSite.url);
      await expect(getForm(page).getByRole('link', { name: 'Terms & Conditions' })).toBeVisible();
      if (fields !== FILE_FIELDS) await getForm(page).getByRole('button', { name: 'Next' }).click();
      await control(page, 'input_1').fill('ada@example.org');
      await control(page, 'input_2').fill('R 80');
      await control(page, 'input_3').setInputFiles(gif);
      await expect(page.locator('#form-1-3-error')).toHaveText('“machine.gif” is not accepted. Allowed: jpg.');
      await control(page, 'input_2').fill('');
      await expect(control(page, 'input_3')).toBeHidden();
      await getForm(page).locator('[type=submit]').click();
      await expect(page.getByRole('status')).toHaveText('Thanks');
      const [kept] = await readSignUps(formSite.dataDirectory);
      expect(kept?.answers).toMatchObject({ input_1: 'ada@example.org', input_2: '' });
      expect(kept?.answers).not.toHaveProperty('input_3');
    });
  });
