import { NEUTRAL_PALETTE, type Palette } from '@pillion/content/palette.ts';
import { expect, test } from 'vitest';
import { themeCss } from './theme-css.mjs';

const { dark, light } = NEUTRAL_PALETTE;

const cssOf = (palette: Palette) => themeCss({ palette, properties: {}, stylesheets: [], editable: [] });

/** Colours of the palette for the first theme of a page: by default, and with more contrast. */
function first(css: string): [scheme: string | undefined, inContrast: string | undefined] {
  const [, scheme] = /data-tone='dark'\]\{color-scheme:(\w+)/.exec(css) ?? [];
  const [, inContrast] = /more\)\{[^{]*\{([^}]*)\}/.exec(css) ?? [];
  return [scheme, inContrast];
}

test('the colours of a theme decide whether it is light or dark, not its name', () => {
  expect(first(cssOf({ dark, light, veil: '#05070d' }))).toEqual(['dark', '--background:#000;--text:#fff']);
  expect(first(cssOf({ dark: light, light, veil: '#ffffff' }))).toEqual(['light', '--background:#fff;--text:#000']);
});

test('the veil is there as channels, so that a stylesheet may say how much of it there is', () => {
  expect(cssOf({ dark, light, veil: '#05070d' })).toContain(':root{--veil:5 7 13}');
});
