// The kit's packages, for the new site's package.json.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packArguments, packedIn } from '@pillion/lib/kit.mjs';
import { runNpm } from './npm.mjs';
import { Unusable } from './unusable.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

/** Tools of a site: the peer dependencies of `@pillion/server` and `@pillion/site-tests`. A test compares them. */
export const TOOLS = {
  '@axe-core/playwright': '^4.14.0',
  '@vitejs/plugin-react': '^6.3.0',
  'playwright-core': '^1.64.1',
  vite: '^8.3.8',
  'vite-plugin-glsl': '^1.6.1',
};

/** For editors and `npm run types`: those of the kit, since its packages contain sources. A test compares them. */
export const TYPES = {
  '@types/node': '^24.0.0',
  '@types/react': '^19.3.0',
  typescript: '^7.0.2',
};

/** The kit's repository, if this package is in it. */
export const REPOSITORY = (() => {
  const root = resolve(PACKAGE, '../..');
  return existsSync(join(root, 'plugins/pillion/package.json')) ? root : null;
})();

/**
 * @param {string} folder Of the new site.
 * @returns {Record<string, string>} Dependencies. In the repository its packages are packed into `vendor/`, because they
 *   are on no registry.
 */
export function kitFor(folder) {
  if (!REPOSITORY) return { '@pillion/server': version, '@pillion/site-tests': version };
  const vendor = join(folder, 'vendor');
  mkdirSync(vendor);
  const { isSuccess, errors } = runNpm(packArguments(REPOSITORY, vendor), REPOSITORY);
  if (!isSuccess) throw new Unusable(`The kit's packages could not be packed. npm says:\n${errors}`);
  return Object.fromEntries([...packedIn(vendor)].map(([name, file]) => [name, `file:vendor/${file}`]));
}
