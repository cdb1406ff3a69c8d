import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureMariaDb } from '@pillion/scripts/lib/wordpress-database.mjs';
import { RELEASES, type ReleaseName } from '@pillion/scripts/lib/wordpress-files.mjs';
import {
  createSite,
  ensureTemplate,
  moveSite,
  readSiteInfo,
  startDatabase,
  updatePlugin,
} from '@pillion/scripts/lib/wordpress-site.mjs';
import type { SharedWordPress } from '../contract/global-setup.ts';
import { php } from '../contract/wordpress.ts';
import { SEED } from '../support/fixture.ts';
import { moveFiles, OWN_DIRECTORY } from '../support/layouts.ts';
import { createFolder, findFreePort } from '../support/site.ts';
import { type Served, type Settings, serve, WEB_USER, type WebServer } from './web-servers.ts';

export type Layout = 'at the root' | 'in its own directory' | 'network in folders';

export interface HostOptions {
  web: WebServer;
  layout?: Layout;
  release?: ReleaseName;
}

/** A WordPress as it is hosted, and the environment of a site that reads it. */
export interface Host extends SharedWordPress {
  web: WebServer;
  /** Address of the site's server. Nothing listens there yet. */
  siteUrl: string;
  /** For the site's server and its doctor. */
  env: Record<string, string>;
  /** Restarts the web server and PHP with other settings. Without settings: the usual ones. */
  configure: (settings?: Settings) => Promise<void>;
  stop: () => Promise<void>;
}

const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;

/** The blog of the network that the site reads. */
const BLOG = '/second';

/** The rules that WordPress writes itself (`WP_Rewrite::mod_rewrite_rules()` and the screen of a new network). */
const htaccess = (isNetwork: boolean) => `RewriteEngine On
RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]
RewriteBase /
RewriteRule ^index\\.php$ - [L]
${
  isNetwork
    ? `RewriteRule ^([_0-9a-zA-Z-]+/)?wp-admin$ $1wp-admin/ [R=301,L]
RewriteCond %{REQUEST_FILENAME} -f [OR]
RewriteCond %{REQUEST_FILENAME} -d
RewriteRule ^ - [L]
RewriteRule ^([_0-9a-zA-Z-]+/)?(wp-(content|admin|includes).*) $2 [L]
RewriteRule ^([_0-9a-zA-Z-]+/)?(.*\\.php)$ $2 [L]
RewriteRule . index.php [L]`
    : `RewriteCond %{REQUEST_FILENAME} !-f
RewriteCond %{REQUEST_FILENAME} !-d
RewriteRule . /index.php [L]`
}
`;

function editConfig(directory: string, change: (config: string) => string) {
  const file = join(directory, 'html/wp-config.php');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Makes a network of a WordPress, and fills its second blog as the first one was filled. */
function convertToNetwork(site: SharedWordPress): void {
  const { directory, environment, url, port } = site;
  const domain = `127.0.0.1:${port}`;
  editConfig(directory, (config) => config.replace(/define\( 'WP_HOME'.*\ndefine\( 'WP_SITEURL'.*\n/, ''));
  php(
    `update_option( 'home', '${url}' ); update_option( 'siteurl', '${url}' );
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    global $wpdb;
    foreach ( $wpdb->tables( 'ms_global' ) as $table => $name ) { $wpdb->$table = $name; }
    install_network();
    populate_network( 1, '${domain}', 'admin@example.org', 'Network', '/', false );`,
    site,
  );
  editConfig(directory, (config) =>
    config.replace(
      '$table_prefix',
      `define( 'MULTISITE', true ); define( 'SUBDOMAIN_INSTALL', false ); define( 'DOMAIN_CURRENT_SITE', '${domain}' );
define( 'PATH_CURRENT_SITE', '/' ); define( 'SITE_ID_CURRENT_SITE', 1 ); define( 'BLOG_ID_CURRENT_SITE', 1 );
$table_prefix`,
    ),
  );
  php(
    `$id = wp_insert_site( array( 'domain' => '${domain}', 'path' => '${BLOG}/', 'user_id' => 1, 'title' => 'Second' ) );
    if ( is_wp_error( $id ) ) { throw new Exception( $id->get_error_message() ); }
    activate_plugin( 'pillion/pillion.php', '', true );
    update_site_option( 'fileupload_maxk', 11 * 1024 );`,
    site,
  );
  const seeded = spawnSync('php', ['scripts/wordpress/seed.php', join(directory, 'html/wp-load.php')], {
    env: { ...process.env, ...environment, WORDPRESS_PATH: `${BLOG}/`, PILLION_SEED: SEED },
    encoding: 'utf8',
  });
  if (seeded.status !== 0) throw new Error(`The blog was not filled: ${seeded.stdout}${seeded.stderr}`);
  const { password } = JSON.parse(seeded.stdout.trim().split('\n').at(-1) ?? '') as { password: string };
  site.admin.applicationPassword = password;
  environment.WORDPRESS_PATH = `${BLOG}/`;
  site.url += BLOG;
}

/** The web server's user writes uploads and logs. */
function changeOwner(directory: string): void {
  if (!WEB_USER) return;
  chmodSync(directory, 0o755);
  const paths = ['.', 'salt', 'html', 'debug.log'].map((name) => join(directory, name)).filter(existsSync);
  const { status, stderr } = spawnSync('chown', ['-R', '--from=root', WEB_USER, ...paths.slice(1)]);
  if (status !== 0) throw new Error(`chown failed: ${stderr}`);
  spawnSync('chown', [WEB_USER, directory]);
}

/** Starts a WordPress with a web server and a MariaDB. All of it ends with `stop`. */
export async function startHost({ web, layout = 'at the root', release = 'mariadb-7.1' }: HostOptions): Promise<Host> {
  await ensureMariaDb();
  await RELEASES[release].ensure();
  const template = await ensureTemplate(release, SEED);
  const folder = createFolder();
  if (WEB_USER) chmodSync(folder, 0o755);
  const directory = join(folder, 'wordpress');
  const isNetwork = layout === 'network in folders';
  const [port, sitePort] = [await findFreePort(), await findFreePort()];
  const siteUrl = `http://127.0.0.1:${sitePort}`;
  const remove = () => rmSync(folder, { recursive: true, force: true });
  await createSite(directory, template.directory);
  await updatePlugin(directory, SEED);
  const database = await startDatabase(directory, port, { url: siteUrl, secret: SECRET });
  const environment = { ...database.environment } as Record<string, string>;
  const url = `http://127.0.0.1:${port}`;
  let served: Served | null = null;

  async function configure(settings: Settings = {}) {
    await served?.stop();
    served = null;
    const webFolder = mkdtempSync(join(folder, 'web-'));
    chmodSync(webFolder, 0o777);
    served = await serve(
      web,
      { directory: webFolder, html: join(directory, 'html'), port, environment, isNetwork },
      settings,
    );
  }
  async function stop() {
    await served?.stop();
    await database.stop();
    remove();
  }

  try {
    await moveSite(directory, url, { ...environment, PILLION_SITE_URL: '' });
    const { key, secret, admin } = readSiteInfo(directory);
    const site: SharedWordPress = { url, port, directory, key, secret, admin, environment };
    if (isNetwork) convertToNetwork(site);
    writeFileSync(join(directory, 'html/.htaccess'), htaccess(isNetwork));
    changeOwner(directory);
    await configure();
    if (layout === 'in its own directory') await moveFiles(site, OWN_DIRECTORY);
    const env = {
      ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: site.url, CONTENT_KEY: key, CONTENT_SECRET: secret },
      ...{ WEBHOOK_SECRET: SECRET, SITE_URL: siteUrl, PORT: String(sitePort) },
    };
    return { ...site, web, siteUrl, env, configure, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}
