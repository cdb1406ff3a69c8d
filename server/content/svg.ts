import sanitizeHtml, { type Attributes } from 'sanitize-html';

/** In characters. It rides in the page twice, as markup and as data: what is larger belongs into a picture. */
const MAX_LENGTH = 16_384;

const SHAPES = ['svg', 'g', 'path', 'circle', 'ellipse', 'rect', 'polygon', 'polyline', 'line'];

const GEOMETRY = ['cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'points', 'd'];
const STROKE = [
  'stroke-width',
  'stroke-opacity',
  'fill-opacity',
  'stroke-miterlimit',
  'stroke-dasharray',
  'stroke-dashoffset',
  'opacity',
  'viewBox',
];

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

/** What a line is drawn by as the page is scrolled, whose own dashes it would tear. */
const DASHES = ['stroke-dasharray', 'stroke-dashoffset'];

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

/** A shape whose line counts as 1 long, whatever it measures: the stylesheet draws it without knowing its length. */
function onlyLine(tagName: string, attributes: Attributes) {
  const { attribs } = onlyShape(tagName, attributes);
  for (const name of DASHES) delete attribs[name];
  // Cut as the picture is that it lies over (`object-fit: cover`).
  if (tagName === 'svg') attribs.preserveAspectRatio = 'xMidYMid slice';
  else if (tagName !== 'g') attribs.pathLength = '1';
  return { tagName, attribs };
}

function clean(markup: string, shape: typeof onlyShape): string | null {
  if (markup.length > MAX_LENGTH) return null;
  const svg = sanitizeHtml(markup, {
    allowedTags: SHAPES,
    allowedAttributes: {
      '*': ['fill', 'stroke', ...GEOMETRY, ...STROKE, ...Object.keys(WORDS), 'pathLength', 'preserveAspectRatio'],
    },
    nonTextTags: ['script', 'style', 'title', 'desc', 'metadata', 'text', 'foreignObject', 'textarea', 'option', 'xmp'],
    transformTags: { '*': shape },
    textFilter: () => '',
    nestingLimit: 30,
    parser: { lowerCaseTags: false, lowerCaseAttributeNames: false, xmlMode: true },
  }).trim();
  const isDrawing = /^<svg [^>]*viewBox="[^"]+"[^>]*>.*<(?!g\b)[a-z].*<\/svg>$/s.test(svg);
  return isDrawing && svg.indexOf('<svg', 1) < 0 ? svg : null;
}

/**
 * Reads a brand's mark, drawn in SVG by somebody else's tool.
 * @returns Markup of plain shapes in `currentColor` or `none`, without references, styles, scripts or text; `null`
 * where no drawing with a `viewBox` is left.
 */
export const logoSvg = (markup: string): string | null => clean(markup, onlyShape);

/**
 * Reads lines that are to be laid over a picture and drawn with scrolling.
 * @returns As `logoSvg`, every shape of length 1 and none dashed, cut as a picture that covers its box.
 */
export const drawingSvg = (markup: string): string | null => clean(markup, onlyLine);
