import { dirname, relative } from 'node:path';
import { fromEnvironment, importWithSections, isConfidential, parseFolder } from './content-command.mjs';

/** What the command needs from the environment, with a description for errors. */
const VARIABLES = {
  CONTENT_URL: 'the address of WordPress',
  CONTENT_KEY: 'a key of Pillion → Keys',
  CONTENT_SECRET: 'the secret of that key',
};

/** In milliseconds. Long, because no visitor waits and whole pages and pictures are fetched. */
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 25_000_000;

/**
 * Copies the content of a WordPress into a folder, from which the site shows it while WordPress is down.
 * @param {string[]} args `[FOLDER]`
 * @throws With the reason and what to do.
 */
export async function pull(args) {
  const directory = parseFolder(args, []);
  const { CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret } = fromEnvironment(VARIABLES, null);
  if (!isConfidential(url)) console.warn(`  ${url} has no https: others on the network can read the key.`);
  const { createClient } = /** @type {typeof import('@pillion/content/wordpress/client.ts')} */ (
    await importWithSections('@pillion/content/wordpress/client.ts', dirname(directory))
  );
  const { PullFailed, pullContent } = /** @type {typeof import('@pillion/content/sources/pull.ts')} */ (
    await importWithSections('@pillion/content/sources/pull.ts', dirname(directory))
  );
  try {
    const { pages, media, bytes, changed } = await pullContent({
      client: createClient({ baseUrl: url, key, secret, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }),
      home: url,
      directory,
      warn: (event, details) => console.warn(`  ${event} ${JSON.stringify(details)}`),
    });
    const size = (bytes / 1_000_000).toFixed(1);
    const folder = relative(process.cwd(), directory) || '.';
    console.log(`${pages} pages and ${media} files (${size} MB) from ${url}; ${changed} changed in ${folder}/.`);
  } catch (error) {
    throw error instanceof PullFailed ? new Error(`Nothing was written: ${error.message} (${url}).`) : error;
  }
}
