import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let folder: string;

/** What the configurations may name. */
const KNOWN = `import { defineSite } from '@pillion/server/site.ts'; import theme from '${resolve('tests/site/theme.tokens.json')}';\n`;

const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';

/** Files that a configuration may name. */
const FILES = {
  'scene.ts': `export const mountHero = () => document.body.append('a scene');`,
  'art.tsx': `export const Art = () => <i className="error-page-plane" />;`,
  'art.css': '.error-page-plane{top:7px}',
  'theme.css': ':root{--dot:red;--sans:Brand}',
  'rtl.css': '[dir=rtl]{--sans:Arabic Brand}',
  'favicon.svg': SQUARE,
  'app-icon.svg': SQUARE,
};

/** Builds a browser's files for a site with this configuration. @returns Reads all that match a pattern, as one text. */
async function built(config: string) {
  writeFileSync(join(folder, 'site.config.ts'), `${KNOWN}export default defineSite(${config});`);
  const outDir = mkdtempSync(join(folder, 'out-'));
  await build({ logLevel: 'error', mode: 'production', build: { outDir, emptyOutDir: true } });
  const read = (file: string) => readFileSync(file, 'utf8');
  return { outDir, read: (pattern: string) => globSync(join(outDir, pattern)).map(read).join('\n') };
}

let plain: Awaited<ReturnType<typeof built>>;
/** Of a site that names everything. */
let full: typeof plain;

beforeAll(async () => {
  mkdirSync('test-results', { recursive: true });
  folder = mkdtempSync('test-results/site-');
  vi.stubEnv('PILLION_SITE', folder);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  plain = await built('{ theme, music: false }');
  full = await built(`{
    theme: { ...theme, color: { ...theme.color, veil: { $value: '#102030' } } },
    hero: './scene.ts',
    errorPage: { art: './art.tsx', styles: './art.css' },
    styles: './theme.css',
    rightToLeftStyles: './rtl.css',
  }`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const JS = 'assets/*.js';
const CSS = 'assets/*.css';

test('a site without scene and music builds, and a browser gets no byte of them', () => {
  const sound = /decodeAudioData|needsAudioTrigger:!0|data-sound|dataset\.sound/;
  expect(full.read(JS)).toContain('a scene');
  expect(full.read(JS)).toMatch(sound);
  expect(full.read(CSS)).toContain('sound');
  expect(plain.read(JS)).not.toContain('a scene');
  expect(plain.read(JS)).not.toMatch(sound);
  expect(plain.read(CSS)).not.toContain('sound');
});

test('error pages have the title alone, or the art and the stylesheet that the site names', () => {
  expect(plain.read(JS) + plain.read(CSS)).not.toContain('error-page-plane');
  expect(plain.read(CSS)).toContain('.error-page-title{');
  expect(full.read(JS)).toContain('error-page-plane');
  expect(full.read(CSS)).toContain('.error-page-plane{top:7px}');
  expect(full.read(CSS)).not.toContain('.error-page-title{');
});

test('the loader has a plain bar unless the theme draws it', () => {
  expect(plain.read(CSS)).toContain('[data-progress]{');
  expect(full.read(CSS)).toContain('--dot:red');
  expect(full.read(CSS)).not.toContain('[data-progress]{');
});

test('pictures are darkened with the colour of the theme file', () => {
  expect(full.read('assets/style-*.css')).toContain('--veil:16 32 48');
});

test('languages from right to left have typefaces of the site alone', () => {
  expect(plain.read('assets/arabic-*.css')).not.toMatch(/font-face|--sans/);
  expect(full.read('assets/arabic-*.css')).toContain('--sans:Arabic Brand');
});

test('the block editor gets the dark colours of the theme file, and the stylesheet in a separate layer', () => {
  const styles = full.read('assets/editor-*.css');
  expect(styles).toMatch(/\.pillion-section\{[^}]*--veil:16 32 48/);
  expect(styles).toMatch(/@layer pillion\{:root\{[^}]*--sans:Brand/);
});

test('the build makes the icons, except those that are files of public/', async () => {
  mkdirSync(join(folder, 'public'));
  writeFileSync(join(folder, 'public/favicon.ico'), 'designed');
  const icons = (app: string) => `{ theme, icons: { favicon: './favicon.svg', app: '${app}' } }`;
  const { outDir, read } = await built(icons('./app-icon.svg'));
  expect(globSync('*.{svg,ico,png}', { cwd: outDir })).toHaveLength(6);
  expect(read('favicon.ico')).toBe('designed');
  await expect(built(icons('./app.svg'))).rejects.toThrow('icons names ./app.svg, which does not exist');
});

test('a scene that is not there is named', async () => {
  await expect(built(`{ theme, hero: './none.ts' }`)).rejects.toThrow('hero names ./none.ts, which does not exist');
});
