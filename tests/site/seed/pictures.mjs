// Draws the fixture's pictures: `node tests/site/seed/pictures.mjs`.
import { join } from 'node:path';
import sharp from 'sharp';

const MEDIA = join(import.meta.dirname, 'media');

/**
 * Draws rings on a light ground, so that dark text is readable and no two pictures are alike.
 * @param {string} name
 * @param {number} width
 * @param {number} height
 * @param {[x: number, y: number][]} rings Their centres, as fractions of the picture.
 */
async function draw(name, width, height, rings) {
  const radius = Math.round(Math.min(width, height) / 6);
  const circles = rings.map(([x, y]) => `<circle cx="${width * x}" cy="${height * y}" r="${radius}"/>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#f6f6f6"/><stop offset="1" stop-color="#dedede"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/>
    <g fill="none" stroke="#c8c8c8" stroke-width="${Math.round(radius / 8)}">${circles}</g></svg>`;
  await sharp(Buffer.from(svg))
    .webp({ quality: 80 })
    .toFile(join(MEDIA, `${name}.webp`));
}

/** @type {Record<string, [x: number, y: number][]>} */
const WIDE = {
  hero: [
    [0.3, 0.4],
    [0.5, 0.5],
    [0.7, 0.6],
  ],
  morning: [[0.25, 0.35]],
  noon: [
    [0.45, 0.35],
    [0.55, 0.35],
  ],
  evening: [
    [0.65, 0.3],
    [0.75, 0.4],
    [0.85, 0.5],
  ],
  ground: [],
};
const VIEWS = [
  [0.2, 0.3],
  [0.5, 0.3],
  [0.8, 0.3],
  [0.2, 0.7],
  [0.5, 0.7],
  [0.8, 0.7],
];

for (const [name, rings] of Object.entries(WIDE)) {
  await draw(name, 1920, 1200, rings);
  await draw(`${name}-portrait`, 1080, 1920, rings);
}
for (const [at, [x = 0, y = 0]] of VIEWS.entries()) await draw(`view-${at + 1}`, 1440, 960, [[x, y]]);
await draw('object', 1440, 1620, [[0.95, 0.5]]);
await draw('detail', 1440, 1800, [[0.15, 0.15]]);
await draw('social', 1200, 630, [[0.5, 0.5]]);

const grid = Array.from({ length: 12 }, (_, at) => `<path d="M0 ${at * 80}H1500M${at * 130} 0V938"/>`).join('');
await sharp(
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="938" stroke="#8a8f98" stroke-opacity=".2">${grid}</svg>`,
  ),
)
  .webp({ quality: 80 })
  .toFile(join(MEDIA, 'map.webp'));
