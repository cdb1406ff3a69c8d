import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

test('the workbench finds the pictures of a site without English', async () => {
  const site = mkdtempSync(join(tmpdir(), 'site-[1]-'));
  const pages = join(site, 'content/de/pages');
  mkdirSync(pages, { recursive: true });
  const picture = { url: '/media/tal.webp', width: 3, height: 2, sizes: [] };
  writeFileSync(join(pages, '1.json'), JSON.stringify({ sections: [{ picture }] }));
  vi.stubEnv('PILLION_SITE', site);
  const { samplesFrom } = await import('./samples.ts');
  expect(samplesFrom('https://cms.example').wide().url).toMatch(/\/tal\.webp$/);
  vi.unstubAllEnvs();
  rmSync(site, { recursive: true });
});
