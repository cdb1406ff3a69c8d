import { existsSync } from 'node:fs';
import { aptInstall } from './browsers.mjs';
import { oneAtATime } from './lock.mjs';

/**
 * What the fault tests drive besides databases and browsers: a proxy in front, a witness of what reaches the disk, and what
 * `deploy/rolling-restart` asks with.
 */
const NEEDED = { '/usr/sbin/nginx': 'nginx', '/usr/bin/strace': 'strace', '/usr/bin/curl': 'curl' };

const missing = () => Object.entries(NEEDED).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));

/** @returns What came of it. @throws Stop, exit code 77, where one is missing and we may not install it. */
export async function ensurePrograms() {
  if (missing().length === 0) return 'there';
  return oneAtATime(async () => {
    const packages = missing();
    if (packages.length > 0) await aptInstall(packages);
    return packages.length > 0 ? `installed ${packages.join(', ')}` : 'there';
  });
}
