import { existsSync } from 'node:fs';
import { aptInstall } from './browsers.mjs';
import { oneAtATime } from './lock.mjs';

/**
 * Programs that the fault tests need besides databases and browsers: a proxy, a tracer of disk writes, and the client
 * that `deploy/rolling-restart` uses.
 */
const NEEDED = { '/usr/sbin/nginx': 'nginx', '/usr/bin/strace': 'strace', '/usr/bin/curl': 'curl' };

const missing = () => Object.entries(NEEDED).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));

/** @returns The outcome for the step's line. @throws Stop Exit code 77, if one is missing and cannot be installed. */
export async function ensurePrograms() {
  if (missing().length === 0) return 'there';
  return oneAtATime(async () => {
    const packages = missing();
    if (packages.length > 0) await aptInstall(packages);
    return packages.length > 0 ? `installed ${packages.join(', ')}` : 'there';
  });
}
