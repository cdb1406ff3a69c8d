#!/usr/bin/env node
// Commands of a site: `pillion dev`, `build`, `start`, `push`, `pull`, `sign-ups`, `doctor`, `update`.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { siteFlags } from './site-flags.mjs';

/**
 * Runs a program of the build, passes it the signals to stop, and ends with its exit code.
 * @param {string} program File in `build/server`.
 * @param {string[]} args
 * @param {string[]} [flags] Options of Node.
 */
async function runBuilt(program, args, flags = []) {
  const file = `build/server/${program}`;
  if (!existsSync(file)) throw new Error('There is no build yet: run `npm run build` first.');
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: 'inherit',
    env: { NODE_ENV: 'production', ...process.env },
  });
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

const COMMANDS = {
  /** Builds the site in the current folder. */
  async build() {
    process.env.NODE_ENV = 'production';
    const { buildSite } = await import('../vite/build.mjs');
    await buildSite();
  },
  /** Serves the sources with hot updates. */
  async dev() {
    process.env.NODE_ENV = 'development';
    const { startDevelopment } = await import('../vite/dev.mjs');
    await startDevelopment();
  },
  /** Adds the content of the site's folder to a WordPress. */
  async push() {
    const { push } = await import('./push.mjs');
    await push(process.argv.slice(3));
  },
  /** Copies the content of a WordPress to the site's folder. */
  async pull() {
    const { pull } = await import('./pull.mjs');
    await pull(process.argv.slice(3));
  },
  /** Manages the stored sign-ups. */
  'sign-ups': () => runBuilt('commands.js', ['sign-ups', ...process.argv.slice(3)]),
  /** Checks the configured WordPress. */
  doctor: () => runBuilt('commands.js', ['doctor', ...process.argv.slice(3)]),
  /** Updates the packages, and builds the site and its plugin. */
  async update() {
    const { update } = await import('./update.mjs');
    update(process.argv[3]);
  },
  /** Starts the built site. */
  start: () => runBuilt('main.js', [], siteFlags()),
};

/** @throws If this Node is older than `engines` of the package. The build would fail with a less clear error. */
function checkNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [oldestMajor = 0, oldestMinor = 0] = engines.node.match(/\d+/g).map(Number);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    throw new Error(`Node ${process.versions.node} is too old: install Node ${oldestMajor}.${oldestMinor} or newer.`);
}

const name = process.argv[2] ?? '';
try {
  checkNode();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[/** @type {keyof typeof COMMANDS} */ (name)] : null;
  if (!command) throw new Error(`Unknown command "${name}". Use one of ${Object.keys(COMMANDS).join(', ')}.`);
  await command();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
