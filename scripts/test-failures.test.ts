import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureLines, findUnhandledErrors, playwrightFailures, vitestFailures } from './lib/test-failures.mjs';

/** A folder with failing suites, run by the real runners, which define the format of the reports. */
let folder: string;

const SUITES = {
  'two.test.ts': `import { describe, expect, test } from 'vitest';
     test('holds', () => {});
     describe('a visitor', () => { test('is greeted', () => expect('Good day').toBe('Hello')); });`,
  'broken.test.ts': `import './not-there.ts';`,
  'unhandled.test.ts': `import { EventEmitter } from 'node:events';
     import { test } from 'vitest';
     const caught = () => new Promise((resolve) => setTimeout(resolve, 100));
     test('a promise', () => { Promise.reject(new Error('let go of')); return caught(); });
     test('an event', () => { setTimeout(() => new EventEmitter().emit('error', new Error('not heard'))); return caught(); });`,
  'vitest.config.ts': `export default { test: { include: ['*.test.ts'] } };`,
  'two.spec.ts': `import { expect, test } from '@playwright/test';
     test('holds', () => {});
     test.describe('an editor', () => { test('saves', () => expect(1, 'one page').toBe(2)); });`,
  // Without an output folder Playwright would empty all of `test-results`.
  'playwright.config.ts': `export default { testDir: '.', outputDir: './out', testMatch: '*.spec.ts', projects: [{ name: 'large' }] };`,
};

beforeAll(() => {
  mkdirSync('test-results', { recursive: true });
  folder = mkdtempSync(join('test-results', 'failures-'));
  for (const [name, text] of Object.entries(SUITES)) writeFileSync(join(folder, name), text);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test runner in the folder. @returns Its report and its output. */
function run(program: string, args: string[], more: Record<string, string> = {}) {
  // Compiled files in `.cache` would look like files of a server that a parallel test starts.
  const env = { ...process.env, PWTEST_CACHE_DIR: join(folder, 'compiled'), ...more };
  const node = [join('node_modules', program), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { env, encoding: 'utf8' });
  expect(status).toBe(1);
  return { report: JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')), output: stdout + stderr };
}

test('failed unit tests, files that cannot run and errors outside any test are listed with file and cause', () => {
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=report.json'];
  // Makes vitest print colours.
  const { report, output } = run('vitest/vitest.mjs', ['run', '--root', folder, ...reporters], { FORCE_COLOR: '1' });
  expect(vitestFailures(report).sort((a, b) => a.file.localeCompare(b.file))).toEqual([
    { title: 'the whole file', file: `${folder}/broken.test.ts`, error: [expect.stringContaining('not-there.ts')] },
    {
      title: 'a visitor is greeted',
      file: `${folder}/two.test.ts`,
      error: expect.arrayContaining([expect.stringContaining("expected 'Good day' to be 'Hello'")]),
    },
  ]);
  expect(findUnhandledErrors(output)).toEqual([
    {
      title: 'Unhandled Rejection during or after “a promise”',
      file: 'unhandled.test.ts',
      error: ['Error: let go of', expect.stringContaining('unhandled.test.ts:4')],
    },
    {
      title: 'Uncaught Exception during or after “an event”',
      file: 'unhandled.test.ts',
      error: ['Error: not heard', expect.stringContaining('unhandled.test.ts:5')],
    },
  ]);
  expect(findUnhandledErrors('nothing of the kind')).toEqual([]);
});

test('a failed journey is listed with its browser, its line and the expectation', () => {
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: resolve(folder, 'report.json') };
  const { report } = run('@playwright/test/cli.js', ['test', '--config', folder, '--reporter=json'], env);
  expect(playwrightFailures(report)).toEqual([
    {
      title: '[large] an editor saves',
      file: 'two.spec.ts:3',
      error: expect.arrayContaining(['Error: one page', 'Expected: 2', 'Received: 1']),
    },
  ]);
});

test('forty lines list any number of failures', () => {
  const failed = (count: number) =>
    Array.from({ length: count }, (_, number) => ({
      suite: 'unit',
      title: `test ${number}`,
      file: 'packages/server/src/app.test.ts',
      error: ['one', 'two', 'three', 'four', 'five'],
    }));
  expect(failureLines([])).toEqual([]);
  expect(failureLines(failed(2))).toEqual([
    ...['✗ unit: test 0', '    packages/server/src/app.test.ts', '    | one', '    | two', '    | three', '    | four'],
    ...['✗ unit: test 1', '    packages/server/src/app.test.ts', '    | one', '    | two', '    | three', '    | four'],
  ]);
  for (const count of [7, 12, 30, 40, 500]) {
    const lines = failureLines(failed(count));
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.includes('test ')).length).toBe(Math.min(count, count > 40 ? 39 : count));
  }
  expect(failureLines(failed(500)).at(-1)).toContain('and 461 more');
});
