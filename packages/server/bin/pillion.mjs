#!/usr/bin/env node
// Commands of a site: `pillion build`, `pillion start`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

const COMMANDS = {
  /** Builds the site in the current folder. */
  async build() {
    process.env.NODE_ENV = 'production';
    const [{ buildSite }, { checkVersions }] = await Promise.all([
      import('../vite/build.mjs'),
      import('../vite/versions.mjs'),
    ]);
    checkVersions();
    await buildSite();
  },
  /** Starts the built site. */
  async start() {
    if (!existsSync('build/server/main.js')) throw new Error('There is no build yet: run `pillion build` first.');
    // Short garbage collections, since they delay requests (docs/decisions/044).
    const flags = ['--max-semi-space-size=2', '--no-separate-gc-phases'];
    const server = spawn(process.execPath, [...flags, 'build/server/main.js'], {
      stdio: 'inherit',
      env: { NODE_ENV: 'production', ...process.env },
    });
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => server.kill(signal));
    process.exitCode = await new Promise((resolve) => server.once('exit', (code) => resolve(code ?? 1)));
  },
};

const name = process.argv[2] ?? '';
try {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[/** @type {keyof typeof COMMANDS} */ (name)] : null;
  if (!command) throw new Error(`There is no command "${name}": use one of ${Object.keys(COMMANDS).join(', ')}.`);
  await command();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
