// Runs every command, in plain JavaScript for Node 20. If the machine's Node is too old, the rest runs with a private
// one that npm fetches (see lib/node.mjs).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildForTests, ensureBuild, writeSections } from './lib/build.mjs';
import { ensureNode, needsPrivateNode } from './lib/node.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { explainError, ROOT, Stop } from './lib/project.mjs';
import { capture, run, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';

/**
 * Shows a step of the preparation, or runs it silently.
 * @typedef {(name: string, work: () => Promise<string>) => Promise<unknown>} ShowStep
 */

/**
 * Prepares Node and packages, which most commands need.
 * @returns Path of the Node to use, fetched if the machine's is too old.
 */
async function prepare({ quiet = false } = {}) {
  /** @type {ShowStep} */
  const showStep = quiet ? (_name, work) => work() : step;
  let node = process.execPath;
  if (needsPrivateNode())
    await showStep('node', async () => {
      node = await ensureNode();
      return 'private Node 24';
    });
  await showStep('packages', () => ensurePackages(node));
  return node;
}

/**
 * Runs a program of the project or of a package, with its output visible.
 * @param {string} node Path of the Node to run it under.
 * @param {string} file From the root.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns Its exit code.
 */
const runNode = (node, file, args, env = {}) => run(node, [join(ROOT, file), ...args], { env: withNode(node, env) });
/** The program of `sign-ups` and `doctor`. */
const COMMANDS_OF_SITE = 'packages/server/src/commands/run.ts';
const bin = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  knip: 'node_modules/knip/bin/knip.js',
  playwright: 'node_modules/@playwright/test/cli.js',
};

/** @param {string} node */
async function startServer(node) {
  const start = performance.now();
  // The packages may have been installed only now.
  const { siteFlags } = await import('@pillion/server/bin/site-flags.mjs');
  return run(node, [...siteFlags(), join(ROOT, 'build/server/main.js')], {
    env: withNode(node, { NODE_ENV: 'production' }),
    onAddress: (address) => {
      console.log(
        `  server       started                                  ${((performance.now() - start) / 1000).toFixed(1)} s`,
      );
      console.log(`\n  ${address}\n`);
    },
  });
}

/** Prepares the build of the site. @returns Path of the Node to use. */
async function prepareBuild() {
  const node = await prepare();
  await step('build', () => ensureBuild(node));
  return node;
}

/** Prepares the builds that tests use. @returns Path of the Node to use. */
async function prepareTestBuild() {
  const node = await prepare();
  await buildForTests(node);
  return node;
}

/** @param {import('./lib/test-failures.mjs').RunName} name */
async function runSuites(name) {
  const { runTests } = await import('./test.mjs');
  return runTests(await prepare(), name);
}

const PHP_CHECK = 'PHP of the plugin';

/** The checks of `npm run check`. Each prints nothing if it finds nothing. */
const CHECKS = {
  types: [bin.tsc, '--noEmit', '-p', '.'],
  'types of the scripts': [bin.tsc, '--noEmit', '-p', 'scripts'],
  'types of the plugin’s scripts': [bin.tsc, '--noEmit', '-p', 'plugins'],
  'style and lint': [bin.biome, 'check', '.'],
  [PHP_CHECK]: ['scripts/php-check.mjs'],
  wording: ['scripts/wording.mjs'],
  'declarations of sections': ['scripts/sections.mjs', '--check'],
  'unused code': [bin.knip, '--no-progress', '--no-config-hints'],
};

/**
 * Runs all checks in parallel, since most use one core, and prints the output of each in one piece.
 * @param {string} node
 * @returns The exit code.
 */
async function runChecks(node) {
  const exitCodes = Object.entries(CHECKS).map(async ([name, [file = '', ...args]]) => {
    const { code, output } = await capture(node, [join(ROOT, file), ...args], { env: withNode(node) });
    if (code !== 0) console.error(`\n— ${name}\n\n${output.trim()}`);
    // Without PHP this check prints that it was skipped.
    else if (name === PHP_CHECK) process.stdout.write(output);
    return code;
  });
  return Math.max(...(await Promise.all(exitCodes)));
}

/** Benches that can run alone, and their files. The full run excludes `scene`, which takes minutes. */
const BENCHES = new Map([
  ['ready', 'ready.mjs'],
  ['routes', 'many-routes.mjs'],
  ['sign-ups', 'sign-ups.mjs'],
  ['scene', 'scene.mjs'],
]);

/**
 * Each command gets the arguments after its name and returns the exit code.
 * @type {Readonly<Record<string, (args: string[]) => Promise<number>>>}
 */
const COMMANDS = {
  /** Creates a site. Paths are from the folder in which the command was typed. */
  async new(args) {
    const node = await prepare();
    const code = await run(node, [join(ROOT, 'packages/create-pillion/src/create-pillion.mjs'), ...args], {
      cwd: process.env.INIT_CWD ?? process.cwd(),
      env: withNode(node),
    });
    if (code === 0 && needsPrivateNode())
      console.log(
        `  The site needs Node 22.22 or newer. Yours is ${process.versions.node}: install a newer one first.\n`,
      );
    return code;
  },
  async start() {
    console.log('Pillion');
    return startServer(await prepareBuild());
  },
  async dev() {
    const node = await prepare();
    await writeSections(node);
    return runNode(node, 'scripts/dev.mjs', [], { NODE_ENV: 'development' });
  },
  async build() {
    // Also if the build is up to date, because the plugin's generated files may have been edited.
    await writeSections(await prepareBuild());
    return 0;
  },
  async wordpress(args) {
    await writeSections(await prepare());
    const { main } = await import('./wordpress.mjs');
    return main(args);
  },
  async 'start:wordpress'(args) {
    const { startBoth } = await import('./start-wordpress.mjs');
    const node = await prepareBuild();
    await writeSections(node);
    return startBoth(node, args);
  },
  'content:push': async (args) => runNode(await prepare({ quiet: true }), 'scripts/content-push.mjs', args),
  /** Without `CONTENT_URL` from the WordPress of `npm run wordpress`. Its key is not secret. */
  async 'content:pull'(args) {
    const env = process.env.CONTENT_URL
      ? {}
      : {
          CONTENT_URL: `http://127.0.0.1:${process.env.WORDPRESS_PORT || 8080}`,
          ...{ CONTENT_KEY: 'ck_pillion_development', CONTENT_SECRET: 'cs_pillion_development' },
        };
    return runNode(await prepare({ quiet: true }), 'packages/server/bin/pillion.mjs', ['pull', ...args], env);
  },
  async assets(args) {
    const node = await prepare({ quiet: true });
    await step('packages', () => ensurePackages(node, join(ROOT, 'site/assets')));
    // The built site draws the stills.
    if (args.length === 0 || args.some((name) => ['all', 'stills'].includes(name)))
      await step('build', () => ensureBuild(node));
    return runNode(node, 'site/assets/build.mjs', args);
  },
  translations: async () => runNode(await prepare({ quiet: true }), 'scripts/translations.mjs', []),
  'sign-ups': async (args) => runNode(await prepare({ quiet: true }), COMMANDS_OF_SITE, ['sign-ups', ...args]),
  doctor: async (args) => runNode(await prepare({ quiet: true }), COMMANDS_OF_SITE, ['doctor', ...args]),
  /** Sets the version of a release. */
  release: async (args) => runNode(await prepare({ quiet: true }), 'scripts/release.mjs', args),
  /** Prints the bill of materials of everything that runs (CycloneDX). */
  async sbom() {
    await prepare({ quiet: true });
    const { billOfMaterials } = await import('./sbom.mjs');
    console.log(JSON.stringify(billOfMaterials(), null, 2));
    return 0;
  },
  check: async () => runChecks(await prepare({ quiet: true })),
  async stats() {
    const { printStats } = await import('./stats.mjs');
    printStats();
    return 0;
  },
  format: async () => runNode(await prepare({ quiet: true }), bin.biome, ['check', '--write', '.']),
  'test:unit': async (args) =>
    runNode(await prepare({ quiet: true }), bin.vitest, ['run', '--project', 'unit', '--project', 'served', ...args]),
  'test:watch': async (args) =>
    runNode(await prepare({ quiet: true }), bin.vitest, ['watch', '--project', 'unit', ...args]),
  'test:contract': async (args) =>
    runNode(await prepareTestBuild(), bin.vitest, ['run', '--project', 'contract', ...args]),
  async 'test:plugins'(args) {
    const { findPlugins, folderOfPlugins } = await import('./plugins.mjs');
    const folder = folderOfPlugins(args);
    const { found, missing } = findPlugins(folder);
    const node = await prepareTestBuild();
    for (const plugin of Object.values(found).filter((plugin) => plugin !== null))
      console.log(`  ${plugin.title} ${plugin.version}`);
    for (const sentence of missing) console.log(`  ${sentence}`);
    return runNode(node, bin.vitest, ['run', '--project', 'plugins', ...args.slice(1)], { PILLION_PLUGINS: folder });
  },
  async 'test:oldest'(args) {
    const { runOldest } = await import('./test-oldest.mjs');
    return runOldest(await prepare(), args);
  },
  async 'test:hosts'(args) {
    const { ensureWebServers } = await import('./lib/programs.mjs');
    await step('web servers', ensureWebServers);
    return runNode(await prepareTestBuild(), bin.vitest, ['run', '--project', 'hosts', ...args]);
  },
  // Hundreds of kills and ten thousand sign-ups take half an hour. `npm run test:full` runs the short form.
  async 'test:faults'(args) {
    const { ensureContainerTools, ensurePrograms } = await import('./lib/programs.mjs');
    await step('nginx', ensurePrograms);
    await step('containers', ensureContainerTools);
    return runNode(await prepareTestBuild(), bin.vitest, ['run', '--project', 'faults', ...args], { FAULTS: 'full' });
  },
  async 'test:e2e'(args) {
    const { ensureBrowsers } = await import('./lib/programs.mjs');
    await step('browsers', ensureBrowsers);
    // Playwright's own setup builds (tests/journeys/global-setup.ts).
    return runNode(await prepare(), bin.playwright, ['test', ...args]);
  },
  test: () => runSuites('test'),
  'test:full': () => runSuites('full'),
  'test:release': () => runSuites('release'),
  async bench([name = '', ...args]) {
    const names = [...BENCHES.keys(), 'journeys', 'lighthouse'];
    if (name !== '' && !names.includes(name))
      throw new Stop(
        `Unknown benchmark "${name}". Use one of ${names.join(', ')}, or no name to run all except scene, journeys and lighthouse.`,
      );
    const node = await prepareTestBuild();
    const file = BENCHES.get(name);
    if (file !== undefined) return runNode(node, `bench/${file}`, args);
    // Journeys run one at a time, because their timings need an idle machine.
    if (name === 'journeys') {
      const { ensureBrowsers } = await import('./lib/programs.mjs');
      await step('browsers', ensureBrowsers);
      return runNode(node, bin.playwright, ['test', '--workers=1', ...args], { JOURNEYS: 'figures' });
    }
    if (name === '') return runNode(node, 'bench/bench.mjs', []);
    await step('packages', () => ensurePackages(node, join(ROOT, 'bench/lighthouse')));
    return runNode(node, 'bench/lighthouse/lighthouse.mjs', args);
  },
};

/** Interval of the check whether npm still runs, in milliseconds. */
const NPM_WATCH_MS = 500;

/**
 * A supervisor may end only npm. npm passes the signal to the shell between npm and this process, and the shell ends
 * without passing it on. This process then gets another parent and sends itself SIGTERM.
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

/** @param {string[]} args The command's name first. */
async function main([name = '', ...args]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Stop(`Unknown command "${name}". Use one of ${Object.keys(COMMANDS).join(', ')}.`);
  if (!existsSync(join(ROOT, 'package-lock.json')))
    throw new Stop('package-lock.json is missing: clone the project again.');
  endWithNpm();
  return command(args);
}

// The reader of the output may end first. The started programs continue.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (cause) => {
    const error = explainError(cause);
    console.error(error instanceof Stop ? `\n${error.message}` : error);
    process.exit(error instanceof Stop ? error.exitCode : 1);
  },
);
