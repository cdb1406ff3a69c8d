import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildForTests } from './lib/build.mjs';
import { createRunFolder, removeLeftovers } from './lib/leftovers.mjs';
import { ensurePhp } from './lib/php.mjs';
import { ensureBrowsers, ensureContainerTools, ensurePrograms, ensureWebServers } from './lib/programs.mjs';
import { ROOT, Stop } from './lib/project.mjs';
import { END_SIGNALS, tee, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';
import {
  failureLines,
  findUnhandledErrors,
  lastOutputLines,
  playwrightFailures,
  reportsFolder,
  vitestFailures,
} from './lib/test-failures.mjs';
import { addCounts, formatRow, RUNS, totalsPath } from './lib/test-totals.mjs';
import { ensurePostgres } from './postgres.mjs';

/** @typedef {import('./lib/test-failures.mjs').Failure} Failure */
/** @typedef {import('./lib/test-failures.mjs').RunName} RunName */
/** @typedef {import('./lib/test-totals.mjs').Counts} Counts */
/** @typedef {import('./lib/test-totals.mjs').Result} Result */
/** @typedef {{ env?: NodeJS.ProcessEnv, quiet?: boolean, cwd?: string }} SuiteOptions `quiet`: see `tee`. */

/**
 * Counts and failed tests of a suite's report.
 * @typedef {Counts & { failures: Failure[] }} Outcome
 */

/** Without a report. @type {Outcome} */
const EMPTY_OUTCOME = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** @param {import('vitest/node').JsonTestResults} report @returns {Outcome} */
function vitestOutcome(report) {
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
  return { passed, failed, skipped, failures: vitestFailures(report) };
}

/**
 * Tests are not retried, so `flaky` is always 0. With retries enabled it would count as failed.
 * @param {import('@playwright/test/reporter').JSONReport} report
 * @returns {Outcome}
 */
function playwrightOutcome(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky, skipped, failures: playwrightFailures(report) };
}

/** Whether this process has received a signal to end, which the running suites get too. No other suite starts then. */
let isInterrupted = false;

/** Folder of the suites' temporary files. Installers use the system's. @type {NodeJS.ProcessEnv} */
const sharedEnv = {
  // Playwright would otherwise store compiled files in the run's folder.
  PWTEST_CACHE_DIR: join(ROOT, '.cache/playwright'),
};

/** @param {RunName} run @param {string} node Path of the Node to run the suites under. */
const createRunners = (run, node) => {
  /** @param {string} name */
  const reportPath = (name) => join(reportsFolder(run), `${name}.json`);

  /**
   * Runs one suite and prints its output.
   * @template Report
   * @param {string} name
   * @param {(report: Report) => Outcome} toOutcome
   * @param {readonly string[]} args
   * @param {SuiteOptions} options
   * @returns {Promise<Result>}
   */
  async function runSuite(name, toOutcome, args, { env = {}, quiet = false, cwd = ROOT } = {}) {
    if (!quiet) console.log(`\n— ${name}`);
    const start = performance.now();
    const { code, output } = await tee(node, args, { quiet, cwd, env: withNode(node, { ...sharedEnv, ...env }) });
    if (isInterrupted) throw new Stop('The run was interrupted.', 130);
    const report = reportPath(name);
    const outcome = existsSync(report) ? toOutcome(JSON.parse(readFileSync(report, 'utf8'))) : EMPTY_OUTCOME;
    const failures = [...outcome.failures, ...(code ? findUnhandledErrors(output) : [])];
    // A suite that fails without a failed test is listed with its last lines.
    if (code && failures.length === 0) failures.push({ title: 'failed', file: '', error: lastOutputLines(output) });
    return {
      ...outcome,
      name,
      seconds: (performance.now() - start) / 1000,
      failed: outcome.failed || (code ? 1 : 0),
      failures: failures.map((failure) => ({ suite: name, ...failure })),
    };
  }

  return {
    /**
     * Runs a check that is not a test runner: it passes or fails.
     * @param {string} name @param {readonly string[]} args @param {SuiteOptions} [options]
     */
    async runCheck(name, args, options) {
      const result = await runSuite(name, () => EMPTY_OUTCOME, args, options);
      return { ...result, passed: result.failed ? 0 : 1 };
    },
    /** @param {string} name @param {readonly string[]} args @param {SuiteOptions} [options] */
    runVitest(name, args, options) {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath(name)}`];
      return runSuite(name, vitestOutcome, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], options);
    },
    /**
     * @param {string} name
     * @param {'lean' | 'rest' | 'complete'} part See `playwright.config.ts`.
     * @param {readonly string[]} [args] Projects and folders. Default: all.
     */
    runJourneys(name, part, args = []) {
      const env = { JOURNEYS: part, PLAYWRIGHT_JSON_OUTPUT_NAME: reportPath(name) };
      const command = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=line,json', ...args];
      return runSuite(name, playwrightOutcome, command, { env });
    },
  };
};

/**
 * Tests that only `npm run test:full` runs, because quicker tests cover the essentials. Kills take minutes. Restarts
 * behind nginx and floods to a limit have shorter tests, copies for other addresses unit tests. Every screen that reports
 * a change is covered by a journey that edits a page. The entries for the key, the findings of the doctor and the starts
 * of the runner are further cases of `keys`, `content` and the journeys. A journey follows redirects.
 */
const LONG_FAULTS = ['container', 'deploy', 'destinations', 'sign-ups-kills', 'floods', 'uploads'].map(
  (name) => `tests/faults/${name}.test.ts`,
);
const LONG_CONTRACT = [
  ...['changes', 'doctor', 'key-walk', 'layouts', 'push', 'redirects', 'rights', 'runner', 'troubles'],
].map((name) => `tests/contract/${name}.test.ts`);
/** Tag of the WebKit tests that `npm test` runs. */
const ESSENTIAL = '@essential';
/** @param {readonly string[]} files */
const excludeArgs = (files) => files.flatMap((file) => ['--exclude', file]);

/**
 * Runs suites one after another, in parallel with others.
 * @param {readonly (() => Promise<Result>)[]} suites
 */
async function runInTurn(...suites) {
  const results = [];
  for (const start of suites) results.push(await start());
  return results;
}

/**
 * Suites of `npm test`, with those first that fail soonest.
 * @param {string} node
 */
async function runLeanSuites(node) {
  const { runCheck, runVitest, runJourneys } = createRunners('test', node);
  const results = [
    // Types, lint, unused code and generated sections, as in `npm run check`.
    await runCheck('check', ['scripts/launch.mjs', 'check']),
  ];
  await buildForTests(node);
  const quiet = { quiet: true };
  const contract = ['--project', 'contract', ...excludeArgs(LONG_CONTRACT)];
  // Contract and fault tests wait half of their time for PHP and servers. Unit tests use the rest. The contract has two
  // parts, each with its WordPress: in one part it would take longest and leave a core idle.
  results.push(
    ...(await Promise.all([
      runVitest('unit', ['--project', 'unit', '--project', 'served'], quiet),
      runVitest('contract 1', [...contract, '--shard=1/2'], quiet),
      runVitest('contract 2', [...contract, '--shard=2/2'], quiet),
      runVitest('faults', ['--project', 'faults', ...excludeArgs(LONG_FAULTS)], quiet),
    ])),
  );
  await step('browsers', ensureBrowsers);
  const [journeyResults, otherResults] = await Promise.all([
    runJourneys('journeys', 'lean'),
    runInTurn(
      () => runCheck('budgets', ['bench/budgets.mjs'], quiet),
      () => runVitest('webkit', ['--project', 'webkit', '-t', ESSENTIAL], quiet),
    ),
  ]);
  results.push(journeyResults, ...otherResults);
  return results;
}

const CHROMIUM = ['--project=chromium', '--project=phone'];
const FIREFOX = ['--project=firefox', '--project=firefox-timelines'];

/**
 * Suites of `npm run test:full`: those that `npm test` omits, without those of `npm run test:release`.
 * @param {string} node
 */
async function runFullSuites(node) {
  const { runCheck, runVitest, runJourneys } = createRunners('full', node);
  await buildForTests(node);
  const quiet = { quiet: true };
  await step('web servers', ensureWebServers);
  await step('containers', ensureContainerTools);
  // Each waits half of its time for PHP and servers.
  const results = (
    await Promise.all([
      runVitest('contract 1', ['--project', 'contract', ...LONG_CONTRACT, '--shard=1/2'], quiet),
      runInTurn(
        () => runVitest('contract 2', ['--project', 'contract', ...LONG_CONTRACT, '--shard=2/2'], quiet),
        () => runVitest('hosts', ['--project', 'hosts'], quiet),
      ),
      runVitest('faults', ['--project', 'faults', ...LONG_FAULTS], quiet),
    ])
  ).flat();
  await step('browsers', ensureBrowsers);
  const frond = join(ROOT, 'sites/frond');
  const [journeyResults, otherResults] = await Promise.all([
    runInTurn(
      () => runJourneys('journeys', 'rest', [...CHROMIUM, 'tests/journeys']),
      () => runJourneys('complete Chromium', 'complete', [...CHROMIUM, 'tests/journeys']),
    ),
    runInTurn(
      // As a brand tests its site.
      () => runCheck('second site', [join(ROOT, 'packages/site-tests/src/pillion-test.mjs')], { ...quiet, cwd: frond }),
      () => runVitest('webkit', ['--project', 'webkit', '-t', `^(?!.*${ESSENTIAL})`], quiet),
    ),
  ]);
  results.push(...journeyResults, ...otherResults);
  return results;
}

/**
 * Suites of `npm run test:release`: Firefox in full, and the tests of the demo. With them CI would take more than an hour.
 * @param {string} node
 */
async function runReleaseSuites(node) {
  const { runJourneys } = createRunners('release', node);
  await buildForTests(node);
  await step('browsers', ensureBrowsers);
  return [
    await runJourneys('firefox', 'rest', FIREFOX),
    await runJourneys('demo', 'complete', [...CHROMIUM, 'site/tests']),
  ];
}

const SUITES = { test: runLeanSuites, full: runFullSuites, release: runReleaseSuites };

/**
 * @param {string} node Path of the Node to run them under.
 * @param {RunName} run
 * @returns The exit code.
 */
export async function runTests(node, run) {
  const start = performance.now();
  rmSync(reportsFolder(run), { recursive: true, force: true });
  mkdirSync(reportsFolder(run), { recursive: true });
  // Before the check, which needs PHP for the plugin.
  await step('php', ensurePhp);
  await step('postgresql', ensurePostgres);
  await step('nginx', ensurePrograms);
  const folder = createRunFolder();
  sharedEnv.TMPDIR = folder;
  for (const signal of END_SIGNALS)
    process.on(signal, () => {
      isInterrupted = true;
    });
  /** @type {Result[]} */
  let results = [];
  /** @type {string[]} */
  let leftovers = [];
  try {
    results = await SUITES[run](node);
  } finally {
    leftovers = await removeLeftovers(folder);
  }
  console.log('');
  for (const result of results) console.log(formatRow(result));
  // Suites run in parallel, so the run takes less than their sum.
  const totals = { ...addCounts(results), seconds: (performance.now() - start) / 1000 };
  const failures = results.flatMap((result) => result.failures);
  writeFileSync(totalsPath(run), JSON.stringify({ name: RUNS[run], ...totals, failures }));
  for (const line of leftovers) console.log(`  left behind by the run: ${line}`);
  for (const line of failureLines(failures)) console.log(line);
  console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return totals.failed ? 1 : 0;
}
