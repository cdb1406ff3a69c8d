// The mark as the drawings of the icons. The build makes their sizes, in the colours of the theme file.
import { sun } from './sun.mjs';

/** @param {string} content */
const square = (content) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>\n`;

export const favicon = () => square(`<path fill="var(--accent)" d="${sun()}"/>`);

/** Of the width. Launchers show at least a circle of 80 %. */
const SHARE = 0.6;

export const appIcon = () =>
  square(
    `<path fill="var(--background)" d="M0 0h100v100H0z"/>` +
      `<path fill="var(--accent)" transform="translate(${50 * (1 - SHARE)} ${50 * (1 - SHARE)}) scale(${SHARE})" d="${sun()}"/>`,
  );
