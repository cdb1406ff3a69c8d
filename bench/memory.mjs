// Memory of a server over a long time, with requests for existing pages and for random missing paths.
import { demoCheckout } from '@pillion/tests/one-language.ts';
import { startSite } from '@pillion/tests/site.ts';
import autocannon from 'autocannon';
import { isProgram, memoryOf, row } from './lib/figures.mjs';

const MINUTES = Number(process.env.MINUTES ?? 10);
const RANDOM_PATHS = Number(process.env.PATHS ?? 100_000);
/** Of every eight requests this many are for missing paths. The others are for pages, their data and a file. */
const RANDOM_OF_EIGHT = 4;
const CONNECTIONS = 20;
/** Requests before the measurement, without pauses. Until then the allocator grows, which is not a leak. */
const WARMING = 60_000;
/** Interval between memory readings, in milliseconds. */
const EVERY_MS = 5_000;
/** The last third may use this much more memory than the second, in MB, because of garbage collection. */
const BUDGET = 10;

const PATHS = ['/', '/privacy-policy/', '/api/page?path=%2F&lang=en', '/api/shell?lang=en'];
const ENCODINGS = ['br', 'gzip', 'identity'];

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @returns Whether the memory stays within the budget. */
export async function memory() {
  const site = await startSite({}, demoCheckout());
  try {
    let at = 0;
    let random = 0;
    const next = () => {
      at += 1;
      const isRandom = at % 8 < RANDOM_OF_EIGHT;
      if (isRandom) random += 1;
      return {
        path: isRandom ? `/made-up-${at}/` : PATHS[at % PATHS.length],
        headers: { 'accept-encoding': ENCODINGS[at % ENCODINGS.length] },
      };
    };
    const load = { url: site.url, connections: CONNECTIONS };
    const requests = [{ setupRequest: (request) => ({ ...request, ...next() }) }];
    await autocannon({ ...load, amount: WARMING, requests });
    random = 0;
    const samples = [];
    const sampling = setInterval(() => samples.push(memoryOf(site.pid)), EVERY_MS);
    const sent = await autocannon({
      ...load,
      duration: MINUTES * 60,
      overallRate: Math.ceil((RANDOM_PATHS * 8) / RANDOM_OF_EIGHT / (MINUTES * 60)),
      requests,
    });
    clearInterval(sampling);
    const third = Math.floor(samples.length / 3);
    const [second, last] = [mean(samples.slice(third, 2 * third)), mean(samples.slice(-third))];
    console.log(`\nMemory over ${MINUTES} minutes, ${sent.requests.total} requests, ${random} for missing paths`);
    row('', 'second third', 'last third', 'most', 'budget');
    const cells = [second, last, Math.max(...samples)].map((value) => `${value.toFixed(0)} MB`);
    const isFlat = last - second <= BUDGET && sent.errors === 0;
    row('resident memory', ...cells, `+ ${BUDGET} MB`, isFlat ? '' : 'OVER');
    return isFlat;
  } finally {
    await site.stop();
  }
}

if (isProgram(import.meta.url)) process.exitCode = (await memory()) ? 0 : 1;
