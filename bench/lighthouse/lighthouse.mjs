// Audits every kind of page with Lighthouse, on a phone and on a large screen. Accessibility, best practices and SEO
// must be 100. Performance and largest paint are only reported, because they depend on the machine.

import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import desktop from 'lighthouse/core/config/desktop-config.js';

/** Search and not-found pages are excluded from indexes on purpose. */
const OUT_OF_INDEX = ['is-crawlable'];
/** The status 404 is intended, and the browser logs it. */
const EXPECTED_404 = ['http-status-code', 'errors-in-console'];
/**
 * On a large screen the light page covers the colophon, but axe measures its text against the page.
 * tests/journeys/modes.spec.ts measures the visible contrast pixel by pixel.
 */
const COVERED = ['color-contrast'];

/** Name, path, and audits that do not apply. */
const PAGES = [
  ['landing', '/', []],
  ['chapter', '/the-road/', COVERED],
  ['reading', '/ferry-log/', []],
  ['plain', '/privacy-policy/', []],
  ['search', '/search?q=ferry', OUT_OF_INDEX],
  ['not found', '/no-such-page/', [...OUT_OF_INDEX, ...EXPECTED_404]],
];

const CATEGORIES = ['accessibility', 'best-practices', 'seo', 'performance'];
const TIMES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'speed-index',
  'cumulative-layout-shift',
];
/** Categories that must be 100. */
const MANDATORY = CATEGORIES.slice(0, 3);

/** Names of the failed audits of a category. */
const findFailed = ({ audits }, { auditRefs }) =>
  auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 1).map(({ id }) => id);

async function audit(url, port, skipAudits, config) {
  const flags = { port, logLevel: 'error', onlyCategories: CATEGORIES, skipAudits, ignoreStatusCode: true };
  const { lhr } = await lighthouse(url, flags, config);
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  return lhr;
}

const givenNames = process.argv.slice(2);
const site = await startSite({}, createDemoCheckout());
const chrome = await launch({ chromePath: CHROMIUM.executablePath, chromeFlags: ['--headless=new', ...CHROMIUM.args] });
let failedAudits = 0;
try {
  console.log(
    `  ${''.padEnd(20)}${['access.', 'practices', 'SEO', 'perf.', 'FCP', 'LCP', 'TBT', 'SI', 'CLS'].map((name) => name.padStart(11)).join('')}`,
  );
  for (const [name, path, skipped] of PAGES.filter(([name]) => givenNames.length === 0 || givenNames.includes(name)))
    for (const [screen, config] of Object.entries({ phone: undefined, large: desktop })) {
      const lhr = await audit(site.url + path, chrome.port, skipped, config);
      const scores = CATEGORIES.map((category) => Math.round(lhr.categories[category].score * 100));
      const times = TIMES.map((id) => lhr.audits[id].displayValue);
      console.log(
        `  ${`${name}, ${screen}`.padEnd(20)}${[...scores, ...times].map((cell) => String(cell).padStart(11)).join('')}`,
      );
      for (const category of MANDATORY)
        for (const id of findFailed(lhr, lhr.categories[category])) {
          failedAudits += 1;
          console.log(`       ${category}: ${id}, ${lhr.audits[id].title}`);
        }
    }
} finally {
  chrome.kill();
  await site.stop();
}
process.exitCode = failedAudits ? 1 : 0;
