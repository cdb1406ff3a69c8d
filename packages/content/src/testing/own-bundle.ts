import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORIGIN_FILE } from '../sources/bundle.ts';
import { BUNDLE } from './fake-site.ts';

/**
 * Creates the fixture site's bundled copy as if it was pulled from `url`.
 * @param directory Is created; the test must delete it.
 */
export function markedBundle(directory: string, url: string): string {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(BUNDLE))
    if (name !== ORIGIN_FILE && !existsSync(join(directory, name)))
      symlinkSync(join(BUNDLE, name), join(directory, name));
  writeFileSync(join(directory, ORIGIN_FILE), JSON.stringify({ addresses: [url] }));
  return directory;
}
