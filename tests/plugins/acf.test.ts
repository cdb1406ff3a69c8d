import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { login } from '../contract/browser.ts';
import { createPage, installPlugin, rest, usePlugin } from '../contract/wordpress.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

/** A field group as a plugin of the site would declare it. `location` sets the pages that show it. */
const themeField = (location: string, more = '') => `add_action( 'acf/init', static function () {
  acf_add_local_field_group( array( 'key' => 'group_look', 'title' => 'Look', 'location' => array( array( ${location} ) ),
    'fields' => array( array( 'key' => 'field_theme', 'name' => 'theme', 'label' => 'Theme', 'type' => 'select',
      'choices' => array( 'dark' => 'Dark', 'light' => 'Light' ), 'allow_null' => 1 ${more} ) ) ) ); } );`;

const ON_PAGES = `array( 'param' => 'post_type', 'operator' => '==', 'value' => 'page' )`;
const ON_LANDING = `array( 'param' => 'page_template', 'operator' => '==', 'value' => 'landing' )`;

describe.skipIf(!owned.acf)('with Advanced Custom Fields', () => {
  let site: PluginSite;
  beforeAll(async () => {
    site = await startPluginSite({ plugins: ['acf'] });
  });
  afterAll(() => site?.stop());

  const acfOf = async (id: number) => (await rest(`wp/v2/pages/${id}?_fields=acf`, { site: site.wordpress })).body.acf;
  const routeOf = async (id: number) =>
    (await rest('gusto/routes', { site: site.wordpress })).body.find((route: { id: number }) => route.id === id);
  const idOf = async (slug: string) => (await rest(`wp/v2/pages?slug=${slug}`, { site: site.wordpress })).body[0].id;

  /** Both places that hold a page's theme. */
  async function themes(id: number): Promise<[string | undefined, string]> {
    return [(await acfOf(id)).theme, (await routeOf(id)).theme];
  }

  const hasBox = async (id: number) => {
    const browser = await login('admin', 'admin', site.wordpress);
    const { html } = await browser.page(`/wp-admin/post.php?post=${id}&action=edit`);
    return html.includes('pillionTheme');
  };

  test('R2: a light theme from the panel stays light', async () => {
    const id = await idOf('paper-notes');
    expect(await themes(id)).toEqual(['light', 'light']);
    expect(await hasBox(id)).toBe(true);
    const pillion = await site.startPillion();
    expect(await (await fetch(`${pillion.url}/paper-notes/`)).text()).toContain('data-theme="light"');
  });

  test('R2: a field with another name or in REST does not replace the panel', async () => {
    const other = themeField(ON_PAGES)
      .replace("'name' => 'theme'", "'name' => 'motto'")
      .replace("'title'", "'show_in_rest' => 1, 'title'");
    usePlugin(other, site.wordpress);
    const id = await idOf('paper-notes');
    expect(await themes(id)).toEqual(['light', 'light']);
    site.php(`update_field( 'field_theme', 'dark', ${id} );`);
    expect(await acfOf(id)).toEqual({ theme: 'light', motto: 'dark' });
    expect(await hasBox(id)).toBe(true);
  });

  test.each([
    ['open to REST', `'show_in_rest' => 1, 'title'`],
    ['not open to REST', `'title'`],
  ])(
    'R2: a field named theme, %s, replaces the panel on the pages that show the field and on no other',
    async (_, as) => {
      usePlugin(themeField(ON_LANDING).replace("'title'", as), site.wordpress);
      const plain = await idOf('paper-notes');
      const landing = await idOf('the-tour');
      expect(await themes(plain)).toEqual(['light', 'light']);
      expect(await hasBox(plain)).toBe(true);
      expect(await hasBox(landing)).toBe(false);
      site.php(`update_field( 'field_theme', 'light', ${landing} );`);
      expect(await themes(landing)).toEqual(['light', 'light']);
      site.php(`delete_field( 'field_theme', ${landing} );`);
    },
  );

  test('R2: a field added later changes a page only after it was saved with the field, which then decides', async () => {
    const id = await createPage({ title: 'Painted', meta: { _pillion_theme: 'light' } }, site.wordpress);
    const field = themeField(ON_PAGES, `, 'default_value' => 'dark', 'return_format' => 'array'`);
    const removeField = installPlugin(field, site.wordpress);
    onTestFinished(removeField);
    expect(await themes(id)).toEqual(['light', 'light']);
    site.php(`update_field( 'field_theme', 'dark', ${id} );`);
    expect(await themes(id)).toEqual(['dark', 'dark']);
    site.php(`update_field( 'field_theme', 'light', ${id} ); update_post_meta( ${id}, '_pillion_theme', 'dark' );`);
    expect(await themes(id)).toEqual(['light', 'light']);
    removeField();
    expect(await themes(id)).toEqual(['dark', 'dark']);
  });
});
