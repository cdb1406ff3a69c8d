import type { Palette } from '@pillion/content/palette.ts';

/**
 * The brand's colours. Pages have the theme `dark` unless an editor chooses `light`. Both are light here.
 * Text needs a contrast of 4.5 (WCAG 1.4.3): text, muted, accent and accent2 on background and surface, onAccent on
 * accent.
 */
export const PALETTE: Palette = {
  dark: {
    background: '#fbfbf5',
    surface: '#eef2e5',
    text: '#131d17',
    muted: '#525e56',
    accent: '#1f6b45',
    onAccent: '#ffffff',
    accent2: '#1f6b45',
    accentInContrast: '#176540',
    line: 18,
  },
  light: {
    background: '#eef2e5',
    surface: '#e1ead9',
    text: '#131d17',
    muted: '#4a5a50',
    accent: '#1f6b45',
    onAccent: '#ffffff',
    accent2: '#1f6b45',
    accentInContrast: '#176540',
    line: 18,
  },
  // Over pictures, under text of the theme `dark`.
  veil: '#fbfbf5',
};
