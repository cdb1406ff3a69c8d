// Audits every kind of page, on a phone and on a large screen, as anybody's browser tools would. Accessibility, best
// practices and SEO have to be 100; performance and largest paint are reported, since they follow the machine.

import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { demoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import desktop from 'lighthouse/core/config/desktop-config.js';

/** What a page of ours is not meant to be: search and not-found stay out of every index. */
const OUT_OF_INDEX = ['is-crawlable'];
/** A 404 is one, and the browser says so on the console. */
const NOT_THERE = ['http-status-code', 'errors-in-console'];
/**
 * On a large screen the colophon lies under the light page and is not seen; axe takes it for text upon the page. What is
 * seen is measured by tests/journeys/modes.spec.ts, pixel by pixel.
 */
const COVERED = ['color-contrast'];

const PAGES = [
  ['landing', '/', []],
  ['chapter', '/the-road/', COVERED],
  ['reading', '/ferry-log/', []],
  ['plain', '/privacy-policy/', []],
  ['search', '/search?q=ferry', OUT_OF_INDEX],
  ['not found', '/no-such-page/', [...OUT_OF_INDEX, ...NOT_THERE]],
];

const CATEGORIES = ['accessibility', 'best-practices', 'seo', 'performance'];
const TIMES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'speed-index',
  'cumulative-layout-shift',
];
/** These have to be whole. */
const WHOLE = CATEGORIES.slice(0, 3);

/** Names of the audits that took something from a category. */
const failing = ({ audits }, { auditRefs }) =>
  auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 1).map(({ id }) => id);

async function audit(url, port, skipAudits, config) {
  const flags = { port, logLevel: 'error', onlyCategories: CATEGORIES, skipAudits, ignoreStatusCode: true };
  const { lhr } = await lighthouse(url, flags, config);
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  return lhr;
}

const wanted = process.argv.slice(2);
const site = await startSite({}, demoCheckout());
const chrome = await launch({ chromePath: CHROMIUM.executablePath, chromeFlags: ['--headless=new', ...CHROMIUM.args] });
let short = 0;
try {
  console.log(
    `  ${''.padEnd(20)}${['access.', 'practices', 'SEO', 'perf.', 'FCP', 'LCP', 'TBT', 'SI', 'CLS'].map((name) => name.padStart(11)).join('')}`,
  );
  for (const [name, path, skipped] of PAGES.filter(([name]) => wanted.length === 0 || wanted.includes(name)))
    for (const [screen, config] of Object.entries({ phone: undefined, large: desktop })) {
      const lhr = await audit(site.url + path, chrome.port, skipped, config);
      const scores = CATEGORIES.map((category) => Math.round(lhr.categories[category].score * 100));
      const times = TIMES.map((id) => lhr.audits[id].displayValue);
      console.log(
        `  ${`${name}, ${screen}`.padEnd(20)}${[...scores, ...times].map((cell) => String(cell).padStart(11)).join('')}`,
      );
      for (const category of WHOLE)
        for (const id of failing(lhr, lhr.categories[category])) {
          short += 1;
          console.log(`       ${category}: ${id}, ${lhr.audits[id].title}`);
        }
    }
} finally {
  chrome.kill();
  await site.stop();
}
process.exitCode = short ? 1 : 0;
