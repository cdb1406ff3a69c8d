import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPlugin, rest } from '../contract/wordpress.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;
const FIELDS = 'id,status,title,content,excerpt,template,acf,sections,picture,found,yoast_head_json';

const FIELD = `add_action( 'acf/init', static function () {
  acf_add_local_field_group( array( 'key' => 'group_more', 'title' => 'More', 'show_in_rest' => 1,
    'location' => array( array( array( 'param' => 'post_type', 'operator' => '==', 'value' => 'page' ) ) ),
    'fields' => array( array( 'key' => 'field_subtitle', 'name' => 'subtitle', 'label' => 'Subtitle', 'type' => 'text' ) ) ) ); } );`;

describe.skipIf(!owned.yoast || !owned.acf)('a preview with Yoast SEO and Advanced Custom Fields', () => {
  let site: PluginSite;
  beforeAll(async () => {
    site = await startPluginSite({ plugins: ['yoast', 'acf'] });
    // No server listens there, so the site receives nothing.
    site.php(
      `update_option( 'pillion_site', array( 'address' => 'http://127.0.0.1:9', 'secret' => '${SECRET}' ), false );`,
    );
    installPlugin(FIELD, site.wordpress);
  });
  afterAll(() => site?.stop());

  const ask = (path: string, body?: object) =>
    rest(path, { as: 'admin', site: site.wordpress, ...(body !== undefined && { body }) });
  const indexables = () =>
    site.php(
      `global $wpdb; echo wp_json_encode( $wpdb->get_results( "SELECT * FROM {$wpdb->prefix}yoast_indexable" ) );`,
    );

  test('equals both plugins’ output for the published page, and leaves no trace in them', async () => {
    const { id } = (await ask('wp/v2/pages', { title: 'Plain', status: 'draft', acf: { subtitle: 'Below' } })).body;
    const before = indexables();
    const typed = { title: 'Typed & sought', excerpt: 'What is typed.' };
    const { status, body } = await ask(`pillion/v1/preview/${id}/live`, typed);
    expect(status).toBe(200);
    expect(indexables()).toBe(before);
    await ask(`wp/v2/pages/${id}`, { ...typed, status: 'publish' });
    const real = (await rest(`wp/v2/pages/${id}?_fields=${FIELDS}&lang=en`, { site: site.wordpress })).body;
    expect(real.acf).toEqual({ subtitle: 'Below' });
    expect(real.yoast_head_json.og_title).toContain('Typed & sought');
    // The publication date is unknown before publishing.
    const dated = (page: object) => JSON.stringify(page).replaceAll(/("date(?:Published|Modified)":)"[^"]+"/g, '$1""');
    expect(JSON.parse(dated(body.page))).toEqual(JSON.parse(dated(real)));
  });
});
