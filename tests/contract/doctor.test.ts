import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '@pillion/server/doctor/finding.ts';
import { questionHeaders } from '@pillion/server/testing/questions.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { examineSite, findProblems, runCommand, runDoctor } from '../support/doctor.ts';
import { createFolder, findFreePort, type RunningSite, startSite } from '../support/site.ts';
import { login, type Screen } from './browser.ts';
import { php, phpAfterwards, phpValue, rest, setSite, useOwnWordPress, usePlugin, wordpress } from './wordpress.ts';

const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;

let site: RunningSite;
let folder: string;
let healthy: Record<string, string>;

const place = (path: string) => join(wordpress().directory, 'html', path);

useOwnWordPress();
beforeAll(async () => {
  folder = createFolder();
  const { url, key, secret } = wordpress();
  const content = { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
  const env = { ...content, WEBHOOK_SECRET: SECRET };
  site = await startSite({ ...env, PORT: String(await findFreePort()) });
  healthy = { ...env, SITE_URL: site.url };
  setSite(site.url, SECRET);
});
afterAll(async () => {
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that the plugin stores or counts, to detect leftovers. */
const traces = () =>
  phpValue<Record<string, unknown>>(`global $wpdb; return array(
    'posts'   => $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->posts WHERE post_type = 'pillion_entry'" ),
    'meta'    => $wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->postmeta" ),
    'options' => $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%pillion%' AND option_name <> 'pillion_intake_version' ORDER BY option_name" ),
    'intake'  => get_option( 'pillion_intake_version' ) ? (int) $wpdb->get_var( 'SELECT COUNT(*) FROM ' . Pillion\\Forms\\Entries\\IdempotencyKeys::table() ) : 0,
    'files'   => glob( wp_upload_dir()['basedir'] . '/pillion/*' ),
  );`);

/** Replaces Pillion with a copy of it whose main file is changed, until the end of the test. */
function useOtherPlugin(name: string, change: (source: string) => string) {
  const folder = place(`wp-content/plugins/${name}`);
  cpSync(place('wp-content/plugins/pillion'), folder, { recursive: true });
  const source = readFileSync(join(folder, 'pillion.php'), 'utf8');
  expect(change(source), 'the change found what it changes').not.toBe(source);
  writeFileSync(join(folder, 'pillion.php'), change(source));
  php(`deactivate_plugins( 'pillion/pillion.php' );`);
  php(`activate_plugin( '${name}/pillion.php' );`);
  onTestFinished(() => {
    php(`deactivate_plugins( '${name}/pillion.php' );`);
    php(`activate_plugin( 'pillion/pillion.php' );`);
    rmSync(folder, { recursive: true });
  });
}

/** Changes options with WordPress' own functions until the end of the test. */
function changeOptions(names: string[], code: string) {
  const kept = names.map((name) => [name, php(`echo base64_encode( serialize( get_option( '${name}', null ) ) );`)]);
  php(code);
  for (const [name, value] of kept)
    phpAfterwards(`$value = unserialize( base64_decode( '${value}' ) );
      null === $value ? delete_option( '${name}' ) : update_option( '${name}', $value );`);
}

/** Changes the stored form until the end of the test. */
const changeForm = (change: string) =>
  changeOptions(
    ['pillion_forms', 'pillion_forms_last'],
    `$forms = get_option( 'pillion_forms' ); ${change} update_option( 'pillion_forms', $forms, false );`,
  );

async function expectLine(state: State, name: string, says: RegExp, todo: RegExp, env: Record<string, string>) {
  const { lines, code, of } = await examineSite(env);
  const line = of(name);
  expect(line, `one line about “${name}”: ${JSON.stringify(lines, null, 1)}`).toMatchObject({ state });
  expect(line?.says).toMatch(says);
  expect(line?.todo).toMatch(todo);
  return code;
}

async function expectBroken(name: string, says: RegExp, todo: RegExp, env = healthy): Promise<void> {
  expect(await expectLine('broken', name, says, todo, env), 'a pipeline stops').toBe(1);
}

/** Expects a warning and exit code 0, since warnings fail only with `--strict`. */
async function expectWarning(name: string, says: RegExp, todo: RegExp, env = healthy): Promise<void> {
  expect(await expectLine('warning', name, says, todo, env)).toBe(0);
}

describe('npm run doctor', () => {
  test('finds all rights of a key, regardless of which user created it', async () => {
    const made = phpValue<{ key: string; secret: string }>(
      `$user = wp_insert_user( array( 'user_login' => 'reader', 'user_pass' => wp_generate_password(), 'role' => 'subscriber' ) );
      return Pillion\\Access\\Keys::create( 'doctor-reader', 'of the tests', $user );`,
    );
    phpAfterwards(
      `Pillion\\Access\\Keys::revoke( 'doctor-reader' ); wp_delete_user( get_user_by( 'login', 'reader' )->ID );`,
    );
    const { lines } = await examineSite({ ...healthy, CONTENT_KEY: made.key, CONTENT_SECRET: made.secret });
    const ofKey = lines.filter(({ group }) => group === 'Key').map(({ name, state }) => [name, state]);
    expect(ofKey).toEqual([
      ['consumer key', 'ok'],
      ['its rights', 'ok'],
      ['without the key', 'ok'],
    ]);
  });

  test('reports no problem for a healthy WordPress, with a trial and the webhook, and leaves no traces', async () => {
    const before = traces();
    const { lines, code } = await runDoctor(healthy, '--trial');
    expect(findProblems(lines)).toEqual([]);
    expect(lines.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['WordPress', 'clocks', 'consumer key', 'texts', 'menus', 'form', 'webhook', 'sign-up']),
    );
    expect(code).toBe(0);
    expect(traces(), 'no entry, no mark of one, no file').toEqual(before);
  });

  test('sends no sign-up unless requested, and says so', async () => {
    const { code, of } = await examineSite(healthy);
    expect(of('sign-up')).toMatchObject({ state: 'unasked', todo: expect.stringMatching(/--trial/) });
    expect(code).toBe(0);
  });

  test('prints plain lines without colours, with the remedy below each and a summary', async () => {
    const { code, stdout } = await runCommand(['doctor'], { ...healthy, CONTENT_SECRET: 'cs_wrong' });
    expect(code).toBe(1);
    expect(stdout).not.toContain('\x1b');
    expect(stdout).toMatch(/✗ broken +consumer key +WordPress does not take the key/);
    expect(stdout).toMatch(/\n +→ In WordPress, Pillion → Keys: create a key/);
    expect(stdout).toMatch(/\d+ errors?.*work\.\n/);
    expect(stdout, 'no secret is repeated').not.toContain('cs_wrong');
  });
});

describe('npm run doctor reports with a remedy and exit code 1:', () => {
  test('another plugin that removes the rights that Pillion grants the key', async () => {
    // WordPress runs this filter last, because it is registered after Pillion's.
    usePlugin(`class GFForms { public static $version = '2.10.2'; }
       add_action( 'init', function () { add_filter( 'user_has_cap', function ( $all ) { unset( $all['gravityforms_edit_forms'] ); return $all; }, PHP_INT_MAX ); } );`);
    await expectBroken('its rights', /prevents the key from reading forms/, /plugin that manages capabilities/);
  });

  test('an inactive plugin', async () => {
    php(`deactivate_plugins( 'pillion/pillion.php' );`);
    phpAfterwards(`activate_plugin( 'pillion/pillion.php' );`);
    await expectBroken('Pillion plugin', /not active/, /Plugins: activate Pillion/);
  });

  const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [major = 0, minor = 0] = VERSION.split('.').map(Number);
  test.each([
    { version: '0.9.3', expectState: expectBroken, says: 'older', todo: /upload build\/wordpress\/pillion\.zip/ },
    { version: `${major}.${minor + 7}.0`, expectState: expectWarning, says: 'newer', todo: /packages @pillion/ },
    { version: `${major + 1}.0.0`, expectState: expectBroken, says: 'newer', todo: /packages @pillion/ },
  ])(`the plugin $version with a site of version ${VERSION}`, async ({ version, expectState, says, todo }) => {
    useOtherPlugin(`pillion-${version.replaceAll('.', '-')}`, (source) =>
      source.replace(/const VERSION = '[^']+'/, `const VERSION = '${version}'`),
    );
    await expectState(
      'Pillion plugin',
      new RegExp(`${version.replaceAll('.', '\\.')} is ${says} than this site`),
      todo,
    );
  });

  test('plain permalinks, once WordPress has discarded its old rewrite rules', async () => {
    changeOptions(
      ['permalink_structure', 'rewrite_rules'],
      `$GLOBALS['wp_rewrite']->set_permalink_structure( '' ); flush_rewrite_rules();`,
    );
    await expectBroken('REST API', /Permalinks are plain.*does not exist/, /Settings → Permalinks/);
  });

  test('a deleted form', async () => {
    changeForm('unset( $forms[1] );');
    await expectBroken('form', /Form 1, which is set in the texts, does not exist/, /number of a form/);
  });

  test('Gravity Forms with its REST API off', async () => {
    // The site gets 404 rest_no_route for all of gf/v2, as recorded in tests/plugins.
    usePlugin(`class GFForms { public static $version = '2.10.2'; }`);
    await expectBroken('Gravity Forms', /REST API is off/, /Forms → Settings → REST API/);
  });

  test('a host name that DNS does not know', () =>
    expectBroken('WordPress', /does not know the name no-such-host\.invalid/, /DNS/, {
      ...healthy,
      CONTENT_URL: 'http://no-such-host.invalid',
    }));

  test('invalid variables, each by its name', async () => {
    const { code, of } = await runDoctor({ ...healthy, CONTENT_KEY: '', PORT: 'many' });
    expect(of('CONTENT_KEY')).toMatchObject({ state: 'broken', says: expect.stringMatching(/is missing/) });
    expect(of('PORT')?.todo).toMatch(/docs\/how-to\/operators\.md/);
    expect(code).toBe(1);
  });

  test('an unusable database, without the password in its address', async () => {
    const env = {
      ...healthy,
      DATABASE_URL: `postgresql://pillion:told-nobody@127.0.0.1:${await findFreePort()}/pillion`,
      SECRET_KEY: 'a key of the tests that is long enough',
    };
    await expectBroken('sign-up store', /database 127\.0\.0\.1:\d+\/pillion cannot be used/, /DATABASE_URL/, env);
    expect(JSON.stringify(await examineSite(env))).not.toContain('told-nobody');
  });

  test('a site without a WordPress address', () =>
    expectBroken('source', /CONTENT_SOURCE is “bundled”/, /CONTENT_SOURCE=wordpress/, { SITE_URL: site.url }));
});

describe('npm run doctor warns, and fails only with --strict:', () => {
  test('about missing texts', async () => {
    changeOptions(['pillion_strings'], `delete_option( 'pillion_strings' );`);
    await expectWarning('texts', /Not filled in: brand \(shown: “Pillion”\)/, /fill in these texts/);
    expect((await runDoctor(healthy, '--strict')).code).toBe(1);
  });

  test('about texts that no one has translated, by language', async () => {
    usePlugin(
      `add_filter( 'pillion_languages', static fn( array $tags ): array => array_merge( $tags, array( 'de', 'sv' ) ) );`,
    );
    changeOptions(
      ['pillion_strings_sv'],
      `update_option( 'pillion_strings_sv', array( 'labels' => array( 'join' => 'Gå med' ) ) );`,
    );
    const { lines, code } = await examineSite(healthy);
    expect(code).toBe(0);
    const says = lines.filter(({ name }) => name === 'translated texts');
    expect(says, 'German has the plugin’s texts').toHaveLength(1);
    expect(says[0]).toMatchObject({ state: 'warning', todo: expect.stringMatching(/Pillion → Texts/) });
    expect(says[0]?.says).toMatch(/^(svenska|sv): \d{2} texts .*: labels\.scroll, labels\.sound, .* and \d{2} more\.$/);
  });

  test('about a location without a menu, an empty menu and nested items', async () => {
    const locations = phpValue<Record<string, number>>('return get_nav_menu_locations();');
    const { empty, nested } = phpValue<{ empty: number; nested: number }>(`
      $empty = wp_create_nav_menu( 'Empty' ); $nested = wp_create_nav_menu( 'Nested' );
      $item = array( 'menu-item-status' => 'publish', 'menu-item-type' => 'custom', 'menu-item-url' => home_url( '/' ) );
      $top = wp_update_nav_menu_item( $nested, 0, $item + array( 'menu-item-title' => 'Above' ) );
      wp_update_nav_menu_item( $nested, 0, $item + array( 'menu-item-title' => 'Below', 'menu-item-parent-id' => $top ) );
      set_theme_mod( 'nav_menu_locations', array( 'main_menu' => $nested, 'social_menu' => $empty ) );
      return compact( 'empty', 'nested' );`);
    phpAfterwards(`set_theme_mod( 'nav_menu_locations', json_decode( '${JSON.stringify(locations)}', true ) );
        wp_delete_nav_menu( ${empty} ); wp_delete_nav_menu( ${nested} );`);
    const { lines, code } = await examineSite(healthy);
    const says = lines.filter(({ name }) => name === 'menus').map((line) => line.says);
    expect(says).toEqual([
      '“Main menu” has items below other items. The site does not show them.',
      'The menu at “Social networks” is empty.',
      '“Legal pages” has no menu.',
    ]);
    expect(code).toBe(0);
  });

  test('about a field that the site does not draw', async () => {
    changeForm(`$forms[1]['fields'][] = array( 'id' => 91, 'type' => 'signature', 'label' => 'Sign here' );`);
    await expectWarning('fields', /Sign here \(signature\)/, /docs\/how-to\/editors\.md/);
  });

  test('about changes that are not sent', async () => {
    changeOptions(['pillion_site'], `delete_option( 'pillion_site' );`);
    const { WEBHOOK_SECRET: _secret, ...env } = healthy;
    await expectWarning('webhook', /show within a minute/, /Pillion → Site/, env);
  });

  test('but not about a site that is not running, which it only mentions', async () => {
    const { code, of } = await examineSite({ ...healthy, SITE_URL: `http://127.0.0.1:${await findFreePort()}` });
    expect(of('site')).toMatchObject({ state: 'unasked', says: expect.stringMatching(/No site runs at/) });
    expect(code).toBe(0);
  });
});

describe('a trial sign-up', () => {
  const send = (as: 'key' | 'nobody' | 'admin', id: string) =>
    rest('gf/v2/forms/1/submissions', {
      as,
      body: { input_1: 'Trial', input_2: 'trial@example.org', input_3_1: '1', sign_up_id: id, pillion_trial: '1' },
    });

  test('is rejected without a key, even from an administrator, and stores nothing', async () => {
    const before = traces();
    expect((await send('admin', 'trial-of-an-administrator')).body).toMatchObject({ code: 'pillion_trial_needs_key' });
    expect([401, 403]).toContain((await send('nobody', 'trial-of-nobody')).status);
    expect(traces()).toEqual(before);
  });

  test('sends no mail', async () => {
    const log = join(folder, 'mails');
    usePlugin(`add_filter( 'wp_mail', function ( $mail ) { file_put_contents( '${log}', 'asked', FILE_APPEND ); return $mail; } );
       add_filter( 'pre_wp_mail', function ( $answer ) { if ( false !== $answer ) { file_put_contents( '${log}', 'sent', FILE_APPEND ); } return true; }, 20 );`);
    changeForm(
      `$forms[1]['notifications'] = array( 'default' => array( 'to' => 'brand@example.org', 'isActive' => true ) );`,
    );
    expect((await runDoctor(healthy, '--trial')).code).toBe(0);
    expect(existsSync(log), 'a trial').toBe(false);
    const body = {
      input_1: 'Real',
      input_2: 'real@example.org',
      input_3_1: '1',
      sign_up_id: 'one-that-is-real',
    };
    await rest('gf/v2/forms/1/submissions', { body });
    await expect.poll(() => existsSync(log), { timeout: 50_000, message: 'a real one' }).toBe(true);
    php(
      `foreach ( get_posts( array( 'post_type' => 'pillion_entry', 'post_status' => 'any' ) ) as $one ) { wp_delete_post( $one->ID, true ); }`,
    );
  });
});

describe('Pillion → Site', () => {
  const SITE_PAGE = '/wp-admin/admin.php?page=pillion-site';
  /** Each finding in the list as state, name, sentence and remedy. */
  const findingsOf = ({ html }: Screen) =>
    [...html.matchAll(/<li class="pillion-finding" data-state="(\w+)">(.*?)<\/li>/gs)].map(([, state, inner = '']) => ({
      state,
      text: inner
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    }));

  async function asked(): Promise<Screen> {
    const administrator = await login();
    const screen = await administrator.page(SITE_PAGE);
    return administrator.submit(SITE_PAGE, screen.fields, { do: 'ask' });
  }

  test('lists what this WordPress can check itself and sends no request to the site yet', async () => {
    const administrator = await login();
    const screen = await administrator.page(SITE_PAGE);
    expect(screen.html).toContain('No problems found.');
    expect(screen.html).toContain('Ask the site');
    expect(findingsOf(screen).map(({ state }) => state)).toEqual(Array(9).fill('ok'));
  });

  test('shows what is broken there, with a remedy', async () => {
    changeOptions(['permalink_structure'], `update_option( 'permalink_structure', '' );`);
    changeForm(`$forms[1]['is_active'] = '0';`);
    const administrator = await login();
    const screen = await administrator.page(SITE_PAGE);
    expect(screen.html).toContain('2 errors.');
    const broken = findingsOf(screen).filter(({ state }) => state === 'broken');
    expect(broken.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Broken permalinks .*Settings → Permalinks/),
      expect.stringMatching(/^Broken form Form 1.*Activate or restore it/),
    ]);
  });

  test('shows the site’s findings in the words of npm run doctor', async () => {
    // The screen waits 30 s for all checks.
    const screen = await vi.waitUntil(
      async () => {
        const one = await asked();
        return !one.html.includes('could not run its checks') && one;
      },
      { timeout: 150_000 },
    );
    const found = findingsOf(screen).map(({ text }) => text);
    const { lines } = await examineSite(healthy);
    const own = lines.filter(({ group }) => group !== 'Site' && group !== 'Trial');
    for (const { name, says } of own) expect(found.join('\n')).toContain(`${name} ${says}`);
  });

  test('says why the site did not answer, and reports no findings for it', async () => {
    changeOptions(
      ['pillion_site'],
      `update_option( 'pillion_site', array( 'address' => '${site.url}', 'secret' => 'whsec_' . base64_encode( str_repeat( 'x', 32 ) ) ) );`,
    );
    const screen = await asked();
    expect(screen.html).toMatch(
      /The site could not run its checks\. The site and this WordPress have different secrets/,
    );
    expect(findingsOf(screen)).toHaveLength(9);
  });

  test('the site answers only signed requests, and each signature once', async () => {
    const body = JSON.stringify({ type: 'doctor' });
    const ask = (headers: Record<string, string>) =>
      fetch(`${site.url}/api/doctor`, { method: 'POST', body, headers }).then(async (answer) => [
        answer.status,
        await answer.text(),
      ]);
    expect(await ask({})).toEqual([401, expect.not.stringContaining('findings')]);
    const headers = questionHeaders('/api/doctor', body, SECRET);
    expect(await ask(headers)).toEqual([200, expect.stringContaining('"findings"')]);
    expect(await ask(headers)).toEqual([409, expect.not.stringContaining('findings')]);
  });
});

describe('the server at its start', () => {
  const started = async (env: Record<string, string>) => {
    const other = await startSite({ ...healthy, SITE_URL: '', ...env });
    return other;
  };

  test('logs the first problem in one line and still serves pages', async () => {
    // A first server fills the cache with a valid key. The second server shows from it and has a wrong secret.
    const DATA_DIR = join(folder, 'kept');
    const before = await started({ DATA_DIR });
    await expect.poll(async () => (await fetch(before.url)).status).toBe(200);
    await before.stop();
    const other = await started({ CONTENT_SECRET: 'cs_wrong', DATA_DIR });
    onTestFinished(async () => void (await other.stop()));
    await expect.poll(() => /"event":"doctor"/.test(other.output()), { timeout: 50_000 }).toBe(true);
    const lines = other
      .output()
      .split('\n')
      .filter((line) => line.includes('"event":"doctor"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      broken: 'Key: consumer key',
      says: expect.stringMatching(/does not take the key/),
      todo: expect.stringMatching(/Pillion → Keys/),
    });
    expect((await fetch(other.url)).status).toBe(200);
  });
});
