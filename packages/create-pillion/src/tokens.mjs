// Reads colours from a file of design tokens (Design Tokens Community Group, format 2025.10).
import { readFileSync } from 'node:fs';
import { colourOf, readTokens as parseTokens } from '@pillion/lib/tokens.mjs';
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

/**
 * Reads the tokens with the name of a role (`accent`, `on-accent`). A part of their path named `dark` or `light` limits
 * them to that theme.
 * @param {string} file
 * @returns {Given}
 * @throws {Unusable} It names the token.
 */
export function readTokens(file) {
  try {
    return coloursIn(parseTokens(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    throw new Unusable(`The tokens ${file} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

/** @param {Map<string, import('@pillion/lib/tokens.mjs').Token>} tokens @returns {Given} */
function coloursIn(tokens) {
  /** @type {Given} */
  const given = {};
  for (const token of tokens.values()) {
    const parts = token.path.toLowerCase().split('.');
    const roleName = (parts.at(-1) ?? '').replace(/[^a-z\d]/g, '');
    if (!Object.hasOwn(ROLES, roleName)) continue;
    const { hex, alpha } = colourOf(token);
    if (alpha !== 1) throw new Error(`the token ${token.path} is transparent. Give a colour with alpha 1`);
    const theme = parts.includes('dark') ? 'dark' : parts.includes('light') ? 'light' : 'both';
    given[theme] = { ...given[theme], [ROLES[/** @type {keyof typeof ROLES} */ (roleName)]]: hex };
  }
  if (Object.keys(given).length === 0)
    throw new Error(`they have no colour of the names ${Object.values(ROLES).join(', ')}`);
  return given;
}
