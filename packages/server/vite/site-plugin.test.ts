import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

const PALETTE = `import { NEUTRAL_PALETTE as palette } from '@pillion/content/palette.ts';\n`;

/** Builds a browser's files for a site with this configuration. @returns All scripts, as one text. */
async function scriptsOf(config: string): Promise<string> {
  writeFileSync(join(folder, 'site.config.ts'), `${PALETTE}export default ${config};`);
  const outDir = join(folder, 'out');
  await build({ logLevel: 'error', mode: 'production', build: { outDir, emptyOutDir: true } });
  return globSync(`${outDir}/assets/*.js`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

test('a site without scene and music builds, and a browser gets no byte of them', async () => {
  const all = await scriptsOf('{ palette, hero: undefined, music: true }');
  expect(all).toContain('decodeAudioData');
  expect(all).not.toContain('WebGL2RenderingContext');
  expect(await scriptsOf('{ palette, music: false }')).not.toMatch(
    /decodeAudioData|data-sound-hint|WebGL2RenderingContext/,
  );
});

test('a scene that is not there is named', async () => {
  await expect(scriptsOf(`{ palette, hero: './scene.ts' }`)).rejects.toThrow(
    'hero names ./scene.ts, which is not there',
  );
});
