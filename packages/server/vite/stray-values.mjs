/**
 * Parts of a stylesheet whose colours and names are not checked: comments, imports, typefaces with their files, custom
 * properties whose initial value cannot be another property, addresses and texts.
 */
const UNCHECKED_PARTS =
  /\/\*.*?\*\/|@import[^;]*;|@(?:font-face|property)[^{]*\{[^}]*\}|url\([^)]*\)|(?<=content:[^;}]*)(["'])(?:\\.|(?!\1)[^\\])*\1/gs;

const DECLARATION = /(?<=[{;\s])([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g;

/** A colour in numbers. `rgb(var(--veil) / 50%)` and `oklch(from var(--accent) …)` follow the theme. */
const COLOUR =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch))\(\s*[\d.][^)]*\)|\bcolor\(\s*(?!from\b)[^)]*\)/i;

/** A mask's colours are never seen. */
const MASK = /^(?:-webkit-)?mask(?:-|$)/;

/** A family that belongs to a brand: in quotes, or with a capital. CSS' own words have neither. */
const BRAND_FAMILY = /^['"A-Z]/;

/** @param {string} property @param {string} value @returns The value that belongs to the theme file; `undefined`: none. */
function findStray(property, value) {
  if (property === 'font-family') return BRAND_FAMILY.test(value) ? value : undefined;
  return MASK.test(property) ? undefined : COLOUR.exec(value)?.[0];
}

/**
 * Finds colours and typefaces that a stylesheet of a site has in addition to those of its theme file. Colours by name are
 * not found: `black` and `white` are common in shades and mixtures.
 * @param {string} css
 * @returns {{ line: number, value: string }[]} Each with its line, from 1.
 */
export function strayValues(css) {
  // Spaces in their place, so that lines stay the same.
  const text = css.replace(UNCHECKED_PARTS, (part) => part.replace(/[^\n]/g, ' '));
  return [...text.matchAll(DECLARATION)].flatMap(({ 1: property = '', 2: value = '', index }) => {
    const stray = findStray(property.toLowerCase(), value.trim());
    return stray ? [{ line: text.slice(0, index).split('\n').length, value: stray }] : [];
  });
}
