import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  answerWith,
  isSigned,
  type RecordingSite,
  respondLive,
  startRecordingSite,
} from '../support/recording-site.ts';
import { type Browser, login } from './browser.ts';
import {
  createPage,
  createUser,
  forgetSite,
  php,
  phpAfterwards,
  phpAsync,
  phpValue,
  rest,
  setSite,
  usePlugin,
} from './wordpress.ts';

let site: RecordingSite;

beforeAll(async () => {
  site = await startRecordingSite();
});
beforeEach(() => {
  site.answer = respondLive;
  setSite(site.url, site.secret);
  site.received();
});
afterEach(() => void forgetSite());
afterAll(() => site.stop());

/** Types, ids, paths and states in the messages that the site received, after verifying each signature. */
function messages() {
  const received = site.received();
  expect(received.map((one) => isSigned(one))).toEqual(received.map(() => true));
  return received.map(({ message }) => message);
}

const waiting = () =>
  phpValue<{ message: { type: string }; tries: number; problem: string }[]>(
    'return array_values( Pillion\\Site\\ChangeQueue::all() );',
  );

describe('R29: the site receives one signed message per change', () => {
  test('when a page is published, changed, renamed, hidden, moved to the trash and deleted', async () => {
    const made = await rest('wp/v2/pages', {
      as: 'admin',
      body: { status: 'publish', title: 'Spring', slug: 'spring' },
    });
    const { id } = made.body;
    const page = { id, type: 'page' };
    const change = (body: object) => rest(`wp/v2/pages/${id}`, { as: 'admin', body });
    expect(messages()).toEqual([{ ...page, path: '/spring/', status: 'publish' }]);
    await change({ title: 'Spring again', template: 'landing', meta: { _pillion_theme: 'light' } });
    expect(messages()).toEqual([{ ...page, path: '/spring/', status: 'publish' }]);
    await change({ slug: 'summer' });
    expect(messages()).toEqual([
      { ...page, path: '/spring/', status: 'moved' },
      { ...page, path: '/summer/', status: 'publish' },
    ]);
    await change({ status: 'draft' });
    expect(messages()).toEqual([{ ...page, path: '/summer/', status: 'draft' }]);
    await change({ title: 'Nobody sees it' });
    expect(messages()).toEqual([]);
    await change({ status: 'publish' });
    expect(messages()).toEqual([{ ...page, path: '/summer/', status: 'publish' }]);
    await change({ password: 'secret' });
    expect(messages(), 'what wants a password is off the site').toEqual([
      { ...page, path: '/summer/', status: 'password' },
    ]);
    await change({ title: 'Nobody sees it either' });
    expect(messages()).toEqual([]);
    await change({ password: '' });
    expect(messages()).toEqual([{ ...page, path: '/summer/', status: 'publish' }]);
    await rest(`wp/v2/pages/${id}`, { as: 'admin', method: 'DELETE' });
    expect(messages()).toEqual([{ ...page, path: '/summer/', status: 'trash' }]);
    await rest(`wp/v2/pages/${id}?force=true`, { as: 'admin', method: 'DELETE' });
    expect(messages()).toEqual([]);
  });

  test('when a page is deleted permanently, and when a page with child pages moves', async () => {
    const parent = await createPage({ title: 'Above', slug: 'above' });
    const id = await createPage({ title: 'Below', slug: 'below', parent });
    site.received();
    await rest(`wp/v2/pages/${parent}`, { as: 'admin', body: { slug: 'over' } });
    expect(messages().map(({ type, path }) => [type, path])).toEqual([
      ['page', '/above/'],
      ['page', '/over/'],
      ['anything', null],
    ]);
    await rest(`wp/v2/pages/${id}?force=true`, { as: 'admin', method: 'DELETE' });
    expect(messages()).toEqual([{ id, type: 'page', path: '/over/below/', status: 'delete' }]);
  });

  test.each([
    ['a trashed parent is deleted', 'trash', `wp_delete_post( $parent );`],
    ['a draft parent is renamed', 'draft', `wp_update_post( array( 'ID' => $parent, 'post_name' => 'hall' ) );`],
    ['a private parent moves', 'private', `wp_update_post( array( 'ID' => $parent, 'post_parent' => $above ) );`],
  ])('when %s, because its child pages move', async (_, status, change) => {
    const pages = await phpAsync(`
      $add    = static fn( $slug, $parent = 0 ) => wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => $slug, 'post_name' => $slug, 'post_parent' => $parent ) );
      $above  = $add( 'gate' ); $parent = $add( 'yard', $add( 'house' ) ); $child = $add( 'door', $parent );
      'trash' === '${status}' ? wp_trash_post( $parent ) : wp_update_post( array( 'ID' => $parent, 'post_status' => '${status}' ) );
      echo "$above,$parent,$child";`);
    const [above, parent] = pages.split(',');
    phpAfterwards(
      `foreach ( array( ${pages}, get_page_by_path( 'house' )->ID ) as $id ) { wp_delete_post( $id, true ); }`,
    );
    site.received();
    await phpAsync(`$above = ${above}; $parent = ${parent}; ${change}`);
    expect(messages().map(({ type }) => type)).toContain('anything');
    await phpAsync(`wp_update_post( array( 'ID' => ${parent}, 'post_excerpt' => 'Same address' ) );`);
    expect(messages()).toEqual([]);
  });

  const menu = `wp_get_nav_menu_object( get_nav_menu_locations()['legals_menu'] )->term_id`;
  const nothing = { id: null, path: null, status: null };

  test.each([
    [
      'a menu and its items',
      `$id = ${menu}; wp_update_nav_menu_item( $id, 0, array( 'menu-item-title' => 'X', 'menu-item-url' => '/x/', 'menu-item-status' => 'publish' ) ); wp_update_nav_menu_object( $id, array( 'menu-name' => wp_get_nav_menu_object( $id )->name ) );`,
      [{ ...nothing, type: 'menu' }],
    ],
    [
      'an item that is removed',
      `foreach ( wp_get_nav_menu_items( ${menu} ) as $item ) { 'X' === $item->title && wp_delete_post( $item->ID, true ); }`,
      [{ ...nothing, type: 'menu' }],
    ],
    [
      'the place of a menu',
      `$all = get_nav_menu_locations(); set_theme_mod( 'nav_menu_locations', array( 'main_menu' => 0 ) + $all ); set_theme_mod( 'nav_menu_locations', $all );`,
      [{ ...nothing, type: 'menu' }],
    ],
    [
      'the texts',
      `$texts = get_option( 'pillion_strings' ); update_option( 'pillion_strings', array( 'brand' => 'OTHER' ) + $texts ); update_option( 'pillion_strings', $texts );`,
      [{ ...nothing, type: 'strings' }],
    ],
    [
      'a form',
      `$forms = get_option( 'pillion_forms' ); $key = array_key_first( $forms ); $other = $forms; $other[ $key ]['title'] = 'Other'; update_option( 'pillion_forms', $other ); update_option( 'pillion_forms', $forms );`,
      [{ ...nothing, type: 'form', id: 1 }],
    ],
    [
      'a form that is deleted',
      `$forms = get_option( 'pillion_forms' ); update_option( 'pillion_forms', $forms + array( 9 => array( 'id' => 9 ) + $forms[ array_key_first( $forms ) ] ) ); update_option( 'pillion_forms', $forms );`,
      [{ ...nothing, type: 'form', id: 9, status: 'delete' }],
    ],
    [
      'a form of Gravity Forms that is deleted',
      `do_action( 'gform_after_delete_form', 7 );`,
      [{ ...nothing, type: 'form', id: 7, status: 'delete' }],
    ],
    [
      'a form of Gravity Forms',
      `do_action( 'gform_after_save_form', array( 'id' => 7 ), false );`,
      [{ ...nothing, type: 'form', id: 7 }],
    ],
    [
      'a picture’s description',
      `$id = get_posts( array( 'post_type' => 'attachment', 'post_mime_type' => 'image', 'fields' => 'ids', 'orderby' => 'ID', 'order' => 'ASC' ) )[0]; $alt = get_post_meta( $id, '_wp_attachment_image_alt', true ); update_post_meta( $id, '_wp_attachment_image_alt', 'Other' ); update_post_meta( $id, '_wp_attachment_image_alt', $alt );`,
      [{ ...nothing, type: 'media', id: expect.any(Number), path: expect.stringMatching(/^\/media\/[\w.-]+$/) }],
    ],
    [
      'a picture of one site of a network, by its path in the uploads of the network',
      `add_filter( 'upload_dir', static function ( $folder ) { return array( 'baseurl' => $folder['baseurl'] . '/sites/2' ) + $folder; } );
        $id = get_posts( array( 'post_type' => 'attachment', 'post_mime_type' => 'image', 'fields' => 'ids', 'orderby' => 'ID', 'order' => 'ASC' ) )[0]; $alt = get_post_meta( $id, '_wp_attachment_image_alt', true ); update_post_meta( $id, '_wp_attachment_image_alt', 'Other' ); update_post_meta( $id, '_wp_attachment_image_alt', $alt );`,
      [
        {
          ...nothing,
          type: 'media',
          id: expect.any(Number),
          path: expect.stringMatching(/^\/media\/sites\/2\/[\w.-]+$/),
        },
      ],
    ],
    [
      'the title of the site',
      `update_option( 'blogname', 'OTHER' ); update_option( 'blogname', 'Example' );`,
      [{ ...nothing, type: 'settings' }],
    ],
    [
      'Yoast’s settings',
      `update_option( 'wpseo_titles', array( 'noindex-page' => true ) ); delete_option( 'wpseo_titles' );`,
      [{ ...nothing, type: 'settings' }],
    ],
    [
      'the first choice of a currency in Gravity Forms',
      `update_option( 'rg_gforms_currency', 'EUR' ); delete_option( 'rg_gforms_currency' );`,
      [{ ...nothing, type: 'settings' }],
    ],
    [
      'a category in the addresses of posts',
      `$id = wp_insert_term( 'Moving', 'category' )['term_id']; wp_update_term( $id, 'category', array( 'slug' => 'still' ) );
        add_filter( 'pre_option_permalink_structure', static function () { return '/%category%/%postname%/'; } ); wp_update_term( $id, 'category', array( 'slug' => 'moved' ) ); wp_delete_term( $id, 'category' );`,
      [{ ...nothing, type: 'anything' }],
    ],
    [
      'what another part of the plugin says',
      `do_action( 'pillion_changed', 'redirects' ); do_action( 'pillion_changed', 'redirects' );`,
      [{ ...nothing, type: 'redirects' }],
    ],
    [
      'thirty things, as of anything',
      `foreach ( range( 1, 30 ) as $id ) { do_action( 'pillion_changed', 'form', $id ); }`,
      [{ ...nothing, type: 'anything' }],
    ],
  ])('%s', async (_, code, expected) => {
    await phpAsync(code);
    expect(messages()).toEqual(expected);
  });

  test('but none when nothing that it shows has changed', async () => {
    await phpAsync(`wp_delete_post( wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'draft', 'post_title' => 'A draft' ) ), true );
      update_option( 'pillion_strings', get_option( 'pillion_strings' ) ); update_option( 'blogname', get_option( 'blogname' ) );
      update_option( 'pillion_test', 1 ); delete_option( 'pillion_test' ); set_transient( 'x', 1 ); delete_transient( 'x' );`);
    await rest('gusto/routes');
    expect(messages()).toEqual([]);
  });

  test('but none when its address is unknown', async () => {
    forgetSite();
    await createPage({ title: 'Quiet' });
    expect(messages()).toEqual([]);
    expect(waiting()).toEqual([]);
  });
});

interface Receipt {
  state: string;
  text: string;
  url: string;
}

const about = (html: string) => ({
  nonce: /"nonce":"(\w+)","inEditor"/.exec(html)?.[1] ?? '',
  isDue: html.includes('pillionReceipts.isDue = true'),
});

async function receipt(browser: Browser): Promise<Receipt> {
  const { nonce } = about((await browser.page('/wp-admin/index.php')).html);
  const { html } = await browser.submit(`/wp-json/pillion/v1/receipt?_wpnonce=${nonce}`, new Map(), {});
  return JSON.parse(html);
}

/** Saves the screen of texts as a browser does. */
async function saveTexts(browser: Browser, colophon: string) {
  const path = '/wp-admin/admin.php?page=pillion';
  const { fields } = await browser.page(path);
  return browser.submit('/wp-admin/options.php', fields, { 'pillion_strings[footer][colophon]': colophon });
}

describe('the receipt', () => {
  let browser: Browser;
  let colophon = '';
  beforeAll(async () => {
    browser = await login();
    colophon = phpValue<string>(`return (string) ( get_option( 'pillion_strings' )['footer']['colophon'] ?? '' );`);
    php(`update_option( 'timezone_string', 'Europe/Berlin' );`);
  });
  afterAll(async () => {
    php(`delete_option( 'timezone_string' );`);
    await saveTexts(browser, colophon);
  });

  test('is requested by the screen after the save and shows the time in the editor’s time zone', async () => {
    const saved = await saveTexts(browser, 'Ridden by {brand}');
    expect(about(saved.html).isDue).toBe(true);
    expect(messages(), 'the save itself tells nobody').toEqual([]);
    expect(await receipt(browser)).toEqual({
      state: 'live',
      text: expect.stringMatching(/^Live on the site at 14:02:07, after \d+\.\d s$/),
      url: `${site.url}/`,
      label: expect.any(String),
    });
    expect(messages().map(({ type }) => type)).toEqual(['strings']);
    expect(waiting()).toEqual([]);
    expect(about((await browser.page('/wp-admin/index.php')).html).isDue).toBe(false);
    expect((await receipt(browser)).state).toBe('none');
  });

  test('is about the changes of its editor, and sends no other editor’s', async () => {
    createUser('receipts-editor');
    const other = await login('receipts-editor', 'receipts-editor');
    await saveTexts(browser, `Ridden ${Math.random()}`);
    expect((await receipt(other)).state).toBe('none');
    expect(messages()).toEqual([]);
    expect((await receipt(browser)).state).toBe('live');
    expect(messages().map(({ type }) => type)).toEqual(['strings']);
  });

  test('is not awaited from a user who cannot request it: their change is sent at once', async () => {
    createUser('receipts-none', 'subscriber');
    usePlugin(`add_action( 'admin_init', static function () { do_action( 'pillion_changed', 'form', 7 ); } );`);
    await (await login('receipts-none', 'receipts-none')).page('/wp-admin/profile.php');
    await expect.poll(waiting).toEqual([]);
    expect(messages().map(({ type }) => type)).toEqual(['form']);
  });

  const answered = { ok: true, at: '2026-11-20T13:02:07.123Z', tookMs: 240 };

  test.each([
    ['all', { live: 3, of: 3, late: [] }, /^Live on 3 of 3 servers at 14:02:07, after \d+\.\d s$/],
    [
      'not one that hangs',
      { live: 2, of: 3, late: ['web-2:3000'] },
      /^Live on 2 of 3 servers at 14:02:07, after \d+\.\d s \(web-2:3000 has not responded; it shows the change within a minute\)$/,
    ],
    [
      'not two',
      { live: 1, of: 3, late: ['web-2:3000', 'web-3:3000'] },
      /^Live on 1 of 3 servers at .* \(web-2:3000, web-3:3000 have not responded; they show the change within a minute\)$/,
    ],
    ['the only one', { live: 1, of: 1, late: [] }, /^Live on the site at 14:02:07, after \d+\.\d s$/],
    ['some that are not understood', { live: '3', of: {}, late: [4] }, /^Live on the site at 14:02:07, after/],
  ])('says how many servers show the change: %s', async (_, servers, words) => {
    site.answer = answerWith(200, { ...answered, servers });
    await saveTexts(browser, `Ridden ${Math.random()}`);
    expect(await receipt(browser)).toMatchObject({ state: 'live', text: expect.stringMatching(words) });
  });

  test('shows the change that the fewest servers have applied, also when a page is unpublished', async () => {
    const id = await createPage({ title: 'Short', slug: 'short' });
    site.answer = (response, { message: { type } }) =>
      answerWith(200, {
        ...answered,
        servers: { live: type === 'page' ? 2 : 3, of: 3, late: type === 'page' ? ['b:1'] : [] },
      })(response);
    const { nonce } = about((await browser.page('/wp-admin/index.php')).html);
    await browser.submit(`/wp-json/wp/v2/pages/${id}?_wpnonce=${nonce}`, new Map(), { status: 'draft' });
    await saveTexts(browser, `Ridden ${Math.random()}`);
    expect((await receipt(browser)).text).toMatch(/2 of 3 servers at 14:02:07.* \(b:1 has not responded/);
  });

  test.each([
    ['another secret', answerWith(401, { ok: false, reason: 'wrong signature' }), /different secrets/],
    ['another clock', answerWith(401, { ok: false, reason: 'too old' }), /clocks/],
    ['no secret', answerWith(503, { ok: false, reason: 'not configured' }), /Set its WEBHOOK_SECRET/],
    ['no answer from this WordPress', answerWith(503, { ok: false, reason: 'WordPress unanswered' }), /could not read/],
    ['an error', answerWith(500, {}), /error 500/],
    ['a page for people', answerWith(200, '<!doctype html>'), /not a Pillion site/],
    ['yes, but not ok', answerWith(200, { ok: false }), /not a Pillion site/],
    ['another address', answerWith(301, {}, { location: 'http://127.0.0.1:9/' }), /redirects to another one/],
    [
      'a broken connection',
      (response: import('node:http').ServerResponse) => void response.destroy(),
      /No server responds/,
    ],
  ])('never reports a change as live if the site has %s, and cron retries', async (_, answer, words) => {
    site.answer = answer;
    await saveTexts(browser, `Ridden ${Math.random()}`);
    expect(await receipt(browser)).toMatchObject({ state: 'waiting', text: expect.stringMatching(words) });
    const [first] = site.received();
    expect(waiting()).toMatchObject([{ tries: 1, problem: expect.stringMatching(words) }]);

    site.answer = respondLive;
    await phpAsync(`do_action( 'pillion_send_changes' );`);
    const [second] = site.received();
    expect(second?.message).toEqual(first?.message);
    expect(second?.headers['webhook-id'], 'each try has an id of its own').not.toBe(first?.headers['webhook-id']);
    expect(waiting()).toEqual([]);
  });

  test('does not delay a save when the site hangs, and says so after ten seconds', async () => {
    site.answer = () => {};
    await saveTexts(browser, 'Slow');
    expect(site.received(), 'the save asks the site nothing that it could wait for').toEqual([]);
    expect(await receipt(browser)).toMatchObject({
      state: 'waiting',
      text: expect.stringMatching(/did not answer in time/),
    });
  });

  test('an unconfirmed change delays no other change and is retried after those not tried yet', async () => {
    site.answer = (response, { message }) =>
      message.type === 'form'
        ? answerWith(503, { ok: false, reason: 'WordPress unanswered' })(response)
        : respondLive(response);
    await phpAsync(
      `do_action( 'pillion_changed', 'form', 7 ); do_action( 'pillion_changed', 'strings' ); do_action( 'pillion_changed', 'menu' );`,
    );
    expect(messages().map(({ type }) => type)).toEqual(['form', 'strings', 'menu']);
    expect(waiting()).toMatchObject([{ message: { type: 'form' }, tries: 1 }]);
    await phpAsync(`do_action( 'pillion_changed', 'redirects' );`);
    expect(messages().map(({ type }) => type)).toEqual(['redirects', 'form']);
    expect(waiting()).toMatchObject([{ message: { type: 'form' }, tries: 2 }]);
  });

  test('a timeout on one change uses up no retry of the others', async () => {
    site.answer = (response, { message }) => (message.type === 'form' ? undefined : respondLive(response));
    await phpAsync(`do_action( 'pillion_changed', 'form', 7 ); do_action( 'pillion_changed', 'strings' );`);
    expect(waiting()).toMatchObject([
      { message: { type: 'strings' }, tries: 0 },
      { message: { type: 'form' }, tries: 1 },
    ]);
    await phpAsync(`Pillion\\Site\\ChangeQueue::send( 3 );`);
    expect(waiting()).toMatchObject([{ message: { type: 'form' }, tries: 2 }]);
  });

  const change = (code: string) =>
    php(`global $wpdb; foreach ( Pillion\\Site\\ChangeQueue::all() as $name => $row ) { ${code}
      $wpdb->update( $wpdb->options, array( 'option_value' => wp_json_encode( $row ) ), array( 'option_name' => $name ) ); }`);

  test.each([
    ['back', `$row['made'] = microtime( true ) + 3595; $row['ran'] -= 5;`, /, after (?:[5-9]|\d\d)\.\d s$/],
    ['forward', `$row['made'] = microtime( true ) - 86400; $row['ran'] -= 5;`, /, after (?:[5-9]|\d\d)\.\d s$/],
    ['back, on another machine', `$row['made'] += 3600; $row['host'] = 'other';`, /^Live on the site at 14:02:07$/],
    [
      'forward, and the machine was started anew',
      `$row['made'] -= 86400; $row['ran'] += 1e9;`,
      /^Live on the site at 14:02:07$/,
    ],
  ])('shows no wrong duration if the clock of WordPress was set %s', async (_, code, words) => {
    await saveTexts(browser, `Ridden ${Math.random()}`);
    change(code);
    expect((await receipt(browser)).text).toMatch(words);
  });

  test('setting the clock back does not postpone the next retry', async () => {
    site.answer = answerWith(500, {});
    php(`wp_schedule_single_event( time() + 14400, 'pillion_send_changes' );`);
    await phpAsync(`do_action( 'pillion_changed', 'strings' );`);
    expect(phpValue<number>(`return wp_next_scheduled( 'pillion_send_changes' ) - time();`)).toBeLessThanOrEqual(30);
  });

  test('cron retries at growing intervals and gives up after five attempts', async () => {
    site.answer = answerWith(500, {});
    await phpAsync(`do_action( 'pillion_changed', 'strings' );`);
    const pauses = [];
    for (let tries = 1; tries < 6 && waiting().length > 0; tries += 1) {
      pauses.push(phpValue<number>(`return wp_next_scheduled( 'pillion_send_changes' ) - time();`));
      await phpAsync(`wp_clear_scheduled_hook( 'pillion_send_changes' ); do_action( 'pillion_send_changes' );`);
    }
    expect(pauses.map((pause) => [30, 60, 300, 900, 3600].find((due) => Math.abs(due - pause) < 10))).toEqual([
      30, 300, 900, 3600,
    ]);
    expect(waiting()).toEqual([]);
  });

  test('R29: a scheduled page that goes live notifies the site and appears on no other editor’s receipt', async () => {
    const id = Number(
      await phpAsync(`echo wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'future', 'post_title' => 'Soon',
      'post_name' => 'soon', 'post_date' => '2030-01-01 00:00:00', 'post_date_gmt' => '2030-01-01 00:00:00' ) );`),
    );
    expect(messages()).toEqual([{ id, type: 'page', path: null, status: 'future' }]);
    await phpAsync(`wp_publish_post( ${id} );`);
    expect(messages()).toEqual([{ id, type: 'page', path: '/soon/', status: 'publish' }]);
    expect((await receipt(browser)).state).toBe('none');
    await phpAsync(`wp_delete_post( ${id}, true );`);
  });
});

describe('Pillion → Site', () => {
  const PAGE = '/wp-admin/admin.php?page=pillion-site';
  let browser: Browser;
  beforeAll(async () => {
    browser = await login();
  });

  const act = async (changes: Record<string, string>) =>
    browser.submit(PAGE, (await browser.page(PAGE)).fields, changes);
  const tryIt = () => act({ do: 'test' });
  const stored = () => phpValue<{ address: string; secret: string }>(`return get_option( 'pillion_site' );`);

  test('creates a secret with the address and shows it only once', async () => {
    forgetSite();
    const { html } = await act({ do: 'save', address: 'https://example.org/', secret: '' });
    const { address, secret } = stored();
    expect([address, Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length]).toEqual(['https://example.org', 32]);
    expect(html).toContain(secret);
    expect((await browser.page(PAGE)).html).not.toContain(secret);
    await act({ do: 'save', address: 'https://example.com', secret: '' });
    expect(stored(), 'an empty field keeps the secret').toEqual({ address: 'https://example.com', secret });
    expect((await act({ do: 'make' })).html).toContain(stored().secret);
    expect(stored().secret).not.toBe(secret);
  });

  test.each(['example.org', 'https://example.org/path', 'javascript:alert(1)'])(
    'rejects %s as an address and keeps the previous one',
    async (address) => {
      const { html } = await act({ do: 'save', address, secret: '' });
      expect(html).toContain('The address must begin with');
      expect(stored().address).toBe(site.url);
    },
  );

  test('rejects an invalid secret', async () => {
    for (const secret of ['secret', 'whsec_', 'whsec_***', `whsec_${Buffer.from('short').toString('base64')}`])
      expect((await act({ do: 'save', address: site.url, secret })).html).toContain('The secret must be whsec_');
    expect(stored().secret).toBe(site.secret);
  });

  test('shows the result of a test message', async () => {
    expect((await tryIt()).html).toContain('It works');
    expect(messages()).toEqual([{ id: null, type: 'strings', path: '/', status: 'test' }]);
    setSite('http://127.0.0.1:9', site.secret);
    expect((await tryIt()).html).toContain('No server responds at http://127.0.0.1:9');
    setSite('http://elsewhere.example', site.secret);
    expect((await tryIt()).html).toContain('WP_ACCESSIBLE_HOSTS');
  });

  test.each([
    ['http://site.example', true],
    ['http://127.0.0.1.evil.example', true],
    ['https://site.example', false],
    ['http://127.0.0.1:3000', false],
    ['http://localhost:3000', false],
    ['http://[::1]:3000', false],
  ])('warns of http over a network: %s, %s', async (address, warns) => {
    setSite(address, site.secret);
    expect((await browser.page(PAGE)).html.includes('is on another machine')).toBe(warns);
  });

  test('values set by the deployment are shown as such, and no form changes them', () => {
    const said = phpValue<unknown[]>(`define( 'PILLION_SITE_URL', 'https://deployed.example/' );
      return array( Pillion\\Site\\Connection::address(), Pillion\\Site\\Connection::is_deployed( 'PILLION_SITE_URL' ), Pillion\\Site\\Connection::is_deployed( 'PILLION_WEBHOOK_SECRET' ) );`);
    expect(said).toEqual(['https://deployed.example', true, false]);
  });
});
