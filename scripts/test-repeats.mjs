// `npm run test:repeats -- 10` runs `npm test` 10 times next to a busy process, and prints the result and load of each
// run. Test runs count as reliable after ten green runs out of ten.
import { loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ROOT } from './lib/project.mjs';
import { run, withNode } from './lib/run.mjs';
import { failureLines } from './lib/test-failures.mjs';
import { totalOf } from './lib/test-totals.mjs';

/**
 * One of the runs.
 * @typedef {import('./lib/test-totals.mjs').Result & { code: number, mean: number, most: number }} Repeat `code` is its exit
 *   code. `mean` and `most` are the load during the run.
 */

/** The busy process works for this many milliseconds of each second, which uses most of one core. */
const BUSY_MS = 800;
const LOAD_EVERY_MS = 10_000;

const loadNow = () => loadavg()[0] ?? 0;

const HOG = `
  const rest = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    for (const until = performance.now() + ${BUSY_MS}; performance.now() < until; );
    Atomics.wait(rest, 0, 0, ${1_000 - BUSY_MS});
  }`;

/**
 * Records the load of the last minute (getloadavg(3)) every ten seconds. @returns A function that stops and returns it.
 */
function watchLoad() {
  const noted = [loadNow()];
  const watch = setInterval(() => noted.push(loadNow()), LOAD_EVERY_MS);
  return () => {
    clearInterval(watch);
    return { mean: noted.reduce((sum, load) => sum + load, 0) / noted.length, most: Math.max(...noted) };
  };
}

/** @param {string} node @returns {Promise<Repeat>} */
async function once(node) {
  const begun = performance.now();
  const loads = watchLoad();
  const code = await run(node, ['scripts/launch.mjs', 'test'], { cwd: ROOT, env: withNode(node) });
  return { ...totalOf('test'), code, seconds: (performance.now() - begun) / 1000, ...loads() };
}

/** @param {readonly (string | number)[]} cells */
const row = (cells) => `  ${cells.map((cell) => String(cell).padStart(9)).join('')}`;

/** @param {readonly Repeat[]} results */
function table(results) {
  const rows = results.map(({ code, passed, failed, skipped, seconds, mean, most }, at) =>
    row([
      at + 1,
      code ? 'red' : 'green',
      passed,
      failed,
      skipped,
      `${seconds.toFixed(0)} s`,
      mean.toFixed(1),
      most.toFixed(1),
    ]),
  );
  return [row(['run', 'result', 'passed', 'failed', 'skipped', 'took', 'load', 'most']), ...rows].join('\n');
}

/**
 * @param {string} node Path of the Node to run under.
 * @param {readonly string[]} args Number of runs (default 1), and `--quiet-neighbour` to run without the busy process.
 * @returns 0 if every run was green, 1 otherwise.
 */
export async function repeatTests(node, [times = '1', ...options]) {
  const neighbour = options.includes('--quiet-neighbour') ? null : new Worker(HOG, { eval: true });
  /** @type {Repeat[]} */
  const results = [];
  try {
    for (let at = 0; at < Number(times); at += 1) {
      results.push(await once(node));
      // Printed after each run, so that an interrupted series still shows results.
      console.log(`\n${table(results)}`);
    }
  } finally {
    await neighbour?.terminate();
  }
  for (const line of failureLines(results.flatMap(({ failures }) => failures))) console.log(line);
  const green = results.filter(({ code }) => code === 0).length;
  console.log(`\n${green} of ${results.length} green`);
  return green === results.length ? 0 : 1;
}
