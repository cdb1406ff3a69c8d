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
const BUILDS_KEPT = 3;

const ASIDE = '.aside';

/** With less free space, in bytes, the server copies no build: the rest of the disk is for sign-ups. */
const ROOM_BYTES = 64_000_000;

function hasRoom(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= ROOM_BYTES;
}

/**
 * Keeps the browser's files of this build, since pages that are open during a deployment still request them. Without a
 * copy, as on a disk that is nearly full, visitors of the old build get a reload.
 * @param client `build/client`.
 * @param directory Folder of the builds, in the data folder.
 * @param build Name of this build.
 * @returns Folders of earlier builds, each like `build/client` with `assets/` in it, the newest first.
 */
export function keepBuild(client: string, directory: string, build: string): string[] {
  const place = join(directory, build);
  mkdirSync(directory, { recursive: true });
  if (!existsSync(place) && hasRoom(directory)) {
    const aside = `${place}.${randomUUID()}${ASIDE}`;
    try {
      cpSync(join(client, 'assets'), join(aside, 'assets'), { recursive: true });
      renameSync(aside, place);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      // Another process with the same folder may have been faster.
      if (!existsSync(place)) throw error;
    }
  }
  const now = new Date();
  if (existsSync(place)) utimesSync(place, now, now);
  return prune(directory, build);
}

/** Removes all but the newest builds. It skips folders that another process is writing. */
function prune(directory: string, build: string): string[] {
  const earlier = readdirSync(directory)
    .filter((name) => name !== build && !name.endsWith(ASIDE))
    .map((name) => ({
      path: join(directory, name),
      // `undefined`: another process has removed it.
      at: statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of earlier.slice(BUILDS_KEPT)) rmSync(path, { recursive: true, force: true });
  return earlier.slice(0, BUILDS_KEPT).map(({ path }) => path);
}
