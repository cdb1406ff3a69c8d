import { NEUTRAL_PALETTE } from '@pillion/content/palette.ts';
import { expect, test } from 'vitest';
import { defineSite, type SiteConfig } from './site.ts';

test('a site of a palette alone is one', () => {
  expect(defineSite({ palette: NEUTRAL_PALETTE })).toEqual({ palette: NEUTRAL_PALETTE });
});

test('an unknown member is named, with the nearest known one', () => {
  const mistyped = { palette: NEUTRAL_PALETTE, musik: false } as SiteConfig;
  expect(() => defineSite(mistyped)).toThrow('there is no member "musik". Did you mean "music"?');
});
