import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A checkout as this one whose bundled demo speaks English alone: what most tests look at, so that they say the same of a
 * site with one language whatever the demo speaks. Those of languages start the site in the repository itself.
 * @returns Its folder, made once for each process and gone with it.
 */
export function oneLanguageCheckout(root: string): string {
  const known = made.get(root);
  if (known) return known;
  const directory = mkdtempSync(join(tmpdir(), 'pillion-english-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const name of ['build', 'server', 'node_modules', 'public', 'package.json'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(directory, name));
  for (const name of ['en', 'origin.json'])
    cpSync(join(root, 'content', name), join(directory, 'content', name), { recursive: true });
  symlinkSync(join(root, 'content/media'), join(directory, 'content/media'));
  const file = join(directory, 'content/en/strings.json');
  const { languages: _, ...strings } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(strings));
  made.set(root, directory);
  return directory;
}

const made = new Map<string, string>();

/**
 * The same checkout with other texts.
 * @param edit Given the bundled texts, gives those that stand in their place.
 * @returns Its folder, gone with the process.
 */
export function checkoutWithTexts(root: string, edit: (strings: Record<string, unknown>) => object): string {
  const one = oneLanguageCheckout(root);
  const directory = mkdtempSync(join(tmpdir(), 'pillion-texts-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  for (const name of ['build', 'server', 'node_modules', 'public', 'package.json'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(directory, name));
  cpSync(join(one, 'content'), join(directory, 'content'), { recursive: true, verbatimSymlinks: true });
  const file = join(directory, 'content/en/strings.json');
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')))));
  return directory;
}
