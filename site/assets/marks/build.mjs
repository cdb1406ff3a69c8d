// Wordmark, icons, and the picture for shared links.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MEDIA, PUBLIC, SEED } from '../lib/places.mjs';
import { written } from '../lib/written.mjs';
import { favicon, ico, icon } from './icons.mjs';
import { social } from './social.mjs';
import { wordmark } from './wordmark.mjs';

/** Rounded like a home screen's icon; Apple's and the maskable one are cut by the system, the latter down to a circle. */
const PLATE = { share: 0.66, corner: 0.2 };

export async function build(say) {
  const icons = {
    'favicon.svg': favicon(),
    'favicon.ico': await ico(),
    'apple-touch-icon.png': await icon(180, { share: 0.66 }),
    'icon-192.png': await icon(192, PLATE),
    'icon-512.png': await icon(512, PLATE),
    'icon-maskable-512.png': await icon(512, { share: 0.5 }),
  };
  await written(join(SEED, 'logo.svg'), `${wordmark()}\n`, say);
  for (const [name, content] of Object.entries(icons)) await written(join(PUBLIC, name), content, say);
  await written(join(MEDIA, 'social.webp'), await social(await readFile(join(MEDIA, 'hero.webp'))), say);
}
