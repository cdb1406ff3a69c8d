import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { ROOT } from './project.mjs';

/**
 * The environment of a child that runs under the given Node, npm's own scripts included. npm and Vite would keep
 * compiled code in the system's temporary folder; what a start writes stays in the project.
 */
export const withNode = (node, env = {}) => ({
  ...process.env,
  NODE_DISABLE_COMPILE_CACHE: '1',
  PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  ...env,
});

/** @param event `close` once all its output has come; it never comes for a child whose channel we closed. */
const ended = (child, event) =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once(event, (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });

/**
 * Runs a command quietly.
 * @param endWhen Given all output so far whenever some came; true ends the command.
 * @returns Its exit code and everything it printed.
 */
export async function capture(command, args, { endWhen = () => false, ...options } = {}) {
  const env = { ...process.env, ...options.env, NO_COLOR: '1' };
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
      if (endWhen(output)) child.kill();
    });
  return { code: await ended(child, 'close'), output };
}

/**
 * Runs a command in the open and passes our own end on to it, so that nothing outlives us.
 * @param onMessage Called with what the child sends over its channel, when given.
 * @returns Its exit code.
 */
export async function run(command, args, { onMessage, ...options } = {}) {
  const stdio = onMessage ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit';
  const child = spawn(command, args, { cwd: ROOT, stdio, ...options });
  if (onMessage)
    child.once('message', (message) => {
      child.disconnect();
      onMessage(message);
    });
  const pass = (signal) => child.kill(signal);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, pass);
  try {
    return await ended(child, 'exit');
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.off(signal, pass);
  }
}
