// Checks docs, comments, test titles and texts for editors: no phrase of wording.json, and no title over 100 characters.
// No package does this: textlint reads no comments, cspell finds words but no phrases, and Vale is not on npm.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/project.mjs';
import { collectTexts } from './translations.mjs';

/** @typedef {{ index: number, text: string, isTitle?: boolean }} Prose Text for people, and its place in the file. */

const MAX_TITLE_LENGTH = 100;

/** @type {Record<string, string>} */
const WORDING = JSON.parse(readFileSync(join(ROOT, 'scripts/wording.json'), 'utf8'));
/** A space in a phrase, also where the line breaks inside a comment. */
const SPACE = String.raw`[\s*/#]+`;
/** Phrases ignore case, except at the beginning of a sentence. */
const AVOIDED_PHRASES = Object.entries(WORDING).map(
  ([phrase, instead]) =>
    /** @type {const} */ ([
      new RegExp(`(?<!\\w)(?:${phrase.replaceAll(' ', SPACE)})(?!\\w)`, /[A-Z]/.test(phrase) ? 'g' : 'gi'),
      instead,
    ]),
);

/** Copies, other languages, and examples of this check. */
const SKIPPED_FILES =
  /^sites?\/(?:[^/]+\/)?content|^tests\/site\/content|seed\/languages|pillion\/languages\/|wording\.test|^packages\/server\/CHANGELOG/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{(,])\/\/.*$/gm;
const SHELL_COMMENT = /(?<=^|\s)#.*$/gm;
const TITLE = /\b(?:test|it|describe)(?:\.\w+)*(?:\(\[[\s\S]*?\]\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
/** Tags of Playwright and expressions in a title. */
const NOT_IN_TITLE = /\s@[\w-]+|\$\{[^}]*@[^}]*\}/g;
/** Code in docs and comments. */
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

/** @param {string} text @returns Blanks of the same length, with the same lines. */
const blankOut = (text) => text.replace(/[^\n]/g, ' ');

/** @param {RegExp} pattern @param {string} source @returns {Prose[]} */
const findProse = (pattern, source) => [...source.matchAll(pattern)].map(({ index, 0: text }) => ({ index, text }));

/** @type {[RegExp, (source: string) => Prose[]][]} How to read a file, by its name. */
const READERS = [
  [/\.md$|data\/texts\.json$/, (source) => [{ index: 0, text: source }]],
  [/\.(tsx?|m?js|php|css|glsl)$/, (source) => findProse(COMMENT, source)],
  [/\.(conf|service|sh|yml)$/, (source) => findProse(SHELL_COMMENT, source)],
];

/** @param {string} file */
const readerOf = (file) => READERS.find(([name]) => name.test(file))?.[1];

/** @param {string} source @returns {Prose[]} */
const titlesIn = (source) =>
  [...source.matchAll(TITLE)].map(({ index, 0: call, 2: text = '' }) => ({
    index: index + call.length - text.length - 1,
    text: text.replace(NOT_IN_TITLE, '').trim(),
    isTitle: true,
  }));

/** @param {Prose} prose @returns Problems, with their place in the file. */
function problemsOf({ index, text, isTitle }) {
  const plain = text.replace(CODE, blankOut);
  const problems = AVOIDED_PHRASES.flatMap(([phrase, instead]) =>
    [...plain.matchAll(phrase)].map((match) => ({
      index: index + match.index,
      problem: `“${match[0].replace(new RegExp(SPACE, 'g'), ' ')}”: write ${instead}`,
    })),
  );
  if (isTitle && text.length > MAX_TITLE_LENGTH)
    problems.push({ index, problem: `a title of ${text.length} characters: write at most ${MAX_TITLE_LENGTH}` });
  return problems;
}

/** @param {string} file From the root. @param {string} source @returns Problems as lines of output. */
export function findProblems(file, source) {
  const prose = readerOf(file)?.(source) ?? [];
  if (/\.(test|spec)\.tsx?$/.test(file)) prose.push(...titlesIn(source));
  return prose
    .flatMap(problemsOf)
    .map(({ index, problem }) => `${file}:${source.slice(0, index).split('\n').length}: ${problem}`);
}

if (process.argv[1] === import.meta.filename) {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    // Git also lists files that were deleted and not yet committed.
    .filter((file) => readerOf(file) && !SKIPPED_FILES.test(file) && existsSync(join(ROOT, file)));
  const lines = files.flatMap((file) => findProblems(file, readFileSync(join(ROOT, file), 'utf8')));
  for (const { msgid, comments } of collectTexts())
    lines.push(
      ...problemsOf({ index: 0, text: msgid }).map(({ problem }) => `The plugin's ${comments?.reference}: ${problem}`),
    );
  for (const line of lines) console.error(line);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
