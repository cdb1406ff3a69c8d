import { expect, test } from 'vitest';
import { php, phpValue, rest, useOwnWordPress } from './wordpress.ts';

useOwnWordPress();

test('deleting the plugin in wp-admin removes all its data; pages, menus, uploads and other data stay', async () => {
  const stored = `global $wpdb; return array(
    'options' => $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%pillion%' OR option_value LIKE '%pillion%'" ),
    'meta' => $wpdb->get_col( "SELECT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE '%pillion%'" ),
    'users' => $wpdb->get_col( "SELECT meta_key FROM $wpdb->usermeta WHERE meta_key LIKE '%pillion%' OR meta_value LIKE '%pillion/preview%'" ),
    'entries' => $wpdb->get_col( "SELECT ID FROM $wpdb->posts WHERE post_type = 'pillion_entry'" ),
    'campaigns' => $wpdb->get_col( "SELECT meta_key FROM {$wpdb->prefix}gf_entry_meta WHERE meta_key LIKE '%pillion%'" ),
    'tables' => $wpdb->get_col( "SHOW TABLES LIKE '%pillion%'" ),
    'files' => array_map( 'basename', (array) glob( wp_upload_dir( null, false )['basedir'] . '/pillion{,/*}', GLOB_BRACE ) ),
    'redirects' => $wpdb->get_col( "SELECT ID FROM $wpdb->posts WHERE post_type = 'pillion_redirect'" ) );`;
  const kept = `return array( wp_count_posts( 'page' )->publish, wp_count_posts( 'nav_menu_item' )->publish, wp_count_posts( 'attachment' )->inherit, $GLOBALS['wpdb']->get_col( "SELECT meta_key FROM {$GLOBALS['wpdb']->prefix}gf_entry_meta WHERE meta_key NOT LIKE 'pillion%'" ) );`;
  await rest('gf/v2/forms/1/submissions', {
    body: { input_1: 'Ada', input_2: 'ada@example.org', input_3_1: '1', sign_up_id: 'before-the-end' },
  });
  php(
    `update_post_meta( get_option( 'page_on_front' ), '_pillion_found_title', 'Found' );
      add_post_meta( get_option( 'page_on_front' ), '_pillion_preview_links', array( 'id' => 'a' ) );
      $folder = wp_upload_dir( null, false )['basedir'] . '/pillion';
      wp_mkdir_p( $folder );
      file_put_contents( "$folder/check.txt", 'Not readable.' );
      add_post_meta( get_option( 'page_on_front' ), '_pillion_poster_of', 'https://youtu.be/abcdefghij_' );
      $GLOBALS['wpdb']->query( "CREATE TABLE {$GLOBALS['wpdb']->prefix}gf_entry_meta ( entry_id int, meta_key varchar(255), meta_value text )" );
      foreach ( array( 'pillion_sign_up_id', 'pillion_attribution', 'pillion_last_utm_source', '3' ) as $key ) {
        $GLOBALS['wpdb']->insert( $GLOBALS['wpdb']->prefix . 'gf_entry_meta', array( 'entry_id' => 1, 'meta_key' => $key, 'meta_value' => 'x' ) );
      }
      update_user_meta( 1, $GLOBALS['wpdb']->get_blog_prefix() . 'persisted_preferences', array( 'core' => array( 'kept' => true ), 'pillion/preview' => array( 'open' => true ) ) );`,
  );
  const before = phpValue<Record<string, string[]>>(stored);
  expect(before.options).toEqual(expect.arrayContaining(['pillion_strings', 'pillion_forms', 'pillion_keys']));
  expect(before.meta).toEqual(
    expect.arrayContaining(['_pillion_theme', '_pillion_found_title', '_pillion_preview_links']),
  );
  expect(before.entries).toHaveLength(1);
  expect(before.redirects).toHaveLength(3);
  expect(before.campaigns).toHaveLength(3);
  expect(before.tables).toHaveLength(1);
  expect(before.files).toEqual(['pillion', 'check.txt']);
  expect(before.users).toContain('wp_persisted_preferences');
  const pages = phpValue(kept);

  const plugin = 'wp/v2/plugins/pillion/pillion';
  expect((await rest(plugin, { as: 'admin', body: { status: 'inactive' } })).status).toBe(200);
  expect((await rest('gusto/routes', { as: 'nobody' })).status).toBe(404);
  expect((await rest(plugin, { as: 'admin', method: 'DELETE' })).status).toBe(200);

  expect(phpValue(stored)).toEqual({
    options: [],
    meta: [],
    users: [],
    entries: [],
    campaigns: [],
    tables: [],
    files: [],
    redirects: [],
  });
  expect(phpValue(kept)).toEqual(pages);
});
