// Writes the tables of what was made here into NOTICES.md: what each file is, its pixels and its size.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { FONTS, MEDIA, ROOT, SHARE_FONTS } from '../lib/places.mjs';
import { kilobytes, written } from '../lib/written.mjs';
import { PICTURES } from './made-here.mjs';

const NOTICES = join(ROOT, 'NOTICES.md');

/** A comma for thousands would read as two numbers to some. */
async function pixels(path) {
  if (!/\.(?:webp|png)$/.test(path)) return '';
  const { width, height } = await sharp(path).metadata();
  return `${width} × ${height}`;
}

const sizeOf = (path) => kilobytes(statSync(path).size);

/** One row for each file that is there, in the order of the descriptions. @throws For a file without a description. */
async function rows(folder, descriptions, cells) {
  const there = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const unknown = there.filter((name) => !(name in descriptions));
  if (unknown.length > 0)
    throw new Error(`site/assets/notices/made-here.mjs does not say what ${unknown.join(', ')} is.`);
  const known = Object.keys(descriptions).filter((name) => there.includes(name));
  return (await Promise.all(known.map((name) => cells(name, join(folder, name))))).join('\n');
}

/** Replaces the rows of the table under this head. */
const withRows = (text, head, lines) => {
  const start = text.indexOf(head);
  if (start < 0) throw new Error(`NOTICES.md has no table that begins with ${head}`);
  const body = text.indexOf('\n', text.indexOf('\n', start) + 1) + 1;
  const rest = text.slice(body);
  const end = rest.search(/^(?!\|)/m);
  return `${text.slice(0, body)}${lines}\n${rest.slice(end)}`;
};

export async function build(say) {
  const media = await rows(
    MEDIA,
    PICTURES,
    async (name, path) => `| \`${name}\` | ${PICTURES[name]} | ${await pixels(path)} | ${sizeOf(path)} |`,
  );
  let text = readFileSync(NOTICES, 'utf8');
  text = withRows(text, '| in `site/seed/media`', media);
  // A typeface's row says by whom it is, which no file tells: only its size is written.
  text = text.replace(
    /^(\| `([\w-]+\.(?:woff2|ttf))` .*\| )[\d.]+ KB \|$/gm,
    (_, row, name) => `${row}${sizeOf(join(name.endsWith('.ttf') ? SHARE_FONTS : FONTS, name))} |`,
  );
  await written(NOTICES, text, say);
}
