/** Colors of a theme, as `#rrggbb`. Each is the CSS token with the same name (`accent2`: `--accent-2`). */
interface Colours {
  background: string;
  /** Cards and fields on the background. */
  surface: string;
  text: string;
  /** Less prominent text. */
  muted: string;
  /** Buttons, links and the short line above a headline. */
  accent: string;
  /** Text on the accent. */
  onAccent: string;
  /** The emphasized word of a headline. */
  accent2: string;
  /** Both accents if the visitor prefers more contrast. Default: unchanged. */
  accentInContrast?: string;
  /** Share of the text's color in thin lines, in percent. */
  line: number;
}

/** The brand's colors in both themes. Both themes of a light brand may be light. */
export interface Palette {
  dark: Colours;
  light: Colours;
  /** Color over pictures that makes text of the dark theme readable: as dark, or as light, as its background. */
  veil: string;
}

const createColours = (background: string, text: string): Colours => ({
  ...{ background, surface: background, text, muted: text },
  ...{ accent: text, onAccent: background, accent2: text, line: 18 },
});

/** Default palette. */
export const NEUTRAL_PALETTE: Palette = {
  dark: createColours('#111111', '#ffffff'),
  light: createColours('#ffffff', '#111111'),
  veil: '#000000',
};
