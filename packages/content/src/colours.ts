import type { Theme } from './types.ts';

interface Colours {
  ground: string;
  text: string;
  kicker: string;
  turned: string;
}

/** The colours of packages/react/src/styles/tokens.css; a test compares both. A hero and a drawn picture always take the dark ones. */
export const COLOURS: Record<Theme, Colours> = {
  dark: { ground: '#070a12', text: '#f1e9de', kicker: '#ff8a5c', turned: '#ffc58f' },
  light: { ground: '#f4eee6', text: '#10131c', kicker: '#a8391b', turned: '#a8391b' },
};
