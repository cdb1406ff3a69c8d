import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLE } from './fixture.ts';

type Texts = Record<string, unknown>;

/** A checkout as that at `root`, without its bundled copies. @returns Its folder, which the caller removes. */
function emptyCheckout(root: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-checkout-'));
  for (const name of ['build', 'packages', 'node_modules', 'package.json'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(directory, name));
  return directory;
}

/** A checkout whose bundled site speaks English alone, with texts changed by `edit`. */
function checkoutOf(root: string, bundle: string, edit: (strings: Texts) => object): string {
  const directory = emptyCheckout(root);
  for (const name of ['en', 'origin.json'])
    cpSync(join(bundle, name), join(directory, 'site/content', name), { recursive: true });
  symlinkSync(join(bundle, 'media'), join(directory, 'site/content/media'));
  const file = join(directory, 'site/content/en/strings.json');
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')))));
  return directory;
}

const inEnglish = ({ languages: _, ...strings }: Texts) => strings;

/** @returns The same folder, gone with the process. */
function untilExit(directory: string): string {
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * A checkout as this one whose bundled site is the fixture in English alone: what most tests look at, so that they say the same of a
 * site with one language if the bundle gets another.
 * @returns Its folder, which the caller removes.
 */
export const oneLanguageCheckout = (root: string): string => checkoutOf(root, BUNDLE, inEnglish);

/**
 * The same checkout with other texts.
 * @param edit Given the bundled texts, gives those that stand in their place.
 * @param bundle Its bundled copies. Default: the fixture's.
 * @returns Its folder, gone with the process.
 */
export const checkoutWithTexts = (root: string, edit: (strings: Texts) => object, bundle = BUNDLE): string =>
  untilExit(checkoutOf(root, bundle, (strings) => edit(inEnglish(strings))));

/** A checkout as this one whose bundled site is the fixture in all its languages. @returns Its folder, gone with the process. */
export function everyLanguageCheckout(): string {
  const directory = untilExit(emptyCheckout(process.cwd()));
  mkdirSync(join(directory, 'site'));
  symlinkSync(BUNDLE, join(directory, 'site/content'));
  return directory;
}

/** A checkout as this one whose bundled demo speaks English alone. @returns Its folder, gone with the process. */
export const demoCheckout = (): string =>
  untilExit(checkoutOf(process.cwd(), join(process.cwd(), 'site/content'), inEnglish));
