import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { phpValue, rest } from './wordpress.ts';

// An update by FTP or rsync puts the plugin's files in place one by one; requests come meanwhile.
let folder: string;
let site: RunningWordPress;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pillion-half-copied-'));
  site = await startWordPress({ directory: join(folder, 'site') });
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

const inPlugin = (path: string) => join(folder, 'site/html/wp-content/plugins/pillion', path);

/** Pages of WordPress itself and a route of the plugin that needs none of the files in question. */
async function stands() {
  expect((await fetch(`${site.url}/wp-login.php`)).status).toBe(200);
  expect((await rest('gusto/options', { site })).status).toBe(200);
}

test('WordPress stands while the declarations of sections are half there, and while they are not', async () => {
  truncateSync(inPlugin('blocks/sections.json'), 40);
  await stands();
  rmSync(inPlugin('blocks/sections.json'));
  await stands();
});

test('no text is answered or lost while their declaration is half there, and while it is not', async () => {
  const file = inPlugin('data/texts.json');
  const save = () => rest('wp/v2/settings', { site, as: 'admin', body: { pillion_strings: { brand: 'Half' } } });
  const stored = () => phpValue(`return get_option( 'pillion_strings' );`, site);
  const before = stored();
  renameSync(file, `${file}.whole`);
  for (const half of ['{ "groups": { "": { "label"', null]) {
    if (half === null) rmSync(file);
    else writeFileSync(file, half);
    expect((await fetch(`${site.url}/wp-login.php`)).status).toBe(200);
    expect((await rest('gusto/routes', { site })).status).toBe(200);
    // The site keeps the last good texts; an answer without any would put its defaults in their place.
    expect((await rest('gusto/options', { site })).status).toBe(404);
    await save();
    expect(stored()).toEqual(before);
  }
  renameSync(`${file}.whole`, file);
  await stands();
});

test('WordPress stands while a class of the plugin is still to come', async () => {
  rmSync(inPlugin('src/Redirects/Redirects.php'));
  await stands();
});
