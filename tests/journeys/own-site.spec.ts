import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BUNDLE } from '../support/fixture.ts';
import { freePort, temporaryFolder } from '../support/site.ts';
import { expect, test } from './test.ts';

/** A site in light colours that decides nothing else. */
const CONFIG = `import { defineSite } from '@pillion/server/site.ts';

const light = { background: '#ffffff', surface: '#f2f2f2', text: '#111111', muted: '#555555', accent: '#0b57d0', onAccent: '#ffffff', accent2: '#0b57d0', line: 18 };

export default defineSite({ palette: { dark: light, light, veil: '#ffffff' } });
`;

const PACKAGES = [...globSync('packages/*'), 'plugins/pillion'];
/** What a site builds with. Versions are the kit's own. */
const TOOLS = ['vite', '@vitejs/plugin-react', 'vite-plugin-glsl'];

/** Gives a page of the bundled content the site's own template and section. */
function showOwnParts(content: string): void {
  const file = join(content, 'en/pages/26.json');
  const page = JSON.parse(readFileSync(file, 'utf8'));
  const prices = { type: 'price-list', heading: 'What it <em>costs</em>', items: [{ name: 'Entry', amount: '5' }] };
  writeFileSync(file, JSON.stringify({ ...page, template: 'notice', sections: [prices] }));
}

test('packed packages make a site elsewhere that builds, starts and responds; wrong input is named', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const folder = temporaryFolder();
  const run = (program: string, ...args: string[]) => {
    const env = { ...process.env, PILLION_SITE: undefined };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
    return { status, said: stdout + stderr };
  };
  const pillion = (...args: string[]) => run(process.execPath, 'node_modules/@pillion/server/bin/pillion.mjs', ...args);

  const packed = spawnSync('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    folder,
    ...PACKAGES.map((name) => `./${name}`),
  ]);
  expect(packed.status, String(packed.stderr)).toBe(0);
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const tarballs = globSync('*.tgz', { cwd: folder });
  expect(tarballs).toHaveLength(PACKAGES.length);
  cpSync('.npmrc', join(folder, '.npmrc'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      ...{ name: 'a-brand', private: true, type: 'module' },
      dependencies: Object.fromEntries(
        tarballs.map((file) => [file.replace(/^pillion-(.*)-[\d.]+\.tgz$/, '@pillion/$1'), `file:${file}`]),
      ),
      devDependencies: Object.fromEntries(TOOLS.map((name) => [name, devDependencies[name]])),
    }),
  );
  const installed = run('npm', 'install', '--no-audit', '--no-fund');
  expect(installed.status, installed.said).toBe(0);
  cpSync(BUNDLE, join(folder, 'content'), { recursive: true });

  writeFileSync(join(folder, 'site.config.ts'), CONFIG.replace('palette:', 'musik: false, palette:'));
  expect(pillion('build')).toEqual({ status: 1, said: expect.stringContaining('Did you mean "music"?') });
  writeFileSync(join(folder, 'site.config.ts'), CONFIG);

  for (const kind of ['sections', 'templates']) cpSync(`tests/site/${kind}`, join(folder, kind), { recursive: true });
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
  const built = pillion('build');
  expect(built.status, built.said).toBe(0);
  const declared = JSON.parse(readFileSync(join(folder, 'build/wordpress/pillion/blocks/sections.json'), 'utf8'));
  expect(Object.keys(declared.sections)).toEqual(expect.arrayContaining(['hero', 'price-list']));
  expect(Object.keys(declared.templates)).toEqual(['landing', 'notice']);

  const port = String(await freePort());
  const server: ChildProcess = spawn(process.execPath, ['node_modules/@pillion/server/bin/pillion.mjs', 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: port, DATA_DIR: join(folder, 'data') },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const url = `http://127.0.0.1:${port}/`;
    await expect
      .poll(
        () =>
          fetch(url).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(200);
    await page.goto(url);
    await expect(page.locator('html[data-stage=playing]')).toBeAttached();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );

    await page.goto(`${url}paper-notes/`);
    await expect(page.locator('[data-notice]').getByRole('heading', { name: 'What it costs' })).toBeVisible();
    const price = page.getByRole('listitem').filter({ hasText: 'Entry' });
    await expect(price).toHaveCSS('border-block-start-width', '3px');
    const assets = globSync('build/client/assets/{notice,price-list}-*.{css,js}', { cwd: folder });
    const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    for (const asset of assets) expect(asked.join(' ')).toContain(basename(asset));
    expect(assets).toHaveLength(3);
  } finally {
    server.kill();
    await ended;
  }

  const about = join(folder, 'node_modules/@pillion/lib/package.json');
  writeFileSync(about, readFileSync(about, 'utf8').replace(/"version": "[^"]+"/, '"version": "0.9.0"'));
  expect(pillion('build')).toEqual({ status: 1, said: expect.stringContaining('@pillion/lib 0.9.0') });
});
