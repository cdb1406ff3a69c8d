/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Text
 * @property {string} words
 * @property {{ x: number, y: number, width: number, height: number }} box
 * @property {string} color
 * @property {number} opacity Product of the element's and its ancestors'.
 * @property {number} required The contrast of WCAG 1.4.3: 3 for large text, else 4.5.
 */

/** Visible texts in the window that nothing covers, line by line. Runs in the page, so it is one function. @returns {Text[]} */
function textsInView() {
  // Elements whose text can be measured.

  /** @param {Element} element */
  const isFading = (element) =>
    element
      .getAnimations()
      .some(
        ({ effect, playState }) =>
          playState !== 'finished' &&
          effect instanceof KeyframeEffect &&
          effect.getKeyframes().some((frame) => 'opacity' in frame),
      );
  /** @param {Element} element */
  const hasBackground = (element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    // Clear colours are `rgba(0, 0, 0, 0)` or, in other notations, end with `/ 0)`.
    return !/^rgba\(.*, 0\)$|\/ 0\)$/.test(backgroundColor) || backgroundImage !== 'none';
  };
  /**
   * The product of all opacities. 0 if it cannot be judged: while the text fades, or if it is half visible together with
   * its background, which the picture shows mixed with what is behind it.
   * @type {(element: Element | null, isOnGround?: boolean) => number}
   */
  const opacityOf = (element, isOnBackground = false) => {
    if (!element) return 1;
    const opacity = Number(getComputedStyle(element).opacity);
    const withBackground = isOnBackground || hasBackground(element);
    if (opacity < 0.9 && (withBackground || isFading(element))) return 0;
    return opacity * opacityOf(element.parentElement, withBackground);
  };
  /**
   * Whether style and boxes do not tell the pixels: blended text has another colour than its style, and an element with
   * perspective fills no box of the window.
   * @type {(element: Element | null) => boolean}
   */
  const isTransformed = (element) => {
    if (!element) return false;
    const { mixBlendMode, perspective } = getComputedStyle(element);
    return mixBlendMode !== 'normal' || perspective !== 'none' || isTransformed(element.parentElement);
  };
  /** @param {Element} element */
  const isMeasurable = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('.visually-hidden, script, :disabled, [aria-disabled=true]') &&
    !isTransformed(element);

  // Lines that a visitor sees.

  /** @typedef {Text['box']} Box */
  const headerBottom = document.querySelector('body header')?.getBoundingClientRect().bottom ?? 0;
  /** Whether the header's bar covers it: it has no pointer events, so no hit test finds it. @param {Element} element @param {Box} line */
  const isUnderHeader = (element, { y }) => y < headerBottom && scrollY > 10 && !element.closest('body header');
  /** @param {Box} line */
  const isInWindow = ({ x, y, width, height }) =>
    width >= 4 && x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
  /** Whether another element covers one of nine points. Elements without pointer events are not found. @param {Element} element @param {Box} line */
  const isCovered = (element, { x, y, width, height }) =>
    [0.02, 0.5, 0.98].some((across) =>
      [0.05, 0.5, 0.95].some((down) => {
        const hit = document.elementFromPoint(x + width * across, y + height * down);
        return hit && !element.contains(hit) && !hit.contains(element);
      }),
    );
  /** @param {Node} node @returns {Box[]} */
  const linesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].map(({ x, y, width, height }) => ({ x, y, width, height }));
  };
  /** The contrast that WCAG 1.4.3 requires: large text has 18 pt, or bold 14 pt. @param {CSSStyleDeclaration} style */
  const requiredFor = ({ fontSize, fontWeight }) => {
    const size = Number.parseFloat(fontSize);
    return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
  };

  /** @type {Text[]} */
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {globalThis.Text} */ (walker.currentNode);
    const element = node.parentElement;
    const words = node.data.trim().slice(0, 30);
    if (!words || !element || !isMeasurable(element)) continue;
    const opacity = opacityOf(element);
    if (opacity === 0) continue;
    const style = getComputedStyle(element);
    for (const box of linesOf(node))
      if (isInWindow(box) && !isUnderHeader(element, box) && !isCovered(element, box))
        texts.push({ words, box, color: style.color, opacity, required: requiredFor(style) });
  }
  return texts;
}

/**
 * Contrast of each text with the pixels behind it, at the fifth percentile. Runs in a blank page.
 * @param {{ picture: string, texts: Text[] }} shot
 */
async function measureContrast({ picture, texts }) {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  const swatch = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!swatch) throw new Error('no canvas');
  const channel = (/** @type {number} */ value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  /** @param {number} red @param {number} green @param {number} blue */
  const luminance = (red, green, blue) =>
    0.2126 * channel(red / 255) + 0.7152 * channel(green / 255) + 0.0722 * channel(blue / 255);
  return texts.flatMap(({ words, box, color, opacity, required }) => {
    swatch.clearRect(0, 0, 1, 1);
    swatch.fillStyle = color;
    swatch.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 255] = swatch.getImageData(0, 0, 1, 1).data;
    const { data } = context.getImageData(box.x, box.y, Math.ceil(box.width), Math.ceil(box.height));
    /** @type {number[]} */
    const ratios = [];
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
      const blend = (/** @type {number} */ ink, /** @type {number} */ behind) =>
        behind + ((ink - behind) * opacity * alpha) / 255;
      const ofText = luminance(blend(red, r), blend(green, g), blend(blue, b));
      const ofBackground = luminance(r, g, b);
      ratios.push((Math.max(ofText, ofBackground) + 0.05) / (Math.min(ofText, ofBackground) + 0.05));
    }
    const ratio = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 20)] ?? 21;
    return ratio < required ? [`"${words}" ${ratio.toFixed(2)} of ${required}`] : [];
  });
}

/** A colour in transition is not measured. */
const NO_TRANSITIONS = '*, ::before, ::after { transition: none !important }';

/** The page without its words and the lines under them. Some first lines have another colour than their paragraph. */
const HIDDEN_TEXT =
  '*, ::before, ::after, *::first-line { color: transparent !important; text-decoration-color: transparent !important }';

/**
 * Replaces the styles that were added before. The page's policy allows adopted style sheets.
 * @param {Page} page
 * @param {string[]} styles
 */
const replaceStyles = (page, ...styles) =>
  page.evaluate((styles) => {
    document.adoptedStyleSheets = styles.map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
  }, styles);

/**
 * Waits until every loaded picture is decoded: before, the browser may draw the page without it.
 * @param {Page} page
 */
const decodePictures = (page) =>
  page.evaluate(async () => {
    const loaded = [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    await Promise.all(loaded.map((image) => image.decode().catch(() => {})));
  });

/**
 * Measures every text in the window against the picture behind it, which axe cannot decide.
 * @param {Page} page
 * @param {Page} blank A separate page to calculate in: the measured one has a policy.
 * @returns {Promise<string[]>} One line for each text below WCAG 2.2 AA.
 */
export async function tooFaint(page, blank) {
  await decodePictures(page);
  await replaceStyles(page, NO_TRANSITIONS);
  const texts = await page.evaluate(textsInView);
  if (texts.length === 0) return [];
  await replaceStyles(page, NO_TRANSITIONS, HIDDEN_TEXT);
  const picture = (await page.screenshot({ scale: 'css' })).toString('base64');
  await replaceStyles(page, NO_TRANSITIONS);
  return blank.evaluate(measureContrast, { picture, texts });
}
