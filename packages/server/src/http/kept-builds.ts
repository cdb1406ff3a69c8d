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

/** Builds whose files are kept besides the one that runs: a rolling deploy has two, one that was rolled back a third. */
const BUILDS_KEPT = 3;

const ASIDE = '.aside';

/** Free bytes below which no build is kept: what is left of the disk is for sign-ups. */
const ROOM_BYTES = 64_000_000;

function hasRoom(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= ROOM_BYTES;
}

/**
 * Keeps the browser's files of this build for the next ones: a visitor whose page is of the last build still asks for its
 * files. A folder that cannot be written, or a disk that is nearly full, costs these visitors a reload, and no start.
 * @param client `build/client`.
 * @param directory Where builds are kept, in the data folder.
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
      // Another start with the same folder may have been faster.
      if (!existsSync(place)) throw error;
    }
  }
  const now = new Date();
  if (existsSync(place)) utimesSync(place, now, now);
  return prune(directory, build);
}

/** Removes all but the newest. What another start is just writing is left alone. */
function prune(directory: string, build: string): string[] {
  const earlier = readdirSync(directory)
    .filter((name) => name !== build && !name.endsWith(ASIDE))
    .map((name) => ({
      path: join(directory, name),
      // `undefined`: another start has just removed it.
      at: statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of earlier.slice(BUILDS_KEPT)) rmSync(path, { recursive: true, force: true });
  return earlier.slice(0, BUILDS_KEPT).map(({ path }) => path);
}
