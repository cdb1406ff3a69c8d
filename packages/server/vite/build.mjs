import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { siteFolder } from '@pillion/lib/site-folder.mjs';
import { build } from 'vite';
import config from './config.mjs';
import { packPlugin, writePlugin } from './own-parts.mjs';

/** The WordPress plugin of the site. Its zip file is next to it. */
const PLUGIN = 'build/wordpress/pillion';

const COMPRESSIBLE = 'build/client/**/*.{js,css,svg,json,webmanifest}';
/** Smaller files, in bytes, are not compressed. */
const MIN_COMPRESSED_BYTES = 512;

/** A comment that Vite adds to the stylesheet for the hash of its name. Browsers do not need it. */
const HASH_COMMENT = '\n/*$vite$:1*/';

function removeHashComment() {
  for (const file of globSync('build/client/assets/style-*.css'))
    writeFileSync(file, readFileSync(file, 'utf8').replace(HASH_COMMENT, ''));
}

/** Compresses the browser's files at the highest level, so that no request has to. */
async function compressFiles() {
  const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];
  for (const file of globSync(COMPRESSIBLE)) {
    const raw = readFileSync(file);
    if (raw.length < MIN_COMPRESSED_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length };
    writeFileSync(`${file}.br`, await brotli(raw, { params }));
    writeFileSync(`${file}.gz`, await zip(raw, { level: 9 }));
  }
}

/** Builds the commands for sign-ups and the doctor next to the server: a production server has no build tools. */
async function buildCommands() {
  const { build: options, ...others } = await config({ command: 'build', mode: 'production', isSsrBuild: true });
  const input = { commands: fileURLToPath(import.meta.resolve('@pillion/server/commands/run.ts')) };
  await build({
    ...{ ...others, configFile: false, logLevel: 'warn' },
    build: { ...options, emptyOutDir: false, rolldownOptions: { ...options?.rolldownOptions, input } },
  });
}

/** Builds the site in the current folder into `build/`: files for browser and server, and the WordPress plugin. */
export async function buildSite() {
  for (const isSsrBuild of [false, true])
    await build({
      ...(await config({ command: 'build', mode: 'production', isSsrBuild })),
      ...{ configFile: false, logLevel: 'warn' },
    });
  await buildCommands();
  removeHashComment();
  await compressFiles();
  await writePlugin(resolve(siteFolder()), PLUGIN);
  packPlugin(PLUGIN);
}
