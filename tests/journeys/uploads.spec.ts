import { randomBytes } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import { json } from '@pillion/content/testing/fake-wordpress.ts';
import { DEFAULT_STRINGS } from '@pillion/content/wordpress/default-strings.ts';
import { secretKeyIn } from '@pillion/lib/secret-key.ts';
import { createCipher } from '@pillion/sign-ups/outbox/cipher.ts';
import { createOutbox } from '@pillion/sign-ups/outbox/outbox.ts';
import { createDirectSqliteStore } from '@pillion/sign-ups/store/sqlite-store.ts';
import type { Page } from '@playwright/test';
import { createFormTest, DELIVERY_PATH, ENDPOINT, visitAgedForm } from '../support/form-site.ts';
import { getForm } from '../support/sign-up-form.ts';
import { expect, followLink, visitPage } from './test.ts';

const FIELDS = [
  { id: 1, type: 'email', label: 'Email', isRequired: true },
  {
    ...{ id: 2, type: 'fileupload', label: 'A photo of your machine', description: 'The whole of it.' },
    ...{ isRequired: true, allowedExtensions: 'jpg, png', maxFileSize: 1 },
  },
  { id: 3, type: 'fileupload', label: 'Papers', multipleFiles: true, maxFiles: '2', maxFileSize: 4 },
];

const test = createFormTest({ fields: FIELDS });

test.beforeEach(({ formSite }) => {
  // Files are removed once WordPress has them. It refuses them, so that the test can read them.
  formSite.wordpress.plays.set(DELIVERY_PATH, json({ code: 'busy' }, 503));
});

const photo = (page: Page) => page.getByLabel('A photo of your machine');
const papers = (page: Page) => page.getByLabel('Papers');
const submit = (page: Page) => getForm(page).getByRole('button', { name: 'Send' });

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(200_000)]);
const picture = (name = 'machine.jpg', buffer = JPEG) => ({ name, mimeType: 'image/jpeg', buffer });
const paper = (name: string, size = 10) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') });

/** The files of the one stored sign-up. */
async function keptFiles(dataDirectory: string) {
  const store = createDirectSqliteStore(dataDirectory);
  try {
    const outbox = createOutbox(store, createCipher(secretKeyIn(dataDirectory)));
    const rows = await store.list({ states: [], limit: 10 });
    expect(rows).toHaveLength(1);
    return rows.flatMap((row) => outbox.open(row)?.files ?? []).map(({ name, bytes }) => [name, Buffer.from(bytes)]);
  } finally {
    await store.close();
  }
}

test('R30: a visitor chooses files, removes one, and the others arrive unchanged @firefox @lean', async ({
  page,
  formSite,
}) => {
  await visitAgedForm(page, formSite.url);
  await expect(photo(page)).toHaveAccessibleDescription(/Allowed: jpg, png\. At most 1 MB\. The whole of it\./);
  await page.getByLabel('Email').fill('ada@example.org');
  await photo(page).setInputFiles(picture());
  // One after the other: what was chosen before stays.
  await papers(page).setInputFiles(paper('a.txt'));
  await papers(page).setInputFiles(paper('b.txt'));
  await expect(getForm(page).getByRole('listitem')).toHaveText([/machine\.jpg/, /a\.txt/, /b\.txt/]);
  await getForm(page).getByRole('button', { name: 'Remove a.txt' }).press('Enter');
  await expect(getForm(page).getByRole('listitem')).toHaveText([/machine\.jpg/, /b\.txt/]);
  await expect(papers(page)).toBeFocused();
  await submit(page).click();
  await expect(page.getByRole('status')).toHaveText('Thanks');
  expect(await keptFiles(formSite.dataDirectory)).toEqual([
    ['machine.jpg', JPEG],
    ['b.txt', Buffer.alloc(10, 'a')],
  ]);
  const delivered = () => formSite.wordpress.requests.find(({ url }) => url.includes('/submissions'));
  await expect.poll(delivered).toBeTruthy();
  expect(delivered()?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(delivered()?.body).toMatch(/name="input_3\[\]"; filename="b\.txt"/);
});

test('R30: a page with a file field is shown after a link once the field’s code has loaded', async ({
  page,
  formSite,
}) => {
  await visitPage(page, `${formSite.url}/about/`);
  const isWhole = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const isShown = () => document.querySelector('main h1')?.textContent?.includes('Read');
        const look = () => {
          if (isShown()) resolve(document.querySelector('main [type=file]') !== null);
        };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
      }),
  );
  await followLink(page, '/');
  expect(await isWhole).toBe(true);
});

test('R30: a file that the field does not accept shows an error when it is chosen, and is not sent', async ({
  page,
  formSite,
}) => {
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') posts += 1;
  });
  await visitAgedForm(page, formSite.url);
  await page.getByLabel('Email').fill('ada@example.org');
  await photo(page).setInputFiles(picture('machine.gif'));
  const error = page.locator('#form-1-2-error');
  await expect(error).toHaveText('“machine.gif” is not accepted. Allowed: jpg, png.');
  await expect(photo(page)).toHaveAttribute('aria-invalid', 'true');
  await photo(page).setInputFiles(picture('machine.jpg', Buffer.alloc(2 ** 20 + 1)));
  await expect(error).toHaveText('“machine.jpg” is not accepted. At most 1 MB.');
  await expect(getForm(page).getByRole('listitem').first()).toContainText('1.1 MB');
  await papers(page).setInputFiles([paper('a.txt'), paper('b.txt'), paper('c.txt')]);
  await page.getByLabel('Email').focus();
  await submit(page).click();
  await expect(page.locator(':focus')).toContainText('At most 2 files.');
  await expect(page.locator(':focus')).toContainText('At most 1 MB.');
  expect(posts).toBe(0);
  await photo(page).setInputFiles(picture());
  await expect(error).toHaveCount(0);
  await getForm(page).getByRole('button', { name: 'Remove c.txt' }).click();
  await submit(page).click();
  await expect(page.getByRole('status')).toHaveText('Thanks');
});

test('R30: after errors of the server or network the files stay chosen; a reload restores only answers', async ({
  page,
  formSite,
}) => {
  await visitAgedForm(page, formSite.url);
  await page.getByLabel('Email').fill('ada@example.org');
  // By its name a picture; what it is the browser does not know.
  await photo(page).setInputFiles(picture('machine.jpg', Buffer.from('<?php echo 1;')));
  const [answer] = await Promise.all([page.waitForResponse(ENDPOINT), submit(page).click()]);
  expect(answer.status()).toBe(422);
  await expect(page.locator('#form-1-2-error')).toHaveText('“machine.jpg” is not accepted. Allowed: jpg, png.');
  await expect(getForm(page).getByRole('listitem').filter({ hasText: 'Remove' })).toHaveText([/machine\.jpg/]);
  expect(await photo(page).evaluate((control: HTMLInputElement) => control.files?.length)).toBe(1);
  await photo(page).setInputFiles(picture());
  await page.route(ENDPOINT, (route) => route.abort());
  await submit(page).click();
  await expect(page.locator(':focus')).toContainText(DEFAULT_STRINGS.form.failed);
  await expect(getForm(page).getByRole('listitem')).toHaveText([/machine\.jpg/]);
  await page.unroute(ENDPOINT);
  await page.reload();
  await visitAgedForm(page, formSite.url);
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.org');
});

test('R30: axe finds nothing in the file field: empty, filled and with an error', async ({ page, formSite }) => {
  await visitAgedForm(page, formSite.url);
  const problems = async () => (await new AxeBuilder({ page }).include('main form').analyze()).violations;
  expect(await problems()).toEqual([]);
  await photo(page).setInputFiles(picture());
  await papers(page).setInputFiles(paper('a.txt', 5 * 2 ** 20));
  await expect(page.locator('#form-1-3-error')).toBeVisible();
  expect(await problems()).toEqual([]);
  const narrow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(narrow).toBe(true);
});

test.describe('on the first of two pages', () => {
  test.use({
    formDefinition: {
      fields: [
        { id: 1, type: 'fileupload', label: 'A photo of your machine', allowedExtensions: 'jpg' },
        { id: 2, type: 'page' },
        { id: 3, type: 'email', label: 'Email' },
      ],
    },
  });

  test('R30: a wrong file keeps its page open, and the upload’s progress is visible on the last page', async ({
    page,
    formSite,
  }) => {
    await visitAgedForm(page, formSite.url);
    await photo(page).setInputFiles(picture('machine.gif'));
    await getForm(page).getByRole('button', { name: 'Next' }).click();
    await expect(photo(page)).toBeFocused();
    await expect(photo(page)).toHaveAttribute('aria-invalid', 'true');
    await photo(page).setInputFiles(picture());
    await getForm(page).getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Email').fill('ada@example.org');
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route(ENDPOINT, (route) => held.then(() => route.continue()));
    await submit(page).click();
    await expect(getForm(page).getByRole('progressbar')).toBeVisible();
    send();
    await expect(page.getByRole('status')).toHaveText('Thanks');
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('R30: without script the browser sends files; errors come as a page that asks for the files again @lean', async ({
    page,
    formSite,
  }) => {
    await page.goto(formSite.url);
    await page.getByLabel('Email').fill('nobody');
    await photo(page).setInputFiles(picture());
    await submit(page).click();
    await expect(page.getByLabel('Email')).toHaveValue('nobody');
    await expect(page.locator('#form-1-2-error')).toHaveText('Please choose your file again.');
    await page.getByLabel('Email').fill('ada@example.org');
    await photo(page).setInputFiles(picture('x.php.jpg'));
    await submit(page).click();
    await expect(page.locator('#form-1-2-error')).toHaveText('“x.php.jpg” is not accepted. Allowed: jpg, png.');
    await photo(page).setInputFiles(picture());
    await papers(page).setInputFiles([paper('a.txt'), paper('b.txt')]);
    await submit(page).click();
    await expect(page.getByText('Thanks')).toBeVisible();
    expect((await keptFiles(formSite.dataDirectory)).map(([name]) => name)).toEqual(['machine.jpg', 'a.txt', 'b.txt']);
  });
});
