// Ten thousand routes compared with ten: time of a start, a page and the sitemap, and the sitemap's memory. A local
// server answers in place of WordPress.
import { json, page, pagePath, route, serveSite, startFakeWordpress } from '@pillion/content/testing/fake-wordpress.ts';
import { createFolder, startSite } from '@pillion/tests/site.ts';
import { formatMs, isProgram, median, memoryOf, printRow, processorTime } from './lib/figures.mjs';

const FEW = 10;
const MANY = 10_000;
/** Starts and page requests of each size. Both sizes alternate, so that noise affects both. */
const STARTS = 5;
const PAGES = 300;
/** Limit for the time with many routes, as a multiple of that with few. */
const BUDGET = 1.2;

/** A site with `count` paths, three levels deep. */
async function createWordpress(count) {
  const wordpress = await startFakeWordpress();
  serveSite(wordpress);
  const routes = Array.from({ length: count }, (_, i) =>
    i === 0 ? route(1, '/', { template: 'landing' }) : route(i + 1, `/part-${i % 10}/group-${i % 100}/page-${i}/`),
  );
  wordpress.plays.set('/wp-json/gusto/routes', json(routes));
  for (const { id } of routes.slice(1)) wordpress.plays.set(pagePath(id), json(page(id)));
  return wordpress;
}

const startSiteOf = (wordpress, dataDirectory) =>
  startSite({
    CONTENT_SOURCE: 'wordpress',
    ...{ CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_bench', CONTENT_SECRET: 'cs_bench', DATA_DIR: dataDirectory },
  });

/** @returns Milliseconds until the head and until the whole body of the response. @throws If its status is not 200. */
async function timeRequest(url) {
  const begun = performance.now();
  const response = await fetch(url);
  const first = performance.now() - begun;
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return { first, whole: performance.now() - begun, body };
}

/**
 * Measures a start with the cache of an earlier process.
 * @returns Milliseconds until the site listens, and processor time until the first page, with routes from disk.
 *   `isShown`: whether there was a page.
 */
async function measureStart(wordpress, dataDirectory) {
  const begun = performance.now();
  const site = await startSiteOf(wordpress, dataDirectory);
  const listeningMs = performance.now() - begun;
  const isShown = await timeRequest(`${site.url}/`).then(
    () => true,
    () => false,
  );
  const firstPageMs = processorTime(site.pid);
  await site.stop();
  return { listeningMs, firstPageMs, isShown };
}

/** @returns Whether every ratio is within its budget. */
export async function benchManyRoutes() {
  const sides = await Promise.all(
    [FEW, MANY].map(async (count) => ({
      count,
      wordpress: await createWordpress(count),
      data: createFolder(),
      starts: [],
      pages: [],
    })),
  );
  // The first start fills the cache. On a busy machine WordPress' response may miss the first page, so it is repeated.
  for (const side of sides) while (!(await measureStart(side.wordpress, side.data)).isShown);
  for (let i = 0; i < STARTS; i++)
    for (const side of sides) side.starts.push(await measureStart(side.wordpress, side.data));
  for (const side of sides) {
    side.site = await startSiteOf(side.wordpress, side.data);
    side.page = `${side.site.url}/part-3/group-3/page-3/`;
    await timeRequest(`${side.site.url}/`);
    for (let i = 0; i < PAGES / 3; i++) await timeRequest(side.page);
  }
  for (let i = 0; i < PAGES; i++) for (const side of sides) side.pages.push((await timeRequest(side.page)).whole);
  for (const side of sides) {
    const peakBefore = memoryOf(side.site.pid, 'VmHWM');
    const sitemaps = [];
    for (let i = 0; i < 10; i++) sitemaps.push(await timeRequest(`${side.site.url}/sitemap.xml`));
    side.sitemap = {
      first: median(sitemaps.map(({ first }) => first)),
      whole: median(sitemaps.map(({ whole }) => whole)),
    };
    side.listed = sitemaps[0].body.match(/<loc>/g).length;
    side.addedPeak = memoryOf(side.site.pid, 'VmHWM') - peakBefore;
    await side.site.stop();
    await side.wordpress.stop();
  }
  const [few, many] = sides;
  const printRatio = (name, figureOf) =>
    printRow(
      name,
      formatMs(figureOf(few)),
      formatMs(figureOf(many)),
      `× ${(figureOf(many) / figureOf(few)).toFixed(2)}`,
    );
  console.log(`\n${MANY} routes compared with ${FEW} (budget for start and page: ${BUDGET})`);
  printRow('', `${few.count} routes`, `${many.count} routes`);
  // The minimum, because other load only adds time.
  const startMs = ({ starts }) => Math.min(...starts.map(({ listeningMs }) => listeningMs));
  const pageMs = ({ pages }) => median(pages);
  printRatio('start until it listens', startMs);
  printRatio('a page', pageMs);
  printRatio('processor time until the first page', ({ starts }) =>
    Math.min(...starts.map(({ firstPageMs }) => firstPageMs)),
  );
  printRatio('sitemap, first byte', ({ sitemap }) => sitemap.first);
  printRatio('sitemap, whole', ({ sitemap }) => sitemap.whole);
  printRow('pages it lists', few.listed, many.listed);
  printRow('memory ten sitemaps add at most', ...sides.map(({ addedPeak }) => `${addedPeak.toFixed(1)} MB`));
  return [startMs, pageMs].every((figureOf) => figureOf(many) / figureOf(few) <= BUDGET);
}

if (isProgram(import.meta.url)) process.exitCode = (await benchManyRoutes()) ? 0 : 1;
