import { readTheme } from '@pillion/content/theme.ts';
import tokens from './theme.tokens.json';

const { dark, light } = readTheme(tokens).palette;
const { background: NIGHT, accent: EMBER } = dark;

const stop = (at: number, colour: string, opacity = 1) =>
  `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`;

/** Ground of the picture for shared links of a page without a picture: a sky after sunset, 1200 × 630, as SVG. */
export const SHARE_GROUND = {
  dark:
    '<defs><linearGradient id="sky" x2="0" y2="1">' +
    `${stop(0, NIGHT)}${stop(0.4, '#141326')}${stop(0.68, '#3a1f35')}${stop(0.86, '#7d3734')}${stop(1, '#c4623f')}</linearGradient>` +
    '<radialGradient id="low" gradientUnits="userSpaceOnUse" cx="930" cy="668" r="640" gradientTransform="translate(0 334) scale(1 .5)">' +
    `${stop(0, '#ffd9a6', 0.95)}${stop(0.12, '#ffb87a', 0.8)}${stop(0.42, EMBER, 0.34)}${stop(1, EMBER, 0)}</radialGradient>` +
    `<linearGradient id="side">${stop(0, NIGHT, 0.72)}${stop(0.7, NIGHT, 0)}</linearGradient></defs>` +
    '<rect width="1200" height="630" fill="url(#sky)"/><rect width="1200" height="630" fill="url(#low)"/><rect width="1200" height="630" fill="url(#side)"/>',
  light:
    '<defs><linearGradient id="sky" x2="0" y2="1">' +
    `${stop(0, '#f7f2eb')}${stop(0.5, light.background)}${stop(1, '#eecfb4')}</linearGradient>` +
    '<radialGradient id="low" gradientUnits="userSpaceOnUse" cx="930" cy="668" r="640" gradientTransform="translate(0 334) scale(1 .5)">' +
    `${stop(0, '#ff9f66', 0.95)}${stop(0.32, '#ffb685', 0.6)}${stop(1, '#ffd9b8', 0)}</radialGradient></defs>` +
    '<rect width="1200" height="630" fill="url(#sky)"/><rect width="1200" height="630" fill="url(#low)"/>',
};
