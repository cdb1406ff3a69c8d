import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { phpValue, rest, useOwnWordPress, wordpress } from './wordpress.ts';

// An update by FTP or rsync replaces the plugin's files one by one while requests arrive.
useOwnWordPress();

const inPlugin = (path: string) => join(wordpress().directory, 'html/wp-content/plugins/pillion', path);

/** Requests a page of WordPress and a route of the plugin that does not need the files in question. */
async function stands() {
  expect((await fetch(`${wordpress().url}/wp-login.php`)).status).toBe(200);
  expect((await rest('gusto/options')).status).toBe(200);
}

test('WordPress works while the section declarations are truncated or missing', async () => {
  truncateSync(inPlugin('blocks/sections.json'), 40);
  await stands();
  rmSync(inPlugin('blocks/sections.json'));
  await stands();
});

test('no text is served or lost while the text declarations are truncated or missing', async () => {
  const file = inPlugin('data/texts.json');
  const save = () => rest('wp/v2/settings', { as: 'admin', body: { pillion_strings: { brand: 'Half' } } });
  const stored = () => phpValue(`return get_option( 'pillion_strings' );`);
  const before = stored();
  renameSync(file, `${file}.whole`);
  for (const half of ['{ "groups": { "": { "label"', null]) {
    if (half === null) rmSync(file);
    else writeFileSync(file, half);
    expect((await fetch(`${wordpress().url}/wp-login.php`)).status).toBe(200);
    expect((await rest('gusto/routes')).status).toBe(200);
    // After a 404 the site keeps the last good texts. An empty response would replace them with defaults.
    expect((await rest('gusto/options')).status).toBe(404);
    await save();
    expect(stored()).toEqual(before);
  }
  renameSync(`${file}.whole`, file);
  await stands();
});

test('WordPress works while a class of the plugin is missing', async () => {
  rmSync(inPlugin('src/Redirects/Redirects.php'));
  await stands();
});
