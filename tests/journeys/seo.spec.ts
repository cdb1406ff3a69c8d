import { expect, type Page } from '@playwright/test';
import { startReading, wordpressTest } from '../support/own-wordpress.ts';
import { dismissWelcome, signIn } from '../support/wp-admin.ts';

const test = wordpressTest();

// A separate WordPress, and the block editor on two busy cores.
test.describe.configure({ timeout: 240_000 });

async function save(page: Page) {
  const isSaving = (url: string) => /\/wp\/v2\/pages\/\d+(?![\d/])/.test(decodeURIComponent(url));
  const [saved] = await Promise.all([
    page.waitForResponse((answer) => /^(?:POST|PUT)$/.test(answer.request().method()) && isSaving(answer.url())),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  expect(saved.ok()).toBe(true);
}

/** The picture for shared links, decoded by a browser. */
const sharedPicture = (page: Page) =>
  page.evaluate(async () => {
    const address = document.querySelector<HTMLMetaElement>('meta[property="og:image"]')?.content ?? '';
    const image = new Image();
    image.src = new URL(address).pathname;
    await image.decode();
    return { path: image.src, width: image.naturalWidth, height: image.naturalHeight };
  });

test('SEO: an editor’s texts for links and search engines are in the head of the page', async ({ page, wordpress }) => {
  const wordsOf = (name: string) => page.locator(`meta[${name}]`);
  await signIn(page, wordpress);
  const [{ id }] = await (await page.request.get(`${wordpress.url}/wp-json/wp/v2/pages?slug=terms-conditions`)).json();
  await page.goto(`${wordpress.url}/wp-admin/post.php?post=${id}&action=edit`);
  await dismissWelcome(page);
  const panel = page.locator('.components-panel__body', { hasText: 'For links and search engines' });
  const opener = panel.getByRole('button', { name: 'For links and search engines' });
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
  await panel.getByLabel('Title').fill('Terms “in short” 🏍️');
  await panel.getByLabel('Description').fill('What you agree to, in a minute.');
  await panel.getByLabel('Keep out of search engines').check();
  await save(page);

  const site = await startReading(wordpress);
  try {
    await expect.poll(async () => (await page.request.get(`${site.url}/sitemap.xml`)).text()).toContain('/the-tour/');
    expect(await (await page.request.get(`${site.url}/sitemap.xml`)).text()).not.toContain('/terms-conditions/');
    // Read for the first time: if WordPress is slow, the site answers 503.
    await expect.poll(async () => (await page.request.get(`${site.url}/terms-conditions/`)).status()).toBe(200);
    await page.goto(`${site.url}/terms-conditions/`);
    await expect(page).toHaveTitle('Terms “in short” 🏍️');
    await expect(wordsOf('name=description')).toHaveAttribute('content', 'What you agree to, in a minute.');
    await expect(wordsOf('name=robots')).toHaveAttribute('content', 'noindex');
    await expect(page.locator('h1')).toHaveText('Terms & Conditions');
    expect(await sharedPicture(page)).toEqual({
      ...{ path: expect.stringContaining('/share/'), width: 1200, height: 630 },
    });
  } finally {
    await site.stop();
  }
});
