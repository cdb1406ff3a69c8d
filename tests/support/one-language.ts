import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLE, FIXTURE } from './fixture.ts';

type Texts = Record<string, unknown>;
type Edit = (strings: Texts) => object;

/**
 * A folder to start a built site in, with bundled copies in English only.
 * @param built Where the site was built.
 * @param content Its bundled copies.
 * @param edit Given the bundled texts, returns those to use instead.
 */
function createCheckoutOf(built: string, content: string, edit: Edit): string {
  const directory = mkdtempSync(join(tmpdir(), 'pillion-checkout-'));
  symlinkSync(join(built, 'build'), join(directory, 'build'));
  for (const name of ['en', 'origin.json'])
    cpSync(join(content, name), join(directory, 'content', name), { recursive: true });
  symlinkSync(join(content, 'media'), join(directory, 'content/media'));
  const file = join(directory, 'content/en/strings.json');
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')))));
  return directory;
}

const withoutLanguages = ({ languages: _, ...strings }: Texts) => strings;

/**
 * The fixture in English only. Most tests use it, so that they do not change if the site gets another language.
 * @returns Its folder, which the caller removes.
 */
export const createCheckout = (): string => createCheckoutOf(FIXTURE, BUNDLE, withoutLanguages);

/**
 * The demo in English only.
 * @param edit Given its texts, returns those to use instead.
 * @returns Its folder, removed at the end of the process.
 */
export function createDemoCheckout(edit: Edit = (texts) => texts): string {
  const content = join(process.cwd(), 'site/content');
  const directory = createCheckoutOf(process.cwd(), content, (texts) => edit(withoutLanguages(texts)));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
