// Writes what the companion plugin has to know of the kit's sections and templates, from their declarations
// (packages/react/src/sections/*/section.ts, packages/react/src/templates/*/editor.ts), and copies the editor parts of sections next to it. The plugin
// must work as it is copied from a clone, so what is written is committed.
//
//   node scripts/sections.mjs [--check] [ROOT]     --check writes nothing, and fails where something would be written
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LONGEST_DRAWING } from '@pillion/content/sections/declaration.ts';
import { readParts, UnusableDeclaration } from '@pillion/server/vite/declarations.mjs';
import { ROOT, Stop } from './lib/project.mjs';

/** Where it is written, from the root. */
const BLOCKS = 'plugins/pillion/blocks';
const DECLARATIONS = `${BLOCKS}/sections.json`;
const EDIT = `${BLOCKS}/edit`;

/**
 * What has to be there: path from the root → text.
 * @param {string} root
 */
async function wanted(root) {
  const { about, edits } = await readParts({
    ...{ root, folder: 'packages/react/src' },
    load: (file) => import(pathToFileURL(file).href),
  });
  const files = new Map([...edits].map(([file, text]) => [`${EDIT}/${file}`, text]));
  const all = {
    '//': 'Written from packages/react/src/sections and packages/react/src/templates by npm run build: change those.',
    longestDrawing: LONGEST_DRAWING,
    ...about,
  };
  files.set(DECLARATIONS, `${JSON.stringify(all, null, 2)}\n`);
  return files;
}

/**
 * Files that were written for a section which is gone.
 * @param {string} root
 * @param {ReadonlyMap<string, string>} files Those that have to be there.
 */
const leftOver = (root, files) =>
  (existsSync(join(root, EDIT)) ? readdirSync(join(root, EDIT)) : [])
    .map((name) => `${EDIT}/${name}`)
    .filter((file) => !files.has(file));

/**
 * @param {string} root
 * @returns Files that differ from what the declarations say, with their text, and those that have to go.
 */
async function differences(root) {
  const files = await wanted(root);
  const changed = [...files].filter(([file, text]) => {
    const path = join(root, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  return { changed, gone: leftOver(root, files) };
}

/** Writes what differs, and nothing else: several commands may do so at once. */
export async function writeSections(root = ROOT) {
  const { changed, gone } = await differences(root);
  for (const [file, text] of changed) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  for (const file of gone) rmSync(join(root, file), { force: true });
  return changed.length + gone.length;
}

/** @throws {Stop} Where the plugin's files are not what the declarations say. */
export async function checkSections(root = ROOT) {
  const { changed, gone } = await differences(root);
  const stale = [...changed.map(([file]) => file), ...gone];
  if (stale.length > 0)
    throw new Stop(
      `Not what the sections' declarations say: ${stale.join(', ')}. Run \`npm run build\` and commit them.`,
    );
}

const isCalled = process.argv[1] && relative(process.argv[1], import.meta.filename) === '';
if (isCalled) {
  const args = process.argv.slice(2);
  const root = args.find((arg) => !arg.startsWith('-')) ?? ROOT;
  try {
    if (args.includes('--check')) await checkSections(root);
    else await writeSections(root);
  } catch (error) {
    if (!(error instanceof Stop || error instanceof UnusableDeclaration)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
