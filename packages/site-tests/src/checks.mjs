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
 * @property {(url: string) => Promise<number>} statusOf The status of an address of the site; 0: it does not respond.
 * @property {number} [readyMs] Longest time until the page's script runs, in milliseconds.
 */
/** @typedef {{ results: Result[], links: string[], lang: string }} Report `links`: paths of the site. `lang`: `''` if unknown. */

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

/** The narrowest window that WCAG 1.4.10 requires. */
const NARROWEST = 320;
/** Widths at which nothing may overflow, the largest first. */
const WIDTHS = [1920, 1440, 768, NARROWEST];
const LARGE = { width: 1440, height: 900 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const READY_TIMEOUT_MS = 30_000;
/** Problems of one check and page that are listed. */
const MAX_LISTED = 8;

/** Waits until the page’s script has started it. @param {Page} page @param {number} [timeout] */
const waitUntilHydrated = (page, timeout = READY_TIMEOUT_MS) =>
  page.locator('html[data-stage=playing]').waitFor({ state: 'attached', timeout });

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** Collects errors from now on. @param {Page} page @param {string} origin Of the site. @returns {() => string[]} Those until its call. */
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
async function testOnPhone(browser, url, { status: expectedStatus, budgets, readyMs = READY_TIMEOUT_MS }) {
  const context = await browser.newContext({ ...PHONE, reducedMotion: 'no-preference' });
  const page = await context.newPage();
  try {
    const [files, errors] = [collectFiles(page), watchErrors(page, new URL(url).origin)];
    const response = await page.goto(url, { waitUntil: 'networkidle' });
    const status = response?.status();
    const isReady = await waitUntilHydrated(page, readyMs).then(
      () => true,
      () => false,
    );
    const weights = weigh(await files());
    await throughPage(page, () => settled(page));
    await page.evaluate(() => scrollTo(0, 0));
    const axe = isReady ? await violations(page) : [];
    const shift = await layoutShift(page);
    const overBudget = Object.entries(weights).flatMap(([kind, weight]) => {
      const budget = budgets[/** @type {keyof typeof weights} */ (kind)];
      return weight > budget ? [`${kind}: ${kilobytes(weight)}, at most ${kilobytes(budget)}`] : [];
    });
    /** @type {Result[]} */
    const results = [
      {
        check: 'answer',
        problems: [
          ...(status === expectedStatus ? [] : [`answers ${status}, not ${expectedStatus}`]),
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
      { check: 'pictures', problems: await brokenPictures(page) },
    ];
    return { results, fields: await fields(page), axe: axe.map((line) => `${line} (on a phone)`), isReady };
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
    const animations = await moving(page);
    await waitUntilHydrated(page);
    animations.push(...(await moving(page)));
    const keyboard = await keyboardProblems(page);

    /** @type {Record<'axe' | 'contrast' | 'overflow', string[]>} */
    const problems = { axe: phoneFindings, contrast: [], overflow: [] };
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < LARGE.width ? PHONE.viewport.height : LARGE.height });
      await settled(page);
      const withWidth = (/** @type {string} */ problem) => `${problem} (at ${width} px)`;
      problems.overflow.push(...(await overflowing(page)).map(withWidth));
      if (width !== LARGE.width && width !== NARROWEST) continue;
      await throughPage(page, async () => {
        await settled(page);
        animations.push(...(await moving(page)));
        problems.contrast.push(...(await tooFaint(page, blank)).map(withWidth));
      });
      await page.evaluate(() => scrollTo(0, 0));
      if (width === LARGE.width) problems.axe.push(...(await violations(page)).map(withWidth));
    }
    const lang = (await page.locator('html').getAttribute('lang')) ?? '';
    /** @type {Result[]} */
    const results = [
      { check: 'axe', problems: problems.axe },
      { check: 'contrast', problems: problems.contrast },
      { check: 'overflow', problems: problems.overflow },
      { check: 'keyboard', problems: keyboard },
      { check: 'reduced motion', problems: animations.map((animation) => `${animation} moves`) },
    ];
    return { results, links: await links(page), lang };
  } finally {
    await context.close();
  }
}

/**
 * Loads the page without script.
 * @param {Browser} browser @param {string} url @param {string[]} expectedFields Names of the fields that the page has with script.
 * @returns {Promise<Result>}
 */
async function testWithoutScript(browser, url, expectedFields) {
  // With motion, an opened answer is still fading in.
  const page = await browser.newPage({ viewport: LARGE, javaScriptEnabled: false, reducedMotion: 'reduce' });
  try {
    await page.goto(url);
    const heading = page.getByRole('main').getByRole('heading', { level: 1 });
    const isHeadingVisible = await heading.first().isVisible();
    // What is folded opens at a click, also without script.
    await page.locator('main details').evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '');
    });
    const presentFields = await fields(page);
    const hiddenTexts = await unseenTexts(page, 'main *');
    const formsWithoutButton = await page
      .locator('main form')
      .evaluateAll(
        (all) => all.filter((form) => !form.querySelector('button:not([type=button]), [type=submit]')).length,
      );
    return {
      check: 'no script',
      problems: [
        ...(isHeadingVisible ? [] : ['the main heading is not visible']),
        ...hiddenTexts.map((text) => `"${text?.slice(0, 40)}" is hidden`),
        ...expectedFields
          .filter((name) => !presentFields.includes(name))
          .map((name) => `the field "${name}" is missing`),
        ...(formsWithoutButton > 0 ? ['a form has no button to send it'] : []),
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
  const internalLinks = large.links.filter(({ href }) => href.startsWith(`${origin}/`));
  /** @type {string[]} */
  const deadLinks = [];
  for (const { href, text } of internalLinks) {
    const address = href.replace(/#.*/, '');
    // A link within the page, such as the one to the content. An unknown address has it too, and answers 404.
    if (address === url) continue;
    const status = await expected.statusOf(address);
    if (status !== 200)
      deadLinks.push(`"${text.slice(0, 40)}" leads to ${href.slice(origin.length)}, which answers ${status}`);
  }
  return {
    results: [
      ...phone.results,
      ...large.results,
      await testWithoutScript(browser, url, phone.fields),
      { check: 'links', problems: deadLinks },
    ],
    links: internalLinks.map(({ href }) => new URL(href).pathname),
    lang: large.lang,
  };
}

/** @param {Result[]} results @returns {Result[]} In the order of `ADVICE`, each problem once, long lists cut. */
export const sortResults = (results) =>
  /** @type {Check[]} */ (Object.keys(ADVICE)).flatMap((check) =>
    results
      .filter((result) => result.check === check)
      .map(({ problems }) => {
        const unique = [...new Set(problems)];
        const unlisted = unique.length - MAX_LISTED;
        return { check, problems: unlisted > 0 ? [...unique.slice(0, MAX_LISTED), `… and ${unlisted} more`] : unique };
      }),
  );
