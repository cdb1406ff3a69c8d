// Cached responses compared with a bare server that sends the same bytes and headers, per second of each server's
// processor time. Both alternate, so that noise affects both. Then the memory that a flood of missing paths leaves.
import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { siteFlags } from '@pillion/server/bin/site-flags.mjs';
import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import { findFreePort, startSite } from '@pillion/tests/site.ts';
import autocannon from 'autocannon';
import { isProgram, median, memoryOf, printRow, processorTime } from './lib/figures.mjs';

const RESPONSES = [
  { name: '/ in Brotli', path: '/', headers: { 'accept-encoding': 'br' }, budget: 0.9 },
  { name: '/ in gzip', path: '/', headers: { 'accept-encoding': 'gzip' }, budget: 0.9 },
  { name: '/ in the visitor’s cache (304)', path: '/', headers: { 'if-none-match': '*' }, budget: 0.8 },
  {
    name: '/api/page in Brotli',
    path: '/api/page?path=%2F&lang=en',
    headers: { 'accept-encoding': 'br' },
    budget: 0.9,
  },
];
/** A file of the build, which has no `Cache-Status`. */
const STYLESHEET = { name: 'the stylesheet in Brotli', headers: { 'accept-encoding': 'br' }, budget: 0.9 };
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = 2;
const CONNECTIONS = 10;
/** Number of parallel connections for the comparison of p99. */
const MANY_CONNECTIONS = 100;
const P99_BUDGET = 3;
const RANDOM_PATHS = Number(process.env.PATHS ?? 100_000);
/** Requests before the measurement. Until then the heap grows, which is not a leak. */
const WARM_UP_REQUESTS = 60_000;
/** Limit for added heap after a collection, in MB: twice the cache for such paths (4 MB). */
const HEAP_BUDGET_MB = 8;
/** Limit for added resident memory in MB, including fluctuations of the collector. */
const RESIDENT_BUDGET_MB = 60;
const COLLECT = pathToFileURL(join(import.meta.dirname, 'lib/collect.mjs')).href;

const BARE_SERVER = `import { createServer } from 'node:http';
const body = Buffer.from(process.env.BODY, 'base64');
const headers = JSON.parse(process.env.HEADERS);
const status = Number(process.env.STATUS);
createServer((_, res) => res.writeHead(status, headers).end(body.length > 0 ? body : undefined)).listen(process.env.PORT, '127.0.0.1', () => process.send('up'));`;

/** Starts a separate process that only sends this response. */
async function startBare({ status, headers, body }) {
  const port = await findFreePort();
  const { date: _, connection: __, 'keep-alive': ___, ...sentHeaders } = headers;
  const child = spawn(process.execPath, ['--input-type=module', '-e', BARE_SERVER], {
    env: { PORT: port, BODY: body.toString('base64'), STATUS: status, HEADERS: JSON.stringify(sentHeaders) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid, stop: () => child.kill() };
}

const request = (url, headers) =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks = [];
      response
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
    }).on('error', reject);
  });

/** Requests the URL until the best compressed version is cached. @returns The cached response. */
async function warmUp(url, headers) {
  let lastLength = -1;
  for (;;) {
    const response = await request(url, headers);
    if ((response.headers['cache-status'] ?? 'hit').includes('hit') && response.body.length === lastLength)
      return response;
    lastLength = response.body.length;
    await pause(300);
  }
}

/** @returns Requests per second of the server's processor time, and the 99th percentile of the latency in ms. */
async function measure(url, pid, headers, connections) {
  const before = processorTime(pid);
  const { requests, latency } = await autocannon({ url, connections, duration: SECONDS, headers });
  return { perSecond: (1000 * requests.total) / (processorTime(pid) - before), p99: latency.p99 };
}

/** @returns Medians of the bare server and of the site, and the median of their ratio. */
async function compareWithBare(site, { path, headers }, connections) {
  const url = `${site.url}${path}`;
  const bare = await startBare(await warmUp(url, headers));
  const sides = [
    { url: bare.url, pid: bare.pid, perSecond: [], p99: [] },
    { url, pid: site.pid, perSecond: [], p99: [] },
  ];
  // The first second is warm-up.
  for (const side of sides) await autocannon({ url: side.url, connections, duration: 1, headers });
  for (let round = 0; round < ROUNDS; round++)
    for (const side of sides) {
      const { perSecond, p99 } = await measure(side.url, side.pid, headers, connections);
      side.perSecond.push(perSecond);
      side.p99.push(p99);
    }
  bare.stop();
  const [bareSide, ours] = sides;
  // Ratio per round, because other load affects both servers of a round.
  const ratio = median(ours.perSecond.map((perSecond, round) => perSecond / bareSide.perSecond[round]));
  return { sides: sides.map(({ perSecond, p99 }) => ({ perSecond: median(perSecond), p99: median(p99) })), ratio };
}

/** @returns Memory of a server after a full collection, in MB. */
async function heapAfterCollection(site) {
  const start = site.output().length;
  process.kill(site.pid, 'SIGUSR2');
  for (;;) {
    const bytes = /held (\d+) bytes\n/.exec(site.output().slice(start))?.[1];
    if (bytes) return Number(bytes) / 1e6;
    await pause(20);
  }
}

/** @returns Memory before and after the flood of missing paths, and the size of the cache for them, in MB. */
async function measureMemory(site) {
  const flood = (firstPath, amount) => {
    let pathNumber = firstPath;
    return autocannon({
      url: site.url,
      connections: 20,
      amount,
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            path: `/made-up-${pathNumber++}/`,
            headers: { 'accept-encoding': 'br' },
          }),
        },
      ],
    });
  };
  const readMemory = async () => ({ resident: memoryOf(site.pid), held: await heapAfterCollection(site) });
  await flood(0, WARM_UP_REQUESTS);
  const before = await readMemory();
  await flood(WARM_UP_REQUESTS, RANDOM_PATHS);
  const after = await readMemory();
  const text = (await request(`${site.url}/metrics`, {})).body.toString();
  const cached = Number(/pillion_page_cache_bytes\{of="redirects-and-not-found"\} (\d+)/.exec(text)?.[1]) / 1e6;
  return { before, after, cached };
}

/** @returns Whether every figure is within its budget. */
export async function benchCachedResponses() {
  const flags = [...siteFlags(), '--expose-gc', '--import', COLLECT];
  const site = await startSite({}, createDemoCheckout(), undefined, flags);
  let isWithin = true;
  const noteVerdict = (isGood) => {
    isWithin &&= isGood;
    return isGood ? '' : 'OVER';
  };
  try {
    console.log(`\nReady answers per second of processor time, ${CONNECTIONS} connections`);
    printRow('', 'bare server', 'site', 'of bare', 'budget');
    const [path] = /\/assets\/[^"]+\.css/.exec(await (await fetch(`${site.url}/`)).text());
    for (const kind of [...RESPONSES, { ...STYLESHEET, path }]) {
      const { sides, ratio } = await compareWithBare(site, kind, CONNECTIONS);
      const [bare, ours] = sides;
      const cells = [
        Math.round(bare.perSecond),
        Math.round(ours.perSecond),
        `× ${ratio.toFixed(2)}`,
        `≥ ${kind.budget}`,
      ];
      printRow(kind.name, ...cells, noteVerdict(ratio >= kind.budget));
    }
    const [bare, ours] = (await compareWithBare(site, RESPONSES[0], MANY_CONNECTIONS)).sides;
    const ratio = ours.p99 / Math.max(1, bare.p99);
    const cells = [`${bare.p99} ms`, `${ours.p99} ms`, `× ${ratio.toFixed(2)}`, `≤ ${P99_BUDGET}`];
    printRow(`p99 of / with ${MANY_CONNECTIONS} connections`, ...cells, noteVerdict(ratio <= P99_BUDGET));
    const { before, after, cached } = await measureMemory(site);
    for (const [what, budget] of [
      ['held', HEAP_BUDGET_MB],
      ['resident', RESIDENT_BUDGET_MB],
    ]) {
      const cells = [`${before[what].toFixed(0)} MB`, `${after[what].toFixed(0)} MB`, `${cached.toFixed(1)} MB cached`];
      const grown = after[what] - before[what];
      printRow(
        `memory ${what}, before and after ${RANDOM_PATHS} paths`,
        ...cells,
        `≤ + ${budget} MB`,
        noteVerdict(grown <= budget),
      );
    }
  } finally {
    await site.stop();
  }
  return isWithin;
}

if (isProgram(import.meta.url)) process.exitCode = (await benchCachedResponses()) ? 0 : 1;
