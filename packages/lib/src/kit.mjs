import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * @param {string} checkout The folder of Pillion's repository.
 * @param {string} folder Where npm writes the packed files.
 * @returns {string[]} Arguments for npm that pack all packages of a site into the folder.
 */
export const packArguments = (checkout, folder) => [
  ...['pack', '--loglevel=error', '--pack-destination', folder],
  ...globSync(['packages/*/package.json', 'plugins/pillion/package.json'], { cwd: checkout })
    .filter((file) => !file.includes('create-pillion'))
    .map((file) => `./${dirname(file)}`),
];

/** @param {string} folder @returns {Map<string, string>} File names of the packed packages, by package name. */
export const packedIn = (folder) =>
  new Map(
    globSync('pillion-*.tgz', { cwd: folder })
      .sort()
      .map((file) => [file.replace(/^pillion-(.*?)-\d.*/, '@pillion/$1'), file]),
  );
