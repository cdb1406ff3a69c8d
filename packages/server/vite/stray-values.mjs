/** Text without a value of the site's own: comments, imports, and the blocks that declare typefaces. */
const NOT_DECLARED = /\/\*.*?\*\/|@import[^;]*;|@font-face\s*\{[^}]*\}/gs;

const DECLARATION = /(?<=[{;\s])([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])/gi;

/** A colour in numbers. `rgb(var(--veil) / 50%)` and `oklch(from var(--accent) …)` follow the theme. */
const COLOUR = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch))\(\s*[\d.][^)]*\)/i;

/** A mask's colours are never seen. */
const MASK = /^(?:-webkit-)?mask(?:-|$)/;

/** A family that is neither a custom property nor one of CSS' own words. */
const FAMILY = /^(?!var\(|inherit|ui-|system-ui|monospace|sans-serif|serif|initial|unset)/;

/** @param {string} property @param {string} value @returns The value that belongs to the theme file; `undefined`: none. */
function strayIn(property, value) {
  if (property === 'font-family') return FAMILY.test(value) ? value : undefined;
  return MASK.test(property) ? undefined : COLOUR.exec(value)?.[0];
}

/**
 * Finds colours and typefaces that a stylesheet of a site has besides those of its theme file.
 * @param {string} css
 * @returns {{ line: number, value: string }[]} With the line, from 1.
 */
export function strayValues(css) {
  const text = css.replace(NOT_DECLARED, (part) => part.replace(/[^\n]/g, ' '));
  return [...text.matchAll(DECLARATION)].flatMap(({ 1: property = '', 2: value = '', index }) => {
    const stray = strayIn(property.toLowerCase(), value.trim());
    return stray ? [{ line: text.slice(0, index).split('\n').length, value: stray }] : [];
  });
}
