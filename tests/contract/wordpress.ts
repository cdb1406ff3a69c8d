import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { SharedWordPress } from './global-setup.ts';

/** Who asks: the site's server with its key, an editor, a passer-by, or credentials of the test's own. */
export type Caller = 'key' | 'admin' | 'nobody' | { user: string; password: string };

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  body: any;
}

export const wordpress = (): SharedWordPress => inject('wordpress');

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

function authorization(caller: Caller, site: SharedWordPress): Record<string, string> {
  if (caller === 'nobody') return {};
  if (caller === 'key') return { authorization: basic(site.key, site.secret) };
  if (caller === 'admin') return { authorization: basic(site.admin.user, site.admin.applicationPassword) };
  return { authorization: basic(caller.user, caller.password) };
}

const readBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export interface Call {
  method?: string;
  body?: unknown;
  as?: Caller;
  site?: SharedWordPress;
}

/** Asks the REST API. @param path After `/wp-json/`. The key is shown unless `as` says otherwise, as the site does. */
export async function rest(path: string, call: Call = {}): Promise<Answer> {
  const { body, as = 'key', site = wordpress(), method = body === undefined ? 'GET' : 'POST' } = call;
  const response = await fetch(`${site.url}/wp-json/${path}`, {
    method,
    headers: { ...authorization(as, site), ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, body: readBody(await response.text()) };
}

const EVAL = join(import.meta.dirname, '../../scripts/wordpress/eval.php');

/**
 * PHP on the command line reads WordPress anew with every call. Kept as compiled files beside the site, that takes a third
 * of the time. A file is compiled again once it was changed (`opcache.validate_timestamps`), and is not kept in the two
 * seconds after (`opcache.file_update_protection`). Where PHP has no OPcache, these settings are nothing to it.
 * @returns Arguments for `php`.
 */
function evalIn(site: SharedWordPress): string[] {
  const kept = join(site.directory, 'compiled');
  mkdirSync(kept, { recursive: true });
  const settings = { enable_cli: 1, file_cache: kept, file_cache_only: 1 };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-d', `opcache.${name}=${value}`]);
  return [...flags, EVAL, join(site.directory, 'html/wp-load.php')];
}

/** Runs PHP inside the site. @returns What it printed. @throws With what it said, where it failed. */
export function php(code: string, site: SharedWordPress = wordpress()): string {
  const { status, stdout, stderr } = spawnSync('php', evalIn(site), {
    input: code,
    encoding: 'utf8',
    env: { ...process.env, ...site.environment },
  });
  if (status !== 0) throw new Error(`PHP ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** The same for what calls this process back: it can answer meanwhile. */
export async function phpAsync(code: string, site: SharedWordPress = wordpress()): Promise<string> {
  const child = spawn('php', evalIn(site), { env: { ...process.env, ...site.environment } });
  child.stdin.end(code);
  const [status, said, stderr] = await Promise.all([
    new Promise((resolve) => child.once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (status !== 0) throw new Error(`PHP ended with ${status}: ${said}${stderr}`);
  return said;
}

/** What `code` returns, read through JSON. */
export const phpValue = <T>(code: string, site?: SharedWordPress): T =>
  JSON.parse(php(`echo wp_json_encode( ( static function () { ${code} } )() );`, site));

/** A published page that is gone after the test. */
export async function withPage<T>(
  fields: Record<string, unknown>,
  use: (id: number) => Promise<T>,
  site: SharedWordPress = wordpress(),
): Promise<T> {
  const made = await rest('wp/v2/pages', { as: 'admin', body: { status: 'publish', ...fields }, site });
  if (made.status !== 201) throw new Error(`The page was not made: ${JSON.stringify(made.body)}`);
  try {
    return await use(made.body.id);
  } finally {
    await rest(`wp/v2/pages/${made.body.id}?force=true`, { as: 'admin', method: 'DELETE', site });
  }
}

/** Puts an option back as it was, even one that is broken on purpose. */
export async function withOption<T>(name: string, value: string, use: () => Promise<T>): Promise<T> {
  const before = php(`echo base64_encode( serialize( get_option( '${name}', null ) ) );`);
  try {
    php(`global $wpdb; $value = ${value};
      $wpdb->replace( $wpdb->options, array( 'option_name' => '${name}', 'option_value' => maybe_serialize( $value ), 'autoload' => 'no' ) );
      wp_cache_flush();`);
    return await use();
  } finally {
    php(`global $wpdb; $value = unserialize( base64_decode( '${before}' ) );
      $wpdb->delete( $wpdb->options, array( 'option_name' => '${name}' ) ); wp_cache_flush();
      if ( null !== $value ) { $wpdb->insert( $wpdb->options, array( 'option_name' => '${name}', 'option_value' => maybe_serialize( $value ), 'autoload' => 'no' ) ); }
      wp_cache_flush();`);
  }
}

/** Lets WordPress forget its site, and with it what it still has to tell. */
export const forgetSite = () =>
  php(`global $wpdb; delete_option( 'pillion_site' ); wp_unschedule_hook( 'pillion_send_changes' );
    $wpdb->query( "DELETE FROM $wpdb->options WHERE option_name LIKE 'pillion_change_%'" );`);

/** Says who WordPress is to tell of changes, from now on. */
export const setSite = (url: string, secret: string) =>
  php(`update_option( 'pillion_site', array( 'address' => '${url}', 'secret' => '${secret}' ), false );`);
