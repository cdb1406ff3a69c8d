#!/usr/bin/env node
// `pillion-test [PATH…]`: builds the site in this folder, starts it and tests its pages in a browser.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { ADVICE, sortResults, testPage } from './checks.mjs';
import { build, readConfig, start } from './site.mjs';

/** @typedef {import('./checks.mjs').Report} Report */
/** @typedef {import('@pillion/server/site.ts').Budgets} Budgets */

/** Limits of a first visit on a phone, if `budgets` of the site names no others. @type {Budgets} */
const BUDGETS = {
  ...{ script: 100_000, styles: 16_000, document: 24_000, fonts: 150_000, all: 600_000 },
  layoutShift: 0.1,
};

/** Pages that are tested. A site may have thousands of posts, which differ in their words only. */
const MAX_PAGES = 40;
const NO_SUCH_PAGE = 'pillion-test-no-such-page/';

const HELP = `pillion-test [PATH…] [--no-build]

  PATH        Test only these pages, such as / /about/
  --no-build  Test the build that exists
`;

/** @param {string} xml A sitemap or a list of sitemaps. @returns {string[]} Paths of the addresses in it. */
const pathsIn = (xml) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);

/** @param {string} url Of the site. @returns {Promise<string[]>} Paths of the pages in its sitemaps. */
async function readSitemap(url) {
  const xml = await (await fetch(`${url}/sitemap.xml`)).text();
  if (!xml.includes('<sitemapindex')) return pathsIn(xml);
  const sitemaps = await Promise.all(pathsIn(xml).map(async (path) => (await fetch(url + path)).text()));
  return sitemaps.flatMap(pathsIn);
}

/** @param {string} path @param {Report} report */
function printReport(path, { results, lang }) {
  console.log(`\n${path}${lang ? `  (${lang})` : ''}`);
  for (const { check, problems } of sortResults(results)) {
    console.log(`  ${problems.length === 0 ? 'ok   ' : 'WRONG'}  ${check}`);
    for (const problem of problems) console.log(`           ${problem}`);
    if (problems.length > 0) console.log(`         → ${ADVICE[check]}`);
  }
}

/** @param {string[]} given Paths; without one all pages. @returns {Promise<number>} The exit code. */
async function testSite(given) {
  const { budgets = {} } = await readConfig();
  const allBudgets = { ...BUDGETS, ...budgets };
  const browser = await launchBrowser();
  const site = await start().catch(async (error) => {
    await browser.close();
    throw error;
  });
  const startedAt = performance.now();
  try {
    /** By address. `null`: the address does not respond. @type {Map<string, Promise<Response | null>>} */
    const responses = new Map();
    const fetchOnce = (/** @type {string} */ address) => {
      const response = responses.get(address) ?? fetch(address).catch(() => null);
      responses.set(address, response);
      return response;
    };
    const statusOf = async (/** @type {string} */ address) => (await fetchOnce(address))?.status ?? 0;

    const givenPaths = given.map((path) => path.replace(/^(?!\/)/, '/'));
    const paths = givenPaths.length > 0 ? givenPaths : ['/', ...(await readSitemap(site.url))];
    /** The status that each path should have. @type {Map<string, number>} */
    const pages = new Map(paths.map((path) => [path, 200]));
    if (given.length === 0) pages.set(`/${NO_SUCH_PAGE}`, 404);
    const waiting = [...pages.keys()];
    let [failedChecks, untested] = [0, 0];
    /** @type {Set<string>} */
    const languages = new Set();

    const addPage = (/** @type {string} */ path, /** @type {number} */ status) => {
      if (pages.has(path)) return;
      pages.set(path, status);
      waiting.push(path);
    };

    /** Adds the 404 of a language that is seen for the first time. @param {string} lang @param {string} path Of its page. */
    function addNotFoundPage(lang, path) {
      if (!lang || languages.has(lang)) return;
      languages.add(lang);
      const [first = ''] = path.split('/').filter(Boolean);
      if (first === lang.toLowerCase()) addPage(`/${first}/${NO_SUCH_PAGE}`, 404);
    }

    /** Adds pages that the sitemap does not have, such as search. @param {string[]} links Paths. */
    async function addLinkedPages(links) {
      for (const link of links) {
        if (pages.has(link)) continue;
        const response = await fetchOnce(site.url + link);
        const isPage =
          response?.status === 200 &&
          response.headers.get('content-type')?.includes('html') &&
          new URL(response.url).pathname === link;
        if (isPage) addPage(link, 200);
      }
    }

    let tested = 0;
    async function testNextPages() {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        if (tested >= MAX_PAGES) {
          untested += 1;
          continue;
        }
        tested += 1;
        const status = pages.get(path) ?? 200;
        /** @type {Report} */
        const report = await testPage(browser, site.url + path, { status, budgets: allBudgets, statusOf }).catch(
          (error) => ({
            results: [{ check: 'answer', problems: [error instanceof Error ? error.message : String(error)] }],
            ...{ links: [], lang: '' },
          }),
        );
        failedChecks += report.results.filter(({ problems }) => problems.length > 0).length;
        printReport(path, report);
        if (given.length > 0) continue;
        addNotFoundPage(report.lang, path);
        await addLinkedPages(report.links);
      }
    }
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, testNextPages));

    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(
      `\n${tested} pages in ${languages.size || 1} language${languages.size > 1 ? 's' : ''} tested in ${seconds} s. ${failedChecks === 0 ? 'All checks passed.' : `${failedChecks} checks failed.`}`,
    );
    if (untested > 0) console.log(`${untested} more pages were not tested. Name them: pillion-test PATH…`);
    return failedChecks === 0 ? 0 : 1;
  } finally {
    await browser.close();
    await site.stop();
  }
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'no-build': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) console.log(HELP);
  else {
    if (!values['no-build']) await build();
    process.exitCode = await testSite(positionals);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
