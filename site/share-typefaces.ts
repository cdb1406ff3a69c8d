import type { ShareTypefaces } from '@pillion/server/share/typefaces.ts';

const ARCHIVO = ['archivo.ttf', 'archivo-more.ttf'].map((name) => `share-typefaces/${name}`);
const SERIF = ['instrument-serif.ttf', 'instrument-serif-more.ttf'].map((name) => `share-typefaces/${name}`);

/** Widths and weights of `.display` and `.kicker` on the site. */
export const SHARE_TYPEFACES: ShareTypefaces = {
  display: { files: ARCHIVO, axes: { wdth: 125, wght: 420 }, spacing: -0.035 },
  emphasis: { files: SERIF, spacing: -0.02, scale: 1.24 },
  label: { files: ARCHIVO, axes: { wdth: 112, wght: 560 }, spacing: 0.01 },
};
