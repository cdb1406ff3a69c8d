import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './project.mjs';

/** Of a long output only the end is kept, and somebody has to read it there. */
const MOST_LINES = 40;
const ERROR_LINES = 4;
const LINE_LENGTH = 180;

/** @typedef {'test' | 'full'} RunName `npm test` or `npm run test:full`. */

/**
 * A test that failed.
 * @typedef {object} Failure
 * @property {string} title
 * @property {string} file From the root, with the line where it is known; empty where there is none.
 * @property {string[]} error The first lines that say something.
 */

/** @typedef {Failure & { suite: string }} SuiteFailure */

/** @param {string} line */
const short = (line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH - 1)}…` : line);

/**
 * First lines of an error that say something, without colours and without the calls that led there.
 * @param {string | null | undefined} text
 */
function firstLines(text) {
  const lines = stripVTControlCharacters(text ?? '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('at '));
}

/** @param {string | undefined} path */
const fileOf = (path) => relative(ROOT, path ?? '');

/**
 * @param {import('vitest/node').JsonTestResults} report What vitest's `json` reporter wrote. A file that could not be run at
 *   all counts as one failure.
 * @returns {Failure[]}
 */
export function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed')
      return [{ title: 'the whole file', file: fileOf(name), error: firstLines(message) }];
    return failed.map(({ fullName, failureMessages }) => ({
      title: fullName,
      file: fileOf(name),
      error: firstLines(failureMessages?.[0]),
    }));
  });
}

/**
 * @param {import('@playwright/test/reporter').JSONReport} report What Playwright's `json` reporter wrote. Errors outside any
 *   test come last.
 * @returns {Failure[]}
 */
export function playwrightFailures({ suites, errors = [] }) {
  /** @type {Failure[]} */
  const failed = [];
  /**
   * @param {Partial<import('@playwright/test/reporter').JSONReportSuite>} suite
   * @param {readonly string[]} titles Of the suites it is in.
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
 * @template Report
 * @param {string} path
 * @param {(report: Report) => Failure[]} read
 * @returns {Failure[]} Failed tests named in a report that a suite wrote, none where it wrote none.
 */
export const failuresIn = (path, read) => (existsSync(path) ? read(JSON.parse(readFileSync(path, 'utf8'))) : []);

/**
 * @param {string} output
 * @returns The last lines of what a check printed, for one that failed without naming a test.
 */
export const lastLines = (output) => firstLines(output).slice(-ERROR_LINES);

/** A heading of what vitest caught outside any test, and where it says this happened. */
const CAUGHT = /^⎯+ (?!Unhandled Errors )(\S.*?) ⎯+$/;
const ORIGIN = /^This error originated in "(.+?)" test file/;
const LAST_TEST = /^The last test to run before this error was "(.+)"\. This means/;
/** A line of the code that vitest shows, and its rule below the last error. */
const IS_NO_WORD = /^(?:\d+)?\s*\||^\d+$|^⎯+$/;

/**
 * Errors outside any test: a promise that nobody waited for, an event that nobody listened to. vitest fails the run for one,
 * and its report does not mention it.
 * @param {string} output What vitest printed.
 * @returns {Failure[]}
 */
export function unhandledErrors(output) {
  const [, after = ''] = stripVTControlCharacters(output).split('⎯ Unhandled Errors ⎯');
  /** @type {Failure[]} */
  const caught = [];
  for (const line of firstLines(after)) {
    const [, kind] = CAUGHT.exec(line) ?? [];
    const last = caught.at(-1);
    if (kind) caught.push({ title: kind, file: '', error: [] });
    else if (last) {
      const [, file] = ORIGIN.exec(line) ?? [];
      const [, test] = LAST_TEST.exec(line) ?? [];
      if (file) last.file = file;
      else if (test) last.title += ` during or after “${test}”`;
      else if (!last.file && !IS_NO_WORD.test(line)) last.error.push(line);
    }
  }
  return caught;
}

/**
 * Names every failed test in few lines: where there are many, the errors give way first, then the rest is counted.
 * @param {readonly SuiteFailure[]} failures
 * @param {number} most How many lines it may be.
 */
export function failureLines(failures, most = MOST_LINES) {
  /** @param {SuiteFailure} failure @param {number} errorLines */
  const shown = (failure, errorLines) => [
    short(`✗ ${failure.suite}: ${failure.title}`),
    ...(failure.file ? [`    ${failure.file}`] : []),
    ...failure.error.slice(0, errorLines).map((line) => short(`    | ${line}`)),
  ];
  /** @param {SuiteFailure} failure */
  const titleOnly = (failure) => [short(`✗ ${failure.suite}: ${failure.title}  ${failure.file}`)];
  const forms = [ERROR_LINES, 2, 1].map((count) => (/** @type {SuiteFailure} */ failure) => shown(failure, count));
  for (const form of [...forms, titleOnly]) {
    const lines = failures.flatMap(form);
    if (lines.length <= most) return lines;
  }
  const named = failures.slice(0, most - 1).flatMap(titleOnly);
  return [...named, `✗ and ${failures.length - named.length} more, named in test-results/reports`];
}

/**
 * Where the reports of one run lie.
 * @param {RunName} name
 */
export const reportsOf = (name) => join(ROOT, 'test-results/reports', name);
