import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, login } from './browser.ts';
import { enrol, forgetSite, installPlugin, php, phpValue, rest } from './wordpress.ts';

/**
 * R20: requests every hook of the plugin that a browser can reach, so that a new handler without a check fails here.
 * Each is requested from another site through an editor's browser, by a user without the right but with a valid nonce,
 * and as intended. The last request proves that the first two could have had an effect.
 */

/** Shows the nonce of the current user, and a hash of everything that a handler could change. */
const WITNESS = `
add_action( 'init', static function () {
  if ( isset( $_GET['walk_nonce'] ) ) { header( 'Content-Type: text/html' ); echo '<div id="wpbody-content"><input name="nonce" value="' . wp_create_nonce( $_GET['walk_nonce'] ) . '">'; exit; }
  if ( isset( $_GET['walk_state'] ) ) {
    global $wpdb;
    $rows = array(
      $wpdb->get_results( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE 'pillion_%' AND option_name NOT LIKE 'pillion_change_%' AND option_name NOT LIKE 'pillion_lock_%' ORDER BY option_name" ),
      $wpdb->get_results( "SELECT ID, post_title, post_status, post_content, post_type FROM $wpdb->posts WHERE post_type <> 'revision' ORDER BY ID" ),
      $wpdb->get_results( "SELECT post_id, meta_key, meta_value FROM $wpdb->postmeta WHERE meta_key LIKE '_pillion%' ORDER BY meta_id" ),
    );
    echo md5( serialize( 'meta' === $_GET['walk_state'] ? $rows[2] : $rows ) ); exit;
  }
}, 99 );
// Answers in place of the site.
add_filter( 'pre_http_request', static function ( $answer, $sent, $url ) {
  if ( false !== strpos( $url, '/api/look' ) ) {
    return array( 'headers' => array(), 'body' => '{"ok":true,"editable":[{"path":"color.dark.text","kind":"color","value":"#ffffff"}],"problems":[]}', 'response' => array( 'code' => 200, 'message' => 'OK' ), 'cookies' => array() );
  }
  return false !== strpos( $url, '/api/sign-ups/troubles' ) ? array( 'headers' => array(), 'body' => '{"ok":true,"count":3,"troubles":[]}', 'response' => array( 'code' => 200, 'message' => 'OK' ), 'cookies' => array() ) : $answer;
}, 10, 3 );`;

/** A request that a handler acts on. */
interface Act {
  /** Below the namespace `Pillion`. */
  handler: string;
  what: string;
  path: string;
  /** Sent with POST. Without fields, GET triggers the action. */
  fields?: Record<string, string>;
  /** Action of the nonce, and the name of its field. */
  nonce: string;
  name?: string;
  /** For a handler that changes nothing: what its intended response contains. */
  answers?: RegExp;
  /** What a user without the right sees, if it differs. */
  refuses?: RegExp;
}

/** The plugin's screens: those of users who edit others' pages, and those of administrators. */
const OF_EDITORS = ['pillion', 'pillion-forms', 'pillion-languages', 'pillion-look', 'pillion-redirects'];
const OF_ADMINISTRATORS = ['pillion-destinations', 'pillion-keys', 'pillion-site'];

const DESTINATION = randomUUID();
const PAGE = (page: string) => `/wp-admin/admin.php?page=${page}`;
const FORM = {
  end: '1',
  'form[title]': 'Walked',
  'form[submit]': 'Send',
  'form[thanks][type]': 'message',
  'form[thanks][message]': 'Thanks.',
  'form[fields][0][id]': '1',
  'form[fields][0][type]': 'text',
  'form[fields][0][label]': 'Walked',
};

/** Callbacks on hooks that a browser can reach, as `hook Class::method`. Closures are named by their file. */
const REGISTERED = `if ( ! defined( 'WP_ADMIN' ) ) { define( 'WP_ADMIN', true ); } do_action( 'admin_menu' );
$found = array();
foreach ( $GLOBALS['wp_filter'] as $hook => $callbacks ) {
  if ( ! preg_match( '/^(load-|admin_post_|wp_ajax_|admin_action_|post_action_|handle_bulk_actions|admin_init$|admin_head|save_post|edit_user|personal_options|profile_update$|parse_request$|template_redirect$|login_|xmlrpc_|heartbeat)/', $hook ) ) { continue; }
  foreach ( $callbacks->callbacks as $some ) { foreach ( $some as $one ) {
    $function = $one['function'];
    $named = is_string( $function ) && false !== strpos( $function, '::' ) ? explode( '::', $function ) : $function;
    try { $reflected = is_array( $named ) ? new ReflectionMethod( $named[0], $named[1] ) : new ReflectionFunction( $named ); } catch ( Throwable $none ) { continue; }
    if ( false !== strpos( (string) $reflected->getFileName(), '/plugins/pillion/' ) ) { $found[] = $hook . ' ' . ( is_array( $function ) ? $reflected->class . '::' . $reflected->name : basename( $reflected->getFileName() ) ); }
  } }
}
return $found;`;

/** A form with a valid nonce and with the values of a request below. */
const RENDERED = /name="_wpnonce"[^>]*>[\s\S]*(Walked|walked|#eeeeee)/;

/** Handlers that run only within a save checked by core, or that the named test covers. */
const ELSEWHERE = [
  // Writes nothing: it schedules a download, for a video of a published page (video-posters.test.ts).
  'Content\\VideoPosters::schedule_download',
  // preview.test.ts: "in the classic editor shows the current values of its fields".
  'Preview\\AutosavedMeta::replace_meta',
  // Below: "a preview link on another site writes nothing".
  'Preview\\PreviewAddress::redirect_from_wordpress_preview',
];

let admin: Browser;
let editor: Browser;
let author: Browser;
let acts: Act[];
let undo: string;
let removeWitness: () => void;
let people: number[];

/** A user who may, and none with more rights than that takes. */
const rightful = ({ path }: Act) => (OF_ADMINISTRATORS.some((name) => path.startsWith(PAGE(name))) ? admin : editor);

/** For saves of a page only the plugin's meta is compared. Core checks the rest. */
const state = async (act: Act) => (await admin.page(`/?walk_state=${act.name ? 'meta' : 'all'}`)).html;
const nonceOf = async (browser: Browser, action: string) =>
  (await browser.page(`/?walk_nonce=${encodeURIComponent(action)}`)).fields.get('nonce') ?? '';

beforeAll(async () => {
  removeWitness = installPlugin(WITNESS);
  people = [enrol('walking-editor', 'editor').id, enrol('walking-author', 'author').id];
  undo = php(
    `$kept = array(); foreach ( array( 'pillion_forms', 'pillion_forms_last', 'pillion_keys', 'pillion_site', 'pillion_languages', 'pillion_look', 'pillion_destinations' ) as $name ) { $kept[ $name ] = get_option( $name, null ); } echo base64_encode( serialize( $kept ) );`,
  );
  const made = phpValue<{ redirects: number[]; page: number; look: string; languages: string; none: string }>(
    `$made = array(); foreach ( array( 'a', 'b' ) as $n ) { $made[] = Pillion\\Redirects\\Redirects::save( array( 'id' => 0, 'from' => "/walked-$n/", 'status' => 410, 'to' => '', 'page' => 0 ) ); }
     return array( 'look' => Pillion\\Content\\Look::version(), 'languages' => Pillion\\Lib\\Admin::fingerprint( Pillion\\Lib\\Language::listed() ), 'none' => Pillion\\Lib\\Admin::fingerprint( null ), 'redirects' => $made, 'page' => wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Walked page', 'meta_input' => array( '_pillion_to_translate' => array( 'Walked page' ) ) ) ) );`,
  );
  const [first = 0, second = 0] = made.redirects;
  const page = String(made.page);
  const post = { action: 'editpost', post_ID: page, post_type: 'page', post_title: 'Walked page' };
  /** Acts of a screen, whose nonce has its name. */
  const onScreen =
    (handler: string, name: string) =>
    (what: string, fields: Act['fields'], more: Partial<Act> = {}): Act => ({
      ...{ handler, what, path: PAGE(name), nonce: name },
      ...(fields && { fields }),
      ...more,
    });
  /** Acts of a box next to a page, which are sent with the page. */
  const inBox = (handler: string, what: string, name: string, fields: Record<string, string>): Act => ({
    ...{ handler, what, path: '/wp-admin/post.php', nonce: name, name },
    fields: { ...post, post_status: 'publish', visibility: 'public', ...fields },
  });
  const keys = onScreen('Access\\KeysPage::handle', 'pillion-keys');
  const destinations = onScreen('Destinations\\DestinationsPage::handle', 'pillion-destinations');
  const site = onScreen('Site\\SitePage::handle', 'pillion-site');
  const look = onScreen('Content\\LookPage::handle', 'pillion-look');
  const forms = onScreen('Forms\\FormsPage::handle', 'pillion-forms');
  const redirects = onScreen('Redirects\\RedirectsPage::handle', 'pillion-redirects');
  const languages = onScreen('Languages\\LanguagesPage::handle', 'pillion-languages');
  const english = { 'languages[0][tag]': 'en', 'languages[0][name]': 'English', 'languages[0][dir]': 'ltr' };
  const destination = { id: DESTINATION, name: 'Walked', url: 'https://walked.example', purpose: 'none' };
  acts = [
    // Runs before the site's address is set, because the intended request ends on another host.
    {
      handler: 'Preview\\PreviewAddress::redirect_to_site',
      what: 'leads to a preview',
      path: `/wp-admin/admin-post.php?action=pillion_preview&post=${page}`,
      nonce: `pillion-preview-${page}`,
      answers: /address or the secret is missing/,
      refuses: /You may not see this preview/,
    },
    keys('makes a key', { id: randomUUID(), description: 'Walked' }),
    keys('revokes a key', { do: 'revoke', id: '00000000-0000-4000-8000-000000000001' }),
    destinations('adds a destination', { do: 'save', ...destination, version: made.none }),
    destinations('shows its secret', { do: 'secret', id: DESTINATION }, { answers: /whsec_/ }),
    destinations('removes it', { do: 'remove', id: DESTINATION }),
    site('sets the site', { do: 'save', address: 'https://walked.example', secret: '' }),
    site('makes a secret', { do: 'make' }),
    look('saves a look', { version: made.look, 'look[color.dark.text]': '#eeeeee' }),
    forms('saves a form', { do: 'save', id: '0', ...FORM }, { path: `${PAGE('pillion-forms')}&form=new` }),
    forms('copies a form', { do: 'duplicate', id: '1' }),
    forms('deletes a form', { do: 'delete', id: '1' }),
    redirects('saves a redirect', { id: '0', from: '/walked-c/', status: '410', to: '' }),
    redirects('removes one by its link', undefined, {
      path: `${PAGE('pillion-redirects')}&remove=${first}`,
      nonce: `pillion-remove-${first}`,
    }),
    redirects('removes several', undefined, {
      path: `${PAGE('pillion-redirects')}&action=remove&ids[]=${second}`,
      nonce: 'bulk-redirects',
    }),
    languages('lists languages', { ...english, version: made.languages }),
    {
      handler: 'Forms\\Entries\\EntryFiles::send_download',
      what: 'hands out a file',
      path: '/wp-admin/admin-post.php?action=pillion_entry_file&entry=1&file=0',
      nonce: 'pillion_entry_file1',
      answers: /This file does not exist/,
    },
    {
      handler: 'Forms\\Entries\\DeliveryProblems::retry',
      what: 'has sign-ups sent again',
      path: '/wp-admin/admin-post.php?action=pillion_retry&reason=form-closed&form=1',
      nonce: 'pillion_retry',
      answers: /3 sign-ups are being sent again/,
      refuses: /you are not allowed to do that/,
    },
    inBox('Languages\\LanguageBox::save', 'saves the language', 'pillion_language_nonce', { pillion_lang: 'de' }),
    inBox('Languages\\ToDo::save', 'marks a translation as done', 'pillion_to_do_nonce', { pillion_translated: '1' }),
    languages('copies a page for its translation', undefined, {
      path: `${PAGE('pillion-languages')}&translate=${page}&into=en`,
      nonce: `pillion-translate-${page}-en`,
    }),
    inBox('Content\\PageTheme::save', 'sets a theme', 'pillion_theme_nonce', { pillion_theme: 'light' }),
    inBox('Content\\Seo::save', 'sets a title', 'pillion_seo_nonce', { pillion_seo_title: 'Walked' }),
  ];
  admin = await login();
  editor = await login('walking-editor', 'walking-editor');
  author = await login('walking-author', 'walking-author');
}, 300_000);

afterAll(() => {
  removeWitness();
  php(`array_map( 'wp_delete_user', array( ${people.join()} ) );
    foreach ( unserialize( base64_decode( '${undo}' ) ) as $name => $value ) { null === $value ? delete_option( $name ) : update_option( $name, $value, false ); }
    foreach ( get_posts( array( 'post_type' => array( 'page', 'pillion_redirect' ), 'post_status' => 'any', 'numberposts' => -1, 's' => 'walked' ) ) as $post ) { wp_delete_post( $post->ID, true ); }
    foreach ( Pillion\\Redirects\\Redirects::find( 100, 0, 'walked' ) as $redirect ) { Pillion\\Redirects\\Redirects::remove( $redirect['id'] ); }`);
  // Some handlers sent or queued a change.
  forgetSite();
});

const STRANGER = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' };

async function send(browser: Browser, act: Act, nonce: string, headers: Record<string, string> = {}) {
  const name = act.name ?? '_wpnonce';
  if (!act.fields) return browser.page(nonce ? `${act.path}&${name}=${nonce}` : act.path);
  const core = act.name ? { _wpnonce: await nonceOf(browser, `update-post_${act.fields.post_ID}`) } : {};
  return browser.submit(act.path, new Map(), { ...act.fields, ...core, ...(nonce && { [name]: nonce }) }, headers);
}

describe('R20: every handler of the plugin', () => {
  test('is listed in the table below', () => {
    const registered = phpValue<string[]>(REGISTERED).map((one) => one.replace(/^.* (?:Pillion\\)?/, ''));
    expect([...new Set(registered)].sort()).toEqual(
      [...new Set([...acts.map(({ handler }) => handler), ...ELSEWHERE])].sort(),
    );
  });

  test('is on a screen that opens only for users with its right', async () => {
    const listed = phpValue<
      string[]
    >(`if ( ! defined( 'WP_ADMIN' ) ) { define( 'WP_ADMIN', true ); } do_action( 'admin_menu' );
      return array_values( preg_grep( '/^pillion/', array_column( $GLOBALS['submenu']['pillion'], 2 ) ) );`);
    expect(listed.toSorted()).toEqual([...OF_EDITORS, ...OF_ADMINISTRATORS].toSorted());
    const statuses = async (name: string) => [
      (await editor.page(PAGE(name))).status,
      (await author.page(PAGE(name))).status,
    ];
    for (const name of OF_EDITORS) expect([name, ...(await statuses(name))]).toEqual([name, 200, 403]);
    for (const name of OF_ADMINISTRATORS) expect([name, ...(await statuses(name))]).toEqual([name, 403, 403]);
  });

  test('a preview link on another site writes nothing; the editor’s own keeps the chosen picture', async () => {
    const { page, autosave } = phpValue<{ page: number; autosave: number }>(
      `update_option( 'pillion_site', array( 'address' => 'http://127.0.0.1:9', 'secret' => 'whsec_${Buffer.alloc(32, 7).toString('base64')}' ), false );
       require_once ABSPATH . 'wp-admin/includes/post.php';
       wp_set_current_user( get_user_by( 'login', 'admin' )->ID );
       $page = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Walked and previewed' ) );
       return array( 'page' => $page, 'autosave' => wp_create_post_autosave( array( 'post_ID' => $page, 'post_type' => 'page', 'post_title' => 'Walked on', 'post_content' => 'new' ) ) );`,
    );
    const picture = () =>
      phpValue<string>(`return (string) get_metadata( 'post', ${autosave}, '_thumbnail_id', true );`);
    // The preview redirects to the site, which is not running.
    const follow = (query: string) =>
      expect(admin.page(`/?page_id=${page}&preview=true&_thumbnail_id=77${query}`)).rejects.toThrow('fetch failed');
    await follow('');
    expect(picture()).toBe('');
    await follow(`&preview_id=${page}&preview_nonce=${await nonceOf(admin, `post_preview_${page}`)}`);
    expect(picture()).toBe('77');
    forgetSite();
  });

  test('does nothing for another site or a user without the right, and does what it is for', {
    timeout: 600_000,
  }, async () => {
    for (const act of acts) {
      const name = `${act.handler} ${act.what}`;
      const before = await state(act);
      for (const nonce of ['', 'deadbeef00']) {
        const { html } = await send(rightful(act), act, nonce, STRANGER);
        if (act.answers) expect([name, html]).not.toEqual([name, expect.stringMatching(act.answers)]);
        if (!act.name) expect([name, RENDERED.test(html)]).toEqual([name, false]);
      }
      expect([`${name}, by a stranger’s site`, await state(act)]).toEqual([`${name}, by a stranger’s site`, before]);
      const refused = await send(author, act, await nonceOf(author, act.nonce));
      if (act.refuses) expect([name, refused.html]).toEqual([name, expect.stringMatching(act.refuses)]);
      expect([`${name}, without the right`, await state(act)]).toEqual([`${name}, without the right`, before]);
      const { html } = await send(rightful(act), act, await nonceOf(rightful(act), act.nonce));
      if (act.answers) expect(html).toMatch(act.answers);
      else expect([`${name}, as meant`, (await state(act)) === before]).toEqual([`${name}, as meant`, false]);
    }
  });

  test('no REST route that changes something is public', async () => {
    const open = phpValue<string[]>(`$open = array();
      foreach ( rest_get_server()->get_routes() as $route => $handlers ) { foreach ( $handlers as $handler ) {
        $callback = $handler['callback'];
        $reflected = is_array( $callback ) ? new ReflectionMethod( $callback[0], $callback[1] ) : ( $callback instanceof Closure || is_string( $callback ) ? new ReflectionFunction( $callback ) : null );
        $ours = $reflected && false !== strpos( (string) $reflected->getFileName(), '/plugins/pillion/' );
        if ( $ours && array_diff( array_keys( $handler['methods'] ), array( 'GET' ) ) && in_array( $handler['permission_callback'] ?? null, array( null, '__return_true' ), true ) ) { $open[] = $route; }
      } }
      return $open;`);
    expect(open).toEqual([]);
    // A cookie without the REST nonce does not authenticate.
    const { html } = await admin.submit('/wp-json/pillion/v1/receipt', new Map(), {}, STRANGER);
    expect(html).toContain('rest_forbidden');
    expect((await rest('pillion/v1/receipt', { method: 'POST', as: 'nobody' })).status).toBe(401);
  });
});
