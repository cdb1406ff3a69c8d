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

/** @param {string} url @returns {Promise<string[]>} Paths in the sitemap. */
async function readSitemap(url) {
  const text = await (await fetch(`${url}/sitemap.xml`)).text();
  const places = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place = '']) => new URL(place).pathname);
  if (!text.includes('<sitemapindex')) return places;
  const parts = await Promise.all(places.map(async (place) => (await fetch(url + place)).text()));
  return parts.flatMap((part) =>
    [...part.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, one = '']) => new URL(one).pathname),
  );
}

/** @param {string} path @param {Report} report */
function print(path, { results, lang }) {
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
  const limits = { ...BUDGETS, ...budgets };
  const browser = await launchBrowser();
  const site = await start().catch(async (error) => {
    await browser.close();
    throw error;
  });
  const began = performance.now();
  try {
    /** Also those that cannot be fetched. @type {Map<string, Promise<Response | null>>} */
    const responses = new Map();
    const fetchOnce = (/** @type {string} */ address) => {
      const answer = responses.get(address) ?? fetch(address).catch(() => null);
      responses.set(address, answer);
      return answer;
    };
    const answerOf = async (/** @type {string} */ address) => (await fetchOnce(address))?.status ?? 0;

    const named = given.map((path) => path.replace(/^(?!\/)/, '/'));
    const paths = named.length > 0 ? named : ['/', ...(await readSitemap(site.url))];
    /** The status that each path should have. @type {Map<string, number>} */
    const pages = new Map(paths.map((path) => [path, 200]));
    if (given.length === 0) pages.set(`/${NO_SUCH_PAGE}`, 404);
    const waiting = [...pages.keys()];
    let [failed, left] = [0, 0];
    /** @type {Set<string>} */
    const languages = new Set();

    /** Adds pages that the sitemap does not have, such as search, and the 404 of each language. @param {Report} report @param {string} path */
    async function addLinkedPages({ links, lang }, path) {
      if (given.length > 0) return;
      if (lang && !languages.has(lang)) {
        languages.add(lang);
        const [first = ''] = path.split('/').filter(Boolean);
        if (first === lang.toLowerCase()) links = [...links, `/${first}/${NO_SUCH_PAGE}`];
      }
      for (const link of links) {
        if (pages.has(link)) continue;
        const isMissing = link.endsWith(NO_SUCH_PAGE);
        const answer = await fetchOnce(site.url + link);
        const isPage =
          answer?.status === 200 &&
          answer.headers.get('content-type')?.includes('html') &&
          new URL(answer.url).pathname === link;
        if (!isMissing && !isPage) continue;
        if (pages.has(link)) continue;
        pages.set(link, isMissing ? 404 : 200);
        waiting.push(link);
      }
    }

    let tested = 0;
    async function testNextPages() {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        if (tested >= MAX_PAGES) {
          left += 1;
          continue;
        }
        tested += 1;
        const status = pages.get(path) ?? 200;
        /** @type {Report} */
        const report = await testPage(browser, site.url + path, { status, budgets: limits, answerOf }).catch(
          (error) => ({
            results: [{ check: 'answer', problems: [error instanceof Error ? error.message : String(error)] }],
            ...{ links: [], lang: '' },
          }),
        );
        failed += report.results.filter(({ problems }) => problems.length > 0).length;
        print(path, report);
        await addLinkedPages(report, path);
      }
    }
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, testNextPages));

    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `\n${tested} pages in ${languages.size || 1} language${languages.size > 1 ? 's' : ''} tested in ${seconds} s. ${failed === 0 ? 'All checks passed.' : `${failed} checks failed.`}`,
    );
    if (left > 0) console.log(`${left} more pages were not tested. Name them: pillion-test PATH…`);
    return failed === 0 ? 0 : 1;
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
