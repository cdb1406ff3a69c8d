import { gzipSync } from 'node:zlib';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ url: string, type: string, gzip: number, bytes: number, started: number }} File `started`: epoch milliseconds. */

/**
 * Collects every file that the page requests from now on. Bytes are recompressed with gzip 9, so that figures of different
 * servers are comparable.
 * @param {Page} page
 * @returns {() => Promise<File[]>} Those until its call.
 */
export function collectFiles(page) {
  /** @type {File[]} */
  const files = [];
  /** @type {Promise<unknown>[]} */
  const reads = [];
  const seenUrls = new Set();
  page.on('response', (response) => {
    // Repeated requests come from the browser's cache.
    if (seenUrls.has(response.url())) return;
    seenUrls.add(response.url());
    reads.push(
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
    await Promise.all(reads);
    return files;
  };
}

/** Bytes of the picked files with gzip 9. @param {File[]} files @param {(file: File) => boolean} pick */
export const gzipOf = (files, pick) => files.filter(pick).reduce((sum, { gzip }) => sum + gzip, 0);

/** Types of files that are compressed already. */
const COMPRESSED_TYPES = /image|font|audio|video/;

/**
 * @param {File[]} files
 * @returns Bytes by kind: text as gzip 9, typefaces and all others as they are.
 */
export const weigh = (files) => ({
  script: gzipOf(files, ({ type }) => type.includes('javascript')),
  styles: gzipOf(files, ({ type }) => type.includes('css')),
  document: gzipOf(files, ({ type }) => type.includes('html')),
  fonts: files.filter(({ type }) => type.includes('font')).reduce((sum, { bytes }) => sum + bytes, 0),
  all: files.reduce((sum, { type, bytes, gzip }) => sum + (COMPRESSED_TYPES.test(type) ? bytes : gzip), 0),
});
