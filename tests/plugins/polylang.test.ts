import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { login } from '../contract/browser.ts';
import { rest } from '../contract/wordpress.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

/** R28, decision 046: with Polylang, the site uses its languages, and its pages and menus for each. */

interface Route {
  id: number;
  path: string;
  is_front: boolean;
  lang: string;
  group?: number;
}

describe.skipIf(!owned.polylang)('with Polylang', () => {
  let site: PluginSite;
  /** Pages of the seed and their translations, by name. */
  const pages: Record<string, number> = {};

  const get = async (path: string) => (await rest(path, { site: site.wordpress })).body;
  const routes = async (lang: string): Promise<Route[]> => get(`gusto/routes?lang=${lang}`);
  const pathsOf = async (lang: string) => (await routes(lang)).map(({ path }) => path);

  /** Does what *Languages → Add new* does. */
  async function addLanguage(locale: string, slug: string, name: string, isRightToLeft = false): Promise<void> {
    const { status, body } = await rest('pll/v1/languages', {
      as: 'admin',
      body: { locale, slug, name, is_rtl: isRightToLeft, no_default_cat: true },
      site: site.wordpress,
    });
    expect([200, 201], JSON.stringify(body)).toContain(status);
  }

  const setting = (name: string, value: string) => site.php(`PLL()->options->set( '${name}', ${value} );`);

  /** Adds a page with its language and translations, as Polylang's own box saves them. */
  const addPage = (lang: string, title: string, slug: string, original: number) =>
    Number(
      site.php(`$id = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => '${title}', 'post_name' => '${slug}', 'post_content' => '<p>Nachtfahrt</p>' ) );
        pll_set_post_language( $id, '${lang}' );
        pll_save_post_translations( array( '${lang}' => $id ) + pll_get_post_translations( ${original} ) ); echo $id;`),
    );

  beforeAll(async () => {
    site = await startPluginSite({ plugins: ['polylang'], isNotified: true });
    const before = await routes('en');
    pages.home = before.find(({ is_front }) => is_front)?.id ?? 0;
    pages.tour = before.find(({ path }) => path === '/the-tour/')?.id ?? 0;
    await addLanguage('en_US', 'en', 'English');
    await addLanguage('de_DE', 'de', 'Deutsch');
    await addLanguage('pt_BR', 'br', 'Português do Brasil');
    await addLanguage('ar', 'ar', 'العربية', true);
    // *Languages → Settings* sets the default language for all content without one.
    site.php('PLL()->model->set_language_in_mass();');
    pages.start = addPage('de', 'Startseite', 'startseite', pages.home);
    pages.rundgang = addPage('de', 'Der Rundgang', 'rundgang', pages.tour);
  });
  afterAll(() => site?.stop());

  test('R28: the site has its languages: name, tag, direction, default', async () => {
    expect((await get('gusto/options?lang=de')).languages).toEqual([
      { tag: 'en', name: 'English', dir: 'ltr', fallback: '' },
      { tag: 'de', name: 'Deutsch', dir: 'ltr', fallback: '' },
      // Polylang's code for it means Breton.
      { tag: 'pt-BR', name: 'Português do Brasil', dir: 'ltr', fallback: '' },
      { tag: 'ar', name: 'العربية', dir: 'rtl', fallback: '' },
    ]);
  });

  test('R28: a post that Polylang links to the front page does not become one and changes no group', async () => {
    const before = [await routes('en'), await routes('ar')];
    // Saved as Polylang's box does for an author. The post is older than all pages, since it has the lowest id.
    const post = Number(
      site.php(`$id = wp_insert_post( array( 'import_id' => 2, 'post_type' => 'post', 'post_status' => 'publish', 'post_title' => 'Mine', 'post_name' => 'mine' ) );
        pll_set_post_language( $id, 'ar' );
        pll_save_post_translations( array( 'ar' => $id ) + pll_get_post_translations( ${pages.home} ) ); echo $id;`),
    );
    onTestFinished(() => void site.php(`wp_delete_post( ${post}, true );`));
    const arabic = await routes('ar');
    expect(arabic.filter(({ id }) => id !== post)).toEqual(before[1]);
    expect(arabic.find(({ id }) => id === post)).toMatchObject({ path: '/ar/mine/', is_front: false, group: post });
    expect(await routes('en')).toEqual(before[0]);
  });

  test('R28: each language has its own pages, and translations share a group', async () => {
    const german = await routes('de');
    expect(german.map(({ id, path, is_front }) => [id, path, is_front])).toEqual([
      [pages.start, '/de/', true],
      [pages.rundgang, '/de/rundgang/', false],
    ]);
    const english = await routes('en');
    expect(english.map(({ path }) => path)).toContain('/the-tour/');
    expect(english.map(({ id }) => id)).not.toContain(pages.rundgang);
    for (const [original, translation] of [
      [pages.home, pages.start],
      [pages.tour, pages.rundgang],
    ]) {
      const group = english.find(({ id }) => id === original)?.group;
      expect(group).toBe(german.find(({ id }) => id === translation)?.group);
    }
    expect(english.filter(({ is_front }) => is_front).map(({ path }) => path)).toEqual(['/']);
    expect(await routes('ar')).toEqual([]);
  });

  test.each([
    ['the language in directories, none for the default', 'force_lang', '1', '1'],
    ['all languages in directories', 'hide_default', 'false', 'true'],
    ['the language by content', 'force_lang', '0', '1'],
    ['/language/ before it', 'rewrite', 'false', 'true'],
  ])('R28: addresses are the site’s with any setting of Polylang: %s', async (_, name, value, back) => {
    setting(name, value);
    onTestFinished(() => void setting(name, back));
    expect(await pathsOf('de')).toEqual(['/de/', '/de/rundgang/']);
    expect(await pathsOf('en')).toEqual(expect.arrayContaining(['/', '/the-tour/']));
    expect(site.php(`echo wp_parse_url( get_permalink( ${pages.rundgang} ), PHP_URL_PATH );`)).toBe('/de/rundgang/');
    expect(
      site.php(
        `foreach ( array( '/de/', '/de/rundgang/', '/', '/the-tour/' ) as $path ) { echo Pillion\\Content\\Routes::post_at( $path ), ' '; }`,
      ),
    ).toBe(`${pages.start} ${pages.rundgang} ${pages.home} ${pages.tour} `);
  });

  test('R28: menus come from Polylang’s locations, or are the default’s with links to translations', async () => {
    const itemsOf = async (lang: string): Promise<[string, string][]> =>
      (await get(`gusto/nav/menu-locations?lang=${lang}`)).main_menu.items.map(
        (item: { title: string; url: string }) => [item.title, new URL(item.url).pathname],
      );
    // Menus from before Polylang belong to the default language.
    expect(await itemsOf('en')).toContainEqual(['The tour', '/the-tour/']);
    const main = Number(
      site.php(`echo get_option( 'theme_mods_' . get_option( 'stylesheet' ) )['nav_menu_locations']['main_menu'];`),
    );
    const menus = (german: string) =>
      setting(
        'nav_menus',
        `array( get_option( 'stylesheet' ) => array( 'main_menu' => array( 'en' => ${main}${german} ) ) )`,
      );
    menus('');
    expect(await itemsOf('en')).toContainEqual(['The tour', '/the-tour/']);
    expect(await itemsOf('de')).toContainEqual(['Der Rundgang', '/de/rundgang/']);
    const german = Number(
      site.php(`$menu = wp_create_nav_menu( 'Hauptmenue' );
      wp_update_nav_menu_item( $menu, 0, array( 'menu-item-title' => 'Los', 'menu-item-object' => 'page', 'menu-item-object-id' => ${pages.rundgang}, 'menu-item-type' => 'post_type', 'menu-item-status' => 'publish' ) );
      wp_update_nav_menu_item( $menu, 0, array( 'menu-item-title' => 'Sprachen', 'menu-item-url' => '#pll_switcher', 'menu-item-status' => 'publish' ) ); echo $menu;`),
    );
    menus(`, 'de' => ${german}`);
    // Polylang's list of languages is omitted, because the site has one.
    expect(await itemsOf('de')).toEqual([['Los', '/de/rundgang/']]);
    expect(await itemsOf('en')).toContainEqual(['The tour', '/the-tour/']);
  });

  test('R28: the languages screen refers to Polylang, and Pillion’s box next to a page is hidden', async () => {
    const admin = await login('admin', 'admin', site.wordpress);
    const screen = '/wp-admin/admin.php?page=pillion-languages';
    const { html } = await admin.page(screen);
    expect(html).toContain('Polylang is active');
    expect(html).toMatch(/href="[^"]*admin\.php\?page=mlang"/);
    expect(html).not.toContain('languages[0][tag]');
    const beside = await admin.page(`/wp-admin/post.php?post=${pages.tour}&action=edit`);
    expect(beside.html).not.toContain('id="pillion-language"');
  });

  test('R28: a page is copied for translation into Polylang’s group', async () => {
    const admin = await login('admin', 'admin', site.wordpress);
    const { html } = await admin.page('/wp-admin/admin.php?page=pillion-languages');
    const href = new RegExp(`href="([^"]*translate=${pages.tour}&[^"]*into=ar&[^"]*)"`).exec(html)?.[1] ?? '';
    const { pathname, search } = new URL(href.replace(/&(#038|amp);/g, '&'));
    await admin.page(pathname + search);
    const copy = site.phpValue<{ of: number; status: string }>(
      `$id = pll_get_post( ${pages.tour}, 'ar' ); return array( 'of' => pll_get_post( $id, 'en' ), 'status' => get_post_status( $id ) );`,
    );
    expect(copy).toEqual({ of: pages.tour, status: 'draft' });
    expect(await routes('ar')).toEqual([]);
  });

  test('R28: visitors get the site in Polylang’s languages: pages, links, search, 404, sitemap', async () => {
    const pillion = await site.startPillion();
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${pillion.url}${path}`, init);
      return { status: response.status, html: await response.text() };
    };
    await expect.poll(async () => (await ask('/de/')).status).toBe(200);
    const tour = await ask('/de/rundgang/');
    expect(tour.html).toMatch(/<html[^>]* lang="de"/);
    expect(tour.html).toContain('hreflang="en"');
    expect(tour.html).toContain('<a href="/the-tour/" lang="en">English</a>');
    expect((await ask('/de/search?q=Nachtfahrt')).html).toContain('href="/de/rundgang/"');
    expect((await ask('/search?q=Nachtfahrt')).html).not.toContain('href="/de/rundgang/"');
    const missing = await ask('/ar/the-tour/');
    expect([missing.status, /<html[^>]* dir="rtl"/.test(missing.html)]).toEqual([404, true]);
    expect((await ask('/pt-br/search')).html).toMatch(/<html[^>]* lang="pt-BR"/);
    const sitemap = await ask('/sitemap.xml');
    expect(sitemap.html).toContain(`<loc>${pillion.url}/de/rundgang/</loc>`);
  });

  test('R28: changes in Polylang notify the site', async () => {
    /** Types of the changes that the plugin records while `code` runs. */
    const changesOf = (code: string) =>
      site.phpValue<string[]>(
        `$noted = new ReflectionProperty( 'Pillion\\Site\\Changes', 'noted' ); $noted->setAccessible( true );
         ${code} return array_column( $noted->getValue(), 'type' );`,
      );
    expect(
      changesOf(`PLL()->options->set( 'browser', ! PLL()->options->get( 'browser' ) ); PLL()->options->save();`),
    ).toContain('languages');
    expect(
      changesOf(`pll_set_post_language( ${pages.rundgang}, 'ar' ); pll_set_post_language( ${pages.rundgang}, 'de' );`),
    ).toContain('languages');
  });

  test('R28: without a Polylang language, and once it is inactive, the site uses Pillion’s languages', async () => {
    site.php(`update_option( 'pillion_languages', array( array( 'tag' => 'en', 'name' => 'English' ), array( 'tag' => 'fr', 'name' => 'Français' ) ) );
      deactivate_plugins( '${owned.polylang?.file}' );`);
    const { languages } = await get('gusto/options');
    expect(languages.map(({ tag }: { tag: string }) => tag)).toEqual(['en', 'fr']);
    site.php(`activate_plugin( '${owned.polylang?.file}' );`);
    expect((await get('gusto/options')).languages).toHaveLength(4);
  });
});
