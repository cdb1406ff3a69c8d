/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Text
 * @property {string} words
 * @property {{ x: number, y: number, width: number, height: number }} box
 * @property {string} color
 * @property {number} opacity Product of the element's and its ancestors'.
 * @property {number} asked The requirement of WCAG 1.4.3: 3 for large text, else 4.5.
 */

/** Visible texts in the window that nothing covers, line by line. Runs in the page. @returns {Text[]} */
function textsInView() {
  /** @type {Text[]} */
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  /** @param {Element} element */
  const fades = (element) =>
    element
      .getAnimations()
      .some(
        ({ effect, playState }) =>
          playState !== 'finished' &&
          effect instanceof KeyframeEffect &&
          effect.getKeyframes().some((frame) => 'opacity' in frame),
      );
  /** @param {Element} element */
  const hasGround = (element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    // Clear colours are `rgba(0, 0, 0, 0)` or, in other notations, end with `/ 0)`.
    return !/^rgba\(.*, 0\)$|\/ 0\)$/.test(backgroundColor) || backgroundImage !== 'none';
  };
  /**
   * 0 if it cannot be judged: on its way in or out, or half visible together with its own background, which the picture
   * shows mixed with what is behind.
   * @type {(element: Element | null, grounded?: boolean) => number}
   */
  const opacityOf = (element, grounded = false) => {
    if (!element) return 1;
    const own = Number(getComputedStyle(element).opacity);
    const isGrounded = grounded || hasGround(element);
    return own < 0.9 && (isGrounded || fades(element)) ? 0 : own * opacityOf(element.parentElement, isGrounded);
  };
  /**
   * Blended text has another colour than its style; an element with perspective fills no box of the window.
   * @type {(element: Element | null) => boolean}
   */
  const isElsewhere = (element) => {
    if (!element) return false;
    const { mixBlendMode, perspective } = getComputedStyle(element);
    return mixBlendMode !== 'normal' || perspective !== 'none' || isElsewhere(element.parentElement);
  };
  // The header's empty bar has no pointer events, so no hit test finds it.
  const below = document.querySelector('body header')?.getBoundingClientRect().bottom ?? 0;
  while (walker.nextNode()) {
    const node = /** @type {globalThis.Text} */ (walker.currentNode);
    const element = node.parentElement;
    if (!node.data.trim() || !element?.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('.visually-hidden, script, :disabled, [aria-disabled=true]') || isElsewhere(element)) continue;
    const opacity = opacityOf(element);
    if (opacity === 0) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { x, y, width, height } of range.getClientRects()) {
      // Hit tests do not find elements without pointer events: they count as visible.
      const isCovered = [0.02, 0.5, 0.98].some((across) =>
        [0.05, 0.5, 0.95].some((along) => {
          const found = document.elementFromPoint(x + width * across, y + height * along);
          return found && !element.contains(found) && !found.contains(element);
        }),
      );
      if (y < below && scrollY > 10 && !element.closest('body header')) continue;
      if (width < 4 || y < 0 || y + height > innerHeight || x < 0 || x + width > innerWidth || isCovered) continue;
      texts.push({
        words: node.data.trim().slice(0, 30),
        box: { x, y, width, height },
        color,
        opacity,
        asked: size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5,
      });
    }
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
  return texts.flatMap(({ words, box, color, opacity, asked }) => {
    swatch.clearRect(0, 0, 1, 1);
    swatch.fillStyle = color;
    swatch.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 255] = swatch.getImageData(0, 0, 1, 1).data;
    const { data } = context.getImageData(box.x, box.y, Math.ceil(box.width), Math.ceil(box.height));
    /** @type {number[]} */
    const ratios = [];
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
      const over = (/** @type {number} */ ink, /** @type {number} */ ground) =>
        ground + ((ink - ground) * opacity * alpha) / 255;
      const ink = luminance(over(red, r), over(green, g), over(blue, b));
      const ground = luminance(r, g, b);
      ratios.push((Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05));
    }
    const worst = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 20)] ?? 21;
    return worst < asked ? [`"${words}" ${worst.toFixed(2)} of ${asked}`] : [];
  });
}

/** A colour in transition is not measured. */
const STILL = '*, ::before, ::after { transition: none !important }';

/** The page without its words and the lines under them. Some first lines have another colour than their paragraph. */
const UNWRITTEN =
  '*, ::before, ::after, *::first-line { color: transparent !important; text-decoration-color: transparent !important }';

/**
 * Replaces the styles that were added before. The page's policy allows adopted style sheets.
 * @param {Page} page
 * @param {string[]} styles
 */
const wear = (page, ...styles) =>
  page.evaluate((styles) => {
    document.adoptedStyleSheets = styles.map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
  }, styles);

/**
 * Measures every text in the window against the picture behind it, which axe cannot decide.
 * @param {Page} page
 * @param {Page} blank A separate page to calculate in: the measured one has a policy.
 * @returns {Promise<string[]>} One line for each text below WCAG 2.2 AA.
 */
export async function tooFaint(page, blank) {
  await wear(page, STILL);
  const texts = await page.evaluate(textsInView);
  if (texts.length === 0) return [];
  await wear(page, STILL, UNWRITTEN);
  const picture = (await page.screenshot({ scale: 'css' })).toString('base64');
  await wear(page, STILL);
  return blank.evaluate(measureContrast, { picture, texts });
}
