import { NEUTRAL_PALETTE } from '@pillion/content/palette.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeIcons } from './icons.mjs';

const { dark, light } = NEUTRAL_PALETTE;
const THEME = {
  palette: { ...NEUTRAL_PALETTE, dark: { ...dark, accent: '#ff8800' }, light: { ...light, accent: '#004488' } },
  properties: { sea: '#00ff00', sans: 'system-ui' },
};
const FILES = { favicon: 'favicon.svg', app: 'app-icon.svg' };
const svg = (content: string, size = '8 8') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">${content}</svg>`;
const plate = (colour: string) => svg(`<path fill="${colour}" d="M0 0h8v8H0z"/>`);

const made = (drawing: string) => makeIcons(FILES, () => drawing, THEME);

/** Red, green, blue and alpha of a pixel. */
async function pixelAt(png: string | Buffer | undefined, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * 4;
  return [...data.subarray(at, at + 4)];
}

test('icons have the colours of the theme file; the favicon follows the interface of the browser', async () => {
  const icons = await made(plate('var(--accent)'));
  expect(icons.get('favicon.svg')).toContain(
    '<style>:root{--accent:#004488}@media(prefers-color-scheme:dark){:root{--accent:#ff8800}}</style>',
  );
  expect(await pixelAt(icons.get('icon-maskable-512.png'), 0, 0)).toEqual([255, 136, 0, 255]);
  const own = await made(plate('var(--sea)'));
  expect(await pixelAt(own.get('apple-touch-icon.png'), 90, 90)).toEqual([0, 255, 0, 255]);
  expect(own.get('favicon.svg')).toContain('<style>:root{--sea:#00ff00}</style>');
});

test('a variable may have spaces and a fallback, and the comments of a drawing may have tags', async () => {
  const icons = await made(`<!-- <svg > -->${plate('var( --accent , red)')}`);
  expect(await pixelAt(icons.get('icon-maskable-512.png'), 0, 0)).toEqual([255, 136, 0, 255]);
  const { format } = await sharp(Buffer.from(String(icons.get('favicon.svg')))).metadata();
  expect([format, String(icons.get('favicon.svg')).indexOf('<style>') > 20]).toEqual(['svg', true]);
});

test('favicon.ico has 8 bits for each of red, green, blue and alpha, which Firefox requires', async () => {
  const icon = (await made(plate('var(--accent)'))).get('favicon.ico');
  // IHDR of the PNG, which begins at 22: depth and colour type (PNG, 11.2.1).
  expect([...Buffer.from(icon ?? '').subarray(22 + 24, 22 + 26)]).toEqual([8, 6]);
});

test('only icons that no system cuts have rounded corners', async () => {
  const icons = await made(plate('#123456'));
  expect(icons.get('favicon.svg')).toBe(plate('#123456'));
  const corners = { 'icon-192.png': 0, 'icon-512.png': 0, 'apple-touch-icon.png': 255, 'icon-maskable-512.png': 255 };
  for (const [name, alpha] of Object.entries(corners))
    expect((await pixelAt(icons.get(name), 0, 0))[3], name).toBe(alpha);
});

test.each([
  ['an unknown colour', plate('var(--akzent)'), /favicon\.svg uses var\(--akzent\).*Colours: .*accent, .*sea/],
  ['a drawing that is not square', svg('<path d="M0 0h1v1z"/>', '8 4'), /favicon\.svg is 8 × 4 \(svg\)\. .*square/],
  ['a variable in a variable', plate('var(--accent, var(--text))'), /favicon\.svg has a var\(…\)/],
  ['a drawing without a viewBox', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9H0z"/></svg>', /a viewBox/],
  ['an app icon with transparent parts', svg('<path d="M0 0h4v4z"/>'), /app-icon\.svg is transparent in places/],
  ['text that is no picture', 'accent', /favicon\.svg is no valid SVG picture/],
])('%s is refused', async (_, drawing, message) => {
  await expect(made(drawing)).rejects.toThrow(message);
});
