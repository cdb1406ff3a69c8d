import { spawnSync } from 'node:child_process';

const NO_NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED)\b/;

/**
 * Runs npm silently.
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns `isOffline`: it reached no registry.
 */
export function runNpm(args, cwd) {
  const shell = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd,
    shell,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const errors = error?.message ?? stderr;
  return { isSuccess: status === 0, stdout, errors, isOffline: status !== 0 && NO_NETWORK.test(errors) };
}
