import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/** Earlier builds to keep: a rolling deployment has two builds, a rollback adds a third. */
const MAX_EARLIER_BUILDS = 3;

const TEMPORARY_SUFFIX = '.aside';

/** A copy that is older, in milliseconds, was left by a killed process. */
const ABANDONED_MS = 86_400_000;

/** With less free space, in bytes, the server copies no build: the rest of the disk is for sign-ups. */
const MIN_FREE_BYTES = 64_000_000;

function hasFreeSpace(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= MIN_FREE_BYTES;
}

/**
 * Keeps the browser's files of this build, since pages that are open during a deployment still request them. Without a
 * copy, as on a disk that is nearly full, visitors of the old build get a reload.
 * @param client `build/client`.
 * @param directory Folder of the builds, in the data folder.
 * @param build Name of this build.
 * @returns Folders of earlier builds, each like `build/client` with `assets/` in it, the newest first.
 */
export function storeBuild(client: string, directory: string, build: string): string[] {
  const target = join(directory, build);
  mkdirSync(directory, { recursive: true });
  if (!existsSync(target) && hasFreeSpace(directory)) {
    const temporary = `${target}.${randomUUID()}${TEMPORARY_SUFFIX}`;
    try {
      cpSync(join(client, 'assets'), join(temporary, 'assets'), { recursive: true });
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      // Another process with the same folder may have been faster.
      if (!existsSync(target)) throw error;
    }
  }
  // Builds are removed by this time, the time of their last start.
  const now = new Date();
  if (existsSync(target)) utimesSync(target, now, now);
  return removeOldBuilds(directory, build);
}

/**
 * Removes all but the newest builds, and abandoned copies. It skips copies that another process may be writing.
 * @returns The remaining builds.
 */
function removeOldBuilds(directory: string, build: string): string[] {
  const folders = readdirSync(directory)
    .filter((name) => name !== build)
    .flatMap((name) => {
      const path = join(directory, name);
      // `undefined`: another process has removed it.
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats ? [{ path, usedAt: stats.mtimeMs, isCopy: name.endsWith(TEMPORARY_SUFFIX) }] : [];
    })
    .sort((a, b) => b.usedAt - a.usedAt);
  const abandoned = folders.filter(({ isCopy, usedAt }) => isCopy && Date.now() - usedAt > ABANDONED_MS);
  const earlier = folders.filter(({ isCopy }) => !isCopy);
  for (const { path } of [...abandoned, ...earlier.slice(MAX_EARLIER_BUILDS)])
    rmSync(path, { recursive: true, force: true });
  return earlier.slice(0, MAX_EARLIER_BUILDS).map(({ path }) => path);
}
