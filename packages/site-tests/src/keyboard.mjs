import { settled } from './axe.mjs';

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Stop
 * @property {string} name
 * @property {number} index Place in the list of `noteControls`; -1 for other elements.
 * @property {boolean} isMarked Whether a ring or another change shows the focus.
 * @property {boolean} isInSight Whether its middle is visible: in the window, and not covered.
 * @property {boolean} isSkipLink Whether it is a link to the content of the page.
 */

/**
 * What `noteControls` leaves in the page.
 * @typedef {object} Noted
 * @property {HTMLElement[]} controls
 * @property {string[]} looks How each control looks without focus.
 * @property {(element: HTMLElement) => string} lookOf Styles of an element and its neighbours in which a focus can show.
 */

/**
 * Notes all visible controls of the page and how they look without focus.
 * @param {Page} page
 * @returns {Promise<string[]>} Their names.
 */
export const noteControls = (page) =>
  page.evaluate(() => {
    const controlSelector = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
    /** Whether Tab should stop at it. @param {HTMLElement} element */
    const isTabStop = (element) => {
      const { type, name, form } = /** @type {HTMLInputElement} */ (element);
      // Tab stops at one radio button of a group: the chosen one, or else the first.
      const group = `[type=radio][name="${CSS.escape(name)}"]`;
      const groupStop = form?.querySelector(`${group}:checked`) ?? form?.querySelector(group);
      const isSkipped = type === 'radio' && groupStop !== element;
      return element.tabIndex >= 0 && !isSkipped && !element.matches(':disabled') && !element.closest('[inert]');
    };
    const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(controlSelector));
    const controls = [...all].filter((one) => isTabStop(one) && one.checkVisibility({ visibilityProperty: true }));
    const lookOf = (/** @type {HTMLElement} */ element) =>
      [element, element.parentElement, element.nextElementSibling]
        .map((one) => {
          if (!one) return '';
          const { boxShadow, borderColor, backgroundColor, outline, textDecorationLine } = getComputedStyle(one);
          return [boxShadow, borderColor, backgroundColor, outline, textDecorationLine].join();
        })
        .join('|');
    const nameOf = (/** @type {HTMLElement} */ element) => {
      const label = /** @type {HTMLInputElement} */ (element).labels?.[0]?.textContent;
      return (element.ariaLabel || element.textContent?.trim() || label || element.tagName).replace(/\s+/g, ' ');
    };
    Object.assign(window, { pillionControls: { controls, looks: controls.map(lookOf), lookOf } });
    return controls.map(nameOf);
  });

/** The focused element; `null` once the focus has left the page. @param {Page} page */
export const currentStop = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    // A link over two lines has a box for each.
    const boxes = [...element.getClientRects()];
    const label = /** @type {HTMLInputElement} */ (element).labels?.[0];
    const { pillionControls: noted } = /** @type {{ pillionControls?: Noted }} */ (/** @type {unknown} */ (window));
    const index = noted?.controls.indexOf(element) ?? -1;
    const href = element.getAttribute('href') ?? '';
    const target = /^#./.test(href) ? document.getElementById(href.slice(1)) : null;
    return {
      name: (element.ariaLabel || element.textContent?.trim() || label?.textContent || '').replace(/\s+/g, ' '),
      index,
      isMarked:
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) ||
        (index >= 0 && noted !== undefined && noted.lookOf(element) !== noted.looks[index]),
      isInSight: boxes.some(({ left, top, width, height }) => {
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return !!hit && (element.contains(hit) || hit.contains(element) || !!label?.contains(hit));
      }),
      isSkipLink: !!target?.matches('main, main *'),
    };
  });

/**
 * Presses Tab until the focus leaves the page.
 * @param {Page} page
 * @param {string} [key]
 * @param {number} [maxPresses]
 * @returns {Promise<Stop[]>}
 * @throws If the focus stays in the page.
 */
export async function walk(page, key = 'Tab', maxPresses = 60) {
  /** @type {Stop[]} */
  const stops = [];
  for (let presses = 0; presses < maxPresses; presses++) {
    await page.keyboard.press(key);
    await settled(page);
    const stop = await currentStop(page);
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error(`The keyboard is trapped: ${stops.map(({ name }) => name).join(', ')}`);
}

/** @param {Page} page @returns {Promise<string[]>} What a visitor without a mouse cannot use. */
export async function keyboardProblems(page) {
  const names = await noteControls(page);
  // Some browsers stop at boxes that scroll, too.
  const stops = await walk(page, 'Tab', names.length + 30).catch((/** @type {Error} */ error) => error.message);
  if (typeof stops === 'string') return [stops.slice(0, 300)];
  const reached = new Set(stops.map(({ index }) => index));
  // An open menu, for example, may close when the focus leaves it.
  const isStillThere = await page.evaluate(() => {
    const { pillionControls } = /** @type {{ pillionControls: Noted }} */ (/** @type {unknown} */ (window));
    return pillionControls.controls.map((one) => one.isConnected && one.checkVisibility({ visibilityProperty: true }));
  });
  return [
    ...(stops[0]?.isSkipLink ? [] : ['the first Tab stop is not a link to the content']),
    ...names
      .filter((_, index) => isStillThere[index] && !reached.has(index))
      .map((name) => `Tab does not reach "${name}"`),
    ...stops.filter(({ isMarked }) => !isMarked).map(({ name }) => `no visible focus on "${name}"`),
    ...stops.filter(({ isInSight }) => !isInSight).map(({ name }) => `"${name}" is not visible when it has the focus`),
  ];
}
