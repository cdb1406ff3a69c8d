import { globSync } from 'node:fs';

/**
 * @param {string} checkout Of Pillion.
 * @param {string} folder
 * @returns {string[]} Arguments for npm that pack all packages of a site into the folder.
 */
export const packArguments = (checkout, folder) => [
  ...['pack', '--loglevel=error', '--pack-destination', folder],
  ...globSync(['packages/*/package.json', 'plugins/pillion/package.json'], { cwd: checkout })
    .filter((file) => !file.includes('create-pillion'))
    .map((file) => `./${file.replace(/.package\.json$/, '')}`),
];

/** @param {string} folder @returns {Map<string, string>} The file of each packed package, by its name. */
export const packedIn = (folder) =>
  new Map(
    globSync('pillion-*.tgz', { cwd: folder })
      .sort()
      .map((file) => [file.replace(/^pillion-(.*?)-\d.*/, '@pillion/$1'), file]),
  );
