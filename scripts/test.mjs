import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowsers } from './lib/browsers.mjs';
import { ensureBuild } from './lib/build.mjs';
import { ROOT } from './lib/project.mjs';
import { run, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';
import { ensurePostgres } from './postgres.mjs';

const REPORTS = join(ROOT, 'test-results/reports');

/** Counts of one suite, read from the report it wrote. */
function vitestCounts(report) {
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
}

/** What passed at another try counts as passed, and is named and counted apart. */
function playwrightCounts({ stats }) {
  const { expected, unexpected, flaky, skipped } = stats;
  return { passed: expected + flaky, failed: unexpected, skipped, again: flaky };
}

function countsOf(name, read) {
  const path = join(REPORTS, `${name}.json`);
  return existsSync(path) ? read(JSON.parse(readFileSync(path, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 };
}

async function suite(name, read, command, args, env = {}) {
  console.log(`\n— ${name}`);
  const start = performance.now();
  const code = await run(command, args, { env: withNode(command, env) });
  return { name, code, seconds: (performance.now() - start) / 1000, ...countsOf(name, read) };
}

const vitest = (node, project) =>
  suite(project, vitestCounts, node, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(REPORTS, `${project}.json`)}`,
  ]);

const playwright = (node, name, ...args) =>
  suite(
    name,
    playwrightCounts,
    node,
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter=line,json', ...args],
    {
      PLAYWRIGHT_JSON_OUTPUT_NAME: join(REPORTS, `${name}.json`),
    },
  );

/** A check that is no test runner: it passes or it does not. */
async function gate(name, node, args) {
  console.log(`\n— ${name}`);
  const start = performance.now();
  const code = await run(node, args, { env: withNode(node) });
  return {
    name,
    code,
    seconds: (performance.now() - start) / 1000,
    passed: code ? 0 : 1,
    failed: code ? 1 : 0,
    skipped: 0,
  };
}

const failedIn = ({ code, failed }) => failed || (code ? 1 : 0);

/** Everything, in the order that fails soonest. @returns The exit code. */
export async function runAll(node) {
  rmSync(REPORTS, { recursive: true, force: true });
  await step('postgresql', ensurePostgres);
  const results = [
    await gate('types', node, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.']),
    await gate('lint', node, ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
    await vitest(node, 'unit'),
  ];
  await step('build', () => ensureBuild(node));
  results.push(await vitest(node, 'contract'), await vitest(node, 'faults'));
  await step('browsers', ensureBrowsers);
  results.push(
    await gate('budgets', node, ['bench/budgets.mjs']),
    // Two browsers on two cores: what passes at another try is named in the counts, what is broken fails each time.
    await playwright(node, 'journeys', '--grep-invert', '@alone', '--retries=2'),
  );
  // What measures time has the machine to itself, and three tries: a stranger's load can spoil a figure, not make one.
  results.push(await playwright(node, 'measured', '--grep', '@alone', '--workers=1', '--retries=2'));
  return report(results);
}

function report(results) {
  const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
  console.log('');
  for (const { name, passed, skipped, seconds, again, ...rest } of results)
    console.log(
      `  ${name.padEnd(10)} ${String(passed).padStart(4)} passed ${String(failedIn({ ...rest })).padStart(3)} failed ${String(skipped).padStart(3)} skipped  ${seconds.toFixed(0).padStart(4)} s${again ? `  (${again} at another try)` : ''}`,
    );
  const failed = sum(failedIn);
  console.log(`\n${sum((r) => r.passed)} passed, ${failed} failed, ${sum((r) => r.skipped)} skipped`);
  return failed ? 1 : 0;
}
