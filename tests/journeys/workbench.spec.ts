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

  test('the workbench lists the folder of every section, each with its states', async ({ page }) => {
    await page.goto(`${development.url}/workbench`);
    const list = page.getByRole('navigation', { name: 'States' });
    const groups = (await list.locator('summary').allTextContents()).map((group) => group.toLowerCase());
    const folders = globSync('packages/react/src/sections/*/').map((folder) => basename(folder));
    expect(folders.length).toBeGreaterThan(5);
    expect(groups).toEqual(expect.arrayContaining(folders));
    for (const state of ['full', 'one', 'twelve', 'longest', 'empty'])
      await expect(
        list.locator('details', { hasText: /^Gallery/i }).getByRole('link', { name: state, exact: true }),
      ).toBeVisible();
  });

  test('an address shows a state at its width and in its themes, processed by the whole site', async ({ page }) => {
    await page.goto(`${development.url}/workbench/questions/twelve?width=390,768&theme=dark,light`);
    const frames = page.locator('iframe');
    await expect(frames).toHaveCount(4);
    const widths = await frames.evaluateAll((all) => all.map((frame) => (frame as HTMLIFrameElement).width));
    expect(widths).toEqual(['390', '768', '390', '768']);
    const shown = page.frameLocator('iframe').last();
    await expect(shown.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(shown.locator('main details')).toHaveCount(12);
    await expect(page.getByRole('link', { name: 'twelve', exact: true, includeHidden: false })).toHaveAttribute(
      'aria-current',
      'true',
    );
    // The page in the frame has the whole width, however small it is drawn.
    await page.goto(`${development.url}/workbench/questions/twelve?width=1440`);
    await expect(page.frameLocator('iframe').locator('main details').first()).toBeVisible();
    expect(await page.frames()[1]?.evaluate(() => innerWidth)).toBe(1440);
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
  for (const path of ['/workbench', '/workbench/hero/full', '/workbench-page/hero/full/', '/workbench/workbench.css'])
    expect((await fetch(site.url + path)).status, path).toBe(404);
  const files = globSync(join(FIXTURE, 'build/**/*.{js,css,json,html}'));
  expect(files.length).toBeGreaterThan(5);
  // The server's build contains the package's list of modules, and so the names of those of the workbench.
  expect(files.filter((file) => /workbench-page|Donaudampfschiff/i.test(readFileSync(file, 'utf8')))).toEqual([]);
});
