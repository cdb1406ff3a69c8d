import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { beforeAll, inject, onTestFinished } from 'vitest';
import { createFolder } from '../support/site.ts';
import type { SharedWordPress } from './global-setup.ts';

/** Who sends the request: the site's server with its key, an editor, an anonymous client, or the test's credentials. */
export type Caller = 'key' | 'admin' | 'nobody' | { user: string; password: string };

export interface RestResponse {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text of other responses. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  body: any;
}

/** The WordPress of this file of tests alone. */
let ownWordpress: RunningWordPress | null = null;

/** The WordPress that the functions below use by default. */
export const wordpress = (): SharedWordPress => ownWordpress ?? inject('wordpress');

/** Starts a WordPress for the calling file alone, and removes it after its tests. For tests that break it. */
export function useOwnWordPress(): void {
  beforeAll(async () => {
    const folder = createFolder();
    const started = await startWordPress({ directory: join(folder, 'wordpress') });
    ownWordpress = started;
    return async () => {
      await started.stop();
      rmSync(folder, { recursive: true, force: true });
    };
  });
}

const basicAuth = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

function authorization(caller: Caller, site: SharedWordPress): Record<string, string> {
  if (caller === 'nobody') return {};
  if (caller === 'key') return { authorization: basicAuth(site.key, site.secret) };
  if (caller === 'admin') return { authorization: basicAuth(site.admin.user, site.admin.applicationPassword) };
  return { authorization: basicAuth(caller.user, caller.password) };
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

/**
 * Requests a REST route. The key is sent unless `as` says otherwise, as the site does.
 * @param path After `/wp-json/`.
 */
export async function rest(path: string, call: Call = {}): Promise<RestResponse> {
  const { body, as = 'key', site = wordpress(), method = body === undefined ? 'GET' : 'POST' } = call;
  const response = await fetch(`${site.url}/wp-json/${path}`, {
    method,
    headers: { ...authorization(as, site), ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, body: readBody(await response.text()) };
}

const EVAL_SCRIPT = join(import.meta.dirname, '../../scripts/wordpress/eval.php');

/**
 * PHP on the command line compiles WordPress with every call. A file cache reduces this to a third of the time. PHP
 * compiles a file again after a change (`opcache.validate_timestamps`), and does not cache it in the first two seconds
 * (`opcache.file_update_protection`). PHP without OPcache ignores these settings.
 * @returns Arguments for `php`.
 */
function evalArgs(site: SharedWordPress): string[] {
  const cacheFolder = join(site.directory, 'compiled');
  mkdirSync(cacheFolder, { recursive: true });
  const settings = { enable_cli: 1, file_cache: cacheFolder, file_cache_only: 1 };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-d', `opcache.${name}=${value}`]);
  return [...flags, EVAL_SCRIPT, join(site.directory, 'html/wp-load.php')];
}

/**
 * Runs PHP inside WordPress.
 * @returns Its output.
 * @throws With its output, if it failed.
 */
export function php(code: string, site: SharedWordPress = wordpress()): string {
  const { status, stdout, stderr } = spawnSync('php', evalArgs(site), {
    input: code,
    encoding: 'utf8',
    env: { ...process.env, ...site.environment },
  });
  if (status !== 0) throw new Error(`PHP ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Like `php`, without blocking: this process can answer requests from it meanwhile. */
export async function phpAsync(code: string, site: SharedWordPress = wordpress()): Promise<string> {
  const child = spawn('php', evalArgs(site), { env: { ...process.env, ...site.environment } });
  child.stdin.end(code);
  const [status, stdout, stderr] = await Promise.all([
    new Promise((resolve) => child.once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (status !== 0) throw new Error(`PHP ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** The return value of `code`, passed as JSON. */
export const phpValue = <T>(code: string, site?: SharedWordPress): T =>
  JSON.parse(php(`echo wp_json_encode( ( static function () { ${code} } )() );`, site));

interface Uploaded {
  id: number;
  source_url: string;
  media_details: { sizes: { thumbnail: { source_url: string } } };
}

/** Uploads a file to the media library as an administrator. */
export async function upload(name: string, type: string, body: BodyInit): Promise<Uploaded> {
  const site = wordpress();
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` };
  const init = { method: 'POST', headers: { ...authorization('admin', site), ...headers }, body };
  const response = await fetch(`${site.url}/wp-json/wp/v2/media`, init);
  if (response.status !== 201) throw new Error(`${name} was not stored: ${await response.text()}`);
  return response.json();
}

/** Creates a page, published by default, and deletes it after the test. @returns Its id. */
export async function createPage(fields: Record<string, unknown>, site = wordpress()): Promise<number> {
  const created = await rest('wp/v2/pages', { as: 'admin', body: { status: 'publish', ...fields }, site });
  if (created.status !== 201) throw new Error(`The page was not made: ${JSON.stringify(created.body)}`);
  const { id } = created.body;
  onTestFinished(() => deletePage(id, site));
  return id;
}

export async function deletePage(id: number, site = wordpress()): Promise<void> {
  await rest(`wp/v2/pages/${id}?force=true`, { as: 'admin', method: 'DELETE', site });
}

/** Runs PHP after the test. */
export const phpAfterwards = (code: string, site = wordpress()) => onTestFinished(() => void php(code, site));

/** Dates the last save of a page back. WordPress tells two saves apart only if they are a second or more apart. */
export const dateBack = (id: number) =>
  php(`global $wpdb; $date = '2020-01-01 00:00:00';
    $wpdb->update( $wpdb->posts, array( 'post_modified_gmt' => $date, 'post_modified' => $date ), array( 'ID' => ${id} ) );
    clean_post_cache( ${id} );`);

export interface Person {
  id: number;
  caller: { user: string; password: string };
}

/** Creates a user with their name as password, and an application password. */
export function enrol(name: string, role = 'editor'): Person {
  const { id, password } = phpValue<{ id: number; password: string }>(
    `$id = wp_insert_user( array( 'user_login' => '${name}', 'user_pass' => '${name}', 'user_email' => '${name}@example.org', 'role' => '${role}' ) );
     return array( 'id' => $id, 'password' => WP_Application_Passwords::create_new_application_password( $id, array( 'name' => 'tests' ) )[0] );`,
  );
  return { id, caller: { user: name, password } };
}

/** Creates a user, as `enrol`, until the end of the test. */
export function createUser(name: string, role = 'editor'): Person {
  const person = enrol(name, role);
  phpAfterwards(`wp_delete_user( ${person.id} );`);
  return person;
}

/** Installs a must-use plugin. Each file has a new name because PHP caches compiled files. @returns Removes it. */
export function installPlugin(code: string, site = wordpress()): () => void {
  const folder = join(site.directory, 'html/wp-content/mu-plugins');
  const file = join(folder, `${randomUUID()}.php`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `<?php\n${code}\n`);
  return () => rmSync(file, { force: true });
}

/** Installs a must-use plugin until the end of the test. */
export const usePlugin = (code: string, site?: SharedWordPress) => onTestFinished(installPlugin(code, site));

/** Replaces an option, also with an invalid value. @returns Restores it. */
function replaceOption(name: string, value: string, site = wordpress()): () => void {
  const store = `$wpdb->replace( $wpdb->options, array( 'option_name' => '${name}', 'option_value' => maybe_serialize( $value ), 'autoload' => 'no' ) );`;
  const before = php(
    `global $wpdb; echo base64_encode( serialize( get_option( '${name}', null ) ) ); $value = ${value}; ${store} wp_cache_flush();`,
    site,
  );
  return () =>
    void php(
      `global $wpdb; $value = unserialize( base64_decode( '${before}' ) );
      $wpdb->delete( $wpdb->options, array( 'option_name' => '${name}' ) ); wp_cache_flush();
      if ( null !== $value ) { ${store} } wp_cache_flush();`,
      site,
    );
}

/** Sets an option until the end of the test. */
export const setOption = (name: string, value: string, site?: SharedWordPress) =>
  onTestFinished(replaceOption(name, value, site));

/** Sets an option while `use` runs. */
export async function withOption<T>(name: string, value: string, use: () => Promise<T>): Promise<T> {
  const restore = replaceOption(name, value);
  try {
    return await use();
  } finally {
    restore();
  }
}

/** Removes the site's address from WordPress, with the queued changes. */
export const forgetSite = () =>
  php(`global $wpdb; delete_option( 'pillion_site' ); wp_unschedule_hook( 'pillion_send_changes' );
    $wpdb->query( "DELETE FROM $wpdb->options WHERE option_name LIKE 'pillion_change_%'" );`);

/** Sets the site that WordPress notifies of changes. */
export const setSite = (url: string, secret: string) =>
  php(`update_option( 'pillion_site', array( 'address' => '${url}', 'secret' => '${secret}' ), false );`);
