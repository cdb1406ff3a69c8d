import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findFreePort } from '@pillion/scripts/lib/ports.mjs';
import { siteFlags } from '@pillion/server/bin/site-flags.mjs';
import { createCheckout } from './one-language.ts';

/**
 * Waits until the site shows its front page: until WordPress responds, a new site answers 503. The content of a page is
 * read at its first request, so a ready server may still have to wait for it.
 */
export async function waitForSite(url: string): Promise<void> {
  while ((await fetch(`${url}/`)).status !== 200) await pause(100);
}

export { findFreePort };

export const createFolder = (): string => mkdtempSync(join(tmpdir(), 'pillion-'));

export interface RunningSite {
  url: string;
  pid: number;
  dataDirectory: string;
  /** All output of the server until now. */
  output(): string;
  /** Puts its clock forward, or back if `ms` is negative: its content ages by that. */
  forward(ms: number): Promise<void>;
  /** Ends the server. Its data stays if the caller gave the folder, and is removed otherwise. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const CLOCK = pathToFileURL(join(import.meta.dirname, 'moved-clock.mjs')).href;

/** Variables of the shell that a server may see. */
const ENVIRONMENT = /^(?:PATH|HOME|LANG|TMPDIR|CI)$/;

/** Environment of a server, without the project's variables that the shell may have set. */
const createEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name)));

/** Waits until the server reports its address. @throws If it ends before. */
const waitForAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { address: string }).address));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
  });

/**
 * Starts the built site as a separate process, on a free port.
 * @param env Added to a clean environment; with `DATA_DIR` its data stays after the stop.
 * @param directory Where it was built, and its working directory. Default: the fixture in English
 *   alone; `FIXTURE` has it in every language, `process.cwd()` the site of the repository.
 * @param launcher Program and arguments that start the server, for example with other limits.
 * @param flags Node's options, as every start of the site sets them.
 * @throws With the server's output, if it does not start.
 */
export async function startSite(
  env: Record<string, string> = {},
  directory?: string,
  launcher: string[] = [],
  flags = siteFlags(),
): Promise<RunningSite> {
  const dataDirectory = env.DATA_DIR ?? createFolder();
  const folder = directory ?? createCheckout();
  const port = env.PORT ?? String(await findFreePort());
  const server = [process.execPath, ...flags, '--import', CLOCK, join(folder, 'build/server/main.js')];
  const [program = '', ...args] = [...launcher, ...server];
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...createEnvironment(), NODE_ENV: 'production', ...env, PORT: port, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (printed += data));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // Also if a test kills it.
  const checkoutRemoved = ended.then(() => {
    if (directory === undefined) rmSync(folder, { recursive: true, force: true });
  });
  const removeData = () => {
    if (!env.DATA_DIR) rmSync(dataDirectory, { recursive: true, force: true });
  };
  const url = await waitForAddress(child).catch(async (error: Error) => {
    await checkoutRemoved;
    removeData();
    throw new Error(`${error.message}\n${printed}`);
  });
  return {
    url,
    pid: child.pid ?? 0,
    dataDirectory,
    output: () => printed,
    forward: (forwardMs) =>
      new Promise((resolve) => {
        child.once('message', () => resolve());
        child.send({ forwardMs });
      }),
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await checkoutRemoved;
      removeData();
    },
  };
}
