// Reads design tokens (Design Tokens Community Group, format 2025.10). JavaScript, because commands in `node_modules` use
// it without a build.
import { channelsOf, hexOf } from './contrast.mjs';

/**
 * @typedef {object} Token
 * @property {string} path Names of its groups and its own, joined with dots: `color.dark.accent`.
 * @property {string | undefined} type Its own `$type`, or that of the nearest group.
 * @property {unknown} value Its `$value`, with aliases resolved.
 * @property {Record<string, unknown>} extensions `$extensions.pillion` of the token and of its groups; the nearest wins.
 */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isGroup = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {Record<string, unknown>} group @returns {Record<string, unknown>} */
const extensionsOf = ({ $extensions }) =>
  isGroup($extensions) && isGroup($extensions.pillion) ? $extensions.pillion : {};

/**
 * @param {Record<string, unknown>} group
 * @param {Omit<Token, 'value'>} from What the group inherits.
 * @returns {Generator<Token>} All tokens, with aliases as they are written.
 */
function* tokensIn(group, from) {
  const type = typeof group.$type === 'string' ? group.$type : from.type;
  const extensions = { ...from.extensions, ...extensionsOf(group) };
  if ('$value' in group) yield { path: from.path, type, value: group.$value, extensions };
  else
    for (const [name, value] of Object.entries(group))
      if (!name.startsWith('$') && isGroup(value))
        yield* tokensIn(value, { path: from.path ? `${from.path}.${name}` : name, type, extensions });
}

/** @param {unknown} value @returns {string | undefined} The path that an alias such as `{color.accent}` names. */
const aliasOf = (value) => (typeof value === 'string' ? /^\{([^{}]+)\}$/.exec(value)?.[1] : undefined);

/**
 * @param {Token} token
 * @param {Map<string, Token>} tokens
 * @param {string[]} [seen]
 * @returns {Token} The token with the value and, if it names no type, the type of the token that it refers to.
 */
function resolveAlias(token, tokens, seen = [token.path]) {
  const alias = aliasOf(token.value);
  if (alias === undefined) return token;
  const next = tokens.get(alias);
  if (!next) throw new Error(`the token ${token.path} refers to {${alias}}, which is not in the file`);
  if (seen.includes(alias)) throw new Error(`the token ${alias} refers to itself: ${[...seen, alias].join(' → ')}`);
  const { value, type } = resolveAlias(next, tokens, [...seen, alias]);
  return { ...token, value, type: token.type ?? type };
}

/**
 * @param {unknown} file The content of a file of tokens.
 * @param {Record<string, unknown>} [replacements] Values by path that replace those of the file. Aliases to them follow.
 * @returns {Map<string, Token>} By path.
 * @throws {Error} If an alias names no token or itself.
 */
export function readTokens(file, replacements = {}) {
  const all = isGroup(file) ? [...tokensIn(file, { path: '', type: undefined, extensions: {} })] : [];
  const tokens = new Map(
    all.map((token) => [
      token.path,
      Object.hasOwn(replacements, token.path) ? { ...token, value: replacements[token.path] } : token,
    ]),
  );
  return new Map([...tokens].map(([path, token]) => [path, resolveAlias(token, tokens)]));
}

/**
 * @param {Pick<Token, 'path' | 'value'>} token A colour: an object of the format, or `#rrggbb` of its earlier drafts.
 * @returns {{ hex: string, alpha: number }} `#rrggbb` in small letters, and 0 to 1.
 * @throws {Error} It names the token.
 */
export function colourOf({ path, value }) {
  if (typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)) return { hex: value.toLowerCase(), alpha: 1 };
  if (!isGroup(value))
    throw new Error(`the token ${path} is ${JSON.stringify(value)}, which is not a colour. Give #rrggbb`);
  const { colorSpace, components, hex, alpha = 1 } = value;
  if (typeof alpha !== 'number' || !(alpha >= 0 && alpha <= 1))
    throw new Error(`the token ${path} has the alpha ${JSON.stringify(alpha)}. Give 0 to 1`);
  if (hex !== undefined) return { ...colourOf({ path, value: hex }), alpha };
  const isSrgb = colorSpace === 'srgb' && Array.isArray(components) && components.length === 3;
  if (!isSrgb || !components.every((one) => typeof one === 'number' && one >= 0 && one <= 1))
    throw new Error(`the token ${path} is in the colour space "${colorSpace}". Add "hex", or give it in "srgb"`);
  return { hex: hexOf(components.map((share) => Math.round(share * 255))), alpha };
}

/** @param {string} hex `#rrggbb` @returns The colour as an object of the format. */
export const colourValue = (hex) => ({
  colorSpace: 'srgb',
  components: channelsOf(hex).map((value) => Number((value / 255).toFixed(4))),
  hex,
});
