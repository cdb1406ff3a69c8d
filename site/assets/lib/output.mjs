import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { ROOT } from './places.mjs';

/** In KB of 1000 bytes with one decimal, as in NOTICES.md. */
export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** Writes a built file, and reports its name, its size and whether it has changed. */
export async function writeOutput(path, content, report) {
  const bytes = Buffer.from(content);
  const isSame = existsSync(path) && readFileSync(path).equals(bytes);
  if (!isSame) await writeFile(path, bytes);
  report(`${relative(ROOT, path)} ${kilobytes(bytes.length)}${isSame ? ', unchanged' : ''}`);
}
