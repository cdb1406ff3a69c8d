// Wordmark, drawings of the icons, and the picture for shared links.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MEDIA, SEED, SITE } from '../lib/places.mjs';
import { written } from '../lib/written.mjs';
import { appIcon, favicon } from './icons.mjs';
import { social } from './social.mjs';
import { wordmark } from './wordmark.mjs';

export async function build(say) {
  await written(join(SEED, 'logo.svg'), `${wordmark()}\n`, say);
  for (const [name, content] of Object.entries({ favicon: favicon(), 'app-icon': appIcon() }))
    await written(join(SITE, `${name}.svg`), content, say);
  await written(join(MEDIA, 'social.webp'), await social(await readFile(join(MEDIA, 'hero.webp'))), say);
}
