import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let folder: string;

beforeEach(() => {
  mkdirSync('test-results', { recursive: true });
  folder = mkdtempSync('test-results/site-');
  vi.stubEnv('PILLION_SITE', folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** What the configurations may name. */
const KNOWN = `import { defineSite } from '@pillion/server/site.ts'; import theme from '${resolve('tests/site/theme.tokens.json')}';\n`;

/** Builds a browser's files for a site with this configuration. @returns All its scripts, or styles, as one text. */
async function built(config: string, kind = 'js'): Promise<string> {
  writeFileSync(join(folder, 'site.config.ts'), `${KNOWN}export default defineSite(${config});`);
  const outDir = join(folder, 'out');
  await build({ logLevel: 'error', mode: 'production', build: { outDir, emptyOutDir: true } });
  return globSync(`${outDir}/assets/*.${kind}`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

test('a site without scene and music builds, and a browser gets no byte of them', async () => {
  writeFileSync(join(folder, 'scene.ts'), `export const mountHero = () => document.body.append('a scene');`);
  const sound = /decodeAudioData|needsAudioTrigger:!0|data-sound|dataset\.sound/;
  const all = await built(`{ theme, hero: './scene.ts' }`);
  expect(all).toContain('a scene');
  expect(all).toMatch(sound);
  const without = await built('{ theme, music: false }');
  expect(without).not.toContain('a scene');
  expect(without).not.toMatch(sound);
  expect(await built('{ theme }', 'css')).toContain('sound');
  expect(await built('{ theme, music: false }', 'css')).not.toContain('sound');
});

test('error pages have the title alone, or the art and the stylesheet that the site names', async () => {
  const plain = await Promise.all([built('{ theme }'), built('{ theme }', 'css')]);
  expect(plain.join('')).not.toContain('error-page-plane');
  expect(plain[1]).toContain('.error-page-title{');
  writeFileSync(join(folder, 'art.tsx'), `export const Art = () => <i className="error-page-plane" />;`);
  writeFileSync(join(folder, 'art.css'), '.error-page-plane{top:7px}');
  const named = `{ theme, errorPage: { art: './art.tsx', styles: './art.css' } }`;
  expect(await built(named)).toContain('error-page-plane');
  const styles = await built(named, 'css');
  expect(styles).toContain('.error-page-plane{top:7px}');
  expect(styles).not.toContain('.error-page-title{');
});

test('the loader has a plain bar unless the theme draws it', async () => {
  expect(await built('{ theme }', 'css')).toContain('[data-progress]{');
  writeFileSync(join(folder, 'theme.css'), ':root{--dot:red}');
  const themed = await built(`{ theme, styles: './theme.css' }`, 'css');
  expect(themed).toContain('--dot:red');
  expect(themed).not.toContain('[data-progress]{');
});

test('pictures are darkened with the colour of the theme file', async () => {
  expect(
    await built(`{ theme: { ...theme, color: { ...theme.color, veil: { $value: '#102030' } } } }`, 'css'),
  ).toContain('--veil:16 32 48');
});

test('languages from right to left have typefaces of the site alone', async () => {
  const sheet = () => {
    const [file = ''] = globSync(`${join(folder, 'out')}/assets/arabic-*.css`);
    return readFileSync(file, 'utf8');
  };
  await built('{ theme }');
  expect(sheet()).not.toMatch(/font-face|--sans/);
  writeFileSync(join(folder, 'rtl.css'), '[dir=rtl]{--sans:Brand}');
  await built(`{ theme, rightToLeftStyles: './rtl.css' }`);
  expect(sheet()).toContain('--sans:Brand');
});

test('the block editor gets the dark colours of the theme file, and the stylesheet in a separate layer', async () => {
  writeFileSync(join(folder, 'theme.css'), ':root{--sans:Brand}');
  await built(`{ theme: { ...theme, color: { ...theme.color, veil: { $value: '#123456' } } }, styles: './theme.css' }`);
  const [file = ''] = globSync(`${join(folder, 'out')}/assets/editor-*.css`);
  const styles = readFileSync(file, 'utf8');
  expect(styles).toMatch(/\.pillion-section\{[^}]*--veil:18 52 86/);
  expect(styles).toMatch(/@layer pillion\{:root\{--sans:Brand/);
});

test('the build makes the icons, except those that are files of public/', async () => {
  for (const name of ['favicon.svg', 'app-icon.svg'])
    writeFileSync(
      join(folder, name),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>',
    );
  mkdirSync(join(folder, 'public'));
  writeFileSync(join(folder, 'public/favicon.ico'), 'designed');
  const icons = (app: string) => `{ theme, icons: { favicon: './favicon.svg', app: '${app}' } }`;
  await built(icons('./app-icon.svg'));
  expect(globSync('*.{svg,ico,png}', { cwd: join(folder, 'out') })).toHaveLength(6);
  expect(readFileSync(join(folder, 'out/favicon.ico'), 'utf8')).toBe('designed');
  await expect(built(icons('./app.svg'))).rejects.toThrow('icons names ./app.svg, which does not exist');
});

test('a scene that is not there is named', async () => {
  await expect(built(`{ theme, hero: './scene.ts' }`)).rejects.toThrow('hero names ./scene.ts, which does not exist');
});
