// Writes the tables of this repository's media into NOTICES.md: description, pixels and size of each file.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { kilobytes, writeOutput } from '../lib/output.mjs';
import { FONTS, MEDIA, ROOT, SHARE_FONTS } from '../lib/places.mjs';
import { PICTURES } from './made-here.mjs';

const NOTICES = join(ROOT, 'NOTICES.md');

async function pixelSize(path) {
  if (!/\.(?:webp|png)$/.test(path)) return '';
  const { width, height } = await sharp(path).metadata();
  return `${width} × ${height}`;
}

const fileSize = (path) => kilobytes(statSync(path).size);

/** One row per file, in the order of the descriptions. @throws For a file without a description. */
async function tableRows(folder, descriptions, cells) {
  const files = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const unknown = files.filter((name) => !(name in descriptions));
  if (unknown.length > 0)
    throw new Error(`site/assets/notices/made-here.mjs does not say what ${unknown.join(', ')} is.`);
  const names = Object.keys(descriptions).filter((name) => files.includes(name));
  return (await Promise.all(names.map((name) => cells(name, join(folder, name))))).join('\n');
}

/** Replaces the rows of the table with this head. */
const replaceRows = (text, head, lines) => {
  const start = text.indexOf(head);
  if (start < 0) throw new Error(`NOTICES.md has no table that begins with ${head}`);
  const body = text.indexOf('\n', text.indexOf('\n', start) + 1) + 1;
  const rest = text.slice(body);
  const end = rest.search(/^(?!\|)/m);
  return `${text.slice(0, body)}${lines}\n${rest.slice(end)}`;
};

export async function build(report) {
  const media = await tableRows(
    MEDIA,
    PICTURES,
    async (name, path) => `| \`${name}\` | ${PICTURES[name]} | ${await pixelSize(path)} | ${fileSize(path)} |`,
  );
  let text = readFileSync(NOTICES, 'utf8');
  text = replaceRows(text, '| in `site/seed/media`', media);
  // Rows of typefaces name their authors, so only the size is written.
  text = text.replace(
    /^(\| `([\w-]+\.(?:woff2|ttf))` .*\| )[\d.]+ KB \|$/gm,
    (_, row, name) => `${row}${fileSize(join(name.endsWith('.ttf') ? SHARE_FONTS : FONTS, name))} |`,
  );
  await writeOutput(NOTICES, text, report);
}
