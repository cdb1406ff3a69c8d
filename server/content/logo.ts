import sanitizeHtml, { type Attributes } from 'sanitize-html';

/** A mark of more than this many characters is a drawing, not a logo, and rides in every page. */
const LOGO_MAX_LENGTH = 16_384;

const SHAPES = ['svg', 'g', 'path', 'circle', 'ellipse', 'rect', 'polygon', 'polyline', 'line'];

const GEOMETRY = ['cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'points', 'd'];
const STROKE = ['stroke-width', 'stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset', 'opacity', 'viewBox'];

/** Numbers, path commands and their separators: nothing that could name a resource or a script. */
const NUMERIC = /^[\d\s,.+\-eEMmLlHhVvCcSsQqTtAaZz]*$/;

const WORDS: Record<string, RegExp> = {
  'fill-rule': /^(nonzero|evenodd)$/,
  'clip-rule': /^(nonzero|evenodd)$/,
  'stroke-linecap': /^(butt|round|square)$/,
  'stroke-linejoin': /^(miter|round|bevel)$/,
  transform: /^((translate|scale|rotate|matrix|skewX|skewY)\([\d\s,.+\-e]*\)\s*)+$/,
};

const isSafe = (name: string, value: string) =>
  [...GEOMETRY, ...STROKE].includes(name) ? NUMERIC.test(value) : (WORDS[name]?.test(value) ?? false);

/** A mark paints in the colour of the text around it, in whichever theme it stands. */
const paint = (value: string) => (/^(none|transparent)$/i.test(value.trim()) ? 'none' : 'currentColor');

function onlyShape(tagName: string, attributes: Attributes) {
  const attribs: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'fill' || name === 'stroke') attribs[name] = paint(value);
    else if (isSafe(name, value)) attribs[name] = value;
  }
  return { tagName, attribs };
}

/**
 * Reads a brand's mark, drawn in SVG by somebody else's tool.
 * @returns Markup of plain shapes in `currentColor` or `none`, without references, styles, scripts or text; `null`
 * where no drawing with a `viewBox` is left.
 */
export function logoSvg(markup: string): string | null {
  if (markup.length > LOGO_MAX_LENGTH) return null;
  const clean = sanitizeHtml(markup, {
    allowedTags: SHAPES,
    allowedAttributes: { '*': ['fill', 'stroke', ...GEOMETRY, ...STROKE, ...Object.keys(WORDS)] },
    nonTextTags: ['script', 'style', 'title', 'desc', 'metadata', 'text', 'foreignObject', 'textarea', 'option', 'xmp'],
    transformTags: { '*': onlyShape },
    textFilter: () => '',
    nestingLimit: 30,
    parser: { lowerCaseTags: false, lowerCaseAttributeNames: false, xmlMode: true },
  }).trim();
  const isDrawing = /^<svg [^>]*viewBox="[^"]+"[^>]*>.*<(?!g\b)[a-z].*<\/svg>$/s.test(clean);
  return isDrawing && clean.indexOf('<svg', 1) < 0 ? clean : null;
}
