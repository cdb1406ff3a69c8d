// Ten thousand routes compared with ten: time of a start, a page and the sitemap, and the sitemap's memory. A local
// server answers in place of WordPress.
import { json, page, pagePath, route, serveSite, startFakeWordpress } from '@pillion/content/testing/fake-wordpress.ts';
import { startSite, temporaryFolder } from '@pillion/tests/site.ts';
import { isProgram, median, memoryOf, ms, processorTime, row } from './lib/figures.mjs';

const FEW = 10;
const MANY = 10_000;
/** Both sizes alternate, so that noise affects both. */
const STARTS = 5;
const PAGES = 300;
const BUDGET = 1.2;

/** A site with `count` paths, three levels deep. */
async function contentOf(count) {
  const wordpress = await startFakeWordpress();
  serveSite(wordpress);
  const routes = Array.from({ length: count }, (_, i) =>
    i === 0 ? route(1, '/', { template: 'landing' }) : route(i + 1, `/part-${i % 10}/group-${i % 100}/page-${i}/`),
  );
  wordpress.plays.set('/wp-json/gusto/routes', json(routes));
  for (const { id } of routes.slice(1)) wordpress.plays.set(pagePath(id), json(page(id)));
  return wordpress;
}

const start = (wordpress, dataDirectory) =>
  startSite({
    CONTENT_SOURCE: 'wordpress',
    ...{ CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_bench', CONTENT_SECRET: 'cs_bench', DATA_DIR: dataDirectory },
  });

async function timed(url, expected = 200) {
  const begun = performance.now();
  const answer = await fetch(url);
  const first = performance.now() - begun;
  const body = await answer.text();
  if (answer.status !== expected) throw new Error(`${url} answered ${answer.status}`);
  return { first, whole: performance.now() - begun, body };
}

/**
 * A start with the cache of an earlier process: time until it listens, and cost of the first page with routes from
 * disk.
 */
async function startTime(wordpress, dataDirectory) {
  const begun = performance.now();
  const site = await start(wordpress, dataDirectory);
  const listens = performance.now() - begun;
  const isShown = await timed(`${site.url}/`).then(
    () => true,
    () => false,
  );
  const first = processorTime(site.pid);
  await site.stop();
  return { listens, first, isShown };
}

/** @returns Whether every ratio is within its budget. */
export async function manyRoutes() {
  const sides = await Promise.all(
    [FEW, MANY].map(async (count) => ({
      count,
      wordpress: await contentOf(count),
      data: temporaryFolder(),
      starts: [],
      pages: [],
    })),
  );
  // The first start fills the cache. On a busy machine WordPress' response may miss the first page, so it is repeated.
  for (const side of sides) while (!(await startTime(side.wordpress, side.data)).isShown);
  for (let i = 0; i < STARTS; i++)
    for (const side of sides) side.starts.push(await startTime(side.wordpress, side.data));
  for (const side of sides) {
    side.site = await start(side.wordpress, side.data);
    side.page = `${side.site.url}/part-3/group-3/page-3/`;
    await timed(`${side.site.url}/`);
    for (let i = 0; i < PAGES / 3; i++) await timed(side.page);
  }
  for (let i = 0; i < PAGES; i++) for (const side of sides) side.pages.push((await timed(side.page)).whole);
  for (const side of sides) {
    side.before = memoryOf(side.site.pid, 'VmHWM');
    const maps = [];
    for (let i = 0; i < 10; i++) maps.push(await timed(`${side.site.url}/sitemap.xml`));
    side.sitemap = { first: median(maps.map(({ first }) => first)), whole: median(maps.map(({ whole }) => whole)) };
    side.listed = maps[0].body.match(/<loc>/g).length;
    side.after = memoryOf(side.site.pid, 'VmHWM');
    await side.site.stop();
    await side.wordpress.stop();
  }
  const [few, many] = sides;
  const both = (name, of) => row(name, ms(of(few)), ms(of(many)), `× ${(of(many) / of(few)).toFixed(2)}`);
  console.log(`\n${MANY} routes beside ${FEW} (budget for start and page: ${BUDGET})`);
  row('', `${few.count} routes`, `${many.count} routes`);
  // The minimum, because other load only adds time.
  const started = ({ starts }) => Math.min(...starts.map(({ listens }) => listens));
  const paged = ({ pages }) => median(pages);
  both('start until it listens', started);
  both('a page', paged);
  both('processor time until the first page', ({ starts }) => Math.min(...starts.map(({ first }) => first)));
  both('sitemap, first byte', ({ sitemap }) => sitemap.first);
  both('sitemap, whole', ({ sitemap }) => sitemap.whole);
  row('pages it lists', few.listed, many.listed);
  row('memory ten sitemaps add at most', ...sides.map(({ before, after }) => `${(after - before).toFixed(1)} MB`));
  return [started, paged].every((of) => of(many) / of(few) <= BUDGET);
}

if (isProgram(import.meta.url)) process.exitCode = (await manyRoutes()) ? 0 : 1;
