// Draws the icons. The site's build renders their sizes in the colours of the theme file.
import { sunPath } from './sun.mjs';

/** @param {string} content */
const squareSvg = (content) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>\n`;

export const drawFavicon = () => squareSvg(`<path fill="var(--accent)" d="${sunPath()}"/>`);

/** Share of the icon's width. Launchers show at least a circle of 80 %. */
const SUN_SHARE = 0.6;

export const drawAppIcon = () =>
  squareSvg(
    `<path fill="var(--background)" d="M0 0h100v100H0z"/>` +
      `<path fill="var(--accent)" transform="translate(${50 * (1 - SUN_SHARE)} ${50 * (1 - SUN_SHARE)}) scale(${SUN_SHARE})" d="${sunPath()}"/>`,
  );
