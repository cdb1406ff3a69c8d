// Builds the site in the current folder and starts it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { importFile } from '@pillion/server/vite/import-file.mjs';

/** @returns {Promise<number>} A port that is free at the moment. */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** @returns {Promise<import('@pillion/server/site.ts').SiteConfig>} */
export async function readConfig() {
  const file = resolve(siteFolder(), 'site.config.ts');
  if (!existsSync(file)) throw new Error('There is no site.config.ts here. Run this in the folder of a site.');
  return /** @type {{ default: import('@pillion/server/site.ts').SiteConfig }} */ (await importFile(file, resolve('.')))
    .default;
}

/** @throws With the output of the build. */
export async function build() {
  const pillion = join(dirname(fileURLToPath(import.meta.resolve('@pillion/server/package.json'))), 'bin/pillion.mjs');
  const child = spawn(process.execPath, [pillion, 'build'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  // `close`, because at `exit` the last output may not have been read.
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
}

/**
 * If WordPress refuses the site, the site shows its copies in `content/`, and tests of them say nothing about WordPress.
 * @throws If the site takes its content from a WordPress that refuses it.
 */
async function checkWordPress() {
  const { CONTENT_SOURCE, CONTENT_URL = '', CONTENT_KEY, CONTENT_SECRET } = process.env;
  if (CONTENT_SOURCE !== 'wordpress') return;
  const authorization = `Basic ${Buffer.from(`${CONTENT_KEY}:${CONTENT_SECRET}`).toString('base64')}`;
  const problem = await fetch(`${CONTENT_URL.replace(/\/+$/, '')}/?rest_route=/pillion/v1/facts`, {
    headers: { authorization },
  }).then(
    ({ ok, status }) => (ok ? null : `answers ${status}`),
    (error) => `does not answer (${error.cause?.message ?? error.message})`,
  );
  if (problem !== null)
    throw new Error(
      `WordPress at ${CONTENT_URL} ${problem}, so only the copies in content/ could be tested. Find the reason: npm run doctor`,
    );
}

/**
 * Starts the built site with the variables of this process, but on a free port, with its own data, as its own address.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws If WordPress refuses the site, or with the server's output, if it does not start.
 */
export async function start() {
  await checkWordPress();
  const dataFolder = mkdtempSync(join(tmpdir(), 'pillion-test-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // The tests must not touch the sign-ups of a live site, nor purge its cache.
  const harmless = Object.entries(process.env).filter(
    ([name]) => !/^(?:DATABASE|DESTINATION|FORM_WEBHOOK|PURGE)_/.test(name),
  );
  const child = spawn(process.execPath, ['build/server/main.js'], {
    env: {
      ...{ ...Object.fromEntries(harmless), NODE_ENV: 'production', DATA_DIR: dataFolder },
      ...{ HOST: '127.0.0.1', PORT: String(port), SITE_URL: url },
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => child.once('close', () => resolve()));
  const isUp = await Promise.race([
    new Promise((resolve) => child.once('message', () => resolve(true))),
    ended.then(() => false),
  ]);
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(dataFolder, { recursive: true, force: true });
  };
  if (isUp) return { url, stop };
  await stop();
  throw new Error(`The site does not start:\n${output}`);
}
