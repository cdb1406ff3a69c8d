import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { ROOT } from './project.mjs';

/**
 * The environment of a child that runs with the given Node, including npm's scripts. Compiled code of npm and Vite goes to
 * the project instead of the system's temporary folder.
 * @param {string} node Path of its binary.
 * @param {NodeJS.ProcessEnv} env Added to this process' environment.
 */
export const withNode = (node, env = {}) => ({
  ...process.env,
  NODE_DISABLE_COMPILE_CACHE: '1',
  PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  ...env,
});

/**
 * Sends a signal to a process that may have ended, or that may belong to another user.
 * @param {number} pid Negative: its process group (kill(2)).
 * @param {NodeJS.Signals} signal
 */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Nothing to do.
  }
}

/** @type {readonly NodeJS.Signals[]} */
export const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {'close' | 'exit'} event `close` comes after all output, but never for a child whose channel was closed.
 * @returns {Promise<number>}
 */
const exitCodeOf = (child, event) =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once(event, (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });

/**
 * Runs a command quietly.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { endWhen?: (output: string) => boolean }} options `endWhen` gets all output after each part; returning true ends the command.
 * @returns Its exit code and everything it printed.
 */
export async function capture(command, args, { endWhen = () => false, ...options } = {}) {
  const env = { ...process.env, ...options.env, NO_COLOR: '1' };
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      output += data;
      if (endWhen(output)) child.kill();
    });
  return { code: await exitCodeOf(child, 'close'), output };
}

/**
 * Passes signals of this process to a child while `work` lasts, so that the child ends with it.
 * @template T
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<T>} work
 */
async function withForwardedSignals(child, work) {
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => child.kill(signal);
  for (const signal of END_SIGNALS) process.on(signal, forward);
  try {
    return await work;
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, forward);
  }
}

/**
 * Runs a command, prints its output and returns it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ quiet: boolean, env: NodeJS.ProcessEnv, cwd?: string }} options `quiet` prints the output in one piece at the end,
 *   because another command runs in parallel.
 * @returns Its exit code and everything it printed.
 */
export async function tee(command, args, { quiet, env, cwd = ROOT }) {
  const colours = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...colours, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (data) => {
      output += data;
      if (!quiet) process.stdout.write(data);
    });
  const code = await withForwardedSignals(child, exitCodeOf(child, 'close'));
  if (quiet) console.log(`\n${output.trim()}`);
  return { code, output };
}

/**
 * Runs a command with its output visible.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { onAddress?: (address: string) => void }} options `onAddress` is called once, when the child is the site's server and reports its address.
 * @returns {Promise<number>} Its exit code.
 */
export async function run(command, args, { onAddress, ...options } = {}) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = onAddress ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit';
  const child = spawn(command, args, { cwd: ROOT, stdio, ...options });
  if (onAddress)
    child.once('message', (message) => {
      child.disconnect();
      if (typeof message === 'object' && 'address' in message) onAddress(String(message.address));
    });
  return withForwardedSignals(child, exitCodeOf(child, 'exit'));
}
