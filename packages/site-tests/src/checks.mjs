// What is tested on each page. Parts of a page are found by role and element, never by their words.
import { settled, violations } from './axe.mjs';
import {
  brokenPictures,
  fields,
  layoutShift,
  links,
  moving,
  overflowing,
  throughPage,
  unseenTexts,
} from './in-page.mjs';
import { keyboardProblems } from './keyboard.mjs';
import { tooFaint } from './text-contrast.mjs';
import { collectFiles, weigh } from './weights.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('@pillion/server/site.ts').Budgets} Budgets */
/** @typedef {keyof typeof ADVICE} Check */
/** @typedef {{ check: Check, problems: string[] }} Result */
/**
 * @typedef {object} Expected
 * @property {number} status
 * @property {Budgets} budgets
 * @property {(url: string) => Promise<number>} answerOf The status of an address of the site.
 * @property {number} [readyMs] Longest time until the page's script runs.
 */
/** @typedef {{ results: Result[], links: string[], lang: string }} Report */

/** The checks in the order of the report, and what to do about a problem. */
export const ADVICE = {
  answer:
    'Each page answers 200, an unknown address 404, and the page’s script starts. Read the output of `npm start`.',
  errors: 'Open the page with the browser’s console and correct what it reports.',
  axe: 'Correct the element; the rule is explained at dequeuniversity.com/rules/axe under its name.',
  contrast: 'Change the colour of the text, or what is behind it: theme.tokens.json, or a darker or calmer picture.',
  overflow: 'Give the element max-inline-size: 100%, or let it wrap or scroll in itself.',
  keyboard: 'Use links, buttons and fields of HTML, keep their outline, and no positive tabindex.',
  'no script': 'Show text and form in HTML and CSS; let script add to them only.',
  'reduced motion': 'Put the animation into @media (prefers-reduced-motion: no-preference).',
  'layout shift': 'Give pictures, frames and late parts their size (width and height, or aspect-ratio).',
  bytes: 'Use smaller pictures and fewer typefaces, or raise `budgets` in site.config.ts.',
  pictures: 'Put the file where the address leads, or correct the address.',
  links: 'Correct the link, or give its address a page or a redirect.',
};

/** Widths at which nothing may overflow, the largest first. */
const WIDTHS = [1920, 1440, 768, 320];
const LARGE = { width: 1440, height: 900 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const READY_TIMEOUT_MS = 30_000;
/** Problems of one check and page that are listed. */
const MAX_LISTED = 8;

/** Waits until the page’s own script runs it. @param {Page} page @param {number} [timeout] */
const waitUntilHydrated = (page, timeout = READY_TIMEOUT_MS) =>
  page.locator('html[data-stage=playing]').waitFor({ state: 'attached', timeout });

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** @param {Page} page @param {string} origin @returns {() => string[]} Errors until then. */
function watchErrors(page, origin) {
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', ({ message }) => errors.push(`the page threw: ${message}`));
  page.on('console', (message) => {
    // Browsers report each failed request here. Those are listed below, with their address.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  page.on('response', (response) => {
    const isDocument = response.request().isNavigationRequest();
    if (response.status() >= 400 && !isDocument && response.url().startsWith(origin))
      errors.push(`${new URL(response.url()).pathname} answers ${response.status()}`);
  });
  return () => errors;
}

/**
 * Loads the page as a phone does, without reduced motion, and measures it.
 * @param {Browser} browser @param {string} url @param {Expected} expected
 */
async function testOnPhone(browser, url, { status: expected, budgets, readyMs = READY_TIMEOUT_MS }) {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'no-preference' });
  const page = await context.newPage();
  try {
    const [files, errors] = [collectFiles(page), watchErrors(page, new URL(url).origin)];
    const answer = await page.goto(url, { waitUntil: 'networkidle' });
    const status = answer?.status();
    const isReady = await waitUntilHydrated(page, readyMs).then(
      () => true,
      () => false,
    );
    const weights = weigh(await files());
    await throughPage(page, () => settled(page));
    await page.evaluate(() => scrollTo(0, 0));
    const axe = isReady ? await violations(page) : [];
    const shift = await layoutShift(page);
    const broken = await brokenPictures(page);
    const overBudget = Object.entries(weights).flatMap(([kind, weight]) => {
      const most = budgets[/** @type {keyof typeof weights} */ (kind)];
      return weight > most ? [`${kind}: ${kilobytes(weight)}, at most ${kilobytes(most)}`] : [];
    });
    /** @type {Result[]} */
    const results = [
      {
        check: 'answer',
        problems: [
          ...(status === expected ? [] : [`answers ${status}, not ${expected}`]),
          ...(isReady ? [] : [`is not ready after ${readyMs / 1000} s`]),
        ],
      },
      { check: 'errors', problems: errors() },
      {
        check: 'layout shift',
        problems:
          shift.sum > budgets.layoutShift
            ? [`${shift.sum.toFixed(3)}, at most ${budgets.layoutShift}; most of it moves "${shift.worst}"`]
            : [],
      },
      { check: 'bytes', problems: overBudget },
      { check: 'pictures', problems: broken },
    ];
    return { results, fields: await fields(page), axe: axe.map((one) => `${one} (on a phone)`), isReady };
  } finally {
    await context.close();
  }
}

/**
 * Loads the page on a large screen with reduced motion, and tests what is visible and reachable.
 * @param {Browser} browser @param {string} url @param {string[]} phoneFindings Findings of axe there.
 */
async function testOnLargeScreen(browser, url, phoneFindings) {
  const context = await browser.newContext({ viewport: LARGE, reducedMotion: 'reduce' });
  try {
    const [page, blank] = [await context.newPage(), await context.newPage()];
    await page.bringToFront();
    await page.goto(url);
    const motion = await moving(page);
    await waitUntilHydrated(page);
    motion.push(...(await moving(page)));
    const keyboard = await keyboardProblems(page);

    /** @type {Record<'axe' | 'contrast' | 'overflow', string[]>} */
    const found = { axe: phoneFindings, contrast: [], overflow: [] };
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < LARGE.width ? PHONE.viewport.height : LARGE.height });
      await settled(page);
      const at = (/** @type {string} */ text) => `${text} (at ${width} px)`;
      found.overflow.push(...(await overflowing(page)).map(at));
      if (width !== LARGE.width && width !== 320) continue;
      await throughPage(page, async () => {
        await settled(page);
        motion.push(...(await moving(page)));
        found.contrast.push(...(await tooFaint(page, blank)).map(at));
      });
      await page.evaluate(() => scrollTo(0, 0));
      if (width === LARGE.width) found.axe.push(...(await violations(page)).map(at));
    }
    const lang = (await page.locator('html').getAttribute('lang')) ?? '';
    /** @type {Result[]} */
    const results = [
      { check: 'axe', problems: found.axe },
      { check: 'contrast', problems: found.contrast },
      { check: 'overflow', problems: found.overflow },
      { check: 'keyboard', problems: keyboard },
      { check: 'reduced motion', problems: motion.map((one) => `${one} moves`) },
    ];
    return { results, links: await links(page), lang };
  } finally {
    await context.close();
  }
}

/**
 * Loads the page without script.
 * @param {Browser} browser @param {string} url @param {string[]} expected Names of fields with script.
 * @returns {Promise<Result>}
 */
async function testWithoutScript(browser, url, expected) {
  // With motion, an opened answer is still fading in.
  const page = await browser.newPage({ viewport: LARGE, javaScriptEnabled: false, reducedMotion: 'reduce' });
  try {
    await page.goto(url);
    const heading = page.getByRole('main').getByRole('heading', { level: 1 });
    const isThere = await heading.first().isVisible();
    // What is folded opens at a click, also without script.
    await page.locator('main details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    const there = await fields(page);
    const hidden = await unseenTexts(page, 'main *');
    const cannotSend = await page
      .locator('main form')
      .evaluateAll(
        (all) => all.filter((form) => !form.querySelector('button:not([type=button]), [type=submit]')).length,
      );
    return {
      check: 'no script',
      problems: [
        ...(isThere ? [] : ['the main heading is not visible']),
        ...hidden.map((text) => `"${text?.slice(0, 40)}" is hidden`),
        ...expected.filter((name) => !there.includes(name)).map((name) => `the field "${name}" is missing`),
        ...(cannotSend > 0 ? ['a form has no button to send it'] : []),
      ],
    };
  } finally {
    await page.close();
  }
}

/**
 * Tests one page.
 * @param {Browser} browser
 * @param {string} url
 * @param {Expected} expected
 * @returns {Promise<Report>}
 */
export async function testPage(browser, url, expected) {
  const phone = await testOnPhone(browser, url, expected);
  // Other checks would wait for the script, too.
  if (!phone.isReady) return { results: phone.results, links: [], lang: '' };
  const large = await testOnLargeScreen(browser, url, phone.axe);
  const { origin } = new URL(url);
  const own = large.links.filter(({ href }) => href.startsWith(`${origin}/`));
  /** @type {string[]} */
  const dead = [];
  for (const { href, text } of own) {
    // A link within the page, such as the one to the content: also on the page of an unknown address.
    if (href.replace(/#.*/, '') === url) continue;
    const answer = await expected.answerOf(href.replace(/#.*/, ''));
    if (answer !== 200)
      dead.push(`"${text.slice(0, 40)}" leads to ${href.slice(origin.length)}, which answers ${answer}`);
  }
  return {
    results: [
      ...phone.results,
      ...large.results,
      await testWithoutScript(browser, url, phone.fields),
      { check: 'links', problems: dead },
    ],
    links: own.map(({ href }) => new URL(href).pathname),
    lang: large.lang,
  };
}

/** @param {Result[]} results @returns {Result[]} In the order of `ADVICE`, each problem once, long lists cut. */
export const sortResults = (results) =>
  /** @type {Check[]} */ (Object.keys(ADVICE)).flatMap((check) =>
    results
      .filter((one) => one.check === check)
      .map(({ problems }) => {
        const all = [...new Set(problems)];
        const left = all.length - MAX_LISTED;
        return { check, problems: left > 0 ? [...all.slice(0, MAX_LISTED), `… and ${left} more`] : all };
      }),
  );
