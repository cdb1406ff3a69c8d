// The site's typefaces: their characters, and the fallback until they are loaded.

/** Letters of western Europe, digits, punctuation, and the arrow of links: ranges of code points. */
const CHARACTERS = [
  [0x20, 0x7e],
  [0xa0],
  [0xa9],
  [0xab],
  [0xb0],
  [0xb7],
  [0xbb],
  [0xc0, 0xff],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2026],
  [0x2192],
];

const expandRuns = (runs) =>
  runs
    .flatMap(([first, last = first]) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
    )
    .join('');

export const TEXT = expandRuns(CHARACTERS);

/** Layout features that stay in the subset: kerning, ligatures, marks, tabular figures. */
export const FEATURES = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'case', 'ss01'];

export const ARCHIVO = {
  family: 'Archivo',
  file: 'archivo-duo.woff2',
  source: '@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2',
  axes: { wdth: { min: 100, max: 125 }, wght: { min: 380, max: 640 } },
  descriptors: ['font-weight: 380 640', 'font-stretch: 100% 125%'],
  standIn: {
    // Liberation Sans has Arial's widths; Roboto, on Android, is close to them.
    local: ['Arial', 'Liberation Sans', 'Roboto'],
    /** Measured instead of Arial: it has the same advances, and its licence allows redistribution. */
    measured: 'LiberationSans-Regular.ttf',
    /** Widths and weights in use. Each fallback covers a range of weights and is exact at the most common one. */
    cuts: [
      { stretch: 100, weights: [380, 499], at: 400 },
      { stretch: 100, weights: [500, 640], at: 600 },
      { stretch: 112, weights: [380, 499], at: 400 },
      { stretch: 112, weights: [500, 640], at: 560 },
      { stretch: 118, weights: [380, 499], at: 400 },
      { stretch: 125, weights: [380, 499], at: 420 },
    ],
  },
};

export const INSTRUMENT_SERIF = {
  family: 'Instrument Serif',
  file: 'instrument-serif-italic.woff2',
  source: '@fontsource/instrument-serif/files/instrument-serif-latin-400-italic.woff2',
  axes: {},
  descriptors: ['font-style: italic', 'font-weight: 400'],
  standIn: {
    local: ['Times New Roman Italic', 'Liberation Serif Italic'],
    measured: 'LiberationSerif-Italic.ttf',
    cuts: [{}],
  },
};

/** Arabic letters, marks and punctuation, with the glyphs that join and form them. */
const ARABIC_CHARACTERS = [
  [0x60c],
  [0x61b],
  [0x61f, 0x65f],
  [0x66a, 0x66d],
  [0x670, 0x671],
  [0x200c, 0x200d],
  [0xab],
  [0xbb],
];

export const ARABIC_TEXT = expandRuns(ARABIC_CHARACTERS);

/** For pages that read from right to left: `site/theme/right-to-left.css` names them, so no other page fetches them. */
export const ARABIC = [
  {
    file: 'readex-pro-arabic.woff2',
    source: '@fontsource-variable/readex-pro/files/readex-pro-arabic-wght-normal.woff2',
    axes: { wght: { min: 380, max: 640 } },
  },
  {
    file: 'aref-ruqaa-arabic.woff2',
    source: '@fontsource/aref-ruqaa/files/aref-ruqaa-arabic-400-normal.woff2',
  },
];
