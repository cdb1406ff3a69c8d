import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { login } from './browser.ts';
import { createPage, createUser, dateBack, php, phpAfterwards, phpValue, rest, usePlugin } from './wordpress.ts';

/** R28, decision 045: WordPress lists the languages, and each page names the one it is in. */

const LISTED = [
  { tag: 'en', name: 'English', dir: 'ltr', fallback: '' },
  { tag: 'de', name: 'Deutsch', dir: 'ltr', fallback: 'en' },
  { tag: 'ar', name: 'العربية', dir: 'rtl', fallback: '' },
];

const list = (languages: object[]) =>
  php(
    `update_option( 'pillion_languages', json_decode( base64_decode( '${Buffer.from(JSON.stringify(languages)).toString('base64')}' ), true ) );`,
  );
const unlist = () => php(`delete_option( 'pillion_languages' );`);
const options = async (lang = 'en') => (await rest(`gusto/options?lang=${lang}`)).body;
const routes = async (lang: string): Promise<{ id: number; path: string; is_front: boolean; group?: number }[]> =>
  (await rest(`gusto/routes?lang=${lang}`)).body;
const translation = (lang: string, of: number, more: object = {}) => ({
  title: `Page in ${lang}`,
  meta: { _pillion_lang: lang, _pillion_translation_of: of },
  ...more,
});

let front: number;

beforeAll(() => {
  front = Number(php(`echo get_option( 'page_on_front' );`));
  list(LISTED);
});

afterAll(unlist);

test('R28: a site with one language responds as before', async () => {
  unlist();
  onTestFinished(() => void list(LISTED));
  expect(await options()).not.toHaveProperty('languages');
  for (const route of await routes('en')) expect(route).not.toHaveProperty('group');
  expect(await routes('de')).toEqual(await routes('en'));
});

test('R28: an Arabic WordPress without a list of languages is read from right to left', async () => {
  unlist();
  onTestFinished(() => void list(LISTED));
  usePlugin(`add_filter( 'locale', static fn() => 'ar' );`);
  expect((await options()).languages).toMatchObject([{ tag: 'ar', dir: 'rtl' }]);
});

test('R28: the direction of a language follows the script in its tag', () => {
  const directions = (...tags: string[]) =>
    phpValue(
      `return array_column( Pillion\\Languages\\LanguageRules::validate( array_map( static fn( $tag ) => array( 'tag' => $tag ), explode( ' ', '${tags.join(' ')}' ) ) )['languages'], 'dir' );`,
    );
  expect(directions('ar', 'azb', 'de', 'pa-Arab-PK', 'ks-Deva', 'ar-Latn')).toEqual([
    ...['rtl', 'rtl', 'ltr', 'rtl', 'ltr', 'ltr'],
  ]);
});

test('R28: pages of a language are under its tag, those of the default as before', async () => {
  const before = await routes('en');
  const home = await createPage(translation('de', front));
  const tour = await createPage(translation('de', 0, { slug: 'rundgang' }));
  const german = await routes('de');
  expect(german.map(({ path }) => path)).toEqual(['/de/', '/de/rundgang/']);
  expect(german.map(({ is_front }) => is_front)).toEqual([true, false]);
  expect(german.map(({ id, group }) => [id, group])).toEqual([
    [home, front],
    [tour, tour],
  ]);
  expect(await routes('en')).toEqual(before);
  expect(php(`echo get_permalink( ${tour} );`)).toMatch(/\/de\/rundgang\/$/);
  expect(
    php(`echo Pillion\\Content\\Routes::post_at( '/de/rundgang/' ), ' ', Pillion\\Content\\Routes::post_at( '/de/' );`),
  ).toBe(`${tour} ${home}`);
});

test('R28: translations stay together when their original is deleted', async () => {
  const original = Number(
    php(
      `echo wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Gone soon' ) );`,
    ),
  );
  await createPage(translation('de', original));
  await createPage(translation('ar', original));
  php(`wp_delete_post( ${original}, true );`);
  const [german, arabic] = await Promise.all([routes('de'), routes('ar')]);
  expect([german[0]?.group, arabic[0]?.group]).toEqual([original, original]);
});

test('R28: a page in an unlisted language has no route', async () => {
  const id = await createPage(translation('fr', 0));
  const all = (await Promise.all(['en', 'de', 'ar', 'fr'].map(routes))).flat();
  expect(all.map((route) => route.id)).not.toContain(id);
});

test('R28: a language inherits texts of other languages only if the plugin has no texts in it', async () => {
  const stored = (option: string) => php(`echo base64_encode( serialize( get_option( '${option}', null ) ) );`);
  const english = stored('pillion_strings');
  list([...LISTED, { tag: 'de-AT', fallback: 'de' }, { tag: 'sv' }]);
  onTestFinished(async () => {
    list(LISTED);
    php(`delete_option( 'pillion_strings_de' );
      update_option( 'pillion_strings', unserialize( base64_decode( '${english}' ) ) );`);
  });
  php(`update_option( 'pillion_strings_de', array( 'labels' => array( 'join' => 'Mitmachen' ) ) );
      update_option( 'pillion_strings', array( 'brand' => 'Own', 'labels' => array( 'join' => 'Come', 'close' => 'Shut', 'offer' => 'In English' ) ) );`);
  const read = await Promise.all(['en', 'de', 'de-AT', 'ar', 'sv'].map(options));
  expect(read.map(({ brand, labels }) => [brand, labels.join, labels.close, labels.offer])).toEqual([
    ['Own', 'Come', 'Shut', 'In English'],
    ['Own', 'Mitmachen', null, null],
    ['Own', 'Mitmachen', null, null],
    ['Own', null, null, null],
    ['Own', 'Come', 'Shut', null],
  ]);
});

test('R28: the fields of a language show its own default texts', async () => {
  const browser = await login();
  const shown = async (query: string) => {
    const { html } = await browser.page(`/wp-admin/admin.php?page=pillion${query}`);
    return ['labels-skip', 'fourohfour-link-title', 'labels-join'].map(
      (id) => html.match(new RegExp(`id="pillion-${id}"[^>]* placeholder="([^"]*)"`))?.[1],
    );
  };
  expect(await shown('&texts_lang=de')).toEqual(['Zum Inhalt springen', 'Zur Startseite', 'Anmelden']);
  expect(await shown('')).toEqual(['Skip to content', 'Back to home', 'Join The Ride']);
});

test('R28: a language without a menu shows the default’s, with links to its translations', async () => {
  const tour = (await routes('en')).find(({ path }) => path === '/the-tour/');
  await createPage(translation('de', tour?.id ?? 0, { slug: 'rundgang', title: 'Der Rundgang' }));
  const { main_menu } = (await rest('gusto/nav/menu-locations?lang=de')).body;
  const items = main_menu.items.map(({ title, url }: { title: string; url: string }) => [title, new URL(url).pathname]);
  // The paper notes have no German translation, so the default's page appears under German's tag.
  expect(items).toEqual([
    ['The paper notes', '/de/paper-notes/'],
    ['Der Rundgang', '/de/rundgang/'],
  ]);
  const arabic = (await rest('gusto/nav/menu-locations?lang=ar')).body.main_menu.items;
  expect(new URL(arabic[0].url).pathname).toBe('/paper-notes/');
});

test('R28: an editor adds a language on its screen, and invalid ones are rejected with a reason', async () => {
  unlist();
  onTestFinished(() => void list(LISTED));
  const admin = await login();
  const screen = '/wp-admin/admin.php?page=pillion-languages';
  const { fields } = await admin.page(screen);
  expect(fields.get('languages[0][tag]')).toBe('en');
  const typed = (tag: string) => ({ 'languages[1][tag]': tag, 'languages[1][name]': 'Deutsch' });
  expect((await admin.submit(screen, fields, typed('Deutsch!'))).html).toContain('is not a language tag');
  expect((await admin.submit(screen, fields, typed('qq'))).html).toContain('No language has the tag qq');
  expect(phpValue(`return get_option( 'pillion_languages', null );`)).toBeNull();
  await admin.submit(screen, fields, typed('de'));
  expect((await options()).languages.map(({ tag }: { tag: string }) => tag)).toEqual(['en', 'de']);
});

test('R28: the first language stays first, because its pages and texts have no tag', async () => {
  onTestFinished(() => void list(LISTED));
  const admin = await login();
  const screen = '/wp-admin/admin.php?page=pillion-languages';
  const { fields } = await admin.page(screen);
  const tags = async (changes: Record<string, string>) => {
    const { html } = await admin.submit(screen, fields, changes);
    const stored = phpValue<{ tag: string }[]>(`return get_option( 'pillion_languages' );`).map(({ tag }) => tag);
    return { stored, isRejected: html.includes('en must stay the first language') };
  };
  const rejected = { stored: ['en', 'de', 'ar'], isRejected: true };
  const removed = { 'languages[0][tag]': '', 'languages[0][name]': '', 'languages[1][fallback]': '' };
  expect(await tags(removed)).toEqual(rejected);
  expect(await tags({ 'languages[0][tag]': 'ar', 'languages[2][tag]': 'en' })).toEqual(rejected);
  expect(await tags({ 'languages[0][tag]': 'fr', 'languages[3][tag]': 'en' })).toEqual(rejected);
  expect(await tags({ 'languages[0][tag]': 'en-GB', 'languages[1][fallback]': '' })).toEqual({
    stored: ['en-GB', 'de', 'ar'],
    isRejected: false,
  });
});

test('R28: a rejected list of languages is shown as typed, so that the next save removes no language', async () => {
  const admin = await login();
  const screen = '/wp-admin/admin.php?page=pillion-languages';
  const { fields } = await admin.page(screen);
  const shown = await admin.submit(screen, fields, { 'languages[1][tag]': 'd!' });
  expect(shown.html).toContain('is not a language tag');
  const rows = [0, 1, 2, 3].map((at) => [
    shown.fields.get(`languages[${at}][tag]`),
    shown.fields.get(`languages[${at}][name]`),
  ]);
  expect(rows).toEqual([
    ['en', 'English'],
    ['d!', 'Deutsch'],
    ['ar', 'العربية'],
    ['', ''],
  ]);
  expect(shown.fields.get('languages[1][fallback]')).toBe('en');
  const nameless = await admin.submit(screen, fields, { 'languages[1][tag]': '' });
  expect(nameless.fields.get('languages[1][name]')).toBe('Deutsch');
  expect(nameless.html).not.toMatch(/<option value=""[^>]*>Show it in/);
  const unnamed = await admin.submit(screen, fields, { 'languages[1][name]': '', 'languages[2][tag]': 'a!' });
  expect(unnamed.html).toMatch(/<option value="de"[^>]*>Show it in de</);
});

test('R28: the box of languages offers an author only links that the author may follow', async () => {
  const author = createUser('languages-author', 'author');
  const post = (more: string) =>
    Number(php(`echo wp_insert_post( array( 'post_status' => 'publish', 'post_title' => 'Box', ${more} ) );`));
  const id = post(`'post_author' => ${author.id}`);
  const german = post(
    `'post_author' => 1, 'meta_input' => array( '_pillion_lang' => 'de', '_pillion_translation_of' => ${id} )`,
  );
  phpAfterwards(`wp_delete_post( ${german}, true ); wp_delete_post( ${id}, true );`);
  const box = async (name: string) => {
    const { html } = await (await login(name, name)).page(`/wp-admin/post.php?post=${id}&action=edit`);
    const [markup = ''] = /<select id="pillion_lang"[\s\S]*?<\/ul>/.exec(html) ?? [];
    return [...markup.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => /translate|action=edit/.exec(href)?.[0]);
  };
  expect(await box('admin')).toEqual(['action=edit', 'translate']);
  expect(await box('languages-author')).toEqual([]);
  const own = `update_post_meta( ${german}, '_pillion_lang', 'de' ); wp_update_post( array( 'ID' => ${german}, 'post_author' => ${author.id} ) );`;
  php(own);
  expect(await box('languages-author')).toEqual(['action=edit']);
});

test('R28: an editor can copy a page for translation, and sees what is missing or outdated', async () => {
  const content = '<!-- wp:pillion/statement {"heading":"Loud \\\\u0026 clear"} /-->';
  const id = await createPage({ title: 'To translate', content, password: 'dusk', meta: { _pillion_theme: 'light' } });
  const admin = await login();
  const screen = '/wp-admin/admin.php?page=pillion-languages';
  const row = async () => new RegExp(`post=${id}&[\\s\\S]*?</tr>`).exec((await admin.page(screen)).html)?.[0] ?? '';
  const before = await row();
  expect(before.match(/Missing/g)).toHaveLength(2);
  const link = /href="([^"]*translate=\d+[^"]*into=de[^"]*)"/.exec(before)?.[1]?.replace(/&(#038|amp);/g, '&') ?? '';
  const { pathname, search } = new URL(link);
  await admin.page(pathname + search);
  const copies = phpValue<{ id: number; content: string; password: string; theme: string; status: string }[]>(
    `return array_map( static function ( $post ) { return array( 'id' => $post->ID, 'content' => $post->post_content, 'password' => $post->post_password, 'theme' => get_post_meta( $post->ID, '_pillion_theme', true ), 'status' => $post->post_status ); }, array_values( array_slice( Pillion\\Languages\\Translations::group( ${id} ), 1 ) ) );`,
  );
  expect(copies).toMatchObject([{ content, password: 'dusk', theme: 'light', status: 'draft' }]);
  php(`global $wpdb; $wpdb->update( $wpdb->posts, array( 'post_password' => '' ), array( 'post_password' => 'dusk' ) );
    clean_post_cache( ${id} ); clean_post_cache( ${copies[0]?.id} );`);
  expect(await row()).toContain('2 of 2 texts to translate · Not published');
  const [copy] = copies;
  // Translates one text and marks the other as unchanged.
  php(`wp_update_post( array( 'ID' => ${copy?.id}, 'post_title' => 'Zu übersetzen' ) );`);
  expect(await row()).toContain('1 of 2 texts to translate');
  const edit = await admin.page(`/wp-admin/post.php?post=${copy?.id}&action=edit&classic-editor`);
  expect(edit.html).toContain('<li>Loud \\u0026 clear</li>');
  expect(edit.html).not.toContain('<li>To translate</li>');
  // Neither the site nor the public can read the copy.
  for (const as of ['key', 'admin'] as const)
    expect(
      JSON.stringify((await rest(`wp/v2/pages/${copy?.id}?context=${as === 'key' ? 'view' : 'edit'}`, { as })).body),
    ).not.toContain('to_translate');
  const setStatus = (status: string) =>
    php(`wp_update_post( array( 'ID' => ${copy?.id}, 'post_status' => '${status}' ) );`);
  const sayTranslated = (more: Record<string, string>) =>
    admin.submit('/wp-admin/post.php', new Map(), {
      ...{ action: 'editpost', post_ID: String(copy?.id), post_type: 'page' },
      ...{ _wpnonce: edit.fields.get('_wpnonce') ?? '' },
      ...{ pillion_to_do_nonce: edit.fields.get('pillion_to_do_nonce') ?? '', pillion_translated: '1' },
      ...{ post_title: 'Zu übersetzen', content, ...more },
    });
  // A preview of a published page saves a revision.
  setStatus('publish');
  await sayTranslated({ post_status: 'publish', 'wp-preview': 'dopreview' });
  expect(php(`echo count( wp_get_post_revisions( ${copy?.id} ) );`)).not.toBe('0');
  expect(await row()).toContain('to translate');
  setStatus('draft');
  await sayTranslated({ post_status: 'draft' });
  expect(await row()).not.toContain('to translate');
  setStatus('publish');
  dateBack(copy?.id ?? 0);
  expect(await row()).toContain('Older than the original');
  expect((await routes('de')).map(({ group }) => group)).toEqual([id]);
  // A second request leads to the existing copy.
  await admin.page(pathname + search);
  expect(Number(php(`echo count( Pillion\\Languages\\Translations::group( ${id} ) );`))).toBe(2);
  php(`wp_delete_post( ${copy?.id}, true );`);
});

test('R28: an editor sets a page’s language and original in a box next to it', async () => {
  const id = await createPage({ title: 'Seite' });
  const admin = await login();
  const { fields } = await admin.page(`/wp-admin/post.php?post=${id}&action=edit&classic-editor`);
  expect(fields.get('pillion_lang')).toBe('en');
  await admin.submit('/wp-admin/post.php', new Map(), {
    action: 'editpost',
    post_ID: String(id),
    _wpnonce: fields.get('_wpnonce') ?? '',
    pillion_language_nonce: fields.get('pillion_language_nonce') ?? '',
    pillion_lang: 'de',
    pillion_original: String(front),
    post_title: 'Seite',
    post_type: 'page',
    visibility: 'public',
    post_status: 'publish',
  });
  expect((await routes('de')).map(({ path }) => path)).toEqual(['/de/']);
  expect((await routes('en')).map((route) => route.id)).not.toContain(id);
});

test('R28: an editor sees what is wrong with a language: front page, addresses, originals, form', async () => {
  const admin = await login();
  const problems = async () =>
    [...(await admin.page('/wp-admin/admin.php?page=pillion-languages')).html.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(
      ([, problem]) => problem,
    );
  const gone = Number(php(`echo wp_insert_post( array( 'post_type' => 'page', 'post_title' => 'Soon gone' ) );`));
  expect(await problems()).toContain(
    'العربية has no front page, so /ar/ is not found. Translate the front page and publish it.',
  );
  expect((await problems()).join()).toContain('Deutsch has no front page, so /de/ shows the one of another language.');
  await createPage(translation('de', front));
  expect((await problems()).join()).not.toContain('Deutsch has no front page');
  await createPage({ title: 'Delaware', slug: 'de' });
  expect((await problems()).join()).toContain('“Delaware” has the address /de/, which belongs to a language');
  // The site shows the front page there.
  expect((await routes('de')).map(({ path }) => path)).toContain('/de/');
  const id = await createPage(translation('de', gone, { title: 'Waise' }));
  php(`wp_delete_post( ${gone}, true );`);
  expect((await problems()).join()).toContain(`“Waise” translates page ${gone}, which was deleted.`);
  expect((await admin.page(`/wp-admin/post.php?post=${id}&action=edit`)).html).toContain(
    'There is no page with this number.',
  );
  expect((await routes('de')).map((route) => route.id)).toContain(id);
  // A page and a post with the same slug: core checks slugs only within a type. The page wins, though it is newer.
  const post = Number(
    php(
      `update_option( 'permalink_structure', '/%postname%/' ); echo wp_insert_post( array( 'post_type' => 'post', 'post_status' => 'publish', 'post_title' => 'Twin post', 'post_name' => 'twin' ) );`,
    ),
  );
  phpAfterwards(`wp_delete_post( ${post}, true );`);
  await createPage({ title: 'Twin page', slug: 'twin' });
  expect((await problems()).join()).toContain(
    '“Twin page” and “Twin post” have the same address, /twin/. The first is shown.',
  );
  const formMissing = 'Deutsch has no form, so its pages show the form of the default language';
  expect((await problems()).join()).toContain(formMissing);
  php(`update_option( 'pillion_strings_de', array( 'form' => array( 'form_id' => 2 ) ) );`);
  phpAfterwards(`delete_option( 'pillion_strings_de' );`);
  expect((await problems()).join()).not.toContain(formMissing);
});

test('R28: no form is missing in a language that inherits one from a fallback in the same language', async () => {
  list([...LISTED, { tag: 'de-AT', name: 'Deutsch (Österreich)', dir: 'ltr', fallback: 'de' }]);
  onTestFinished(() => void list(LISTED));
  php(`update_option( 'pillion_strings_de', array( 'form' => array( 'form_id' => 2 ) ) );`);
  phpAfterwards(`delete_option( 'pillion_strings_de' );`);
  const { html } = await (await login()).page('/wp-admin/admin.php?page=pillion-languages');
  expect(html).toContain('العربية has no form');
  expect(html).not.toContain('Deutsch (Österreich) has no form');
});

test('R28: the screen of languages lists every page of the default language', async () => {
  const admin = await login();
  // Straight into the table: WordPress would need seconds.
  const where = `array( 'post_type' => 'post', 'post_status' => 'publish', 'post_title' => 'A post' )`;
  php(`global $wpdb; for ( $i = 0; $i < 105; $i++ ) { $wpdb->insert( $wpdb->posts, ${where} ); } wp_cache_flush();`);
  phpAfterwards(`global $wpdb; $wpdb->delete( $wpdb->posts, ${where} ); wp_cache_flush();`);
  await createPage({ title: 'Zuletzt' });
  const screen = '/wp-admin/admin.php?page=pillion-languages';
  const first = (await admin.page(screen)).html;
  expect(first).not.toContain('>Zuletzt<');
  expect(first).toContain('aria-current="page">1<');
  expect((await admin.page(`${screen}&paged=2`)).html).toContain('>Zuletzt<');
  expect((await admin.page(`${screen}&paged=99`)).html).toContain('>Zuletzt<');
});
