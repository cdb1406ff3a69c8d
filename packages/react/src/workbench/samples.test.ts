import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** A site without English, in a folder whose name has characters of a glob pattern. */
let site: string;

beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'site-[1]-'));
  const pages = join(site, 'content/de/pages');
  mkdirSync(pages, { recursive: true });
  const picture = { url: '/media/tal.webp', width: 3, height: 2, sizes: [] };
  writeFileSync(join(pages, '1.json'), JSON.stringify({ sections: [{ picture }] }));
  mkdirSync(join(site, 'sections/season'), { recursive: true });
  writeFileSync(join(site, 'sections/season/section.ts'), "export default { name: 'season', fields: {} };");
  vi.stubEnv('PILLION_SITE', site);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(site, { recursive: true });
});

test('the workbench finds the pictures of a site without English', async () => {
  const { samplesFrom } = await import('./samples.ts');
  expect(samplesFrom('https://cms.example').wide().url).toMatch(/\/tal\.webp$/);
});

test('the workbench finds the sections of a site in a folder with brackets', async () => {
  const { samplesFrom } = await import('./samples.ts');
  const { findSectionStates } = await import('./section-states.ts');
  const found = await findSectionStates(samplesFrom('https://cms.example'));
  expect(found.map(({ name }) => name)).toContain('season');
});
