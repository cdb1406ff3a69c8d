// The figures that every change must keep: bytes compared with React alone, rendering and hydration compared with
// React's, and those of the other benches. Times are medians and ratios within one run, because the machines are noisy.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import { build } from 'vite';
import { formatMs, median, printRow } from './lib/figures.mjs';
import { firstVisit, launch, PHONE } from './lib/first-visit.mjs';
import { benchManyRoutes } from './many-routes.mjs';
import { benchCachedResponses } from './ready.mjs';
import { benchSignUps } from './sign-ups.mjs';

const OUT = '.cache/bench';
const formatKb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** Builds one module with the site's configuration. @param isSsr For the server, and not for browsers. */
const buildModule = (input, outDir, isSsr) =>
  build({
    configFile: 'vite.config.ts',
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir: join(OUT, outDir),
      emptyOutDir: true,
      manifest: true,
      ...(isSsr ? { ssr: input } : { rolldownOptions: { input } }),
    },
  });

/** Bytes of only React and react-dom's client, built like the site, in gzip 9. */
async function weighReact() {
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

async function printBytes(browser, site) {
  console.log('\nFirst visit to / (gzip 9, fonts and pictures as they are)');
  const desktop = await firstVisit(browser, `${site.url}/`);
  const phone = await firstVisit(browser, `${site.url}/`, PHONE);
  printRow('', 'desktop', 'phone');
  for (const key of ['js', 'css', 'html', 'fonts', 'weight'])
    printRow(key, formatKb(desktop[key]), formatKb(phone[key]));
  printRow('requests before first paint', desktop.requests, phone.requests);
  printRow('layout shift', desktop.cls, phone.cls);
  printRow('React alone', formatKb(await weighReact()));
}

/** Measured renders of each kind, after as many for warm-up. */
const RENDER_ROUNDS = 300;

async function printRendering(site) {
  await buildModule('bench/render.bench.tsx', 'render', true);
  const { renderers } = await import(pathToFileURL(join(process.cwd(), OUT, 'render/render.bench.js')).href);
  const { page } = await (await fetch(`${site.url}/api/page?path=/&lang=en`)).json();
  const shell = await (await fetch(`${site.url}/api/shell?lang=en`)).json();
  const { bare, document } = await renderers(page, shell);
  // Compresses like the server does for a visitor (packages/server/src/http/encoding.ts).
  const compress = (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  const html = await document();
  const renders = {
    bare,
    document,
    bareCompressed: () => [bare(), compress(html)],
    documentCompressed: async () => compress(await document()),
  };
  const times = { bare: [], document: [], bareCompressed: [], documentCompressed: [] };
  for (let round = 0; round < RENDER_ROUNDS * 2; round++) {
    // The order is random, because each render pays for the garbage of the one before it.
    for (const [name, render] of Object.entries(renders).sort(() => Math.random() - 0.5)) {
      const start = performance.now();
      await render();
      // The first half is warm-up.
      if (round >= RENDER_ROUNDS) times[name].push(performance.now() - start);
    }
  }
  const [bareMs, documentMs] = [median(times.bareCompressed), median(times.documentCompressed)];
  console.log('\nUncached render of / (budget: 1.5 of bare, 1.3 of bare and one compression)');
  printRow('renderToString of the same tree', formatMs(median(times.bare), 2));
  printRow(
    'whole document',
    formatMs(median(times.document), 2),
    `× ${(median(times.document) / median(times.bare)).toFixed(2)}`,
  );
  printRow('renderToString and one compression', formatMs(bareMs, 2));
  printRow('whole document, compressed', formatMs(documentMs, 2), `× ${(documentMs / bareMs).toFixed(2)}`);
}

/** Page loads of each kind. */
const LOADS = 9;

/** Runs in the page: whether React has hydrated the document. */
const isHydrated = () => document.readyState === 'complete' && document.documentElement.matches('[data-hydrated]');

/**
 * Main-thread script time of one load in milliseconds, from the browser's metrics.
 * @returns Time until the page is loaded and hydrated, and until the network is idle, which includes prefetched links
 * (R43).
 */
async function measureScript(browser, url, prepare = async () => {}) {
  const page = await browser.newPage();
  await prepare(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const readScriptMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000;
  };
  await page.goto(url);
  await page.waitForFunction(isHydrated);
  const hydrated = await readScriptMs();
  await page.waitForLoadState('networkidle');
  const idle = await readScriptMs();
  await page.close();
  return { hydrated, idle };
}

async function printHydration(browser, site) {
  const { output } = [await buildModule('bench/hydrate.bench.tsx', 'hydrate', false)].flat()[0];
  const chunks = new Map(output.filter((chunk) => chunk.code).map((chunk) => [`/${chunk.fileName}`, chunk.code]));
  const entry = output.find((chunk) => chunk.isEntry);
  // The same document with another entry, so that both hydrate the same markup.
  const replaceEntry = async (page) => {
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
    ours.push(await measureScript(browser, `${site.url}/`));
    bare.push(await measureScript(browser, `${site.url}/`, replaceEntry));
  }
  console.log('\nScript on the main thread until / is hydrated (budget: 1.3 of bare)');
  const medianOf = (loads, key) => median(loads.map((load) => load[key]));
  const [bareMs, ourMs] = [medianOf(bare, 'hydrated'), medianOf(ours, 'hydrated')];
  printRow('hydrateRoot of the same tree', formatMs(bareMs, 2));
  printRow('whole site', formatMs(ourMs, 2), `× ${(ourMs / bareMs).toFixed(2)}`);
  printRow('whole site, with links fetched ahead after it', formatMs(medianOf(ours, 'idle'), 2));
}

const site = await startSite({}, createDemoCheckout());
const browser = await launch();
try {
  await printBytes(browser, site);
  await printRendering(site);
  await printHydration(browser, site);
  await benchManyRoutes();
} finally {
  await browser.close();
  await site.stop();
}
await benchCachedResponses();
await benchSignUps();
