import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureLines, playwrightFailures, unhandledErrors, vitestFailures } from './lib/test-failures.mjs';

let folder: string;

/** Real failing suites, run by the real runners, which define the format of the reports. */
beforeAll(() => {
  mkdirSync('test-results', { recursive: true });
  folder = mkdtempSync(join('test-results', 'failures-'));
  writeFileSync(
    join(folder, 'two.test.ts'),
    `import { describe, expect, test } from 'vitest';
     test('holds', () => {});
     describe('a visitor', () => { test('is greeted', () => expect('Good day').toBe('Hello')); });`,
  );
  writeFileSync(join(folder, 'broken.test.ts'), `import './not-there.ts';`);
  writeFileSync(join(folder, 'vitest.config.ts'), `export default { test: { include: ['*.test.ts'] } };`);
  writeFileSync(
    join(folder, 'two.spec.ts'),
    `import { expect, test } from '@playwright/test';
     test('holds', () => {});
     test.describe('an editor', () => { test('saves', () => expect(1, 'one page').toBe(2)); });`,
  );
  // Without an output folder Playwright would empty all of `test-results`.
  writeFileSync(
    join(folder, 'playwright.config.ts'),
    `export default { testDir: '.', outputDir: './out', testMatch: '*.spec.ts', projects: [{ name: 'large' }] };`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test runner in the folder and reads its report. */
function reportOf(program: string, args: string[], env: Record<string, string> = {}) {
  const node = [join('node_modules', program), ...args];
  const { status } = spawnSync(process.execPath, node, { env: { ...process.env, ...env }, stdio: 'ignore' });
  expect(status).toBe(1);
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
}

test('a failed unit test is listed with its file and expectation, and so is a file that cannot run', () => {
  const args = ['run', '--root', folder, '--reporter=json', '--outputFile=report.json'];
  const failures = vitestFailures(reportOf('vitest/vitest.mjs', args));
  expect(failures.sort((a, b) => a.file.localeCompare(b.file))).toEqual([
    { title: 'the whole file', file: `${folder}/broken.test.ts`, error: [expect.stringContaining('not-there.ts')] },
    {
      title: 'a visitor is greeted',
      file: `${folder}/two.test.ts`,
      error: expect.arrayContaining([expect.stringContaining("expected 'Good day' to be 'Hello'")]),
    },
  ]);
});

test('an error outside any test is listed with its file and the test before it', () => {
  const root = join(folder, 'unhandled');
  mkdirSync(root);
  writeFileSync(join(root, 'vitest.config.ts'), `export default { test: { include: ['*.test.ts'] } };`);
  writeFileSync(
    join(root, 'two.test.ts'),
    `import { EventEmitter } from 'node:events';
     import { test } from 'vitest';
     const caught = () => new Promise((resolve) => setTimeout(resolve, 100));
     test('a promise', () => { Promise.reject(new Error('let go of')); return caught(); });
     test('an event', () => { setTimeout(() => new EventEmitter().emit('error', new Error('not heard'))); return caught(); });`,
  );
  const runner = [join('node_modules', 'vitest/vitest.mjs'), 'run', '--root', root];
  // Makes vitest print colours.
  const env = { ...process.env, FORCE_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, runner, { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(unhandledErrors(stdout + stderr)).toEqual([
    {
      title: 'Unhandled Rejection during or after “a promise”',
      file: 'two.test.ts',
      error: expect.arrayContaining(['Error: let go of', expect.stringContaining('two.test.ts:4')]),
    },
    {
      title: 'Uncaught Exception during or after “an event”',
      file: 'two.test.ts',
      error: expect.arrayContaining(['Error: not heard', expect.stringContaining('two.test.ts:5')]),
    },
  ]);
  expect(unhandledErrors('nothing of the kind')).toEqual([]);
});

test('a failed journey is listed with its browser, its line and the expectation', () => {
  const failures = playwrightFailures(
    reportOf('@playwright/test/cli.js', ['test', '--config', folder, '--reporter=json'], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: resolve(folder, 'report.json'),
    }),
  );
  expect(failures).toEqual([
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
