import type { Palette } from '@pillion/content/palette.ts';

/** The colours of packages/react/src/styles/tokens.css; a test compares both. A hero and a drawn picture always take the dark ones. */
export const PALETTE: Palette = {
  dark: { ground: '#070a12', text: '#f1e9de', kicker: '#ff8a5c', turned: '#ffc58f' },
  light: { ground: '#f4eee6', text: '#10131c', kicker: '#a8391b', turned: '#a8391b' },
  veil: '#05070d',
};
