import { faFacebookF, faInstagram, faLinkedinIn, faTwitch, faXTwitter } from '@fortawesome/free-brands-svg-icons';
import { expect, test } from 'vitest';

/** Named as in `SocialNetwork`. */
const ICONS = {
  twitter: faXTwitter,
  twitch: faTwitch,
  linkedin: faLinkedinIn,
  instagram: faInstagram,
  facebook: faFacebookF,
};

// `vitest -u` writes the file.
test('R17: the sprite has an icon for each of the five networks, identical to the package’s', async () => {
  const symbols = Object.entries(ICONS).map(([name, { icon }]) => {
    const [width, height, , , path] = icon;
    return `<symbol overflow="visible" id="${name}" viewBox="0 0 ${width} ${height}"><path d="${path}"/></symbol>`;
  });
  const licence = '<!-- Font Awesome Free Brands, CC BY 4.0, https://fontawesome.com/license/free -->';
  const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${licence}${symbols.join('')}</svg>\n`;
  await expect(sprite).toMatchFileSnapshot('../packages/react/src/ui/icons.svg');
});
