import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { offline } from './packages.mjs';
import { CACHE, Stop } from './project.mjs';
import { capture } from './run.mjs';

/**
 * WordPress 7.1.1 and sqlite-database-integration 3.0.2 lie inside this package, both GPL. It is packed and three folders
 * taken out of it, never installed: its dependencies are huge, and npm may be the only registry in reach.
 */
const PACKAGE = 'wp-studio@1.22.0';
const INSIDE = 'package/dist/cli/wp-files';
const TAKEN = ['latest/wordpress', 'sqlite-database-integration'];

export const WORDPRESS_CACHE = join(CACHE, 'wordpress');
const FILES = join(WORDPRESS_CACHE, `files-${PACKAGE.split('@')[1]}`);

export const CORE = join(FILES, 'latest/wordpress');
export const SQLITE = join(FILES, 'sqlite-database-integration');

/** A folder beside `directory` that is filled first and then takes its name, so that no half of it is ever seen. */
export async function fillThenRename(directory, fill) {
  const partial = `${directory}.${process.pid}-${Date.now()}`;
  mkdirSync(partial, { recursive: true });
  try {
    await fill(partial);
    if (!existsSync(directory)) renameSync(partial, directory);
  } catch (cause) {
    // Another process was first: its folder is as good.
    if (!['ENOTEMPTY', 'EEXIST'].includes(cause?.code)) throw cause;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

async function unpack(directory) {
  const packed = await capture('npm', ['pack', '--silent', PACKAGE, '--pack-destination', directory]);
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'));
  if (packed.code !== 0 || !tarball)
    throw new Stop(
      `WordPress could not be fetched${offline(packed.output)}. Try again online.\n${packed.output.slice(-500)}`,
    );
  const wanted = TAKEN.map((folder) => `${INSIDE}/${folder}`);
  const { code, output } = await capture('tar', [
    'xzf',
    join(directory, tarball),
    '-C',
    directory,
    '--strip-components=4',
    ...wanted,
  ]);
  if (code !== 0) throw new Stop(`WordPress could not be unpacked:\n${output.slice(-500)}`);
  rmSync(join(directory, tarball));
}

/** WordPress and its SQLite drop-in in the cache. @returns What came of it. */
export async function ensureWordPressFiles() {
  if (existsSync(CORE)) return 'in the cache';
  mkdirSync(WORDPRESS_CACHE, { recursive: true });
  await fillThenRename(FILES, unpack);
  return `unpacked from ${PACKAGE}`;
}
