import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEGABYTE } from '@pillion/forms/files.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { login } from '../contract/browser.ts';
import { php, rest } from '../contract/wordpress.ts';
import { examineSite, runDoctor } from '../support/doctor.ts';
import { SELF_SIGNED, startHttps } from '../support/https.ts';
import { readSignUps } from '../support/sign-ups.ts';
import { findFreePort, type RunningSite, startSite, waitForSite } from '../support/site.ts';
import { type Host, type HostOptions, startHost } from './host.ts';
import { addFileField, signUpWithFile } from './sign-up.ts';
import { NGINX, type Settings } from './web-servers.ts';

let host: Host;
let site: RunningSite;
/** What restores the healthy set-up, the last one first. */
const restores: (() => unknown)[] = [];

async function start(options: HostOptions) {
  host = await startHost(options);
  served = '{}';
  addFileField(host, 8);
  // WordPress also reaches it at 127.0.0.2.
  site = await startSite({ ...host.env, HOST: '0.0.0.0' });
  await waitForSite(site.url);
}
async function end() {
  await site?.stop();
  await host?.stop();
}
async function restoreAll() {
  for (const one of restores.splice(0).reverse()) await one();
}

const pathInSite = (path: string) => join(host.directory, 'html', path);

/** A state of WordPress and its web server that differs from the healthy one. */
interface State extends Settings {
  /** Further lines for nginx, next to the recommended ones, or for Apache. */
  lines?: string;
  /** Code of a must-use plugin. */
  plugin?: string;
  /** Values of options, as PHP. */
  options?: Record<string, string>;
  /** PHP that changes the stored form `$form`. */
  form?: string;
  /** Content of a file below WordPress' folder; `null`: it is missing. */
  files?: Record<string, string | null>;
  /** For the doctor. */
  env?: Record<string, string>;
}

function write(path: string, content: string | null) {
  const file = pathInSite(path);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const put = (text: string | null) => (text === null ? rmSync(file, { force: true }) : writeFileSync(file, text));
  mkdirSync(join(file, '..'), { recursive: true });
  put(content);
  restores.push(() => put(before));
}

function setOptions(options: Record<string, string>) {
  const names = JSON.stringify(Object.keys(options));
  const before = php(`echo base64_encode( serialize( array_map( 'get_option', json_decode( '${names}' ) ) ) );`, host);
  php(
    Object.entries(options)
      .map(([name, value]) => `update_option( '${name}', ${value} );`)
      .join(' '),
    host,
  );
  restores.push(() =>
    php(`array_map( 'update_option', json_decode( '${names}' ), unserialize( base64_decode( '${before}' ) ) );`, host),
  );
}

/** Settings of the running web server. */
let served = '{}';

async function serveWith(settings: Settings) {
  if (served === JSON.stringify(settings)) return;
  await host.configure(settings);
  served = JSON.stringify(settings);
}

/**
 * Changes the healthy set-up. `restoreAll` restores files and options; the next call restores the web server.
 * @returns The doctor's environment.
 */
async function apply({ lines, server, http, php: ini, plugin, options = {}, form, files = {}, env = {} }: State) {
  for (const [path, content] of Object.entries(files)) write(path, content);
  if (plugin) write('wp-content/mu-plugins/trial.php', `<?php\n${plugin}\n`);
  const all = form
    ? {
        ...options,
        pillion_forms: `( function ( $forms ) { $form = &$forms[1]; ${form} return $forms; } )( get_option( 'pillion_forms' ) )`,
      }
    : options;
  if (Object.keys(all).length > 0) setOptions(all);
  await serveWith({
    ...(ini && { php: ini }),
    ...(http && { http }),
    ...(lines && { server: host.web === 'nginx + FPM' ? `${NGINX}\n${lines}` : lines }),
    ...(server !== undefined && { server }),
  });
  return { ...host.env, ...env };
}

/** @param only Names of the checks to run. Default: all. */
async function problems(env: Record<string, string>, only?: readonly string[]) {
  // The command reads certificates at its start.
  const { lines } = env.NODE_EXTRA_CA_CERTS ? await runDoctor(env) : await examineSite(env, only);
  // A busy machine causes warnings.
  return lines.filter(({ state }) => state === 'broken');
}

/** A broken set-up. */
interface Broken {
  /** For the table. */
  is: string;
  /** The checks of the doctor that fail, and no other. */
  fails: string[];
  state: (host: Host) => State | Promise<State>;
  /**
   * Follows the doctor's advice. Without it, the advice is to remove what breaks the set-up.
   * @returns The set-up with the remedy.
   */
  cure?: (advice: string, state: State) => State | Promise<State>;
}

/** The text in quotation marks in the doctor's advice, after a name. */
function quotedText(advice: string, after = ''): string {
  const [, text] = /“([^”]+)”/.exec(advice.slice(advice.indexOf(after))) ?? [];
  if (!text) throw new Error(`Nothing is quoted after “${after}” in: ${advice}`);
  return text;
}

/** `CONTENT_URL=…` → the environment. */
function contentUrl(advice: string) {
  const [, CONTENT_URL = ''] = /CONTENT_URL=(\S+)\.$/.exec(advice) ?? [];
  return { CONTENT_URL };
}

function testSetUps(all: Broken[]) {
  test.each(all)('the doctor’s remedy cures: $is', async ({ fails, state: make, cure = () => ({}) }) => {
    const state = await make(host);
    const found = await problems(await apply(state));
    expect(
      found.map(({ name }) => name),
      JSON.stringify(found, null, 1),
    ).toEqual(fails);
    await restoreAll();
    const advice = found.map(({ todo }) => todo).join(' ');
    expect(await problems(await apply(await cure(advice, state)), fails), advice).toEqual([]);
  });
}

const POLICY = `add_header Content-Security-Policy "frame-src 'self'" always;`;
const REST = 'location /wp-json/';

const NGINX_SETUPS: Broken[] = [
  {
    is: 'nginx with its own limit for a request, 1 MB',
    fails: ['uploads'],
    state: () => ({ server: NGINX.replace(/client_max.*/, '') }),
    cure: (advice, { server }) => ({ server: `${server}\n${quotedText(advice, 'nginx')}` }),
  },
  {
    is: 'nginx serves the folder of sign-ups’ files',
    fails: ['uploaded files'],
    state: () => ({ server: 'client_max_body_size 12m;' }),
    cure: (advice, { server }) => ({ server: `${server}\n${quotedText(advice, 'nginx')}` }),
  },
  {
    is: 'no `try_files` for `/wp-json/`',
    fails: ['REST API'],
    state: () => ({ lines: `${REST} { return 404; }` }),
    cure: (advice) => ({ lines: `${REST} { ${quotedText(advice, 'nginx')} }` }),
  },
  {
    is: 'HTTP authentication in front of WordPress',
    fails: ['WordPress'],
    state: () => ({
      files: { 'passwords.txt': 'staging:{PLAIN}secret\n' },
      lines: `auth_basic "staging"; auth_basic_user_file ${pathInSite('passwords.txt')};`,
    }),
    cure: (_, { files = {}, lines = '' }) => ({
      files,
      lines: `set $realm staging; if ($request_uri ~ ^/wp-(json|content/uploads)/) { set $realm off; }
        ${lines.replace('"staging"', '$realm')}`,
    }),
  },
  {
    is: 'a bot check or firewall in front of `/wp-json/`',
    fails: ['REST API'],
    state: () => ({
      lines: `${REST} { default_type text/html; return 403 "<html><title>Just a moment...</title></html>"; }`,
    }),
  },
  {
    is: 'a page cache that stores by address only (`fastcgi_cache`)',
    fails: ['cache', 'without the key'],
    state: () => ({
      http: 'fastcgi_cache_path cache/pages keys_zone=pages:1m;',
      lines: `fastcgi_cache pages; fastcgi_cache_key $request_uri; fastcgi_cache_valid 200 10m;
        fastcgi_ignore_headers Cache-Control Expires X-Accel-Expires Set-Cookie;`,
    }),
    cure: (_, { http = '', lines }) => ({
      http,
      lines: `${lines} fastcgi_cache_bypass $http_authorization; fastcgi_no_cache $http_authorization;`,
    }),
  },
  {
    is: 'a proxy that removes unknown headers',
    fails: ['cache'],
    state: () => ({ lines: 'fastcgi_hide_header X-Pillion-Made;' }),
  },
  {
    is: 'a `Content-Security-Policy` for wp-admin',
    fails: ['pane'],
    state: () => ({ lines: POLICY }),
    cure: (advice) => ({ lines: POLICY.replace("'self'", `'self' ${/Add (\S+) to its/.exec(advice)?.[1]}`) }),
  },
  {
    is: 'hotlink protection for pictures',
    fails: ['pictures'],
    state: () => ({
      lines: 'location ~ \\.(webp|jpe?g|png)$ { valid_referers server_names; if ($invalid_referer) { return 403; } }',
    }),
  },
  {
    is: 'writing methods are refused below `/wp-json/wp/`',
    fails: ['saving'],
    state: () => ({
      lines: `location /wp-json/wp/ { if ($request_method != GET) { return 405; } try_files $uri /index.php?$args; }`,
    }),
  },
  {
    is: 'a redirect to WordPress’ other host name',
    fails: ['WordPress'],
    state: ({ url, port }) => ({
      lines: `listen 127.0.0.2:${port}; if ($http_host != "127.0.0.1:${port}") { return 301 ${url}$request_uri; }`,
      env: { CONTENT_URL: `http://127.0.0.2:${port}` },
    }),
    cure: (advice, { lines = '' }) => ({ lines, env: contentUrl(advice) }),
  },
  {
    is: '`https` where the web server has only `http`',
    fails: ['WordPress'],
    state: ({ url }) => ({ env: { CONTENT_URL: url.replace('http:', 'https:') } }),
  },
  {
    is: 'a port without a web server',
    fails: ['WordPress'],
    state: async () => ({ env: { CONTENT_URL: `http://127.0.0.1:${await findFreePort()}` } }),
  },
  {
    is: 'WordPress with a certificate of a private authority',
    fails: ['WordPress'],
    state: async ({ url }) => ({ env: { CONTENT_URL: await overHttps(url) } }),
    cure: (_, { env = {} }) => ({ env: { ...env, NODE_EXTRA_CA_CERTS: authority() } }),
  },
  {
    is: 'the site with a certificate of a private authority',
    fails: ['webhook'],
    state: async () => ({ plugin: `define( 'PILLION_SITE_URL', '${await overHttps(site.url)}' );` }),
    cure: (_, { plugin }) => ({
      plugin: `${plugin} add_filter( 'http_request_args', function ( $args ) { $args['sslcertificates'] = '${authority()}'; return $args; } );`,
    }),
  },
  {
    is: 'WordPress blocks outgoing requests (`WP_HTTP_BLOCK_EXTERNAL`)',
    fails: ['webhook'],
    // As wp-config.php of the tests has it: only 127.0.0.1 and localhost are allowed.
    state: ({ siteUrl }) => ({
      plugin: `define( 'PILLION_SITE_URL', '${siteUrl.replace('0.0.1', '0.0.2')}' );`,
    }),
    cure: (advice, state) => ({
      ...state,
      files: {
        'wp-config.php': readFileSync(pathInSite('wp-config.php'), 'utf8').replace(
          "'WP_ACCESSIBLE_HOSTS', '",
          `$&${/add (\S+) to/.exec(advice)?.[1]},`,
        ),
      },
    }),
  },
  {
    is: 'another secret in WordPress',
    fails: ['webhook'],
    state: () => ({
      plugin: `define( 'PILLION_WEBHOOK_SECRET', 'whsec_' . base64_encode( str_repeat( 'x', 32 ) ) );`,
    }),
  },
  {
    is: 'PHP accepts only small files',
    fails: ['uploads'],
    state: () => ({ php: { upload_max_filesize: '2M', post_max_size: '4M' } }),
    cure: (advice) => ({
      php: Object.fromEntries([...advice.matchAll(/(\w+) = (\d+M)/g)].map(([, name, size]) => [name, size])),
    }),
  },
  {
    is: 'PHP prints a message before each response',
    fails: ['REST API'],
    state: () => ({
      php: { display_errors: '1', output_buffering: '4096' },
      plugin: 'trigger_error( "A plugin is too old", E_USER_WARNING );',
    }),
    cure: (_, { plugin = '' }) => ({ php: { display_errors: '0' }, plugin }),
  },
  { is: 'plain permalinks', fails: ['REST API'], state: () => ({ options: { permalink_structure: `''` } }) },
  {
    is: 'maintenance mode, left over from an update',
    fails: ['WordPress'],
    state: () => ({ files: { '.maintenance': '<?php $upgrading = time();' } }),
  },
  {
    is: 'a coming soon page',
    fails: ['REST API'],
    state: () => ({ plugin: `echo '<!doctype html><title>Coming soon</title>'; exit;` }),
  },
  {
    is: 'a plugin that closes the REST API for all clients',
    fails: ['REST API'],
    state: () => ({
      plugin: `add_filter( 'rest_pre_dispatch', function () { return new WP_Error( 'rest_disabled', 'The REST API is disabled.', array( 'status' => 403 ) ); } );`,
    }),
  },
  {
    is: 'a plugin that wraps responses of the REST API',
    fails: ['REST API'],
    state: () => ({
      plugin: `add_filter( 'rest_pre_echo_response', function ( $data ) { return array( 'success' => true, 'data' => $data ); } );`,
    }),
  },
  {
    is: 'a plugin that moves REST addresses to the public site',
    fails: ['saving'],
    state: ({ url, siteUrl }) => ({
      plugin: `add_filter( 'rest_url', function ( $rest ) { return str_replace( '${url}', '${siteUrl}', $rest ); }, 20 );`,
    }),
  },
  {
    is: 'a clock that is seven minutes slow',
    fails: ['clocks'],
    state: () => ({
      lines: 'fastcgi_pass_header Date;',
      plugin: `header( 'Date: ' . gmdate( 'D, d M Y H:i:s', time() - 420 ) . ' GMT' );`,
    }),
  },
  { is: 'a wrong key or secret', fails: ['consumer key'], state: () => ({ env: { CONTENT_SECRET: 'cs_wrong' } }) },
  {
    is: 'uploads on another host',
    fails: ['pictures'],
    state: () => ({ options: { upload_url_path: `'https://pictures.example.org'` } }),
  },
  { is: 'no front page', fails: ['pages'], state: () => ({ options: { show_on_front: `'posts'` } }) },
  { is: 'an inactive form', fails: ['form'], state: () => ({ form: `$form['is_active'] = '0';` }) },
];

const MOD_PHP_SETUPS: Broken[] = [
  {
    is: 'Apache with a limit for a request',
    fails: ['uploads'],
    state: () => ({ lines: 'LimitRequestBody 1048576' }),
    cure: (advice) => ({ lines: quotedText(advice, 'Apache') }),
  },
  {
    is: 'no `.htaccess`',
    fails: ['REST API'],
    state: () => ({ files: { '.htaccess': null } }),
    cure: async (_, state) => {
      await apply(state);
      const administrator = await login('admin', 'admin', host);
      const { fields } = await administrator.page('/wp-admin/options-permalink.php');
      await administrator.submit('/wp-admin/options-permalink.php', fields, { permalink_structure: '/%postname%/' });
      return {};
    },
  },
];

const APACHE_SETUPS: Broken[] = [
  {
    is: 'Apache removes `Authorization` before FPM',
    fails: ['consumer key'],
    state: () => ({
      lines: 'SetEnvIf Authorization .* !HTTP_AUTHORIZATION',
      files: { '.htaccess': readFileSync(pathInSite('.htaccess'), 'utf8').replace(/.*E=HTTP_AUTHORIZATION.*\n/, '') },
    }),
    cure: (advice, { lines = '', files = {} }) => ({
      lines,
      files: { '.htaccess': `${quotedText(advice, 'Apache')}\n${files['.htaccess']}` },
    }),
  },
];

/** Servers in front of a host, which end with it. */
const servers: (() => unknown)[] = [];
/** @returns An address of this machine with a certificate of a private authority. */
async function overHttps(target: string): Promise<string> {
  const port = await findFreePort();
  const server = await startHttps(port, target);
  servers.push(() => server.close());
  return `https://127.0.0.1:${port}`;
}
const authority = () => {
  const file = join(host.directory, 'authority.pem');
  writeFileSync(file, SELF_SIGNED.cert);
  return file;
};

afterEach(restoreAll);

describe('nginx with FPM', () => {
  beforeAll(() => start({ web: 'nginx + FPM' }));
  afterAll(async () => {
    for (const stop of servers) stop();
    await end();
  });

  test('refuses a sign-up that nginx would refuse, with the size that it accepts, and stores nothing', async () => {
    await apply({ server: '' });
    await expect(signUpWithFile(site, 5)).rejects.toThrow(/413.*at most 0\.95 MB/);
    expect(await readSignUps(site.dataDirectory)).toEqual([]);
    expect(site.output()).toMatch(/"event":"files refused".*client_max_body_size 12m/);
  });

  test('serves a film of 60 MB', async () => {
    await apply({});
    const file = pathInSite('wp-content/uploads/film.mp4');
    writeFileSync(file, '');
    truncateSync(file, 60 * MEGABYTE);
    const answer = await fetch(`${site.url}/media/film.mp4`);
    expect(answer.status).toBe(200);
    expect((await answer.arrayBuffer()).byteLength).toBe(60 * MEGABYTE);
  });

  testSetUps(NGINX_SETUPS);

  test.each<[string, (host: Host) => string]>([
    [
      'A plugin that fails at unknown users of Basic authorization (JSON Basic Authentication).',
      () =>
        `add_filter( 'rest_authentication_errors', function ( $error ) { return $error ?: new WP_Error( 'invalid_username', 'Unknown username.', array( 'status' => 500 ) ); } );`,
    ],
    [
      'A plugin that allows the REST API to editors only.',
      () =>
        `add_filter( 'rest_authentication_errors', function ( $result ) { return current_user_can( 'edit_posts' ) ? $result : new WP_Error( 'rest_editors_only', 'Editors only.', array( 'status' => 401 ) ); }, 99 );`,
    ],
    ['WP-Cron that is switched off (`DISABLE_WP_CRON`).', () => `define( 'DISABLE_WP_CRON', true );`],
    [
      'A Site Address (`home`) that is the public site.',
      ({ siteUrl }) => `add_filter( 'option_home', function () { return '${siteUrl}'; }, 20 );`,
    ],
  ])('the site works and the doctor finds no problem: %s', async (_is, plugin) => {
    expect(await problems(await apply({ plugin: plugin(host) }))).toEqual([]);
  });

  test('opens a landing page in the block editor without a warning of PHP', async () => {
    await apply({});
    const log = join(host.directory, 'debug.log');
    rmSync(log, { force: true });
    const { body: page } = await rest('wp/v2/pages', {
      as: 'admin',
      site: host,
      body: { title: 'Page', template: 'landing' },
    });
    const browser = await login('admin', 'admin', host);
    const { html } = await browser.page(`/wp-admin/post.php?post=${page.id}&action=edit`);
    expect(html).toContain('block-editor');
    for (const route of ['wp/v2/templates?context=edit', 'wp/v2/templates/lookup?slug=landing'])
      expect((await rest(route, { as: 'admin', site: host })).status, route).toBe(200);
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
    // WordPress cannot reach its update server here.
    expect(lines.filter((line) => line.includes('PHP ') && !line.includes('WordPress.org'))).toEqual([]);
  });

  test('sends a trial to a form without required fields', async () => {
    await apply({ form: `foreach ( $form['fields'] as &$field ) { $field['isRequired'] = false; }` });
    const { lines } = await runDoctor(host.env, '--trial');
    expect(lines.find(({ group }) => group === 'Trial')).toMatchObject({ state: 'ok' });
  });
});

describe('a WordPress in its own directory', () => {
  beforeAll(() => start({ web: 'nginx + FPM', layout: 'in its own directory' }));
  afterAll(end);

  testSetUps([
    {
      is: '`CONTENT_URL` is the address of WordPress’ files',
      fails: ['REST API'],
      state: ({ url }) => ({ env: { CONTENT_URL: `${url}/cms` } }),
      cure: (advice) => ({ env: contentUrl(advice) }),
    },
  ]);
});

describe('Apache with mod_php', () => {
  beforeAll(() => start({ web: 'Apache mod_php' }));
  afterAll(end);

  testSetUps(MOD_PHP_SETUPS);
});

describe('Apache with FPM', () => {
  beforeAll(() => start({ web: 'Apache + FPM' }));
  afterAll(end);

  testSetUps(APACHE_SETUPS);
});
