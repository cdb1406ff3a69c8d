import { endpointPath } from '@pillion/content/wordpress/endpoints.ts';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { broken, type Finding, joinNames, NEEDS_PLUGIN, ok, PLUGIN_ABSENT, skipped, warning } from './finding.ts';
import { findShownForms } from './forms.ts';
import { type Check, errorCodeOf, hasPlugin, INDEX_PATH, type Probe, WRONG_KEY } from './probe.ts';

/** The oldest versions that the plugin supports and the tests run (docs/how-to/developers.md). */
const OLDEST_WORDPRESS = '6.1';
const OLDEST_PHP = '7.4';
/** PHP fixes no security holes in older versions (php.net, "Supported Versions"). */
const OLDEST_SAFE_PHP = '8.2';

/** Compares number by number: 6.10 is later than 6.9. */
const isOlder = (version: string, than: string) => version.localeCompare(than, 'en', { numeric: true }) < 0;

async function checkWordpressVersion(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NEEDS_PLUGIN;
  if (isOlder(facts.wordpress, OLDEST_WORDPRESS))
    return broken(`WordPress is ${facts.wordpress}, too old.`, `Update WordPress to ${OLDEST_WORDPRESS} or later.`);
  return ok(`WordPress ${facts.wordpress}.`);
}

async function checkPhpVersion(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NEEDS_PLUGIN;
  if (isOlder(facts.php, OLDEST_PHP))
    return broken(`PHP is ${facts.php}, too old.`, `Update PHP to ${OLDEST_SAFE_PHP} or later.`);
  if (isOlder(facts.php, OLDEST_SAFE_PHP))
    return warning(`PHP ${facts.php} gets no security fixes any more.`, `Update PHP to ${OLDEST_SAFE_PHP} or later.`);
  return ok(`PHP ${facts.php}.`);
}

const SITE_VERSION = packageJson.version;
const UPDATE_PLUGIN = `Build the site and upload build/wordpress/pillion.zip (version ${SITE_VERSION}) in that WordPress.`;
const updateSite = (version: string) =>
  `Install the packages @pillion/* of version ${version}, build the site and start it again.`;

/** `1.4.2` → `1.4` */
const minorOf = (version: string) => version.split('.', 2).join('.');

/**
 * Compares the plugin with the site (semver.org): another major version is broken, another minor version works without
 * the newer features. Patches do not matter.
 */
function comparePlugin(version: string): Finding {
  const [plugin, site] = [minorOf(version), minorOf(SITE_VERSION)];
  const report = Number.parseInt(plugin, 10) === Number.parseInt(site, 10) ? warning : broken;
  if (isOlder(plugin, site))
    return report(`The Pillion plugin ${version} is older than this site, ${SITE_VERSION}.`, UPDATE_PLUGIN);
  if (isOlder(site, plugin))
    return report(`The Pillion plugin ${version} is newer than this site, ${SITE_VERSION}.`, updateSite(version));
  return ok(`Pillion ${version}.`);
}

async function checkPlugin(probe: Probe): Promise<Finding> {
  if (!(await probe.index())) return skipped('The REST API cannot be read.');
  if (!(await hasPlugin(probe)))
    return broken(
      'The Pillion plugin is not active in that WordPress.',
      'In WordPress, Plugins: activate Pillion. If it is not listed, build the site and upload build/wordpress/pillion.zip first.',
    );
  // Not `probe.facts()`: a plugin of another version may lack other facts.
  const facts = await probe.read(probe.paths.facts, z.object({ plugin: z.string() }));
  return facts?.plugin ? comparePlugin(facts.plugin) : skipped('It is active. Only a valid key can read its version.');
}

async function checkKey(probe: Probe): Promise<Finding> {
  const index = await probe.look(INDEX_PATH);
  // With a wrong key the plugin refuses the index too, so the index does not list the plugin.
  const isRefused = index.ok && errorCodeOf(index.data) === WRONG_KEY;
  if (!isRefused && !(await hasPlugin(probe))) return PLUGIN_ABSENT;
  const response = isRefused ? index : await probe.look(probe.paths.facts);
  if (!response.ok) return skipped('WordPress does not answer.');
  const shownKey = `…${probe.wordpress.key.slice(-7)}`;
  const code = errorCodeOf(response.data);
  if (response.data.status === 200) return ok(`The key ${shownKey} is valid.`);
  if (code === WRONG_KEY)
    return broken(
      `WordPress does not take the key ${shownKey}: it was revoked or mistyped, or its secret belongs to another key.`,
      'In WordPress, Pillion → Keys: create a key, and set CONTENT_KEY and CONTENT_SECRET to the values shown there.',
    );
  if (code === 'pillion_no_key')
    return broken(
      'The key does not arrive: the web server removes the Authorization header.',
      'Apache with CGI or FPM: “CGIPassAuth On” in .htaccess. nginx: “fastcgi_param HTTP_AUTHORIZATION $http_authorization;”. Behind a proxy: forward Authorization.',
    );
  return broken(
    `Calls with the key are refused (${response.data.status}${code && `, ${code}`}).`,
    'Look for a security plugin that closes the REST API, and allow requests with the key.',
  );
}

const NEEDS_KEY = skipped('This check needs a valid key.');

async function checkRights(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return NEEDS_KEY;
  if (facts.rights.forms) return ok('The key may read forms.');
  return broken(
    'Another plugin prevents the key from reading forms, so the site cannot show the sign-up form.',
    'In WordPress, find the plugin that manages capabilities, and let the user “The site’s server” keep the ones that Pillion gives it.',
  );
}

/** Repeats requests that need the key without it, right after those with the key, which a cache may have stored. */
async function checkWithoutKey(probe: Probe): Promise<Finding> {
  if (!(await probe.facts())) return NEEDS_KEY;
  const forms = (await findShownForms(probe)).map(({ id }) => endpointPath({ name: 'form', lang: probe.lang, id }));
  const readable: string[] = [];
  for (const path of [probe.paths.facts, ...forms]) {
    await probe.look(path);
    const response = await probe.lookWithoutKey(path);
    if (response.ok && response.data.status === 200) readable.push(path.replace(/\?.*/, ''));
  }
  if (readable.length === 0) return ok('Requests without the key are refused.');
  return broken(
    `${joinNames(readable)} can be read without the key: a page cache or proxy stores the responses to it.`,
    'Exclude /wp-json/ from the page cache, plugin, host or CDN, and empty it. Update the Pillion plugin, which marks these responses for caches.',
  );
}

export const KEY: Check = { group: 'Key', name: 'consumer key', run: checkKey };

export const ACCESS: Check[] = [
  { group: 'Versions', name: 'WordPress', run: checkWordpressVersion },
  { group: 'Versions', name: 'PHP', run: checkPhpVersion },
  { group: 'Versions', name: 'Pillion plugin', run: checkPlugin },
  KEY,
  { group: 'Key', name: 'its rights', run: checkRights },
];

/** Not run at the start of a server, which sends only requests with the key. */
export const STRANGER: Check = { group: 'Key', name: 'without the key', run: checkWithoutKey };
