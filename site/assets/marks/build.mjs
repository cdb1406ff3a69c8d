// Draws the wordmark, the icons and the picture for shared links.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeOutput } from '../lib/output.mjs';
import { MEDIA, SEED, SITE } from '../lib/places.mjs';
import { drawAppIcon, drawFavicon } from './icons.mjs';
import { drawSocialPicture } from './social.mjs';
import { drawWordmark } from './wordmark.mjs';

export async function build(report) {
  await writeOutput(join(SEED, 'logo.svg'), `${drawWordmark()}\n`, report);
  for (const [name, content] of Object.entries({ favicon: drawFavicon(), 'app-icon': drawAppIcon() }))
    await writeOutput(join(SITE, `${name}.svg`), content, report);
  await writeOutput(
    join(MEDIA, 'social.webp'),
    await drawSocialPicture(await readFile(join(MEDIA, 'hero.webp'))),
    report,
  );
}
