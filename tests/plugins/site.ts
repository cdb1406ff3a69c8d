import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findPlugins, type OwnedPlugin, type PluginName } from '@pillion/scripts/plugins.mjs';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { php, phpValue } from '../contract/wordpress.ts';
import { findFreePort, type RunningSite, startSite } from '../support/site.ts';

/** Webhook secret between the temporary WordPress and its site only. */
const WEBHOOK_SECRET = `whsec_${Buffer.from('the plugins of a temporary site').toString('base64')}`;

/** The plugins in the folder of the person who runs this, `null` for missing ones. */
export const owned = findPlugins(process.env.PILLION_PLUGINS ?? '').found;

/** A mail as WordPress was to send it. */
export interface Mail {
  to: string | string[];
  subject: string;
  message: string;
  headers: string | string[] | Record<string, string>;
  attachments: string | string[];
}

export interface PluginSite {
  /** Also for `rest`, `php` and `phpValue` of tests/contract/wordpress.ts. */
  wordpress: RunningWordPress;
  versions: Partial<Record<PluginName, string>>;
  php(code: string): string;
  /** The return value of a function body, passed as JSON. */
  phpValue<T>(code: string): T;
  /** @throws With the plugin's name and folder, if it does not start. */
  activate(name: PluginName): void;
  /** Mails since the last `forgetMails`, oldest first. */
  mails(): Mail[];
  forgetMails(): void;
  /** Starts the built Pillion server with this WordPress. It stops with it at the latest. */
  startPillion(env?: Record<string, string>): Promise<RunningSite>;
  stop(): Promise<void>;
}

export interface PluginSiteOptions {
  /** Plugins to copy and activate, in this order. All must be in the folder. */
  plugins: PluginName[];
  /** Enables Gravity Forms' REST API, which is off by default. */
  restApi?: boolean;
  /**
   * Sends Gravity Forms' mails while it stores the entry. Its default is a separate request afterwards, which can send
   * a mail twice when two such requests overlap, so mails could not be counted. Default: true.
   */
  mailsAtOnce?: boolean;
  /** Notifies the Pillion server of changes. This allows one server at a time. */
  isNotified?: boolean;
}

function pluginOf(name: PluginName): OwnedPlugin {
  const plugin = owned[name];
  if (!plugin) throw new Error(`${name} is not in ${process.env.PILLION_PLUGINS ?? 'any folder: set PILLION_PLUGINS'}`);
  return plugin;
}

const contentFolder = (wordpress: RunningWordPress) => join(wordpress.directory, 'html/wp-content');

const copyPlugin = (wordpress: RunningWordPress, { directory }: OwnedPlugin) =>
  cpSync(directory, join(contentFolder(wordpress), 'plugins', basename(directory)), { recursive: true });

function catchMails(wordpress: RunningWordPress): void {
  const place = join(contentFolder(wordpress), 'mu-plugins');
  mkdirSync(place, { recursive: true });
  cpSync(join(import.meta.dirname, 'catch-mail.php'), join(place, 'catch-mail.php'));
}

/** PHP that is true in the request after the activation if the plugin works. */
const ACTIVITY_CHECKS: Record<PluginName, string> = {
  gravityforms: `class_exists( 'GFAPI' ) && is_array( GFAPI::get_forms() )`,
  acf: `function_exists( 'acf_get_setting' )`,
  yoast: `function_exists( 'YoastSEO' ) && is_object( YoastSEO()->meta )`,
  // Its functions load only with the first language.
  polylang: `defined( 'POLYLANG_ACTIVE' )`,
  w3tc: `class_exists( 'W3TC\\Dispatcher' )`,
};

/** Activates a plugin, or says what is wrong with it or with its use here. */
function activate(wordpress: RunningWordPress, { name, title, version, file, directory }: OwnedPlugin): void {
  const failed = (why: string) => new Error(`${title} ${version} of ${directory} does not come up: ${why}`);
  try {
    php(
      `$error = activate_plugin( '${file}' ); if ( is_wp_error( $error ) ) { throw new Exception( $error->get_error_message() ); }`,
      wordpress,
    );
    // Gravity Forms creates its tables at the first request to wp-admin.
    if (name === 'gravityforms') php('gf_upgrade()->maybe_upgrade();', wordpress);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error));
  }
  const answer = php(
    `try { echo ( ${ACTIVITY_CHECKS[name]} ) ? 'up' : 'it is active and does nothing'; } catch ( Throwable $error ) { echo $error->getMessage(); }`,
    wordpress,
  );
  if (answer !== 'up') throw failed(answer);
}

/**
 * Starts a seeded temporary WordPress with real plugins and a key for Pillion, and removes it after `stop`.
 * @throws With the plugin's name and folder, if one does not start.
 */
export async function startPluginSite({
  plugins: names,
  restApi = true,
  mailsAtOnce = true,
  isNotified = false,
}: PluginSiteOptions): Promise<PluginSite> {
  for (const name of names) pluginOf(name);
  const folder = mkdtempSync(join(tmpdir(), 'pillion-plugins-'));
  const port = await findFreePort();
  const notified = isNotified ? { site: { url: `http://127.0.0.1:${port}`, secret: WEBHOOK_SECRET } } : {};
  const wordpress = await startWordPress({ directory: join(folder, 'site'), ...notified });
  const running: RunningSite[] = [];
  const mails = join(wordpress.directory, 'mails.jsonl');
  const site: PluginSite = {
    wordpress,
    versions: {},
    php: (code) => php(code, wordpress),
    phpValue: (code) => phpValue(code, wordpress),
    activate(name) {
      const plugin = pluginOf(name);
      copyPlugin(wordpress, plugin);
      activate(wordpress, plugin);
      site.versions[name] = plugin.version;
    },
    mails: () =>
      existsSync(mails)
        ? readFileSync(mails, 'utf8')
            .trim()
            .split('\n')
            .filter(Boolean)
            .map((line): Mail => JSON.parse(line))
        : [],
    forgetMails: () => rmSync(mails, { force: true }),
    async startPillion(env = {}) {
      const { url, key, secret } = wordpress;
      const pillion = await startSite({
        ...{ CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret },
        ...(isNotified && { PORT: String(port), WEBHOOK_SECRET }),
        ...env,
      });
      running.push(pillion);
      return pillion;
    },
    async stop() {
      await Promise.all(running.map((pillion) => pillion.stop()));
      await wordpress.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    catchMails(wordpress);
    for (const name of names) site.activate(name);
    if (names.includes('gravityforms') && restApi) switchRestApiOn(site);
    if (names.includes('gravityforms') && mailsAtOnce)
      site.php(`update_option( 'gform_enable_async_notifications', '0' );`);
    return site;
  } catch (error) {
    await site.stop();
    throw error;
  }
}

/** Sets the option that the plugin's settings page sets. */
export function switchRestApiOn(site: PluginSite): void {
  site.php(`update_option( 'gravityformsaddon_gravityformswebapi_settings', array( 'enabled' => '1' ) );`);
}
