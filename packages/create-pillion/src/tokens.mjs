// Reads colours from a file of design tokens (Design Tokens Community Group, format 2025.10).
import { readFileSync } from 'node:fs';
import { Unusable } from './unusable.mjs';

/** Roles of a palette by the names that a token may have, without hyphens and in small letters. */
const ROLES = /** @type {const} */ ({
  background: 'background',
  surface: 'surface',
  text: 'text',
  muted: 'muted',
  accent: 'accent',
  onaccent: 'onAccent',
  accent2: 'accent2',
});

/** @typedef {import('./palette.mjs').Colours} Colours */
/** @typedef {Partial<Record<'dark' | 'light' | 'both', Partial<Colours>>>} Given */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isGroup = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {Record<string, unknown>} group
 * @param {string} [path]
 * @returns {Generator<[path: string, value: unknown]>} All tokens.
 */
function* tokensIn(group, path = '') {
  for (const [name, value] of Object.entries(group)) {
    if (name.startsWith('$') || !isGroup(value)) continue;
    const here = path ? `${path}.${name}` : name;
    if ('$value' in value) yield [here, value.$value];
    else yield* tokensIn(value, here);
  }
}

/**
 * @param {string} path
 * @param {Map<string, unknown>} tokens
 * @param {string[]} [seen]
 * @returns {unknown} The token's value, with aliases resolved.
 */
function resolved(path, tokens, seen = []) {
  const from = seen.at(-1);
  if (!tokens.has(path)) throw new Unusable(`The token ${from} refers to {${path}}, which is not in the file.`);
  if (seen.includes(path)) throw new Unusable(`The token ${path} refers to itself: ${[...seen, path].join(' → ')}.`);
  const value = tokens.get(path);
  const alias = typeof value === 'string' ? /^\{(.+)\}$/.exec(value)?.[1] : undefined;
  return alias === undefined ? value : resolved(alias, tokens, [...seen, path]);
}

/**
 * @param {string} path
 * @param {unknown} value A colour: an object of the format, or `#rrggbb` of its earlier drafts.
 */
function hexOf(path, value) {
  if (isGroup(value)) {
    const { colorSpace, components, hex, alpha = 1 } = value;
    if (alpha !== 1) throw new Unusable(`The token ${path} is transparent. Give a colour with alpha 1.`);
    if (typeof hex === 'string') return hexOf(path, hex);
    const isSrgb = colorSpace === 'srgb' && Array.isArray(components) && components.length === 3;
    if (isSrgb && components.every((one) => typeof one === 'number' && one >= 0 && one <= 1))
      return `#${components
        .map((one) =>
          Math.round(one * 255)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`;
    throw new Unusable(`The token ${path} is in the colour space "${colorSpace}". Add "hex", or give it in "srgb".`);
  }
  if (typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)) return value.toLowerCase();
  throw new Unusable(`The token ${path} is ${JSON.stringify(value)}, which is not a colour. Give #rrggbb.`);
}

/**
 * Reads the tokens with the name of a role (`accent`, `on-accent`). A part of their path named `dark` or `light` limits
 * them to that theme.
 * @param {string} file
 * @returns {Given}
 * @throws {Unusable} It names the token.
 */
export function readTokens(file) {
  let read;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Unusable(`The tokens ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const tokens = new Map(isGroup(read) ? tokensIn(read) : []);
  /** @type {Given} */
  const given = {};
  for (const path of tokens.keys()) {
    const parts = path.toLowerCase().split('.');
    const name = (parts.at(-1) ?? '').replace(/[^a-z\d]/g, '');
    if (!Object.hasOwn(ROLES, name)) continue;
    const theme = parts.includes('dark') ? 'dark' : parts.includes('light') ? 'light' : 'both';
    const role = ROLES[/** @type {keyof typeof ROLES} */ (name)];
    given[theme] = { ...given[theme], [role]: hexOf(path, resolved(path, tokens)) };
  }
  if (Object.keys(given).length === 0)
    throw new Unusable(`The tokens ${file} have no colour of the names ${Object.values(ROLES).join(', ')}.`);
  return given;
}
