import { gzipSync } from 'node:zlib';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ url: string, type: string, gzip: number, bytes: number, started: number }} File */

/**
 * Collects every file that the page requests from now on. Bytes are recompressed with gzip 9, so that figures of different
 * servers are comparable.
 * @param {Page} page
 * @returns {() => Promise<File[]>} The files until then.
 */
export function collectFiles(page) {
  /** @type {File[]} */
  const files = [];
  /** @type {Promise<unknown>[]} */
  const pending = [];
  const seen = new Set();
  page.on('response', (response) => {
    // Repeated requests come from the browser's cache.
    if (seen.has(response.url())) return;
    seen.add(response.url());
    pending.push(
      response.body().then(
        (body) =>
          files.push({
            ...{ url: response.url(), type: response.headers()['content-type'] ?? '', bytes: body.length },
            ...{ gzip: gzipSync(body, { level: 9 }).length, started: response.request().timing().startTime },
          }),
        () => {},
      ),
    );
  });
  return async () => {
    await Promise.all(pending);
    return files;
  };
}

/** @param {File[]} files @param {(file: File) => boolean} pick */
export const gzipOf = (files, pick) => files.filter(pick).reduce((sum, { gzip }) => sum + gzip, 0);

/** Files that are compressed already. */
const PACKED = /image|font|audio|video/;

/**
 * @param {File[]} files
 * @returns Bytes by kind: text as gzip 9, typefaces and all others as they are.
 */
export const weigh = (files) => ({
  script: gzipOf(files, ({ type }) => type.includes('javascript')),
  styles: gzipOf(files, ({ type }) => type.includes('css')),
  document: gzipOf(files, ({ type }) => type.includes('html')),
  fonts: files.filter(({ type }) => type.includes('font')).reduce((sum, { bytes }) => sum + bytes, 0),
  all: files.reduce((sum, { type, bytes, gzip }) => sum + (PACKED.test(type) ? bytes : gzip), 0),
});
