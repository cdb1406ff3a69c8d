// Copies the content of a live WordPress into the bundled copies: `npm run content:pull [-- folder]`.
// Default folder: `site/content`. Reads CONTENT_URL, CONTENT_KEY and CONTENT_SECRET. Without them it uses the WordPress
// of `npm run wordpress`.
import { dirname, join, relative, resolve } from 'node:path';
import { createClient } from '@pillion/content/wordpress/client.ts';
import { readConfig } from '@pillion/server/config/config.ts';
import { importFile } from '@pillion/server/vite/import-file.mjs';
import { ownPartsPlugin } from '@pillion/server/vite/own-parts-plugin.mjs';
import { ROOT } from './lib/project.mjs';

/** The seeded WordPress on loopback. Its key is not secret. */
const LOCAL = {
  CONTENT_URL: `http://127.0.0.1:${process.env.WORDPRESS_PORT || 8080}`,
  CONTENT_KEY: 'ck_pillion_development',
  CONTENT_SECRET: 'cs_pillion_development',
};

/** In milliseconds. Long, because no visitor waits and whole pages and pictures are fetched. */
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 25_000_000;

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(1);
}

const directory = resolve(ROOT, process.argv[2] ?? 'site/content');
const given = process.env.CONTENT_URL ? {} : LOCAL;
const read = readConfig({ ...process.env, ...given, CONTENT_SOURCE: 'wordpress' });
if (!read.ok) fail(read.problems.join('\n'));
const { content } = read.config;
if (content.source !== 'wordpress') fail('CONTENT_URL is not set to a WordPress.');
const { url, key, secret } = content;

// By Vite, so that it knows the site's own sections.
const { PullFailed, pullContent } = /** @type {typeof import('@pillion/content/sources/pull.ts')} */ (
  await importFile(join(ROOT, 'packages/content/src/sources/pull.ts'), ROOT, [ownPartsPlugin(dirname(directory))])
);

try {
  const { pages, media, bytes, changed } = await pullContent({
    client: createClient({ baseUrl: url, key, secret, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }),
    home: url,
    directory,
    warn: (event, details) => console.warn(`  ${event} ${JSON.stringify(details)}`),
  });
  const size = (bytes / 1_000_000).toFixed(1);
  console.log(
    `${pages} pages and ${media} files (${size} MB) from ${url}; ${changed} changed in ${relative(ROOT, directory)}/.`,
  );
} catch (error) {
  if (!(error instanceof PullFailed)) throw error;
  fail(`Nothing was written: ${error.message} (${url}).`);
}
