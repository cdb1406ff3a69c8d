// Figures of the repository that should improve: brand words in the kit, lines, files of a walk, script size. Functions
// have at most 100 lines by a rule of Biome.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './lib/project.mjs';

/** Words of the demo brand and its typefaces, whole and in any case. */
const BRAND =
  /\b(?:riders?|lamps?|rides?|roads?|embers?|lowsun|sunsets?|suns?|archivo|instrument[- ]serif|readex|ruqaa)\b/i;
/** The brief's own default text of the button. */
const FROM_THE_BRIEF = /join the ride/gi;
const SOURCE = /\.(?:tsx?|mjs|js|css|glsl|php)$/;
/** Typefaces, and responses recorded from other products. */
const FOREIGN_FILES = /\.(?:ttf|woff2)$|\/testing\/.*\.json$/;
const BUILT_ASSETS = join(ROOT, 'build/client/assets');
/** Names of the chunks of a first visit. */
const FIRST_LOAD_CHUNK = /^(?:entry\.client|hydrate|probe|rolldown-runtime|starter)-.*\.js$/;

/** @param {string} path */
const isTest = (path) => /\.test\.|\/testing[./]/.test(path);
/** Files with tests, without what supports them. @param {string} path */
const hasTests = (path) => /\.(?:test|spec)\./.test(path);
const TOOLS = /^(?:scripts|bench|tests)\//;

/** @param {string} text */
const linesIn = (text) => text.split('\n').slice(0, -1);

/** @param {string} text @returns The lines with a word of the demo brand. */
const brandLines = (text) => linesIn(text).filter((line) => BRAND.test(line.replace(FROM_THE_BRIEF, '')));

/** @param {string} page `docs/architecture.md`. @returns Title and files of each walk: a heading with a numbered list. */
export const walksOf = (page) =>
  page.split(/^### /m).flatMap((part) => {
    const files = [...part.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);
    return files.length > 0 ? [{ title: linesIn(part)[0] ?? '', files }] : [];
  });

/** @param {string} path From the root. */
const readSource = (path) => readFileSync(join(ROOT, path), 'utf8');

/**
 * @param {string[]} paths
 * @param {(text: string) => string[]} countedLines Returns the lines that count.
 */
const countLines = (paths, countedLines = linesIn) =>
  paths.reduce((sum, path) => sum + countedLines(readSource(path)).length, 0);

/** @param {string[]} paths @param {(text: string) => string[]} [countedLines] @returns Lines of sources and of tests. */
const countBoth = (paths, countedLines) =>
  [paths.filter((path) => !isTest(path)), paths.filter(isTest)]
    .map((part) => countLines(part, countedLines))
    .join(' · ');

/** @param {string} name @param {string | number} figure */
const print = (name, figure) => console.log(`  ${name.padEnd(56)} ${String(figure).padStart(15)}`);

export function printStats() {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const all = listed.filter((path) => path !== '' && existsSync(join(ROOT, path)) && !FOREIGN_FILES.test(path));
  const kit = all.filter((path) => /^(?:packages|plugins)\//.test(path));
  print('lines with a word of the demo brand (source · tests)', countBoth(kit, brandLines));
  const sources = all.filter((path) => SOURCE.test(path));
  const ofKit = sources.filter((path) => kit.includes(path));
  const tools = sources.filter((path) => (TOOLS.test(path) || isTest(path)) && !hasTests(path));
  print('lines of the kit without tests', countLines(ofKit.filter((path) => !isTest(path))));
  print('lines of tests', countLines(sources.filter(hasTests)));
  print('lines of scripts, benches and support of tests', countLines(tools));
  const inFolders = ofKit.filter((path) => path.split('/').length > 2);
  for (const part of new Set(inFolders.map((path) => path.split('/', 2).join('/'))))
    print(`lines of ${part} (source · tests)`, countBoth(ofKit.filter((path) => path.startsWith(`${part}/`))));
  for (const { title, files } of walksOf(readSource('docs/architecture.md'))) print(`files: ${title}`, files.length);
  const chunks = existsSync(BUILT_ASSETS)
    ? readdirSync(BUILT_ASSETS).filter((name) => FIRST_LOAD_CHUNK.test(name))
    : [];
  const script = chunks.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(BUILT_ASSETS, name)), { level: 9 }).length,
    0,
  );
  print('first-load script, bytes (gzip 9)', chunks.length > 0 ? script : 'no build');
}
