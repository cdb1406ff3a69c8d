import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Texts = Record<string, unknown>;

/** A checkout as that at `root` whose bundled demo speaks English alone, with texts that `edit` makes of its own. */
function checkoutOf(root: string, edit: (strings: Texts) => object): string {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-english-'));
  for (const name of ['build', 'packages', 'node_modules', 'package.json'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(directory, name));
  for (const name of ['en', 'origin.json'])
    cpSync(join(root, 'site/content', name), join(directory, 'site/content', name), { recursive: true });
  symlinkSync(join(root, 'site/content/media'), join(directory, 'site/content/media'));
  const file = join(directory, 'site/content/en/strings.json');
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')))));
  return directory;
}

const inEnglish = ({ languages: _, ...strings }: Texts) => strings;

/**
 * A checkout as this one whose bundled demo speaks English alone: what most tests look at, so that they say the same of a
 * site with one language whatever the demo speaks. Those of languages start the site in the repository itself.
 * @returns Its folder, which the caller removes.
 */
export const oneLanguageCheckout = (root: string): string => checkoutOf(root, inEnglish);

/**
 * The same checkout with other texts.
 * @param edit Given the bundled texts, gives those that stand in their place.
 * @returns Its folder, gone with the process.
 */
export function checkoutWithTexts(root: string, edit: (strings: Texts) => object): string {
  const directory = checkoutOf(root, (strings) => edit(inEnglish(strings)));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
