import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failureLines, reportsFolder } from './test-failures.mjs';

/** @typedef {import('./test-failures.mjs').RunName} RunName */

/**
 * Numbers of passed, failed and skipped tests of a suite or a run.
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** @typedef {Counts & { seconds: number }} TimedCounts */

/** @typedef {TimedCounts & { name: string, failures: import('./test-failures.mjs').SuiteFailure[] }} Result */

/** The runs and their commands. */
export const RUNS = { test: 'npm test', full: 'npm run test:full', release: 'npm run test:release' };

/**
 * File with the counts of a run, for the summary of both.
 * @param {RunName} run
 */
export const totalsPath = (run) => join(reportsFolder(run), 'total.json');

/**
 * A suite's line in the summary.
 * @param {TimedCounts & { name: string }} result
 */
export const formatRow = ({ name, passed, failed, skipped, seconds }) =>
  `  ${name.padEnd(18)} ${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${String(skipped).padStart(3)} skipped  ${seconds.toFixed(0).padStart(5)} s`;

/**
 * Adds the counts of several suites or runs.
 * @param {readonly TimedCounts[]} results
 * @returns {TimedCounts}
 */
export function addCounts(results) {
  const sum = { passed: 0, failed: 0, skipped: 0, seconds: 0 };
  for (const result of results) {
    sum.passed += result.passed;
    sum.failed += result.failed;
    sum.skipped += result.skipped;
    sum.seconds += result.seconds;
  }
  return sum;
}

/**
 * Counts of a run. A run without a file ended early and counts as failed.
 * @param {RunName} run
 * @returns {Result}
 */
const readTotals = (run) =>
  existsSync(totalsPath(run))
    ? JSON.parse(readFileSync(totalsPath(run), 'utf8'))
    : {
        name: RUNS[run],
        passed: 0,
        failed: 1,
        skipped: 0,
        seconds: 0,
        failures: [{ suite: RUNS[run], title: 'ended before it reported', file: '', error: [] }],
      };

/** Failures of both runs by name, then both runs, and their total on the last line. */
function formatSummary() {
  const totals = [readTotals('test'), readTotals('full')];
  const { passed, failed, skipped } = addCounts(totals);
  const named = failureLines(totals.flatMap(({ failures }) => failures));
  return [...named, ...totals.map(formatRow), `${passed} passed, ${failed} failed, ${skipped} skipped`].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(formatSummary());
