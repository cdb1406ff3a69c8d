/** A theme's colours where no stylesheet reaches: drawn pictures and measured contrast. As `#rrggbb`. */
interface Colours {
  ground: string;
  text: string;
  /** Of the small words above a headline. */
  kicker: string;
  /** Of the emphasised word in a headline. */
  turned: string;
}

/** The brand's colours, of both themes. */
export interface Palette {
  dark: Colours;
  light: Colours;
  /** Colour with which the stylesheets darken pictures. */
  veil: string;
}

const plain = (ground: string, text: string): Colours => ({ ground, text, kicker: text, turned: text });

/** Of a site that names none. */
export const NEUTRAL_PALETTE: Palette = {
  dark: plain('#111111', '#ffffff'),
  light: plain('#ffffff', '#111111'),
  veil: '#000000',
};
