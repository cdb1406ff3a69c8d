import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { ROOT } from './places.mjs';

/** As NOTICES.md states sizes: KB of 1000 bytes, one decimal. */
export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** Writes a built file, and says which one it was, how large it is and whether anything in it changed. */
export async function written(path, content, say) {
  const bytes = Buffer.from(content);
  const isSame = existsSync(path) && readFileSync(path).equals(bytes);
  if (!isSame) await writeFile(path, bytes);
  say(`${relative(ROOT, path)} ${kilobytes(bytes.length)}${isSame ? ', unchanged' : ''}`);
}
