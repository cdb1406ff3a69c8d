// The figures that every change must keep: bytes compared with React alone, rendering and hydration compared with
// React's, requests compared with a bare server. Times are medians and ratios within one run, because the machines are
// noisy.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { demoCheckout } from '@pillion/tests/one-language.ts';
import { freePort, startSite } from '@pillion/tests/site.ts';
import autocannon from 'autocannon';
import { build } from 'vite';
import { edits } from './edits.mjs';
import { floods } from './floods.mjs';
import { firstVisit, launch, PHONE } from './lib/first-visit.mjs';
import { manyRoutes } from './many-routes.mjs';
import { manyServers } from './many-servers.mjs';
import { ready } from './ready.mjs';
import { signUps } from './sign-ups.mjs';

const OUT = '.cache/bench';
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const row = (name, ...cells) =>
  console.log(`  ${name.padEnd(44)} ${cells.map((cell) => String(cell).padStart(14)).join('')}`);
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
const ms = (value) => `${value.toFixed(2)} ms`;

const buildOnly = (input, outDir, ssr) =>
  build({
    configFile: 'vite.config.ts',
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir: join(OUT, outDir),
      emptyOutDir: true,
      manifest: true,
      ...(ssr ? { ssr: input } : { rolldownOptions: { input } }),
    },
  });

/** Only React and react-dom's client, built like the site. */
async function reactAlone() {
  const name = 'virtual:react-alone';
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name,
        resolveId: (id) => (id === name ? id : null),
        load: (id) =>
          id === name
            ? `import { createElement } from 'react'; import { hydrateRoot } from 'react-dom/client'; hydrateRoot(document.body, createElement('p'));`
            : null,
      },
    ],
    build: { write: false, modulePreload: false, rolldownOptions: { input: name } },
  });
  return output.reduce((total, chunk) => total + (chunk.code ? gzipSync(chunk.code, { level: 9 }).length : 0), 0);
}

async function bytes(browser, site) {
  console.log('\nFirst visit to / (gzip 9, fonts and pictures as they are)');
  const desktop = await firstVisit(browser, `${site.url}/`);
  const phone = await firstVisit(browser, `${site.url}/`, PHONE);
  row('', 'desktop', 'phone');
  for (const key of ['js', 'css', 'html', 'fonts', 'weight']) row(key, kb(desktop[key]), kb(phone[key]));
  row('requests before first paint', desktop.requests, phone.requests);
  row('layout shift', desktop.cls, phone.cls);
  row('React alone', kb(await reactAlone()));
}

const ROUNDS = 300;

async function rendering(site) {
  await buildOnly('bench/render.bench.tsx', 'render', true);
  const { renderers } = await import(pathToFileURL(join(process.cwd(), OUT, 'render/render.bench.js')).href);
  const { page } = await (await fetch(`${site.url}/api/page?path=/&lang=en`)).json();
  const shell = await (await fetch(`${site.url}/api/shell?lang=en`)).json();
  const { bare, document } = await renderers(page, shell);
  // Compresses like the server does for a visitor (packages/server/src/http/encoding.ts).
  const pack = (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  const sent = await document();
  const sides = {
    bare,
    document,
    bareAndPacked: () => [bare(), pack(sent)],
    documentAndPacked: async () => pack(await document()),
  };
  const times = { bare: [], document: [], bareAndPacked: [], documentAndPacked: [] };
  for (let round = 0; round < ROUNDS * 2; round++) {
    // The order is random, because each render pays for the garbage of the one before it.
    for (const [name, render] of Object.entries(sides).sort(() => Math.random() - 0.5)) {
      const start = performance.now();
      await render();
      // The first half is warm-up.
      if (round >= ROUNDS) times[name].push(performance.now() - start);
    }
  }
  const [least, whole] = [median(times.bareAndPacked), median(times.documentAndPacked)];
  console.log('\nUncached render of / (budget: 1.5 of bare, 1.3 of bare and one compression)');
  row('renderToString of the same tree', ms(median(times.bare)));
  row('whole document', ms(median(times.document)), `× ${(median(times.document) / median(times.bare)).toFixed(2)}`);
  row('renderToString and one compression', ms(least));
  row('whole document, compressed', ms(whole), `× ${(whole / least).toFixed(2)}`);
}

const LOADS = 9;

/** Runs in the page: whether React has hydrated the document. */
const isHydrated = () => document.readyState === 'complete' && document.documentElement.matches('[data-hydrated]');

/**
 * Main-thread script time of one load in milliseconds, from the browser's metrics.
 * @returns Time until the page is loaded and hydrated, and until the network is idle, which includes prefetched links
 * (R43).
 */
async function scriptTime(browser, url, prepare = async () => {}) {
  const page = await browser.newPage();
  await prepare(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000;
  };
  await page.goto(url);
  await page.waitForFunction(isHydrated);
  const hydrated = await spent();
  await page.waitForLoadState('networkidle');
  const idle = await spent();
  await page.close();
  return { hydrated, idle };
}

async function hydration(browser, site) {
  const { output } = [await buildOnly('bench/hydrate.bench.tsx', 'hydrate', false)].flat()[0];
  const chunks = new Map(output.filter((chunk) => chunk.code).map((chunk) => [`/${chunk.fileName}`, chunk.code]));
  const entry = output.find((chunk) => chunk.isEntry);
  // The same document with another entry, so that both hydrate the same markup.
  const bareEntry = async (page) => {
    await page.route('**/assets/*.js', (route) => {
      const path = new URL(route.request().url()).pathname;
      const body = /\/entry\.client-/.test(path) ? `import '/bare/${entry.fileName}';` : chunks.get(path);
      return body ? route.fulfill({ contentType: 'text/javascript', body }) : route.continue();
    });
    await page.route('**/bare/**', (route) => {
      const path = new URL(route.request().url()).pathname.replace('/bare', '');
      return route.fulfill({ contentType: 'text/javascript', body: chunks.get(path) ?? '' });
    });
  };
  const ours = [];
  const bare = [];
  for (let load = 0; load < LOADS; load++) {
    ours.push(await scriptTime(browser, `${site.url}/`));
    bare.push(await scriptTime(browser, `${site.url}/`, bareEntry));
  }
  console.log('\nScript on the main thread until / is hydrated (budget: 1.3 of bare)');
  const of = (loads, key) => median(loads.map((load) => load[key]));
  row('hydrateRoot of the same tree', ms(of(bare, 'hydrated')));
  row('whole site', ms(of(ours, 'hydrated')), `× ${(of(ours, 'hydrated') / of(bare, 'hydrated')).toFixed(2)}`);
  row('whole site, with links fetched ahead after it', ms(of(ours, 'idle')));
}

const SECONDS = 4;

/** Processor time of a process in seconds. The kernel counts in ticks of 10 ms (proc(5)). */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Requests per second of the server's processor time, which other load does not affect. */
async function perProcessorSecond(url, pid) {
  // The first second is warm-up.
  await autocannon({ url, connections: 16, duration: 1 });
  const before = processorTime(pid);
  const { requests } = await autocannon({
    url,
    connections: 16,
    duration: SECONDS,
    headers: { 'accept-encoding': 'br' },
  });
  return Math.round(requests.total / (processorTime(pid) - before));
}

const BARE = `import { createServer } from 'node:http';
const body = Buffer.alloc(Number(process.env.BYTES), 'x');
const headers = JSON.parse(process.env.HEADERS);
createServer((_, res) => res.writeHead(200, headers).end(body)).listen(process.env.PORT, '127.0.0.1', () => process.send('up'));`;

/** The baseline: a separate process that only sends the same headers and number of bytes. */
async function startBare(headers) {
  const port = await freePort();
  const child = spawn(process.execPath, ['--input-type=module', '-e', BARE], {
    env: { PORT: port, BYTES: headers['content-length'], HEADERS: JSON.stringify(headers) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid, stop: () => child.kill() };
}

async function throughput(site) {
  console.log('\nRequests per second of the server’s own processor time');
  const asset = (await (await fetch(`${site.url}/`)).text()).match(/href="(\/assets\/[^"]+\.css)"/)[1];
  const { headers } = await fetch(`${site.url}${asset}`, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
  const bare = await startBare(Object.fromEntries(headers));
  const baseline = await perProcessorSecond(bare.url, bare.pid);
  bare.stop();
  const ours = await perProcessorSecond(`${site.url}${asset}`, site.pid);
  row('bare node:http, the same bytes and headers', baseline);
  row('the stylesheet from the site', ours, `× ${(ours / baseline).toFixed(2)}`);
  row('/search, rendered for each request', await perProcessorSecond(`${site.url}/search`, site.pid));
}

const site = await startSite({}, demoCheckout());
const browser = await launch();
try {
  await bytes(browser, site);
  await rendering(site);
  await hydration(browser, site);
  await throughput(site);
  await manyRoutes();
} finally {
  await browser.close();
  await site.stop();
}
await ready();
await edits();
await manyServers();
await signUps();
await floods();
