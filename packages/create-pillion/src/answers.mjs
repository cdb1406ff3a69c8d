// The questions, each with the function that reads its answer. A flag of the same name answers it in advance.
import { hasTexts } from './content.mjs';
import { readLogo } from './logo.mjs';
import { contrastProblems, makePalette } from './palette.mjs';
import { readTokens } from './tokens.mjs';
import { findTypeface } from './typefaces.mjs';
import { Unusable } from './unusable.mjs';

/** @typedef {import('./palette.mjs').Look} Look */
/** @typedef {import('./typefaces.mjs').Typeface} Typeface */

/**
 * @typedef {object} Answers
 * @property {string} name
 * @property {Look} look
 * @property {import('./tokens.mjs').Given} tokens
 * @property {import('./palette.mjs').Palette} accent The palette that is made from the accent.
 * @property {'picture' | 'film' | 'type'} hero
 * @property {string[]} languages Canonical tags, the default first.
 * @property {Typeface | null} sans
 * @property {Typeface | null} serif
 * @property {string | null} logo Markup.
 * @property {string[]} without
 */

/**
 * @typedef {object} Question
 * @property {string | null} ask `null`: only a flag answers it.
 * @property {string} value What the flag takes, for the help.
 * @property {(answers: Partial<Answers>) => string} fallback The default answer.
 * @property {(text: string, answers: Partial<Answers>, note: (text: string) => void) => unknown} parse
 *   Reads an answer, with those to the questions before it. It throws `Unusable` with what to do.
 */

const DEFAULT_ACCENT = '#2450d8';

/** @param {string} text */
const splitList = (text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** @param {string} text @returns {string} The canonical tag of a language that exists. */
function parseLanguage(text) {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    const { language } = new Intl.Locale(tag);
    const isKnown = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(language) !== undefined;
    // `/api/` is the path of the site's endpoints, so a language cannot have it.
    if (isKnown && language !== 'api') return tag;
  } catch {
    // The text does not have the form of a tag.
  }
  throw new Unusable(`"${text}" is not a language tag. Give tags such as en, de or pt-BR.`);
}

/** @template {string} T @param {string} text @param {readonly T[]} choices @returns {T} */
function parseChoice(text, choices) {
  const choice = choices.find((one) => one === text);
  if (!choice) throw new Unusable(`"${text}" is not one of the choices. Choose ${choices.join(' or ')}.`);
  return choice;
}

/** @param {string} text @param {'sans' | 'serif'} kind @param {(text: string) => void} note @returns `null`: the system's. */
function parseTypeface(text, kind, note) {
  if (!text) return null;
  const typeface = findTypeface(text, kind);
  if (typeface.note) note(typeface.note);
  return typeface;
}

/**
 * Makes the palette from an accent.
 * @param {string} text Hex colour of 3 or 6 digits, with or without `#`.
 * @param {Partial<Answers>} answers
 * @throws Unusable If it is not a colour, or if a colour of the palette has too little contrast.
 */
function parseAccent(text, { look = 'light', tokens = {} }) {
  const hex = text
    .replace(/^#?([\da-f])([\da-f])([\da-f])$/i, '#$1$1$2$2$3$3')
    .replace(/^(?!#)/, '#')
    .toLowerCase();
  if (!/^#[\da-f]{6}$/.test(hex))
    throw new Unusable(`"${text}" is not a colour. Give #rrggbb, such as ${DEFAULT_ACCENT}.`);
  const palette = makePalette(hex, look, {
    // `dark` is the theme of the first screen, also with the look `light`. It has the accent as given; the other theme
    // has the readable one that is derived from it.
    dark: { accent: hex, accent2: hex, ...tokens.both, ...tokens.dark },
    light: { ...tokens.both, ...tokens.light },
  });
  const [problem] = contrastProblems(palette);
  if (!problem) return palette;
  const otherLook = look === 'light' ? 'dark' : 'light';
  // `problem` ends with the nearest colour that passes.
  throw new Unusable(`With the look ${look}, ${problem} Give that one, or try the look ${otherLook}.`);
}

/** @type {Record<keyof Answers, Question>} */
export const QUESTIONS = {
  name: {
    ask: 'Name of the brand',
    value: 'NAME',
    fallback: () => 'Example',
    parse(text) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
      if (!text || text.length > 80 || /[\x00-\x1f\x7f]/.test(text))
        throw new Unusable('The name must have 1 to 80 characters in one line.');
      return text;
    },
  },
  look: {
    ask: 'Look: light or dark',
    value: 'light|dark',
    fallback: () => 'light',
    parse: (text) => parseChoice(text, ['light', 'dark']),
  },
  tokens: {
    ask: null,
    value: 'FILE',
    fallback: () => '',
    parse: (text) => (text ? readTokens(text) : {}),
  },
  accent: {
    ask: 'Accent, the colour of buttons and links',
    value: '#rrggbb',
    fallback({ look = 'light', tokens = {} }) {
      const { dark } = makePalette(DEFAULT_ACCENT, look);
      return tokens.dark?.accent ?? tokens.both?.accent ?? dark.accent;
    },
    parse: parseAccent,
  },
  hero: {
    ask: 'Hero: with a picture, a film, or text only',
    value: 'picture|film|type',
    fallback: () => 'picture',
    parse: (text) => parseChoice(text, ['picture', 'film', 'type']),
  },
  languages: {
    ask: 'Languages, the default language first',
    value: 'en,de,…',
    fallback: () => 'en',
    parse(text, _answers, note) {
      const tags = [...new Set(splitList(text).map(parseLanguage))];
      if (tags.length === 0) throw new Unusable('A site needs at least one language. Give tags such as en,de.');
      for (const tag of tags)
        if (!hasTexts(tag)) note(`There are no texts in ${tag} yet, so its pages begin in English.`);
      return tags;
    },
  },
  sans: {
    ask: 'Typeface, a package of Fontsource such as inter (empty: the system’s)',
    value: 'PACKAGE',
    fallback: () => '',
    parse: (text, _answers, note) => parseTypeface(text, 'sans', note),
  },
  serif: {
    ask: 'Typeface of emphasised words, such as newsreader (empty: the system’s)',
    value: 'PACKAGE',
    fallback: () => '',
    parse: (text, _answers, note) => parseTypeface(text, 'serif', note),
  },
  logo: {
    ask: 'Logo, an SVG file (empty: the name in type)',
    value: 'FILE',
    fallback: () => '',
    parse: (text) => (text ? readLogo(text) : null),
  },
  without: {
    ask: null,
    value: 'music',
    fallback: () => '',
    parse(text) {
      const parts = splitList(text);
      const unknown = parts.find((part) => part !== 'music');
      if (unknown) throw new Unusable(`"${unknown}" cannot be left out. --without takes only "music".`);
      return parts;
    },
  },
};
