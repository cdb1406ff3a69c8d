import { readTheme } from '@pillion/content/theme.ts';
import tokens from './theme.tokens.json';

const { dark, light } = readTheme(tokens).palette;
const { background: NIGHT, accent: EMBER } = dark;

const colourStop = (at: number, colour: string, opacity = 1) =>
  `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`;

/** Background of share pictures for pages without a picture: a sky after sunset, 1200 × 630, as SVG. */
export const SHARE_GROUND = {
  dark:
    '<defs><linearGradient id="sky" x2="0" y2="1">' +
    `${colourStop(0, NIGHT)}${colourStop(0.4, '#141326')}${colourStop(0.68, '#3a1f35')}${colourStop(0.86, '#7d3734')}${colourStop(1, '#c4623f')}</linearGradient>` +
    '<radialGradient id="low" gradientUnits="userSpaceOnUse" cx="930" cy="668" r="640" gradientTransform="translate(0 334) scale(1 .5)">' +
    `${colourStop(0, '#ffd9a6', 0.95)}${colourStop(0.12, '#ffb87a', 0.8)}${colourStop(0.42, EMBER, 0.34)}${colourStop(1, EMBER, 0)}</radialGradient>` +
    `<linearGradient id="side">${colourStop(0, NIGHT, 0.72)}${colourStop(0.7, NIGHT, 0)}</linearGradient></defs>` +
    '<rect width="1200" height="630" fill="url(#sky)"/><rect width="1200" height="630" fill="url(#low)"/><rect width="1200" height="630" fill="url(#side)"/>',
  light:
    '<defs><linearGradient id="sky" x2="0" y2="1">' +
    `${colourStop(0, '#f7f2eb')}${colourStop(0.5, light.background)}${colourStop(1, '#eecfb4')}</linearGradient>` +
    '<radialGradient id="low" gradientUnits="userSpaceOnUse" cx="930" cy="668" r="640" gradientTransform="translate(0 334) scale(1 .5)">' +
    `${colourStop(0, '#ff9f66', 0.95)}${colourStop(0.32, '#ffb685', 0.6)}${colourStop(1, '#ffd9b8', 0)}</radialGradient></defs>` +
    '<rect width="1200" height="630" fill="url(#sky)"/><rect width="1200" height="630" fill="url(#low)"/>',
};
