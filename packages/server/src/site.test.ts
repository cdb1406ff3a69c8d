import { NEUTRAL_PALETTE } from '@pillion/content/palette.ts';
import { expect, test } from 'vitest';
import { defineSite, type SiteConfig } from './site.ts';

test('a site needs only a palette', () => {
  expect(defineSite({ palette: NEUTRAL_PALETTE })).toEqual({ palette: NEUTRAL_PALETTE });
});

test('the error for an unknown member names it and the most similar known one', () => {
  const mistyped = { palette: NEUTRAL_PALETTE, musik: false } as SiteConfig;
  expect(() => defineSite(mistyped)).toThrow('there is no member "musik". Did you mean "music"?');
});

test('the error for invalid colours names all of them', () => {
  const { dark, light, veil } = NEUTRAL_PALETTE;
  const { text: _, ...withoutText } = light;
  const palette = { dark: { ...dark, accent: 'tomato', akzent: '#ff0000' }, light: withoutText, veil };
  expect(() => defineSite({ palette } as unknown as SiteConfig)).toThrow(
    'site.config: palette.dark.accent is "tomato", not #rrggbb; palette.dark has no member "akzent"; palette.light.text: Invalid input: expected string, received undefined.',
  );
});

test('a text colour with too little contrast stops the build', () => {
  const { dark, light, veil } = NEUTRAL_PALETTE;
  const palette = { dark: { ...dark, muted: dark.surface }, light, veil };
  expect(() => defineSite({ palette })).toThrow(
    'site.config: palette.dark.muted has a contrast of 1 on background and surface; text needs 4.5 (WCAG 1.4.3).',
  );
});
