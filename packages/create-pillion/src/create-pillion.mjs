#!/usr/bin/env node
// `npm create pillion`: asks for a brand and writes its site.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { makeFolder } from '@pillion/lib/make-folder.mjs';
import { QUESTIONS } from './answers.mjs';
import { filesOf } from './files.mjs';
import { kitFor, REPOSITORY } from './kit.mjs';
import { Unusable } from './unusable.mjs';

const HELP = `npm create pillion -- FOLDER [options]

${Object.entries(QUESTIONS)
  .map(([flag, { value, ask }]) => `  ${`--${flag} ${value}`.padEnd(24)} ${ask ?? ''}`.trimEnd())
  .join('\n')}
  --yes                    Ask nothing: defaults for all that is not given
`;

/** @param {string} text */
const note = (text) => console.log(`  Note: ${text}`);

function parseFlags() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...Object.fromEntries(Object.keys(QUESTIONS).map((flag) => [flag, { type: /** @type {const} */ ('string') }])),
        ...{ yes: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      },
    });
  } catch (error) {
    throw new Unusable(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}

/** @param {string} text @returns {string} Absolute path. */
function resolveFolder(text) {
  if (!text) throw new Unusable(`Name the folder of the new site.\n\n${HELP}`);
  const folder = resolve(text);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Unusable(`${folder} is a file. Name a new folder.`);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Unusable(`${folder} is not empty. Name a new folder.`);
  const fromRepository = REPOSITORY && relative(REPOSITORY, folder);
  // On Windows a folder on another drive has an absolute path.
  if (fromRepository && !fromRepository.startsWith('..') && !isAbsolute(fromRepository))
    throw new Unusable(`${folder} is in the repository of the kit. Name a folder outside, such as ../my-site.`);
  return folder;
}

async function main() {
  const { values, positionals } = parseFlags();
  if (values.help) return console.log(HELP);
  const canAsk = Boolean(process.stdin.isTTY) && !values.yes;
  const terminal = canAsk ? createInterface({ input: process.stdin, output: process.stdout }) : null;

  /**
   * Asks in a terminal until the answer is usable. Otherwise it takes the default answer.
   * @param {string} ask
   * @param {string} fallback The default answer.
   * @param {(text: string) => unknown} parse
   * @returns {Promise<unknown>} What `parse` returned.
   */
  async function askFor(ask, fallback, parse) {
    if (!terminal) return parse(fallback);
    const text = (await terminal.question(`${ask}${fallback ? ` (${fallback})` : ''}: `)).trim();
    try {
      return parse(text || fallback);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      console.log(`  ${error.message}`);
      return askFor(ask, fallback, parse);
    }
  }

  try {
    const [givenFolder, unexpected] = positionals;
    if (unexpected !== undefined)
      throw new Unusable(
        `Name one folder, without "${unexpected}". Put a name of several words in quotes: --name "My Brand"`,
      );
    const folder = /** @type {string} */ (
      givenFolder === undefined
        ? await askFor('Folder', terminal ? 'my-site' : '', resolveFolder)
        : resolveFolder(givenFolder)
    );
    /** @type {Record<string, unknown>} */
    const answers = {};
    for (const [flag, { ask, fallback, parse }] of Object.entries(QUESTIONS)) {
      const parseText = (/** @type {string} */ text) => parse(text, answers, note);
      const value = /** @type {Record<string, unknown>} */ (values)[flag];
      if (typeof value === 'string') answers[flag] = parseText(value.trim());
      else answers[flag] = ask ? await askFor(ask, fallback(answers), parseText) : parseText(fallback(answers));
    }
    await writeSite(folder, /** @type {import('./answers.mjs').Answers} */ (answers));
    console.log(`\n${folder} is ready. Next:\n\n${formatNextSteps(folder)}`);
  } finally {
    terminal?.close();
  }
}

/**
 * Writes the site. If that fails, the folder is as before.
 * @param {string} folder Empty or new.
 * @param {import('./answers.mjs').Answers} answers
 */
async function writeSite(folder, answers) {
  const isNew = !existsSync(folder);
  try {
    makeFolder(folder);
    for (const [path, content] of await filesOf(answers, basename(folder), kitFor(folder))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  } catch (error) {
    if (existsSync(folder)) for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    if (isNew) rmSync(folder, { recursive: true, force: true });
    const { syscall, code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw syscall ? new Unusable(`${folder} cannot be written (${code}). Name another folder.`) : error;
  }
}

/** @param {string} folder @returns {string} The commands that start the site. */
function formatNextSteps(folder) {
  const relativePath = relative(process.cwd(), folder);
  const shown = relativePath.length < folder.length ? relativePath : folder;
  return `  cd ${/^[\w./-]+$/.test(shown) ? shown : `'${shown}'`}\n  npm install\n  npm run dev\n`;
}

try {
  await main();
} catch (error) {
  // Ctrl+C and the end of the input are no errors of the program.
  const isExpected = error instanceof Unusable || (error instanceof Error && error.name === 'AbortError');
  console.error(isExpected ? `\n${error.message}` : error);
  process.exitCode = 1;
}
