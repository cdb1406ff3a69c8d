import type { Palette } from '@pillion/content/palette.ts';

/** LOWSUN's colours: the one place. A hero and a drawn picture always take the dark ones. */
export const PALETTE: Palette = {
  dark: {
    background: '#070a12',
    surface: '#0f1624',
    text: '#f1e9de',
    muted: '#98a1b3',
    accent: '#ff8a5c',
    onAccent: '#120a08',
    accent2: '#ffc58f',
    line: 16,
  },
  light: {
    background: '#f4eee6',
    surface: '#eae2d7',
    text: '#10131c',
    muted: '#565c6b',
    accent: '#a8391b',
    onAccent: '#fff7ef',
    accent2: '#a8391b',
    accentInContrast: '#7d2208',
    line: 18,
  },
  veil: '#05070d',
};
