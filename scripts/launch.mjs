// The one door to every command, in plain JavaScript that runs on Node 20: where the machine's Node is too old, the
// rest runs under a private one that npm fetches (see lib/node.mjs).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './lib/build.mjs';
import { ensureNode, needsPrivateNode } from './lib/node.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { explain, ROOT, Stop } from './lib/project.mjs';
import { run, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';

/** Node and packages: what every command needs. @returns Path of the Node to use. */
async function prepare({ quiet = false } = {}) {
  let node = process.execPath;
  const show = quiet ? (_name, work) => work() : step;
  if (needsPrivateNode())
    await show('node', async () => {
      node = await ensureNode();
      return 'private Node 24';
    });
  await show('packages', () => ensurePackages(node));
  return node;
}

const tool = (node, file, args, env = {}) => run(node, [join(ROOT, file), ...args], { env: withNode(node, env) });
const bin = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/@playwright/test/cli.js',
};

async function serve(node, env = {}) {
  const start = performance.now();
  return run(node, [join(ROOT, 'build/server/main.js')], {
    env: withNode(node, { NODE_ENV: 'production', ...env }),
    onMessage: ({ address }) => {
      console.log(
        `  server       started                                  ${((performance.now() - start) / 1000).toFixed(1)} s`,
      );
      console.log(`\n  ${address}\n`);
    },
  });
}

async function buildFirst() {
  const node = await prepare();
  await step('build', () => ensureBuild(node));
  return node;
}

async function check(node) {
  const types = await tool(node, bin.tsc, ['--noEmit', '-p', '.']);
  const lint = await tool(node, bin.biome, ['check', '.']);
  return types || lint;
}

/** Each command returns the exit code. */
const COMMANDS = {
  async start() {
    console.log('Pillion');
    return serve(await buildFirst());
  },
  async dev() {
    const node = await prepare();
    return tool(node, 'scripts/dev.mjs', [], { NODE_ENV: 'development' });
  },
  async build() {
    await buildFirst();
    return 0;
  },
  async wordpress(args) {
    const { main } = await import('./wordpress.mjs');
    return main(args);
  },
  async 'start:wordpress'(args) {
    const { startBoth } = await import('./start-wordpress.mjs');
    return startBoth(await buildFirst(), args);
  },
  'content:pull': async (args) => tool(await prepare({ quiet: true }), 'scripts/content-pull.mjs', args),
  async assets(args) {
    const node = await prepare({ quiet: true });
    await step('packages', () => ensurePackages(node, join(ROOT, 'assets')));
    // The stills are drawn by the built site.
    if (args.length === 0 || args.some((name) => ['all', 'stills'].includes(name)))
      await step('build', () => ensureBuild(node));
    return tool(node, 'assets/build.mjs', args);
  },
  'sign-ups': async (args) => tool(await prepare({ quiet: true }), 'scripts/sign-ups.mjs', args),
  check: async () => check(await prepare({ quiet: true })),
  format: async () => tool(await prepare({ quiet: true }), bin.biome, ['check', '--write', '.']),
  'test:unit': async (args) => tool(await prepare({ quiet: true }), bin.vitest, ['run', '--project', 'unit', ...args]),
  'test:contract': async (args) => tool(await buildFirst(), bin.vitest, ['run', '--project', 'contract', ...args]),
  async 'test:oldest'(args) {
    const { runOldest } = await import('./test-oldest.mjs');
    return runOldest(await prepare(), args);
  },
  // Hundreds of kills and ten thousand sign-ups take half an hour; `npm test` runs the short form.
  'test:faults': async (args) =>
    tool(await buildFirst(), bin.vitest, ['run', '--project', 'faults', ...args], { FAULTS: 'full' }),
  async 'test:e2e'(args) {
    const { ensureBrowsers } = await import('./lib/browsers.mjs');
    await step('browsers', ensureBrowsers);
    return tool(await buildFirst(), bin.playwright, ['test', ...args]);
  },
  async test() {
    const { runAll } = await import('./test.mjs');
    return runAll(await prepare());
  },
  async bench([what, ...args]) {
    const node = await buildFirst();
    if (what === 'sign-ups') return tool(node, 'bench/sign-ups.mjs', args);
    if (what !== 'lighthouse') return tool(node, 'bench/bench.mjs', [what, ...args].filter(Boolean));
    await step('packages', () => ensurePackages(node, join(ROOT, 'bench/lighthouse')));
    return tool(node, 'bench/lighthouse/lighthouse.mjs', args);
  },
};

/** How soon npm's end is noticed, in milliseconds. */
const NPM_WATCH_MS = 500;

/**
 * A supervisor may end npm alone. npm passes the signal to the shell between us, and that ends without a word; whoever
 * is orphaned so ends as if it had got the signal itself.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, NPM_WATCH_MS).unref();
}

async function main([name, ...args]) {
  const known = Object.keys(COMMANDS);
  if (!known.includes(name)) throw new Stop(`There is no command "${name ?? ''}": use one of ${known.join(', ')}.`);
  if (!existsSync(join(ROOT, 'package-lock.json')))
    throw new Stop('package-lock.json is missing: clone the project anew.');
  endWithNpm();
  return COMMANDS[name](args);
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (cause) => {
    const error = explain(cause);
    console.error(error instanceof Stop ? `\n${error.message}` : error);
    process.exit(error.exitCode ?? 1);
  },
);
