import sanitizeHtml, { type Attributes } from 'sanitize-html';
import { LONGEST_DRAWING } from '../sections/declaration.ts';

const SHAPES = ['svg', 'g', 'path', 'circle', 'ellipse', 'rect', 'polygon', 'polyline', 'line'];

const NUMERIC_ATTRIBUTES = [
  ...['cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'points', 'd', 'viewBox'],
  ...['stroke-width', 'stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset'],
  ...['opacity', 'stroke-opacity', 'fill-opacity'],
];

/** Numbers, path commands and separators. */
const NUMERIC = /^[\d\s,.+\-eEMmLlHhVvCcSsQqTtAaZz]*$/;

/** Attributes that stay unchanged, with their allowed values, which cannot refer to a resource or script. */
const ALLOWED_VALUES = new Map<string, RegExp>([
  ...NUMERIC_ATTRIBUTES.map((name) => [name, NUMERIC] as const),
  ['fill-rule', /^(nonzero|evenodd)$/],
  ['clip-rule', /^(nonzero|evenodd)$/],
  ['stroke-linecap', /^(butt|round|square)$/],
  ['stroke-linejoin', /^(miter|round|bevel)$/],
  ['transform', /^((translate|scale|rotate|matrix|skewX|skewY)\([\d\s,.+\-e]*\)\s*)+$/],
]);

/** Removed with their content: text, code, and shapes that are never drawn themselves. */
const REMOVED_TAGS = [
  ...['script', 'style', 'title', 'desc', 'metadata', 'text', 'foreignObject', 'textarea', 'option', 'xmp'],
  ...['clipPath', 'mask', 'pattern', 'marker'],
];

/** Shapes that are drawn only where a `use` names them. */
const DEFINITIONS = ['defs', 'symbol'];

/** The page animates lines with these attributes, so a drawing's own are removed. */
const DASHES = ['stroke-dasharray', 'stroke-dashoffset'];

/** A logo has the color of the text around it, so that it fits both themes. */
const paintValue = (value: string) => (/^(none|transparent)$/i.test(value.trim()) ? 'none' : 'currentColor');

/** Keeps the allowed attributes. */
function cleanShape(tagName: string, attributes: Attributes) {
  const attribs: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'fill' || name === 'stroke') attribs[name] = paintValue(value);
    else if (ALLOWED_VALUES.get(name)?.test(value)) attribs[name] = value;
  }
  return { tagName, attribs };
}

/** Shapes without a fill take that of the root. Without one they would be black. */
function cleanLogoShape(tagName: string, attributes: Attributes) {
  const { attribs } = cleanShape(tagName, attributes);
  if (tagName === 'svg') attribs.fill ??= 'currentColor';
  return { tagName, attribs };
}

/** Gives a shape the path length 1, so that the stylesheet can animate its line without the real length. */
function cleanLineShape(tagName: string, attributes: Attributes) {
  const { attribs } = cleanShape(tagName, attributes);
  for (const name of DASHES) delete attribs[name];
  // Same as `object-fit: cover` of the picture under it.
  if (tagName === 'svg') attribs.preserveAspectRatio = 'xMidYMid slice';
  else if (tagName !== 'g') attribs.pathLength = '1';
  return { tagName, attribs };
}

function cleanSvg(markup: string, cleanElement: typeof cleanShape): string | null {
  if (markup.length > LONGEST_DRAWING) return null;
  // A `use` is removed, so its shapes are drawn where they are defined. One in a mask only clips.
  const isUsed = /<use\b/.test(markup.replace(/<(mask|clipPath)\b.*?<\/\1>/gs, ''));
  const svg = sanitizeHtml(markup, {
    allowedTags: SHAPES,
    allowedAttributes: {
      '*': ['fill', 'stroke', ...ALLOWED_VALUES.keys(), 'pathLength', 'preserveAspectRatio'],
    },
    nonTextTags: isUsed ? REMOVED_TAGS : [...REMOVED_TAGS, ...DEFINITIONS],
    transformTags: { '*': cleanElement },
    textFilter: () => '',
    nestingLimit: 30,
    parser: { lowerCaseTags: false, lowerCaseAttributeNames: false, xmlMode: true },
  }).trim();
  // A root with a `viewBox`, and an element in it that is no group.
  const isDrawing = /^<svg [^>]*viewBox="[^"]+"[^>]*>.*<(?!g\b)[a-z].*<\/svg>$/s.test(svg);
  return isDrawing && svg.indexOf('<svg', 1) < 0 ? svg : null;
}

/**
 * Cleans a brand's logo, an SVG from any tool.
 * @returns Markup of plain shapes in `currentColor` or `none`, without references, styles, scripts or text; `null` if
 * no drawing with a `viewBox` remains.
 */
export const logoSvg = (markup: string): string | null => cleanSvg(markup, cleanLogoShape);

/**
 * Cleans a line drawing over a picture, which is animated while scrolling.
 * @returns Same as `logoSvg`. All shapes have the path length 1 and no dashes. The drawing is cropped like the picture.
 */
export const drawingSvg = (markup: string): string | null => cleanSvg(markup, cleanLineShape);
