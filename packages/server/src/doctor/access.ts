import { endpointPath } from '@pillion/content/wordpress/endpoints.ts';
import about from '../../package.json' with { type: 'json' };
import { broken, type Finding, listed, ok, unasked, warning } from './finding.ts';
import { formsMet } from './forms.ts';
import { type Check, codeOf, INDEX_PATH, type Probe, WRONG_KEY } from './probe.ts';

/** The oldest versions that the plugin supports and the tests run (docs/how-to/developers.md). */
const OLDEST_WORDPRESS = '6.1';
const OLDEST_PHP = '7.4';
/** PHP fixes no security holes in older versions (php.net, "Supported Versions"). */
const OLDEST_SAFE_PHP = '8.2';

/** Compares number by number: 6.10 is later than 6.9. */
const isOlder = (version: string, than: string) => version.localeCompare(than, 'en', { numeric: true }) < 0;

const NOT_REPORTED = 'Only the Pillion plugin reports it.';

async function wordpress(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return unasked(NOT_REPORTED);
  if (isOlder(facts.wordpress, OLDEST_WORDPRESS))
    return broken(`WordPress is ${facts.wordpress}, too old.`, `Update WordPress to ${OLDEST_WORDPRESS} or later.`);
  return ok(`WordPress ${facts.wordpress}.`);
}

async function php(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return unasked(NOT_REPORTED);
  if (isOlder(facts.php, OLDEST_PHP))
    return broken(`PHP is ${facts.php}, too old.`, `Update PHP to ${OLDEST_SAFE_PHP} or later.`);
  if (isOlder(facts.php, OLDEST_SAFE_PHP))
    return warning(`PHP ${facts.php} gets no security fixes any more.`, `Update PHP to ${OLDEST_SAFE_PHP} or later.`);
  return ok(`PHP ${facts.php}.`);
}

const SITE_VERSION = about.version;
const UPDATE_PLUGIN = `Build the site and upload build/wordpress/pillion.zip (version ${SITE_VERSION}) in that WordPress.`;
const updateSite = (version: string) =>
  `Install the packages @pillion/* of version ${version}, build the site and start it again.`;

/** `1.4.2` → `1.4` */
const minorOf = (version: string) => version.split('.', 2).join('.');

/**
 * Compares the plugin with the site (semver.org): another major version is broken, another minor version works without
 * the newer features. Patches do not matter.
 */
function versionFinding(version: string): Finding {
  const [plugin, site] = [minorOf(version), minorOf(SITE_VERSION)];
  const report = Number.parseInt(plugin, 10) === Number.parseInt(site, 10) ? warning : broken;
  if (isOlder(plugin, site))
    return report(`The Pillion plugin ${version} is older than this site, ${SITE_VERSION}.`, UPDATE_PLUGIN);
  if (isOlder(site, plugin))
    return report(`The Pillion plugin ${version} is newer than this site, ${SITE_VERSION}.`, updateSite(version));
  return ok(`Pillion ${version}.`);
}

async function plugin(probe: Probe): Promise<Finding> {
  const index = await probe.index();
  if (!index) return unasked('The REST API cannot be read.');
  if (!index.namespaces.includes('gusto'))
    return broken(
      'The Pillion plugin is not active in that WordPress.',
      'In WordPress, Plugins: activate Pillion. If it is not listed, build the site and upload build/wordpress/pillion.zip first.',
    );
  const facts = await probe.facts();
  return facts ? versionFinding(facts.plugin) : unasked('It is active. Only a valid key can read its version.');
}

async function key(probe: Probe): Promise<Finding> {
  const index = await probe.look(INDEX_PATH);
  const isRefused = index.ok && codeOf(index.data) === WRONG_KEY;
  if (!isRefused && !(await probe.index())?.namespaces.includes('gusto'))
    return unasked('The Pillion plugin does not answer.');
  const seen = isRefused ? index : await probe.look(probe.paths.facts);
  if (!seen.ok) return unasked('WordPress does not answer.');
  const shown = `…${probe.wordpress.key.slice(-7)}`;
  const code = codeOf(seen.data);
  if (seen.data.status === 200) return ok(`The key ${shown} is valid.`);
  if (code === WRONG_KEY)
    return broken(
      `WordPress does not take the key ${shown}: it was revoked or mistyped, or its secret belongs to another key.`,
      'In WordPress, Pillion → Keys: create a key, and set CONTENT_KEY and CONTENT_SECRET to the values shown there.',
    );
  if (code === 'pillion_no_key')
    return broken(
      'The key does not arrive: the web server removes the Authorization header.',
      'Apache with CGI or FPM: “CGIPassAuth On” in .htaccess. nginx: “fastcgi_param HTTP_AUTHORIZATION $http_authorization;”. Behind a proxy: forward Authorization.',
    );
  return broken(
    `Calls with the key are refused (${seen.data.status}${code && `, ${code}`}).`,
    'Look for a security plugin that closes the REST API, and allow requests with the key.',
  );
}

async function rights(probe: Probe): Promise<Finding> {
  const facts = await probe.facts();
  if (!facts) return unasked('This check needs a valid key.');
  if (facts.rights.forms) return ok('The key may read forms.');
  return broken(
    'Another plugin prevents the key from reading forms, so the site cannot show the sign-up form.',
    'In WordPress, find the plugin that manages capabilities, and let the user “The site’s server” keep the ones that Pillion gives it.',
  );
}

/** Repeats requests that need the key without it, right after those with the key, which a cache may have stored. */
async function withoutKey(probe: Probe): Promise<Finding> {
  if (!(await probe.facts())) return unasked('This check needs a valid key.');
  const forms = (await formsMet(probe)).map(({ id }) => endpointPath({ name: 'form', lang: probe.lang, id }));
  const open: string[] = [];
  for (const path of [probe.paths.facts, ...forms]) {
    await probe.look(path);
    const answer = await probe.lookWithoutKey(path);
    if (answer.ok && answer.data.status === 200) open.push(path.replace(/\?.*/, ''));
  }
  if (open.length === 0) return ok('Requests without the key are refused.');
  return broken(
    `${listed(open)} can be read without the key: a page cache or proxy stores the responses to it.`,
    'Exclude /wp-json/ from the page cache, plugin, host or CDN, and empty it. Update the Pillion plugin, which marks these responses for caches.',
  );
}

export const KEY: Check = { group: 'Key', name: 'consumer key', ask: key };

export const ACCESS: Check[] = [
  { group: 'Versions', name: 'WordPress', ask: wordpress },
  { group: 'Versions', name: 'PHP', ask: php },
  { group: 'Versions', name: 'Pillion plugin', ask: plugin },
  KEY,
  { group: 'Key', name: 'its rights', ask: rights },
];

/** Not run at the start of a server, which sends only requests with the key. */
export const STRANGER: Check = { group: 'Key', name: 'without the key', ask: withoutKey };
