import { contrastOf, lowContrasts, MIN_TEXT_CONTRAST, type Role } from '@pillion/lib/contrast.mjs';
import { nearestReadable } from '@pillion/lib/oklch.mjs';
import { colourOf, readTokens, type Token } from '@pillion/lib/tokens.mjs';
import type { Palette } from './palette.ts';

/** Choices of editors under *Pillion → Look*: `#rrggbb` or the name of a typeface, by path of the token. */
export type Look = Readonly<Record<string, string>>;

/** A token that the theme file lets editors change. */
export interface EditableToken {
  path: string;
  kind: 'color' | 'font';
  /** `#rrggbb`, or the name of the typeface. */
  value: string;
  /** Typefaces to choose from; without an entry for colours. */
  choices?: string[];
}

/** How a brand looks, from its theme file (docs/reference/theme.md). */
export interface Theme {
  palette: Palette;
  /** CSS custom properties for typefaces, widths and the brand's own colours, by name without `--`. */
  properties: Record<string, string>;
  /** Stylesheets that declare the typefaces, as packages or from the site's folder. */
  stylesheets: string[];
  editable: EditableToken[];
}

/** Roles of a palette by the name of the token. */
const ROLES = {
  background: 'background',
  surface: 'surface',
  text: 'text',
  muted: 'muted',
  accent: 'accent',
  'on-accent': 'onAccent',
  'accent-2': 'accent2',
} as const;
const IN_CONTRAST = 'accent-in-contrast';
const LINE = 'line';

/** Families that CSS knows by a keyword (CSS Fonts 4). */
const GENERIC_FAMILY = /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|ui-[a-z-]+)$/;

/** CSS of the tokens that a theme file may leave out, by path. */
const DEFAULTS = {
  'font.sans': 'system-ui, Arial, sans-serif',
  'font.serif': "Georgia, 'Times New Roman', serif",
  ...{ 'width.wide': '100%', 'width.wider': '100%', 'width.widest': '100%' },
};

/** Accent on paper, with this background (print.css). */
const PRINT_ACCENT = 'ink-accent';
const PAPER = '#ffffff';

const PROPERTY_NAME = /^[a-z][a-z\d-]*$/;

type Tokens = Map<string, Token>;

function tokenAt(tokens: Tokens, path: string): Token {
  const token = tokens.get(path);
  if (!token) throw new Error(`the token ${path} is missing`);
  return token;
}

function opaqueColour(token: Token): string {
  const { hex, alpha } = colourOf(token);
  if (alpha !== 1) throw new Error(`the token ${token.path} is transparent. Give a colour with alpha 1`);
  return hex;
}

function numberOf({ path, value }: Token, max: number): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= max))
    throw new Error(`the token ${path} is ${JSON.stringify(value)}. Give a number from 0 to ${max}`);
  return value;
}

function coloursOf(tokens: Tokens, theme: 'dark' | 'light', look: Look): Palette['dark'] {
  const at = (name: string) => tokenAt(tokens, `color.${theme}.${name}`);
  const roles = Object.entries(ROLES).map(([name, role]) => [role, opaqueColour(at(name))]);
  const path = `color.${theme}.${IN_CONTRAST}`;
  // The file's accent for more contrast does not match an accent that editors have changed.
  const isOutdated = Object.hasOwn(look, `color.${theme}.accent`) && !Object.hasOwn(look, path);
  const accentInContrast = isOutdated ? undefined : tokens.get(path);
  return {
    ...(Object.fromEntries(roles) as Record<(typeof ROLES)[keyof typeof ROLES], string>),
    ...(accentInContrast && { accentInContrast: opaqueColour(accentInContrast) }),
    line: numberOf(at(LINE), 100),
  };
}

/** Names without the characters that would end a CSS string, a declaration or a `<style>` element. */
function familiesOf({ path, value }: Token): string[] {
  const families = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(families) || families.length === 0 || !families.every((name) => /^[^"'\\;{}<>]+$/.test(name)))
    throw new Error(`the token ${path} is ${JSON.stringify(value)}. Give the names of typefaces`);
  return families;
}

const cssFamily = (family: string) => (GENERIC_FAMILY.test(family) ? family : `'${family}'`);

/** Writes a token that is no role of the palette as the value of a custom property. */
function cssOf(token: Token): string {
  switch (token.type) {
    case 'color': {
      const { hex, alpha } = colourOf(token);
      return alpha === 1
        ? hex
        : `${hex}${Math.round(alpha * 255)
            .toString(16)
            .padStart(2, '0')}`;
    }
    case 'fontFamily':
      return familiesOf(token).map(cssFamily).join(', ');
    case 'number':
      // The only numbers are the widths of a variable typeface, in percent (CSS Fonts 4, font-stretch).
      return `${numberOf(token, 1000)}%`;
    default:
      throw new Error(
        `the token ${token.path} has the type ${JSON.stringify(token.type)}. Use color, fontFamily or number`,
      );
  }
}

/** Paths of the palette's tokens; `color.dark.…` has no others. */
const isOfPalette = (path: string) => /^color\.(?:dark|light)\.|^color\.veil$/.test(path);
const PALETTE_NAMES = [...Object.keys(ROLES), IN_CONTRAST, LINE];
/** Whether the name after `color.dark.` or `color.light.` is one of the palette's. */
const isRole = (path: string) => PALETTE_NAMES.includes(path.split('.')[2] ?? '');

const nameOf = (path: string) => path.split('.').at(-1) ?? '';

/** Name of the custom property of a token that is no role of the palette. */
function propertyOf(path: string): string {
  const name = nameOf(path);
  const isOwn = path.startsWith('color.own.');
  if (!isOwn && !Object.hasOwn(DEFAULTS, path))
    throw new Error(
      `there is no token ${path}. Known besides colours: ${Object.keys(DEFAULTS).join(', ')}; colours of the brand are in color.own`,
    );
  if (
    isOwn &&
    (!PROPERTY_NAME.test(name) || [...PALETTE_NAMES, 'veil', ...Object.keys(DEFAULTS).map(nameOf)].includes(name))
  )
    throw new Error(`the token ${path} cannot have this name. Use small letters, and no name of a colour's role`);
  return name;
}

/** Custom properties of all tokens outside the palette, by name without `--`. @throws {Error} For an unknown token. */
function propertiesOf(tokens: Tokens): Record<string, string> {
  for (const path of tokens.keys())
    if (isOfPalette(path) && path !== 'color.veil' && !isRole(path))
      throw new Error(`there is no colour ${path}. Known: ${PALETTE_NAMES.join(', ')}`);
  const others = [...tokens.values()].filter(({ path }) => !isOfPalette(path));
  const named = Object.fromEntries([
    ...Object.entries(DEFAULTS).map(([path, css]) => [nameOf(path), css]),
    ...others.map((token) => [propertyOf(token.path), cssOf(token)]),
  ]);
  // An accent that is too pale for paper is printed black. The first 7 characters are the colour without alpha.
  const printAccent = named[PRINT_ACCENT];
  return printAccent !== undefined && contrastOf(printAccent.slice(0, 7), PAPER) < MIN_TEXT_CONTRAST
    ? { ...named, [PRINT_ACCENT]: '#000000' }
    : named;
}

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];

/** Tokens marked as `editable`, and typefaces with `choices`. @throws {Error} It names the token and what to do. */
function editableTokens(tokens: Tokens): EditableToken[] {
  return [...tokens.values()].flatMap((token): EditableToken[] => {
    const { path, type, extensions } = token;
    if (type === 'color')
      return extensions.editable === true ? [{ path, kind: 'color', value: colourOf(token).hex }] : [];
    if (type !== 'fontFamily') return [];
    const [value = '', ...rest] = familiesOf(token);
    const choices = stringsIn(extensions.choices).filter((name) => name !== value);
    if (choices.length === 0) return [];
    if (rest.length === 0) throw new Error(`the token ${path} has choices, so it needs a second family as fallback`);
    return [{ path, kind: 'font', value, choices: familiesOf({ ...token, value: [value, ...choices] }) }];
  });
}

/**
 * Reads a theme file.
 * @param file Design tokens (Design Tokens Community Group, format 2025.10).
 * @param look Editors' choices, as `usableIn` returns them. Aliases to a changed token follow.
 * @throws {Error} It names the token and what to do. Contrast is not checked: `lowIn` does.
 */
export function readTheme(file: unknown, look: Look = {}): Theme {
  const base = readTokens(file);
  const replacements = Object.entries(look).map(([path, value]) => {
    const token = tokenAt(base, path);
    if (token.type === 'fontFamily') return [path, [value, ...familiesOf(token).slice(1)]];
    return [path, { hex: value, alpha: colourOf(token).alpha }];
  });
  const tokens = replacements.length > 0 ? readTokens(file, Object.fromEntries(replacements)) : base;
  const fonts = [...base.values()].filter(({ type }) => type === 'fontFamily');
  // Before the palette: a misspelled name is reported as unknown, which explains why the right one is missing.
  const properties = propertiesOf(tokens);
  return {
    palette: {
      dark: coloursOf(tokens, 'dark', look),
      light: coloursOf(tokens, 'light', look),
      veil: opaqueColour(tokenAt(tokens, 'color.veil')),
    },
    properties,
    stylesheets: [...new Set(fonts.flatMap(({ extensions }) => stringsIn(extensions.files)))],
    editable: editableTokens(base),
  };
}

/** A text colour with less contrast than WCAG 1.4.3 requires. */
export interface LowContrast {
  path: string;
  /** Paths of the colours behind it. */
  grounds: string[];
  /** With the worst ground, rounded down to a decimal place. */
  ratio: number;
  /** Lowest contrast of text. */
  asked: number;
  /** The colour of the same hue with the nearest lightness that passes, as `#rrggbb`. */
  nearest: string;
}

/** @returns The colours of text with less contrast than `MIN_TEXT_CONTRAST`. */
export const lowIn = ({ palette }: Theme): LowContrast[] =>
  (['dark', 'light'] as const).flatMap((theme) =>
    lowContrasts(palette[theme]).map(({ role, grounds, ratio }) => ({
      path: pathOf(theme, role),
      grounds: grounds.map((ground) => pathOf(theme, ground)),
      ratio: Math.floor(ratio * 10) / 10,
      asked: MIN_TEXT_CONTRAST,
      nearest: nearestReadable(
        palette[theme][role],
        grounds.map((ground) => palette[theme][ground]),
      ),
    })),
  );

const pathOf = (theme: string, role: Role) =>
  `color.${theme}.${Object.entries(ROLES).find(([, named]) => named === role)?.[0]}`;

/** @returns The choices that the theme file allows. */
export function usableIn({ editable }: Theme, look: unknown): Look {
  if (typeof look !== 'object' || look === null) return {};
  const wanted = look as Record<string, unknown>;
  return Object.fromEntries(
    editable.flatMap(({ path, choices }) => {
      const value = Object.hasOwn(wanted, path) ? wanted[path] : undefined;
      if (typeof value !== 'string') return [];
      if (choices) return choices.includes(value) ? [[path, value]] : [];
      return /^#[\da-f]{6}$/i.test(value) ? [[path, value.toLowerCase()]] : [];
    }),
  );
}
