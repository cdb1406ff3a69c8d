import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEGABYTE } from '@pillion/forms/files.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '../contract/browser.ts';
import { php, rest } from '../contract/wordpress.ts';
import { doctor, examined } from '../support/doctor.ts';
import { keptSignUps } from '../support/sign-ups.ts';
import { type RunningSite, startSite, untilShown } from '../support/site.ts';
import { type Host, type HostOptions, startHost } from './host.ts';
import { signUpWithFile, takeFiles } from './sign-up.ts';

let host: Host;
let site: RunningSite;

async function start(options: HostOptions) {
  host = await startHost(options);
  takeFiles(host, 8);
  site = await startSite(host.env);
  await untilShown(site.url);
}
async function end() {
  await site?.stop();
  await host?.stop();
}

const content = (path: string) => join(host.directory, 'html/wp-content', path);

/** @returns What the doctor says of one thing, with its remedy. */
async function broken(name: string, env: Record<string, string> = host.env): Promise<string> {
  const { lines } = await examined(env);
  const line = lines.find((one) => one.name === name);
  expect(line, JSON.stringify(lines, null, 1)).toMatchObject({ state: 'broken' });
  return `${line?.says} ${line?.todo}`;
}

/** Installs a must-use plugin while `use` runs. */
async function withMustUse(code: string, use: () => Promise<void>): Promise<void> {
  const file = content('mu-plugins/trial.php');
  mkdirSync(content('mu-plugins'), { recursive: true });
  writeFileSync(file, `<?php\n${code}\n`);
  try {
    await use();
  } finally {
    rmSync(file);
  }
}

describe('nginx with FPM', () => {
  beforeAll(() => start({ web: 'nginx + FPM' }));
  afterAll(end);

  describe('with nginx’ own settings', () => {
    beforeAll(() => host.configure({ server: '' }));
    afterAll(() => host.configure());

    test('refuses a sign-up that nginx would refuse, with the size that it accepts, and stores nothing', async () => {
      await expect(signUpWithFile(site, 5)).rejects.toThrow(/413.*at most 0\.95 MB/);
      expect(await keptSignUps(site.dataDirectory)).toEqual([]);
      expect(site.output()).toMatch(/"event":"files refused".*client_max_body_size 12m/);
    });

    test('names the limit of a request’s size', async () => {
      expect(await broken('uploads')).toMatch(/refuses a request of this size.*client_max_body_size 10m/);
    });

    test('names files of sign-ups that anyone can read', async () => {
      expect(await broken('uploaded files')).toContain('location ^~ /wp-content/uploads/pillion/ { deny all; }');
    });
  });

  test('serves a film of 60 MB', async () => {
    const file = content('uploads/film.mp4');
    writeFileSync(file, '');
    truncateSync(file, 60 * MEGABYTE);
    const answer = await fetch(`${site.url}/media/film.mp4`);
    expect(answer.status).toBe(200);
    expect((await answer.arrayBuffer()).byteLength).toBe(60 * MEGABYTE);
  });

  test('names a policy of wp-admin that keeps the pane empty', async () => {
    await host.configure({ server: `add_header Content-Security-Policy "frame-src 'self'" always;` });
    expect(await broken('pane')).toMatch(/does not allow frames of .*Add http:\/\/127\.0\.0\.1:\d+ to its frame-src/);
    await host.configure();
  });

  test('names a web server that does not pass /wp-json/ on', async () => {
    await host.configure({ server: 'location /wp-json/ { return 404; }' });
    expect(await broken('REST API')).toMatch(/rewrite rules are missing.*try_files/);
    await host.configure();
  });

  test.each([
    // As "JSON Basic Authentication" does.
    [
      'fails at unknown users of Basic authorization',
      `add_filter( 'rest_authentication_errors', function ( $error ) { return $error ?: new WP_Error( 'invalid_username', 'Unknown username.', array( 'status' => 500 ) ); } );`,
    ],
    [
      'allows the REST API to editors only',
      `add_filter( 'rest_authentication_errors', function ( $result ) { return current_user_can( 'edit_posts' ) ? $result : new WP_Error( 'rest_editors_only', 'Editors only.', array( 'status' => 401 ) ); }, 99 );`,
    ],
  ])('reads content next to a plugin that %s', (_, code) =>
    withMustUse(code, async () => {
      const { lines } = await examined(host.env);
      expect(lines.filter(({ state }) => state === 'broken')).toEqual([]);
    }),
  );

  test('opens a landing page in the block editor without a warning of PHP', async () => {
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
    const log = join(host.directory, 'debug.log');
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
    // WordPress cannot reach its update server here.
    expect(lines.filter((line) => line.includes('PHP ') && !line.includes('WordPress.org'))).toEqual([]);
  });

  test('sends a trial to a form without required fields', async () => {
    php(
      `$forms = get_option( 'pillion_forms' );
      foreach ( $forms[1]['fields'] as &$field ) { $field['isRequired'] = false; }
      update_option( 'pillion_forms', $forms, false );`,
      host,
    );
    const { lines } = await doctor(host.env, '--trial');
    expect(lines.find(({ group }) => group === 'Trial')).toMatchObject({ state: 'ok' });
  });

  test('names a plugin that wraps responses of the REST API', () =>
    withMustUse(
      `add_filter( 'rest_pre_echo_response', function ( $data ) { return array( 'success' => true, 'data' => $data ); } );`,
      async () => expect(await broken('REST API')).toMatch(/not WordPress’ index.*wraps or replaces/),
    ));
});

describe('a WordPress in its own directory', () => {
  beforeAll(() => start({ web: 'nginx + FPM', layout: 'in its own directory' }));
  afterAll(end);

  test('names the Site Address if CONTENT_URL is the address of its files', async () => {
    const env = { ...host.env, CONTENT_URL: `${host.url}/cms` };
    expect(await broken('REST API', env)).toContain(`Set CONTENT_URL=${host.url}.`);
  });
});

describe('Apache with mod_php', () => {
  beforeAll(() => start({ web: 'Apache mod_php' }));
  afterAll(end);

  test('names a limit of Apache for a request’s size', async () => {
    await host.configure({ server: 'LimitRequestBody 1048576' });
    expect(await broken('uploads')).toMatch(/refuses a request of this size.*LimitRequestBody \d{8}/);
    await host.configure();
  });

  test('names a missing .htaccess', async () => {
    rmSync(join(host.directory, 'html/.htaccess'));
    await host.configure();
    expect(await broken('REST API')).toMatch(/rewrite rules are missing.*save Settings → Permalinks/);
  });
});
