import { capture } from './run.mjs';

/** By default npm waits 10 s and then 60 s between tries of each package, which offline means minutes of silence. */
const RETRY_OPTIONS = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000'];

const NETWORK_ERROR =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED)\b/;
const FAILED_TRY = /fetch GET .* attempt \d+ failed with E/g;
/** The number of tries that npm makes per package. */
const MAX_TRIES = 3;

/**
 * True if nothing was fetched and one package has used up its tries: the others would fail too.
 * @param {string} output
 */
const isOffline = (output) =>
  !/fetch GET 200/.test(output) && (output.match(FAILED_TRY)?.length ?? 0) >= MAX_TRIES && NETWORK_ERROR.test(output);

/**
 * Runs npm silently, and ends it early if there is no network.
 * @param {readonly string[]} args Command first.
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns Its exit code, whether it reached a registry, and the first lines of its errors.
 */
export async function runNpm(args, options) {
  const { code, output } = await capture('npm', [...args, '--loglevel=http', ...RETRY_OPTIONS], {
    ...options,
    endWhen: isOffline,
  });
  const errors = output.split('\n').filter((line) => /^npm error (?!A complete log|Log files|\s+at )/.test(line));
  return { code, offline: code !== 0 && NETWORK_ERROR.test(output), errors: errors.slice(0, 6).join('\n') };
}
