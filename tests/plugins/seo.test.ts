import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rest } from '../contract/wordpress.ts';
import { compareTags, readGraphs, readHeadTags, type TagComparison, toSiteAddresses } from '../support/head-tags.ts';
import type { RunningSite } from '../support/site.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

/** The public address of the site, which differs from WordPress' and the tested server's. */
const SITE = 'https://www.brand.example';

/** Replaces WordPress' address in recorded responses. */
const HOME = 'http://cms.example';

/** One page for each output of Yoast SEO, next to the front page and one with only a picture. */
const PAGES = `
  $images = get_posts( array( 'post_type' => 'attachment', 'post_mime_type' => 'image', 'post_status' => 'inherit', 'numberposts' => 2, 'orderby' => 'ID', 'order' => 'ASC' ) );
  $make = static function ( $slug, $said = array(), $type = 'page' ) {
    $id = wp_insert_post( array( 'post_type' => $type, 'post_name' => $slug, 'post_title' => ucfirst( strtr( $slug, '-', ' ' ) ), 'post_status' => 'publish',
      'post_author' => 1, 'post_content' => '<!-- wp:paragraph --><p>The words of ' . $slug . '.</p><!-- /wp:paragraph -->' ) );
    foreach ( $said as $name => $value ) { update_post_meta( $id, "_yoast_wpseo_$name", $value ); }
    wp_update_post( array( 'ID' => $id, 'post_excerpt' => 'post' === $type ? 'Written for the log.' : '' ) );
  };
  update_option( 'wpseo_social', array( 'facebook_site' => 'https://www.facebook.com/example', 'twitter_site' => 'example' ) + get_option( 'wpseo_social' ) );
  update_option( 'wpseo', array( 'googleverify' => 'abc123', 'msverify' => 'DEF456' ) + get_option( 'wpseo' ) );
  update_user_meta( 1, 'facebook', 'https://www.facebook.com/somebody' );
  update_user_meta( 1, 'twitter', 'somebody' );
  $make( 'seo-plain' );
  $make( 'seo-words', array( 'title' => 'Said in Yoast & "shown" %%sep%% %%sitename%%', 'metadesc' => 'A description of “ours” & theirs.', 'opengraph-title' => 'For networks', 'opengraph-description' => 'Network words.', 'twitter-title' => 'For X', 'twitter-description' => 'X words.' ) );
  $make( 'seo-robots', array( 'meta-robots-nofollow' => '1', 'meta-robots-adv' => 'noimageindex,noarchive,nosnippet' ) );
  $make( 'seo-hidden', array( 'meta-robots-noindex' => '1' ) );
  $make( 'seo-elsewhere', array( 'canonical' => 'https://elsewhere.example/there/?a=1' ) );
  $make( 'seo-copy', array( 'canonical' => home_url( '/paper-notes/' ) ) );
  $make( 'seo-pictures', array( 'opengraph-image' => wp_get_attachment_url( $images[0]->ID ), 'opengraph-image-id' => (string) $images[0]->ID, 'twitter-image' => wp_get_attachment_url( $images[1]->ID ), 'twitter-image-id' => (string) $images[1]->ID ) );
  $make( 'seo-article', array( 'title' => 'An article' ), 'post' );
  // Yoast SEO outputs these dates only for a page that was changed after its first day.
  global $wpdb; $wpdb->query( "UPDATE $wpdb->posts SET post_date = '2026-01-02 03:04:05', post_date_gmt = '2026-01-02 03:04:05' WHERE post_name LIKE 'seo-%'" );
  clean_post_cache( 0 ); wp_cache_flush();
  foreach ( get_posts( array( 'post_type' => array( 'page', 'post' ), 'numberposts' => -1 ) ) as $post ) { wp_update_post( array( 'ID' => $post->ID ) ); }`;

const PATHS = [
  ...['/', '/paper-notes/', '/seo-plain/', '/seo-words/', '/seo-robots/', '/seo-hidden/'],
  ...['/seo-elsewhere/', '/seo-copy/', '/seo-pictures/', '/seo-article/'],
];

describe.skipIf(!owned.yoast)('with Yoast SEO', () => {
  let site: PluginSite;
  let pillion: RunningSite;
  const recorded: { path: string; head: unknown; page: unknown; route: unknown }[] = [];
  beforeAll(async () => {
    site = await startPluginSite({ plugins: ['yoast'] });
    site.php(PAGES);
    pillion = await site.startPillion({ SITE_URL: SITE });
  });
  afterAll(async () => {
    await site?.stop();
    if (!process.env.RECORD_YOAST) return;
    const about = {
      plugin: `Yoast SEO ${owned.yoast?.version}`,
      wordpress: '7.1.1',
      recorded: new Date().toISOString(),
    };
    const text = JSON.stringify({ ...about, home: HOME, pages: recorded }, null, 2);
    const file = join(import.meta.dirname, '../../packages/content/src/testing/yoast.json');
    writeFileSync(file, `${text.replaceAll(site.wordpress.url, HOME)}\n`);
  });

  /** Waits for WordPress' version, because the site may show a cached or bundled page first. */
  async function documentOf(path: string): Promise<string> {
    const read = async () => (await fetch(pillion.url + path)).text();
    await expect.poll(read, { timeout: 60_000, interval: 500 }).toContain('property="og:locale"');
    return read();
  }

  test.each(PATHS)('%s has the same tags in its head as in WordPress with Yoast SEO', async (path) => {
    const { url } = site.wordpress;
    const front = await (await fetch(url + path)).text();
    const theirs = readHeadTags(front).map(
      ([name, content]) => [name, toSiteAddresses(content, url, SITE)] as [string, string],
    );
    const document = await documentOf(path);
    const compared = compareTags(theirs, readHeadTags(document));
    expect(compared.filter(({ verdict }) => verdict === 'WRONG')).toEqual([]);
    expect(compared.length).toBeGreaterThan(9);
    expect(document.split('</head>', 1)[0]).not.toContain(new URL(url).host);
    await record(path, theirs);
  });

  async function record(path: string, head: TagComparison | [string, string][]) {
    const routes = (await rest('gusto/routes', { site: site.wordpress })).body;
    const route = routes.find((one: { path: string }) => one.path === path);
    const fields = 'id,status,title,content,excerpt,template,acf,picture,found,yoast_head_json';
    const page = (await rest(`wp/v2/${route.rest_base}/${route.id}?_fields=${fields}`, { site: site.wordpress })).body;
    recorded.push({ path, head, page: { ...page, content: { rendered: '<p>Words.</p>', protected: false } }, route });
  }

  test.each(PATHS)('%s has all entries of Yoast SEO’s graph in its linked data', async (path) => {
    const theirs = readGraphs(await (await fetch(site.wordpress.url + path)).text());
    const ours = readGraphs(await documentOf(path));
    const types = (nodes: typeof ours) => nodes.flatMap((node) => node['@type']);
    if (path === '/seo-hidden/') return expect(ours).toEqual([]);
    const missing = types(theirs).filter((type) => !types(ours).includes(type));
    expect(missing).toEqual([]);
    expect(JSON.stringify(ours)).not.toContain(new URL(site.wordpress.url).host);
  });

  test('copies and hidden pages are in no sitemap, and every listed page is its own canonical', async () => {
    const sitemap = await (await fetch(`${pillion.url}/sitemap.xml`)).text();
    const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => loc);
    for (const path of ['/seo-elsewhere/', '/seo-copy/', '/seo-hidden/']) expect(listed).not.toContain(SITE + path);
    expect(listed).toContain(`${SITE}/seo-robots/`);
    for (const loc of listed) {
      const tags = readHeadTags(await documentOf(new URL(loc).pathname));
      expect(tags.find(([name]) => name === 'canonical')).toEqual(['canonical', loc]);
    }
  });

  test('every sitemap address of Yoast SEO redirects to the site’s', async () => {
    const index = await (await fetch(`${site.wordpress.url}/sitemap_index.xml`)).text();
    const theirs = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
    expect(theirs).toContain('/page-sitemap.xml');
    for (const path of ['/sitemap_index.xml', ...theirs]) {
      const answer = await fetch(pillion.url + path, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')], path).toEqual([301, '/sitemap.xml']);
    }
  });

  test('the panel applies with Yoast SEO active, unless an editor sets the field there for the page', async () => {
    const id = (await rest('wp/v2/pages?slug=seo-plain', { site: site.wordpress })).body[0].id;
    const meta = { _pillion_found_title: 'By the panel', _pillion_found_description: 'Its words.' };
    const found = async () => (await rest(`wp/v2/pages/${id}`, { site: site.wordpress })).body.found;
    await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { meta }, site: site.wordpress });
    expect(await found()).toMatchObject({
      title: 'By the panel',
      description: 'Its words.',
      share_title: 'By the panel',
    });
    site.php(
      `update_post_meta( ${id}, '_yoast_wpseo_title', 'By Yoast' ); update_post_meta( ${id}, '_yoast_wpseo_opengraph-description', 'Shared' );`,
    );
    expect(await found()).toMatchObject({
      title: '',
      share_title: '',
      description: 'Its words.',
      share_description: '',
    });
  });
});
