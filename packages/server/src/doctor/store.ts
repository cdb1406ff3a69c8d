import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createPostgresStore } from '@pillion/sign-ups/store/postgres-store.ts';
import { listInstances } from '../instances/list.ts';
import { broken, type Finding, ok, skipped, warning } from './finding.ts';
import type { Check, Probe } from './probe.ts';

/** Host and database of an address, without user and password. */
const describeDatabase = (address: string) => {
  const { host, pathname, searchParams } = new URL(address);
  return `${host || searchParams.get('host')}${pathname}`;
};

async function checkDatabase(url: string): Promise<Finding> {
  const store = createPostgresStore({ url });
  try {
    const { counts } = await store.stats();
    const says = `${describeDatabase(url)} can be used; ${counts.waiting + counts.leased} wait`;
    return counts.dead > 0
      ? warning(`${says}, ${counts.dead} were refused by WordPress.`, 'Run npm run sign-ups -- list dead to see why.')
      : ok(`${says}.`);
  } catch (error) {
    return broken(
      `The database ${describeDatabase(url)} cannot be used (${(error as Error).message}).`,
      'Start it, or correct DATABASE_URL. Until then the site responds to sign-ups with 503.',
    );
  } finally {
    await store.close();
  }
}

/** Without a database there is only one server, so there is no finding. */
const checkServers = async ({ config }: Pick<Probe, 'config'>): Promise<Finding[]> =>
  config.databaseUrl === null ? [] : [await listServers(config.databaseUrl)];

/** The servers with a heartbeat in the database. */
async function listServers(url: string): Promise<Finding> {
  try {
    const all = await listInstances(url);
    const names = all.map(({ name, isAlive }) => (isAlive ? name : `${name} (silent)`)).join(', ');
    if (all.length === 0) return skipped('No server is running.', 'Start one to see it here.');
    return all.every(({ isAlive }) => isAlive)
      ? ok(`${all.length} of this site: ${names}.`)
      : warning(
          `${all.length} of this site: ${names}.`,
          'Check the silent server: it hangs, was killed, or cannot reach the database.',
        );
  } catch (error) {
    return skipped(`The database cannot list them (${(error as Error).message}).`);
  }
}

/** Does not create a missing folder, because the first start of the site does. */
function checkFolder(path: string): Finding {
  const existing = nearestExisting(path);
  const isMissing = existing !== path;
  try {
    // With `/.`, since a file is no folder.
    accessSync(`${existing}/.`, constants.W_OK | constants.X_OK);
    return ok(isMissing ? `The first start creates ${path}.` : `${path} is writable.`);
  } catch {
    const elsewhere = 'or set DATA_DIR to another folder.';
    return isMissing
      ? broken(
          `${path} cannot be created, because ${existing} cannot be written.`,
          `Create it for the user who starts the site, ${elsewhere}`,
        )
      : broken(`${path} cannot be written.`, `Make the user who starts the site its owner, ${elsewhere}`);
  }
}

/** @returns The path, or the nearest folder above it that exists. */
const nearestExisting = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));

/** With a database too, the data folder must be writable: it has the cached content and media. */
async function checkStore({ config }: Probe): Promise<Finding[]> {
  const folder = checkFolder(resolve(config.dataDirectory));
  return config.databaseUrl === null ? [folder] : [await checkDatabase(config.databaseUrl), folder];
}

export const STORE: Check = { group: 'Site', name: 'sign-up store', run: checkStore };
export const SERVERS: Check = { group: 'Site', name: 'servers', run: checkServers };
