import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { type Browser, expect, type Locator, test } from '@playwright/test';
import { createPage, editPage, saveEditedPage, uploadPicture } from '../support/block-editor.ts';
import { NEW_SECTION } from '../support/new-section.ts';
import { startSite, temporaryFolder } from '../support/site.ts';
import { signIn } from '../support/wp-admin.ts';

/** A copy of the checkout without ignored files; packages are linked. */
function copyOfCheckout(to: string): void {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0');
  // Most of it is pictures of journeys and documents, which this test does not need.
  for (const file of files.filter((file) => file !== '' && !/^(?:docs|tests\/journeys\/looks)\//.test(file)))
    cpSync(file, join(to, file), { force: true });
  const packages = join(to, 'node_modules');
  mkdirSync(packages);
  // The kit's packages are those of the copy.
  for (const name of readdirSync('node_modules'))
    if (name !== '@pillion') symlinkSync(join(process.cwd(), 'node_modules', name), join(packages, name));
  cpSync('node_modules/@pillion', join(packages, '@pillion'), { recursive: true, verbatimSymlinks: true });
}

function addSection(to: string): void {
  for (const [file, text] of Object.entries(NEW_SECTION)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), text);
  }
}

const run = (directory: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
  expect(status, `${args.join(' ')} said:\n${stdout}${stderr}`).toBe(0);
};

const borderOf = (section: Locator) => section.evaluate((box) => getComputedStyle(box).borderBlockStartWidth);

/** Replaces the plugin in wp-admin by the one that the build wrote for the site. */
async function uploadPlugin(browser: Browser, wordpress: RunningWordPress, file: string): Promise<void> {
  const page = await browser.newPage();
  await signIn(page, wordpress);
  await page.goto(`${wordpress.url}/wp-admin/plugin-install.php?tab=upload`);
  await page.locator('#pluginzip').setInputFiles(file);
  await page.getByRole('button', { name: 'Install Now' }).click();
  await page.getByRole('link', { name: 'Replace current with uploaded' }).click();
  await expect(page.getByText('Plugin updated successfully')).toBeVisible();
  await page.close();
}

test('a section of a site is filled in the block editor and shown on the site, full and empty', async ({
  page,
  browser,
}) => {
  test.setTimeout(600_000);
  expect(Object.keys(NEW_SECTION)).toHaveLength(3);
  const folder = temporaryFolder();
  const copy = join(folder, 'checkout');
  const wordpress = await startWordPress({ directory: join(folder, 'wordpress') });
  try {
    copyOfCheckout(copy);
    addSection(copy);
    run(copy, 'scripts/launch.mjs', 'build');
    run(copy, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.');
    await uploadPlugin(browser, wordpress, join(copy, 'build/wordpress/pillion.zip'));

    await uploadPicture(wordpress, 'a-stop');
    const full = await createPage(wordpress, '<!-- wp:pillion/stops /-->', 'Full');
    await createPage(wordpress, '<!-- wp:pillion/stops /-->', 'Empty');

    const canvas = await editPage(page, wordpress, full.id);
    await canvas.getByRole('textbox', { name: 'Headline', exact: true }).click();
    await page.keyboard.type('Where to ');
    await page.keyboard.press('ControlOrMeta+i');
    await page.keyboard.type('stop');
    await expect(page.getByText('Guidance that only editors read.')).toBeAttached();
    await canvas.getByRole('textbox', { name: 'Introduction', exact: true }).click();
    await page.keyboard.type('Two places & no more.');
    await canvas.getByRole('button', { name: 'Media Library' }).click();
    const library = page.getByRole('dialog');
    await library.getByRole('tab', { name: 'Media Library' }).click();
    await library.getByRole('checkbox', { name: 'a-stop' }).click();
    await library.getByRole('button', { name: 'Select', exact: true }).click();
    await expect(canvas.locator('.pillion-frame img')).toHaveAttribute('src', /a-stop/);
    const places = canvas.getByRole('textbox', { name: 'Place', exact: true });
    await expect(places).toHaveCount(2);
    await places.nth(0).click();
    await page.keyboard.type('The paper');
    await places.nth(1).click();
    await page.keyboard.type('The gate');
    await canvas.getByRole('textbox', { name: 'Note', exact: true }).nth(1).click();
    await page.keyboard.type('closed at night');
    await saveEditedPage(page);

    const site = await startSite(
      {
        ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: wordpress.url },
        ...{ CONTENT_KEY: wordpress.key, CONTENT_SECRET: wordpress.secret },
      },
      copy,
    );
    const visitor = await browser.newPage();
    try {
      await expect(async () => {
        expect((await visitor.goto(`${site.url}/full/`))?.status()).toBe(200);
        await expect(visitor.locator('.stops')).toBeVisible({ timeout: 1000 });
      }).toPass({ timeout: 60_000 });
      const stops = visitor.locator('.stops');
      await expect(stops.getByRole('heading', { name: 'Where to stop' })).toBeVisible();
      await expect(stops.locator('h2 em')).toHaveText('stop');
      await expect(stops.getByText('Two places & no more.')).toBeVisible();
      await expect(stops.locator('img')).toHaveAttribute('src', /^\/media\/.*a-stop/);
      await expect(stops.getByRole('listitem')).toHaveText(['The paper', 'The gate closed at night']);
      expect(await borderOf(stops)).toBe('7px');

      await visitor.goto(`${site.url}/empty/`);
      await expect(stops).toHaveCount(1);
      await expect(stops.locator('h2, p, img, li')).toHaveCount(0);
      expect(await borderOf(stops)).toBe('7px');

      // Its styles are linked only on pages with it.
      const linked = (await visitor
        .locator('link[rel=stylesheet]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))) as string[];
      const own = linked.filter((href) => readFileSync(join(copy, 'build/client', href), 'utf8').includes('.stops'));
      expect(own).toHaveLength(1);
      expect(await (await fetch(`${site.url}/`)).text()).not.toContain(own[0]);
    } finally {
      await visitor.close();
      await site.stop();
    }

    // The files that visitors load contain no texts for editors.
    const assets = join(copy, 'build/client/assets');
    const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
    for (const file of scripts)
      expect(readFileSync(join(assets, file), 'utf8'), file).not.toMatch(
        /only editors read|Short line above|Where the tour pauses/,
      );
  } finally {
    await wordpress.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
