import { spawn, spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { settled, violations } from '@pillion/site-tests/axe.mjs';
import type { Browser } from '@playwright/test';
import sharp from 'sharp';
import { editPage, requestCore, saveEditedPage, uploadPicture } from '../support/block-editor.ts';
import { createFolder, findFreePort } from '../support/site.ts';
import { signIn } from '../support/wp-admin.ts';
import { expect, test, waitForScript } from './test.ts';

const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8'));
const EARLIER = '0.9.0';
const NAME = 'O"Neil & “Söhne”';

/** Copies the kit in an earlier version, as there is no earlier release. @returns The command that creates a site with it. */
function earlierKit(to: string): string {
  const names = globSync(['package.json', 'packages/**', 'plugins/pillion/**'], {
    exclude: (name) => basename(name) === 'node_modules' || basename(name) === 'build',
  }).filter((name) => statSync(name).isFile());
  for (const name of names) cpSync(name, join(to, name));
  for (const name of names.filter((name) => basename(name) === 'package.json')) {
    const about = readFileSync(name, 'utf8');
    const { version } = JSON.parse(about);
    writeFileSync(join(to, name), about.replaceAll(`"${version}"`, `"${EARLIER}"`));
  }
  symlinkSync(resolve('node_modules'), join(to, 'node_modules'));
  return join(to, 'packages/create-pillion/src/create-pillion.mjs');
}

/** Adds a picture to the site's own section, with the component of the kit. */
function addPicture(section: string): void {
  for (const [name, from, to] of [
    ['section.ts', '    items: {', "    picture: { kind: 'picture', label: 'Photograph' },\n    items: {"],
    ['view.tsx', 'import type', "import { Picture } from '@pillion/react/ui/picture.tsx';\nimport type"],
    ['view.tsx', '{ heading, items }', '{ heading, items, picture }'],
    ['view.tsx', '<ul>', '{picture && <Picture picture={picture} sizes="100vw" />}<ul>'],
  ] as const) {
    const file = join(section, name);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
  }
}

/** Adds an editor part to the site's own section: a line below the kit's editor. */
function addEditorPart(section: string): void {
  writeFileSync(
    join(section, 'edit.ts'),
    `/// <reference types="@pillion/plugin/editor.d.ts" />
const { el, Section, register } = window.pillionSections;

register('price-list', (props: SectionProps) => el(Section, props, el('p', null, 'With tax')));
`,
  );
}

/** Gives a page of the bundled content the site's own template and section. */
function showOwnParts(content: string): void {
  const file = join(content, 'en/pages/2.json');
  const page = JSON.parse(readFileSync(file, 'utf8'));
  const prices = { type: 'price-list', heading: 'What it <em>costs</em>', items: [{ name: 'Entry', amount: '5' }] };
  writeFileSync(file, JSON.stringify({ ...page, template: 'notice', sections: [prices] }));
}

/** Starts a command of the site that serves it, and waits until it does. */
async function serve(folder: string, command: 'dev' | 'start', environment = {}) {
  const port = String(await findFreePort());
  const server = spawn(process.execPath, ['node_modules/@pillion/server/bin/pillion.mjs', command], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: port, DATA_DIR: join(folder, 'data'), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.on('data', (data) => {
    said += data;
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = `http://127.0.0.1:${port}/`;
  const status = () =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(status, { timeout: 60_000 }).toBe(200);
  return {
    url,
    said: () => said,
    async stop() {
      server.kill();
      await ended;
    },
  };
}

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

/** An editor types into the site's own section and into an item of it, and chooses its picture. */
async function fillOwnSection(browser: Browser, wordpress: RunningWordPress): Promise<void> {
  await uploadPicture(wordpress, 'a-stop');
  const [about] = await requestCore<{ id: number }[]>(wordpress, 'GET', 'pages?slug=about');
  const page = await browser.newPage();
  const canvas = await editPage(page, wordpress, about?.id ?? 0);
  await expect(canvas.locator('.pillion-price-list')).toContainText('With tax');
  await canvas.getByRole('textbox', { name: 'Headline', exact: true }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' today');
  await canvas.getByRole('textbox', { name: 'Amount', exact: true }).first().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('7 & more');
  await canvas.getByRole('button', { name: 'Media Library' }).click();
  const library = page.getByRole('dialog');
  await library.getByRole('tab', { name: 'Media Library' }).click();
  await library.getByRole('checkbox', { name: 'a-stop' }).click();
  await library.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(canvas.locator('.pillion-frame img')).toHaveAttribute('src', /a-stop/);
  await saveEditedPage(page);
  await page.close();
}

let made = '';
test.beforeEach(() => {
  made = createFolder();
});
test.afterEach(() => rmSync(made, { recursive: true, force: true }));

test('a created site is updated, built, visited and written to a WordPress; wrong input is named', async ({
  page,
  browser,
}) => {
  test.setTimeout(900_000);
  const folder = join(made, 'brand');
  const env = { ...process.env, PILLION_SITE: undefined };
  const run = (program: string, args: string[], cwd = folder) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env });
    return { status, said: stdout + stderr };
  };
  const pillion = (...args: string[]) =>
    run(process.execPath, ['node_modules/@pillion/server/bin/pillion.mjs', ...args]);

  const answers = [
    '--name',
    NAME,
    '--accent',
    '#0b57d0',
    '--look',
    'light',
    '--languages',
    'en,de',
    '--without',
    'music',
  ];
  const command = earlierKit(join(made, 'earlier'));
  const create = () => run(process.execPath, [command, folder, ...answers], process.cwd());
  expect(create()).toEqual({ status: 0, said: expect.stringContaining('npm run dev') });
  expect(create()).toEqual({ status: 1, said: expect.stringContaining('is not empty') });
  cpSync('.npmrc', join(folder, '.npmrc'));
  const installed = run('npm', ['install', '--no-audit', '--no-fund']);
  expect(installed.status, installed.said).toBe(0);

  const config = join(folder, 'site.config.ts');
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, text.replace('music:', 'musik:'));
  expect(pillion('build')).toEqual({ status: 1, said: expect.stringContaining('Did you mean "music"?') });
  writeFileSync(config, text);

  for (const kind of ['sections', 'templates']) cpSync(`tests/site/${kind}`, join(folder, kind), { recursive: true });
  addPicture(join(folder, 'sections/price-list'));
  addEditorPart(join(folder, 'sections/price-list'));
  const declaration = join(folder, 'sections/quote/section.ts');
  cpSync(join(folder, 'sections/price-list'), dirname(declaration), { recursive: true });
  writeFileSync(declaration, readFileSync(declaration, 'utf8').replace("'price-list'", "'quote'"));
  const taken = 'node_modules/@pillion/react/src/sections/quote/section.ts';
  expect(pillion('build')).toEqual({
    status: 1,
    said: expect.stringContaining(`sections/quote/section.ts: the name "quote" is taken by ${taken}. Rename this one.`),
  });
  rmSync(dirname(declaration), { recursive: true });
  showOwnParts(join(folder, 'content'));

  const types = () => run(process.execPath, ['node_modules/typescript/bin/tsc']);
  expect(types()).toEqual({ status: 0, said: '' });
  const priced = join(folder, 'sections/price-list/view.tsx');
  const correct = readFileSync(priced, 'utf8');
  writeFileSync(priced, correct.replace('{ heading, items', '{ headline, items'));
  expect(types()).toEqual({ status: 1, said: expect.stringContaining("Property 'headline' does not exist") });
  writeFileSync(priced, correct);

  const own = ['site.config.ts', 'theme.tokens.json', 'content/en/pages/2.json', 'sections/price-list/view.tsx'];
  const read = () => own.map((file) => readFileSync(join(folder, file), 'utf8'));
  const versionOf = (name: string) =>
    JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
  const before = read();
  expect(versionOf('@pillion/server')).toBe(EARLIER);
  expect(pillion('update')).toEqual({
    status: 1,
    said: expect.stringContaining('Name the folder of a newer checkout'),
  });
  // A checkout that has changed without another version.
  const log = 'packages/lib/src/log.ts';
  writeFileSync(join(made, 'earlier', log), `${readFileSync(log, 'utf8')}// Changed.\n`);
  const again = pillion('update', join(made, 'earlier'));
  expect(again, again.said).toMatchObject({ status: 0, said: expect.stringContaining(`${EARLIER} → ${EARLIER}`) });
  expect(readFileSync(join(folder, 'node_modules/@pillion/lib/src/log.ts'), 'utf8')).toContain('// Changed.');
  const updated = pillion('update', process.cwd());
  expect(updated, updated.said).toMatchObject({
    status: 0,
    said: expect.stringContaining(`Pillion ${EARLIER} → ${VERSION}`),
  });
  expect(updated.said).toMatch(new RegExp(`\\n${VERSION.replaceAll('.', '\\.')} \\(.*\\)\\n\\S`));
  for (const name of ['server', 'react', 'plugin', 'site-tests']) expect(versionOf(`@pillion/${name}`)).toBe(VERSION);
  expect(globSync('vendor/*', { cwd: folder }).filter((file) => file.includes(EARLIER))).toEqual([]);
  expect(read()).toEqual(before);
  const declared = JSON.parse(readFileSync(join(folder, 'build/wordpress/pillion/blocks/sections.json'), 'utf8'));
  expect(Object.keys(declared.sections)).toEqual(expect.arrayContaining(['hero', 'price-list']));
  expect(Object.keys(declared.templates)).toEqual(['landing', 'notice']);

  const developed = await serve(folder, 'dev');
  try {
    // Not `page`, whose console must be empty: a reload interrupts requests of modules, and a mistake is an error.
    const open = await browser.newPage();
    await open.goto(developed.url);
    // Vite transforms every module for the first time.
    await expect(open.locator('html')).toHaveAttribute('data-stage', 'playing', { timeout: 90_000 });
    const tokens = join(folder, 'theme.tokens.json');
    // Each edit starts Vite again.
    for (const [from, to, shown] of [
      ['#0b57d0', '#0b57d1', 'rgb(11, 87, 209)'],
      ['#0b57d1', '#0b57d0', 'rgb(11, 87, 208)'],
    ] as const) {
      writeFileSync(tokens, readFileSync(tokens, 'utf8').replaceAll(from, to));
      const button = open.getByRole('main').locator('form').getByRole('button');
      // A busy machine needs long for it.
      await expect(button).toHaveCSS('background-color', shown, { timeout: 90_000 });
    }

    const front = join(folder, 'content/en/pages/1.json');
    const said = readFileSync(front, 'utf8');
    const heading = open.getByRole('heading', { level: 1 });
    writeFileSync(front, said.replace('Say it in', 'Say, in development, in'));
    await expect(heading).toHaveText('Say, in development, in one line', { timeout: 90_000 });
    writeFileSync(front, said);
    await expect(heading).toHaveText('Say it in one line', { timeout: 90_000 });

    const view = join(folder, 'sections/price-list/view.tsx');
    const code = readFileSync(view, 'utf8');
    const status = () => fetch(`${developed.url}about/`).then(({ status }) => status);
    const thrown = code.split('\n').findIndex((line) => line.includes('{amount}')) + 1;
    writeFileSync(view, code.replace('{amount}', '{amount.currency.name}'));
    await expect.poll(status, { timeout: 90_000 }).toBe(500);
    await expect.poll(developed.said).toContain(`${view}:${thrown}:`);
    writeFileSync(view, code);
    await expect.poll(status, { timeout: 90_000 }).toBe(200);
    writeFileSync(view, `${code}<`);
    await expect.poll(status, { timeout: 90_000 }).toBe(500);
    // A second page, because Vite may still be reloading the first one.
    const second = await browser.newPage();
    await second.goto(`${developed.url}about/`);
    await expect(second).toHaveTitle('Error');
    writeFileSync(view, code);
    // That page has no modules that an update could replace.
    await expect(second.getByRole('heading', { name: 'What it costs' })).toBeVisible({ timeout: 90_000 });
    await second.close();
    await open.close();
  } finally {
    await developed.stop();
  }

  const tests = (path: string) =>
    run(process.execPath, ['node_modules/@pillion/site-tests/src/pillion-test.mjs', '--no-build', path]);
  expect(tests('privacy/')).toEqual({ status: 0, said: expect.stringContaining('All checks passed.') });
  expect(tests('/nowhere/')).toEqual({ status: 1, said: expect.stringContaining('answers 404, not 200') });

  const { url, stop } = await serve(folder, 'start');
  try {
    const { icons } = await (await fetch(`${url}site.webmanifest`)).json();
    for (const { src, sizes } of icons) {
      const { width, height } = await sharp(await (await fetch(new URL(src, url))).arrayBuffer()).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
    expect(icons).toHaveLength(3);
    const front = await (await fetch(url)).text();
    expect(front.match(/<link rel="(?:apple-touch-)?icon"/g)).toHaveLength(3);
    expect(front).toMatch(/"logo":"[^"]+\/icon-512\.png"/);
    for (const [path, lang] of [
      ['', 'en'],
      ['de/', 'de'],
    ])
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.goto(url + path);
        await waitForScript(page);
        await expect(page.locator(`html[lang=${lang}]`).getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByRole('banner').getByRole('link', { name: NAME })).toBeVisible();
        await expect(page.getByRole('banner').getByRole('link').last()).toBeInViewport({ ratio: 1 });
        await settled(page);
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    await expect(page.getByRole('main').locator('form').getByRole('button')).toHaveCSS(
      'background-color',
      'rgb(11, 87, 208)',
    );
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.goto(`${url}about/`);
    await waitForScript(page);
    await expect(page.locator('[data-notice]').getByRole('heading', { name: 'What it costs' })).toBeVisible();
    const price = page.getByRole('listitem').filter({ hasText: 'Entry' });
    await expect(price).toHaveCSS('border-block-start-width', '3px');
    const assets = globSync('build/client/assets/{notice,price-list}-*.{css,js}', { cwd: folder });
    const asked = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*\//, '')));
    await expect.poll(asked).toEqual(expect.arrayContaining(assets.map((asset) => basename(asset))));
    expect(assets).toHaveLength(3);
    // The files that visitors load contain no texts for editors.
    for (const file of globSync('build/client/assets/*.js', { cwd: folder }))
      expect(readFileSync(join(folder, file), 'utf8'), file).not.toContain('One line of the list.');
    // A module that is still on its way when the server stops is an error of the page.
    await page.goto('about:blank');
  } finally {
    await stop();
  }

  const wordpress = await startWordPress({ directory: join(made, 'wordpress'), empty: true });
  try {
    await uploadPlugin(browser, wordpress, join(folder, 'build/wordpress/pillion.zip'));
    Object.assign(env, {
      CONTENT_URL: wordpress.url,
      WORDPRESS_USER: wordpress.admin.user,
      WORDPRESS_PASSWORD: wordpress.admin.applicationPassword,
    });
    const pushed = pillion('push', '--write');
    expect(pushed.status, pushed.said).toBe(0);
    await fillOwnSection(browser, wordpress);
    const { url, key, secret } = wordpress;
    const content = { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
    const site = await serve(folder, 'start', { ...content, DATA_DIR: join(made, 'data') });
    try {
      for (const [path, heading] of [
        ['', 'Say it in one line'],
        ['de/', 'Sag es in einer Zeile'],
        ['about/', 'What it costs today'],
      ] as const) {
        // Until WordPress has answered, a new server says to wait.
        await expect
          .poll(() => fetch(`${site.url}${path}`).then(({ status }) => status), { timeout: 60_000 })
          .toBe(200);
        await page.goto(`${site.url}${path}`);
        await waitForScript(page);
        await expect(page.getByRole('heading', { name: heading })).toBeVisible();
        await expect(page.getByRole('banner').getByRole('link', { name: NAME })).toBeVisible();
      }
      await expect(page.getByRole('listitem').filter({ hasText: 'Entry' })).toContainText('7 & more');
      await expect(page.locator('.price-list img')).toHaveAttribute('src', /^\/media\/.*a-stop/);
      await page.goto('about:blank');
    } finally {
      await site.stop();
    }
    Object.assign(env, content, { DATA_DIR: join(made, 'data') });
    expect(run('npm', ['run', 'sign-ups', '--', 'list'])).toMatchObject({ status: 0 });
    expect(run('npm', ['run', 'doctor']).said).toContain(`Pillion and ${url}`);
    Object.assign(env, { CONTENT_SECRET: 'cs_wrong' });
    expect(tests('/privacy/')).toEqual({ status: 1, said: expect.stringContaining(`WordPress at ${url} answers 401`) });
    for (const name of ['CONTENT_SOURCE', 'CONTENT_KEY', 'CONTENT_SECRET']) Reflect.deleteProperty(env, name);
    expect(pillion('pull')).toEqual({
      status: 1,
      said: expect.stringContaining('CONTENT_KEY is missing: set it to a key'),
    });
    Object.assign(env, { CONTENT_KEY: key, CONTENT_SECRET: secret });
    expect(pillion('pull')).toEqual({
      status: 0,
      said: expect.stringMatching(/^\d+ pages and \d+ files .* changed in content\//m),
    });
    expect(JSON.parse(readFileSync(join(folder, 'content/origin.json'), 'utf8')).addresses).toContain(url);
    expect(pillion('pull')).toEqual({ status: 0, said: expect.stringContaining('0 changed') });
  } finally {
    await wordpress.stop();
  }
});
