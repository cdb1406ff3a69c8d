/** Colours of a theme, as `#rrggbb`; each is the token of the stylesheets that has its name (`accent2`: `--accent-2`). */
interface Colours {
  background: string;
  /** Of cards and fields on the background. */
  surface: string;
  text: string;
  /** Of words that step back. */
  muted: string;
  /** Of buttons, links and the small words above a headline. */
  accent: string;
  /** Of words on the accent. */
  onAccent: string;
  /** Of the emphasised word in a headline. */
  accent2: string;
  /** Of both accents where a visitor asks for more contrast. Default: they stay. */
  accentInContrast?: string;
  /** How much of the text's colour a thin line has, in percent. */
  line: number;
}

/** The brand's colours, of both themes. */
export interface Palette {
  dark: Colours;
  light: Colours;
  /** Colour with which the stylesheets darken pictures. */
  veil: string;
}

const plain = (background: string, text: string): Colours => ({
  ...{ background, surface: background, text, muted: text },
  ...{ accent: text, onAccent: background, accent2: text, line: 18 },
});

/** Of a site that names none. */
export const NEUTRAL_PALETTE: Palette = {
  dark: plain('#111111', '#ffffff'),
  light: plain('#ffffff', '#111111'),
  veil: '#000000',
};
