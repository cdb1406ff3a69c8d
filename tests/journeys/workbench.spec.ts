import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { startDevelopment } from '../support/development.ts';
import { FIXTURE } from '../support/fixture.ts';
import { expect, test } from './test.ts';

type Development = Awaited<ReturnType<typeof startDevelopment>>;

test.describe('in development', () => {
  // One after the other, on one server: what Vite has compiled for the first it has for the rest.
  test.describe.configure({ mode: 'serial' });
  let development: Development;
  test.beforeAll(async () => {
    development = await startDevelopment({ ANALYTICS_SCRIPT: '/insights/script.js' });
  });
  test.afterAll(() => development.stop());
  // Vite compiles on request.
  test.beforeEach(() => test.slow());

  test('R48: the page loads from its sources, and a blocked script names ad blockers @lean', async ({
    page,
    watched,
  }) => {
    await page.route('**/insights/script.js', (route) => route.abort('blockedbyclient'));
    const said: string[] = [];
    // Vite reloads the page when it finds a dependency that it has not bundled.
    page.on('framenavigated', () => said.splice(0));
    page.on('console', (message) => said.push(message.text()));
    const answer = await page.goto(`${development.url}/`);
    expect(answer?.status()).toBe(200);
    await expect(page.locator('html')).toHaveAttribute('data-stage', 'playing', { timeout: 120_000 });
    await expect.poll(() => said.filter((text) => text.startsWith('Analytics'))).toHaveLength(1);
    expect(said.find((text) => text.startsWith('Analytics'))).toContain('ad blocker');
    expect(watched).toEqual([]);
  });

  test('the workbench lists every section with its states, and a link leads to a state in its theme', async ({
    page,
  }) => {
    await page.goto(`${development.url}/workbench`);
    const groups = (await page.locator('h2').allTextContents()).map((group) => group.toLowerCase());
    const folders = globSync('packages/react/src/sections/*/').map((folder) => basename(folder));
    expect(folders.length).toBeGreaterThan(5);
    expect(groups).toEqual(expect.arrayContaining(folders));
    const gallery = page.locator('section', { has: page.getByRole('heading', { name: 'gallery' }) });
    for (const state of ['full', 'one', 'twelve', 'longest', 'empty'])
      await expect(gallery.getByRole('link', { name: `${state}, light`, exact: true })).toBeVisible();
    const questions = page.locator('section', { has: page.getByRole('heading', { name: 'questions' }) });
    await questions.getByRole('link', { name: 'twelve, light' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(page.locator('main details')).toHaveCount(12);
  });

  test('pictures of the states are made by the workbench', async ({ page }) => {
    await page.goto(`${development.url}/workbench-page/gallery/one/`);
    const image = page.locator('main section img').first();
    await expect.poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await image.getAttribute('src')).toContain('/media/workbench/');
  });

  const FORM_STATES = {
    refused: 'main [role=group] a[href^="#"]',
    thanked: 'main .form-thanks',
    sending: 'main button[type=submit][aria-disabled=true]',
    offline: 'main [role=group]',
  };
  for (const [state, shown] of Object.entries(FORM_STATES))
    test(`the form gets into its state automatically: ${state}`, async ({ page }) => {
      const posts: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
      await page.goto(`${development.url}/workbench-page/form/${state}/`);
      await expect(page.locator(shown).first()).toBeVisible({ timeout: 60_000 });
      // The workbench answers it and stores nothing.
      expect(posts).toEqual(['/api/sign-ups']);
    });

  test('error pages have the right status', async ({ page }) => {
    const answer = await page.goto(`${development.url}/workbench-page/error-pages/gone/`);
    expect(answer?.status()).toBe(410);
    await expect(page.locator('.error-page[data-kind=gone] h1')).toBeVisible();
  });
});

test('in production there is no workbench, also not in the build', async ({ site }) => {
  for (const path of ['/workbench', '/workbench-page/hero/full/'])
    expect((await fetch(site.url + path)).status, path).toBe(404);
  const files = globSync(join(FIXTURE, 'build/**/*.{js,css,json,html}'));
  expect(files.length).toBeGreaterThan(5);
  // The server's build contains the package's list of modules, and so the names of those of the workbench.
  expect(files.filter((file) => /workbench-page|Donaudampfschiff/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});
