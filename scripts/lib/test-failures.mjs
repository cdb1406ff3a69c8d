import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './project.mjs';

/** The report is limited because logs may keep only the end of long output. */
const MAX_LINES = 40;
const MAX_ERROR_LINES = 4;
const MAX_LINE_LENGTH = 180;

/** @typedef {'test' | 'full' | 'release'} RunName `npm test`, `npm run test:full` or `npm run test:release`. */

/**
 * A test that failed.
 * @typedef {object} Failure
 * @property {string} title
 * @property {string} file From the root, with the line if it is known, or empty.
 * @property {string[]} error The first lines with content.
 */

/** @typedef {Failure & { suite: string }} SuiteFailure */

/** @param {string} line */
const shorten = (line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH - 1)}…` : line);

/**
 * First lines of an error with content, without colours and stack trace.
 * @param {string | null | undefined} text
 */
function firstLines(text) {
  const lines = stripVTControlCharacters(text ?? '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('at '));
}

/** @param {string | undefined} path */
const pathFromRoot = (path) => relative(ROOT, path ?? '');

/**
 * @param {import('vitest/node').JsonTestResults} report Output of vitest's `json` reporter. A file that could not run
 *   counts as one failure.
 * @returns {Failure[]}
 */
export function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed')
      return [{ title: 'the whole file', file: pathFromRoot(name), error: firstLines(message) }];
    return failed.map(({ fullName, failureMessages }) => ({
      title: fullName,
      file: pathFromRoot(name),
      error: firstLines(failureMessages?.[0]),
    }));
  });
}

/**
 * @param {import('@playwright/test/reporter').JSONReport} report Output of Playwright's `json` reporter. Errors outside any
 *   test come last.
 * @returns {Failure[]}
 */
export function playwrightFailures({ suites, errors = [] }) {
  /** @type {Failure[]} */
  const failed = [];
  /**
   * @param {Partial<import('@playwright/test/reporter').JSONReportSuite>} suite
   * @param {readonly string[]} titles Titles of the suites around it.
   */
  const walk = ({ suites = [], specs = [] }, titles) => {
    for (const { title, file, line, tests } of specs)
      for (const { projectName, status, results } of tests)
        if (status === 'unexpected' || status === 'flaky')
          failed.push({
            title: [`[${projectName}]`, ...titles, title].join(' '),
            file: `${file}:${line}`,
            error: firstLines(results.find(({ error }) => error)?.error?.message),
          });
    for (const suite of suites) walk(suite, [...titles, suite.title]);
  };
  for (const suite of suites) walk(suite, []);
  return [
    ...failed,
    ...errors.map(({ message }) => ({ title: 'outside any test', file: '', error: firstLines(message) })),
  ];
}

/**
 * @param {string} output
 * @returns The last lines of a check's output, for a failure without a test name.
 */
export const lastOutputLines = (output) => firstLines(output).slice(-MAX_ERROR_LINES);

/** An error that vitest caught outside any test: its kind, its first line, its place, and the sentences that name the test. */
const UNHANDLED_ERROR =
  /^⎯+ (Un\w+ (?!Errors )\S+) ⎯+\n(.*)(?:(?:\n(?!⎯| ❯).*)*\n ❯ (.*))?(?:(?:\n(?!⎯).*)*?\nThis error originated in "(.+?)" test file(?:.*\nThe last test to run before this error was "(.+)"\. This means)?)?/gm;

/**
 * Lists errors outside any test: an unhandled rejection or error event. vitest fails the run for one, but does not list
 * it in its report.
 * @param {string} output What vitest printed.
 * @returns {Failure[]}
 */
export const findUnhandledErrors = (output) =>
  [...stripVTControlCharacters(output).matchAll(UNHANDLED_ERROR)].map(
    ([, kind, error = '', place, file = '', test]) => ({
      title: test ? `${kind} during or after “${test}”` : `${kind}`,
      file,
      error: place ? [error, place] : [error],
    }),
  );

/**
 * Lists every failed test within the limit: first without error details, then only the number of the rest.
 * @param {readonly SuiteFailure[]} failures
 * @param {number} maxLines Maximum number of lines.
 */
export function failureLines(failures, maxLines = MAX_LINES) {
  /** @param {SuiteFailure} failure @param {number} errorLines */
  const formatFailure = (failure, errorLines) => [
    shorten(`✗ ${failure.suite}: ${failure.title}`),
    ...(failure.file ? [`    ${failure.file}`] : []),
    ...failure.error.slice(0, errorLines).map((line) => shorten(`    | ${line}`)),
  ];
  /** @param {SuiteFailure} failure */
  const titleOnly = (failure) => [shorten(`✗ ${failure.suite}: ${failure.title}  ${failure.file}`)];
  const formats = [MAX_ERROR_LINES, 2, 1].map(
    (count) => (/** @type {SuiteFailure} */ failure) => formatFailure(failure, count),
  );
  for (const format of [...formats, titleOnly]) {
    const lines = failures.flatMap(format);
    if (lines.length <= maxLines) return lines;
  }
  const titles = failures.slice(0, maxLines - 1).flatMap(titleOnly);
  return [...titles, `✗ and ${failures.length - titles.length} more, named in test-results/reports`];
}

/**
 * Folder of the reports of one run.
 * @param {RunName} name
 */
export const reportsFolder = (name) => join(ROOT, 'test-results/reports', name);
