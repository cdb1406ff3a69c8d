import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installPlugin, php, phpValue, wordpress } from './wordpress.ts';

/**
 * R20: requests every public entry of WordPress with a key and without. Outside the calls that the site makes, the key
 * has no effect: no user, no capability and the same response.
 */

/**
 * Installed in WordPress for the walk. A header names the user of the request and the capabilities granted. The
 * handlers check only a capability, like those of other plugins.
 */
const WITNESS = `
$GLOBALS['walk_granted'] = array();
ob_start();
add_action( 'shutdown', static function () {
  if ( ! headers_sent() ) { header( 'X-Walk: user ' . get_current_user_id() . ' may ' . implode( ' ', array_keys( $GLOBALS['walk_granted'] ) ) ); }
}, 0 );
add_filter( 'user_has_cap', static function ( $all, $needed ) {
  $refused = array_filter( $needed, static function ( $one ) use ( $all ) { return empty( $all[ $one ] ) && 'exist' !== $one; } );
  if ( $needed && ! $refused ) { $GLOBALS['walk_granted'][ implode( '+', $needed ) ] = true; }
  return $all;
}, PHP_INT_MAX, 2 );
$act = static function () { echo current_user_can( 'edit_posts' ) || current_user_can( 'manage_options' ) ? 'done' : 'refused'; };
foreach ( array( 'wp_ajax_', 'wp_ajax_nopriv_', 'admin_post_', 'admin_post_nopriv_' ) as $entry ) { add_action( $entry . 'walk', $act ); }
add_action( 'template_redirect', static function () use ( $act ) { if ( isset( $_REQUEST['walk'] ) ) { $act(); exit; } } );
`;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Makes an address look like REST to code that does not ask WordPress. The site uses none of these routes. */
const DISGUISES = [
  '',
  'rest_route=x',
  'rest_route=/wp/v2/users',
  'x=/wp-json/',
  '_method=DELETE&rest_route=/wp/v2/users/1',
];

/** Parallel requests: the local server has as many workers. */
const AT_ONCE = 4;

/** The witness's header for a request without a user. */
const NOBODY = 'user 0 may';

interface Walked {
  status: number;
  location: string | null;
  witness: string | null;
  body: string;
}

const html = () => join(wordpress().directory, 'html');

beforeAll(() => installPlugin(WITNESS));

/** Replaces nonces, numbers and times, which differ from one request to the next. */
const steady = (body: string) => body.replace(/[0-9a-f]{10,}|\d+/g, '#');

async function ask(
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string> },
  key: boolean,
): Promise<Walked> {
  const { url, key: user, secret } = wordpress();
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
  const response = await fetch(url + path, {
    method: init.method ?? 'GET',
    redirect: 'manual',
    body: init.body ?? null,
    headers: { ...init.headers, ...(key && { authorization }) },
  });
  return {
    status: response.status,
    location: response.headers.get('location'),
    witness: response.headers.get('x-walk'),
    body: steady(await response.text()),
  };
}

async function eachAtOnce<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Counts responses to the key, and those for which WordPress was loaded. Without WordPress a request has no user. */
const seen = { all: 0, witnessed: 0 };
beforeEach(() => void Object.assign(seen, { all: 0, witnessed: 0 }));

function problems(name: string, { witness, status }: Walked): string[] {
  seen.all += 1;
  if (witness === null) return [];
  seen.witnessed += 1;
  return witness.trim() === NOBODY ? [] : [`${name}: ${status}, ${witness}`];
}

type Step = [path: string, init: Parameters<typeof ask>[1]];

/** @returns Responses that differ between requests with and without the key, or that have a user. */
async function walk(steps: Step[]): Promise<string[]> {
  const found: string[] = [];
  await eachAtOnce(steps, async ([path, init]) => {
    const name = `${init.method ?? 'GET'} ${path} ${init.body ?? ''} ${JSON.stringify(init.headers ?? {})}`;
    const [without, withKey] = [await ask(path, init, false), await ask(path, init, true)];
    if (JSON.stringify(withKey) !== JSON.stringify(without))
      found.push(`${name}: ${JSON.stringify(withKey)}; without the key ${JSON.stringify(without)}`);
    found.push(...problems(name, withKey));
  });
  return found;
}

/**
 * Like `walk`, but without the request to compare with: half as many requests.
 * @returns Responses that have a user.
 */
async function watch(steps: Step[]): Promise<string[]> {
  const found: string[] = [];
  await eachAtOnce(steps, async ([path, init]) => {
    found.push(...problems(`${init.method} ${path} ${init.body ?? ''}`, await ask(path, init, true)));
  });
  return found;
}

const form = (body: string): { body: string; headers: Record<string, string> } => ({
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

/** Entries outside REST that respond to any client and any method. */
const ENTRIES = [
  '/wp-admin/admin-ajax.php?action=walk',
  '/wp-admin/admin-post.php?action=walk',
  '/wp-admin/index.php?walk=1',
  '/wp-admin/upgrade.php?walk=1',
  '/xmlrpc.php?walk=1',
  '/wp-login.php?walk=1',
  '/wp-cron.php?walk=1',
  '/wp-comments-post.php?walk=1',
  '/wp-trackback.php?walk=1',
  '/wp-mail.php?walk=1',
  '/wp-signup.php?walk=1',
  '/wp-activate.php?walk=1',
  '/wp-links-opml.php?walk=1',
  '/index.php?walk=1',
  '/feed/?walk=1',
  '/comments/feed/?walk=1',
  '/wp-sitemap.xml?walk=1',
  '/robots.txt?walk=1',
  '/no-such-page/wp-json/?walk=1',
];

describe('R20: with a key as without', () => {
  test('every public entry ignores the key, for every method and address', { timeout: 600_000 }, async () => {
    const stepsWith = (disguise: string) =>
      ENTRIES.flatMap((entry): Step[] => [
        ...METHODS.map(
          (method): Step => [`${entry}&${disguise}`, { method, headers: { 'x-http-method-override': 'DELETE' } }],
        ),
        // Input that handlers act on, also without the method override.
        [`${entry}&${disguise}`, { method: 'GET' }],
        [`${entry}&${disguise}`, { method: 'POST', ...form('walk=1') }],
      ]);
    // A request without a user equals one without a key. So only the first two disguises are compared, which takes
    // twice the time. Comparing all would take half a minute more.
    const [plain = '', first = '', ...others] = DISGUISES;
    expect(await walk([...stepsWith(plain), ...stepsWith(first)])).toEqual([]);
    expect(await watch(others.flatMap(stepsWith))).toEqual([]);
    // Without POST, WordPress rejects comments before it loads. WP-Cron responds before it loads.
    expect(seen.all).toBe(ENTRIES.length * DISGUISES.length * (METHODS.length + 2));
    expect(seen.witnessed / seen.all).toBeGreaterThan(0.9);
  });

  test('every callable file of WordPress ignores the key', { timeout: 600_000 }, async () => {
    const skipped = /^(wp-config|wp-settings|wp-load|setup-config|install)/;
    const files = [
      ...readdirSync(html()).map((name) => `/${name}`),
      ...readdirSync(join(html(), 'wp-admin')).map((name) => `/wp-admin/${name}`),
    ].filter((path) => path.endsWith('.php') && !skipped.test(path.split('/').at(-1) ?? ''));
    expect(files.length).toBeGreaterThan(100);
    const steps = files.flatMap((path) =>
      ['rest_route=x', 'x=/wp-json/'].flatMap((disguise): Step[] => [
        [`${path}?${disguise}`, { method: 'GET' }],
        [`${path}?${disguise}`, { method: 'POST', ...form('action=walk') }],
      ]),
    );
    expect(await watch(steps)).toEqual([]);
    // The other files are template parts, which do not load WordPress.
    expect(seen.witnessed / seen.all).toBeGreaterThan(0.7);
  });

  test('every action of admin-ajax and admin-post ignores the key', { timeout: 600_000 }, async () => {
    const core = [...readFileSync(join(html(), 'wp-admin/admin-ajax.php'), 'utf8').matchAll(/^\t'([\w-]+)',/gm)].map(
      ([, name]) => name,
    );
    const registered = phpValue<string[]>(
      `return array_values( array_filter( array_keys( $GLOBALS['wp_filter'] ), static function ( $name ) { return preg_match( '/^(wp_ajax|admin_post)_/', $name ); } ) );`,
    );
    expect(core.length).toBeGreaterThan(70);
    expect(registered.length).toBeGreaterThan(3);
    const own = registered.map((name): [string, string] => {
      const entry = name.startsWith('wp_ajax_') ? 'admin-ajax' : 'admin-post';
      return [entry, name.replace(/^(wp_ajax|admin_post)_(nopriv_)?/, '')];
    });
    const actions = [...core.map((name): [string, string] => ['admin-ajax', name ?? '']), ...own];
    const steps = actions.flatMap(([entry, action]): Step[] => {
      const address = `/wp-admin/${entry}.php?rest_route=x`;
      return [
        [`${address}&action=${action}`, { method: 'GET' }],
        [`${address}&action=${action}`, { method: 'POST', ...form(`action=${action}&id=1&post_id=1`) }],
      ];
    });
    expect(await watch(steps)).toEqual([]);
  });

  test('xmlrpc and the login accept neither the key nor its user', async () => {
    const { key, secret } = wordpress();
    const login = php(
      `$user = get_userdata( (int) get_option( 'pillion_key_user' ) ); wp_set_password( 'known', $user->ID ); echo $user->user_login;`,
    );
    for (const [user, password] of [
      [key, secret],
      [login, 'known'],
    ] as const) {
      const call = `<methodCall><methodName>wp.getUsersBlogs</methodName><params><param><value>${user}</value></param><param><value>${password}</value></param></params></methodCall>`;
      expect((await ask('/xmlrpc.php', { method: 'POST', body: call }, true)).body, user).toContain('faultCode');
      const said = await ask('/wp-login.php', { method: 'POST', ...form(`log=${user}&pwd=${password}`) }, true);
      expect([said.status, said.location, said.witness?.startsWith('user 0 ')], user).toEqual([200, null, true]);
    }
  });
});

/** Routes that the key may use. The list is separate from the plugin's, so that the plugin's cannot grow unnoticed. */
const FOR_THE_SITE: [method: string, route: RegExp][] = [
  ['GET', /^\/$/],
  ['GET', /^\/gusto\/(routes|options|nav\/menu-locations(\/[^/]+)?)$/],
  ['GET', /^\/pillion\/v1\/(redirects|destinations)$/],
  ['GET', /^\/pillion\/v1\/(forms\/\d+\/check|facts(\/webhook)?)$/],
  ['GET', /^\/pillion\/v1\/preview\/\d+$/],
  ['POST', /^\/pillion\/v1\/due$/],
  ['GET', /^\/wp\/v2\/(pages|posts|media|menus|menu-items)(\/\d+)?$/],
  ['GET', /^\/wp\/v2\/menu-locations(\/[^/]+)?$/],
  ['GET', /^\/wp\/v2\/(search|settings)$/],
  ['GET', /^\/gf\/v2\/forms\/\d+$/],
  ['POST', /^\/gf\/v2\/forms\/\d+\/submissions$/],
];

interface RestStep {
  method: string;
  route: string;
  /** Method in the address or the header that overrides the request's. */
  override: string;
  key: number;
  nobody: number;
  isSame: boolean;
  /** Error code of the response to the key. */
  code: string | null;
  /** Whether the response to the key contains data that no key may read. */
  tells: boolean;
}

/** Calls WordPress' REST server in one process. Thousands of HTTP requests would take an hour. */
const WALK_REST = `
define( 'REST_REQUEST', true );
$draft = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'draft', 'post_title' => 'A secret draft', 'post_content' => 'Not yet.' ) );
$site = json_decode( '${'SITE'}', true );
$ask = static function ( $with, $method, $route, $override, $place ) use ( $site ) {
  $_GET = 'query' === $place ? array( '_method' => $override ) : array(); $_POST = array();
  $_SERVER['REQUEST_METHOD'] = $method; $_SERVER['REQUEST_URI'] = '/wp-json' . $route;
  unset( $_SERVER['HTTP_X_HTTP_METHOD_OVERRIDE'], $_SERVER['PHP_AUTH_USER'], $_SERVER['PHP_AUTH_PW'] );
  if ( 'header' === $place ) { $_SERVER['HTTP_X_HTTP_METHOD_OVERRIDE'] = $override; }
  if ( $with ) { $_SERVER['PHP_AUTH_USER'] = $site['key']; $_SERVER['PHP_AUTH_PW'] = $site['secret']; }
  $GLOBALS['current_user'] = null; $status = 0;
  $watch = static function ( $response ) use ( &$status ) { $status = $response->get_status(); return $response; };
  add_filter( 'rest_post_dispatch', $watch, PHP_INT_MAX );
  ob_start(); rest_get_server()->serve_request( $route ); $body = ob_get_clean();
  remove_filter( 'rest_post_dispatch', $watch, PHP_INT_MAX );
  return array( $status, preg_replace( '/[0-9a-f]{10,}|\\\\d+/', '#', (string) $body ), get_current_user_id() );
};
$found = array();
foreach ( array_keys( rest_get_server()->get_routes() ) as $pattern ) {
  $route = preg_replace( '~\\\\(\\\\?P<(?:id|parent|form_id|page|post|user_id)>(?:[^()]|\\\\([^()]*\\\\))*\\\\)~', (string) $draft, $pattern );
  $route = preg_replace( '~\\\\((?:[^()]|\\\\((?:[^()]|\\\\([^()]*\\\\))*\\\\))*\\\\)[?*+]?~', 'x', $route );
  $steps = array_map( static function ( $method ) { return array( $method, '', '' ); }, ${JSON.stringify(METHODS).replaceAll('"', "'").replace('[', 'array(').replace(']', ')')} );
  $steps[] = array( 'POST', 'DELETE', 'query' ); $steps[] = array( 'POST', 'DELETE', 'header' ); $steps[] = array( 'GET', 'POST', 'header' ); $steps[] = array( 'POST', 'GET', 'query' );
  foreach ( $steps as list( $method, $override, $place ) ) {
    $key = $ask( true, $method, $route, $override, $place ); $nobody = $ask( false, $method, $route, $override, $place );
    $found[] = array( 'method' => $method, 'route' => $route, 'override' => $override, 'key' => $key[0], 'nobody' => $nobody[0], 'isSame' => $key === $nobody,
      'code' => preg_match( '/"code":"(\\w+)"/', $key[1], $named ) ? $named[1] : null, 'tells' => (bool) preg_match( '/secret draft|Not yet|admin@example|pillion-key-/', $key[1] ) );
  }
}
wp_delete_post( $draft, true );
return $found;`;

describe('R20: over REST', () => {
  let steps: RestStep[];
  beforeAll(() => {
    const { key, secret } = wordpress();
    steps = phpValue<RestStep[]>(WALK_REST.replace('SITE', JSON.stringify({ key, secret })));
  });

  const isForTheSite = ({ method, route, override }: RestStep) => {
    const meant = (override || method).replace('HEAD', 'GET');
    return FOR_THE_SITE.some(([one, pattern]) => one === meant && pattern.test(route));
  };

  test('every registered route responds as without a key, except those of the site', () => {
    expect(steps.length).toBeGreaterThan(1000);
    // A rejection may name the key as the reason, where a client without a key gets the request to log in.
    const isRefused = ({ method, key, nobody, code }: RestStep) =>
      key === 403 && [401, 403].includes(nobody) && (method === 'HEAD' || code === 'pillion_key_reads_only');
    const other = steps.filter((step) => !isForTheSite(step) && !step.isSame && !isRefused(step));
    expect(
      other.map(
        ({ method, route, override, key, nobody }) => `${method} ${override} ${route}: ${key}, without ${nobody}`,
      ),
    ).toEqual([]);
  });

  test('no draft and no email address of a user is readable with the key', () => {
    expect(steps.filter(({ tells }) => tells).map(({ method, route }) => `${method} ${route}`)).toEqual([]);
  });
});
