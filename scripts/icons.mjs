// Writes packages/react/src/ui/icons.svg, the sprite of the social networks' marks, from Font Awesome Free Brands (CC BY 4.0).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faFacebookF, faInstagram, faLinkedinIn, faTwitch, faXTwitter } from '@fortawesome/free-brands-svg-icons';
import { ROOT } from './lib/project.mjs';

const ICONS = {
  twitter: faXTwitter,
  twitch: faTwitch,
  linkedin: faLinkedinIn,
  instagram: faInstagram,
  facebook: faFacebookF,
};

/** The sprite as markup: one symbol per network, named as in `SocialNetwork`. */
export function iconSprite() {
  const symbols = Object.entries(ICONS).map(([name, { icon }]) => {
    const [width, height, , , path] = icon;
    return `<symbol overflow="visible" id="${name}" viewBox="0 0 ${width} ${height}"><path d="${path}"/></symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg"><!-- Font Awesome Free Brands, CC BY 4.0, https://fontawesome.com/license/free -->${symbols.join('')}</svg>\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(join(ROOT, 'packages/react/src/ui/icons.svg'), iconSprite());
