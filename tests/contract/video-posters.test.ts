import { afterEach, expect, test } from 'vitest';
import { useServedApp } from '../support/served-app.ts';
import { createPage, phpAsync, usePlugin } from './wordpress.ts';

const app = useServedApp();

const URL_OF_VIDEO = 'https://www.youtube.com/watch?v=abcdefghij_';
const CONTENT = `<!-- wp:embed {"url":"${URL_OF_VIDEO}","type":"video","providerNameSlug":"youtube"} -->
<figure class="wp-block-embed is-type-video is-provider-youtube"><div class="wp-block-embed__wrapper">
${URL_OF_VIDEO}
</div></figure>
<!-- /wp:embed -->`;

/** Answers in place of YouTube, with a picture of 480 × 360 px. There is no network in the tests. */
const answerAsYoutube = (thumbnail: string) =>
  usePlugin(
    `add_filter( 'pre_http_request', function ( $answer, $args, $url ) {
      $say = array( 'headers' => array(), 'cookies' => array(), 'filename' => $args['filename'], 'response' => array( 'code' => 200, 'message' => 'OK' ) );
      if ( false !== strpos( $url, 'youtube.com/oembed' ) ) {
        return $say + array( 'body' => wp_json_encode( array(
          'version' => '1.0', 'type' => 'video', 'title' => 'The crossing', 'thumbnail_url' => '${thumbnail}',
          'html' => '<iframe src="https://www.youtube.com/embed/abcdefghij_?feature=oembed" title="The crossing"></iframe>',
        ) ) );
      }
      if ( '${thumbnail}' !== $url || ! $args['filename'] ) { return $answer; }
      imagejpeg( imagecreatetruecolor( 480, 360 ), $args['filename'] );
      return $say + array( 'body' => '' );
    }, 10, 3 );`,
  );

// `phpAsync`, because WordPress reports each change to the site in this process.
afterEach(async () => {
  await phpAsync(`foreach ( get_posts( array( 'post_type' => 'attachment', 'meta_key' => '_pillion_poster_of' ) ) as $poster ) {
    wp_delete_attachment( $poster->ID, true ); }`);
});

/**
 * Saves a page again and runs the event that this schedules.
 * @returns Whether it was scheduled, and the ids of all posters.
 */
const fetchPosters = async (id: number): Promise<{ isPlanned: boolean; posters: number[] }> =>
  JSON.parse(
    await phpAsync(`
    // The event of the first save, which WordPress may have run already.
    wp_clear_scheduled_hook( 'pillion_video_posters', array( ${id} ) );
    wp_update_post( array( 'ID' => ${id} ) );
    $planned = false !== wp_next_scheduled( 'pillion_video_posters', array( ${id} ) );
    do_action( 'pillion_video_posters', ${id} );
    $posters = get_posts( array( 'post_type' => 'attachment', 'meta_key' => '_pillion_poster_of', 'fields' => 'ids' ) );
    echo wp_json_encode( array( 'isPlanned' => $planned, 'posters' => $posters ) );`),
  );

test('the poster of a video is downloaded into the media library, once, and the page shows it', async () => {
  answerAsYoutube('https://i.ytimg.com/vi/abcdefghij_/hqdefault.jpg');
  const id = await createPage({ title: 'Crossing', slug: 'crossing', content: CONTENT });
  const first = await fetchPosters(id);
  expect(first).toEqual({ isPlanned: true, posters: [expect.any(Number)] });
  expect(await fetchPosters(id)).toEqual({ ...first, isPlanned: false });
  await app.content.refresh({ type: 'page', id, path: '/crossing/', status: 'publish' });
  const html = await (await fetch(`${app.url}/crossing/`)).text();
  const [, player, src = ''] =
    / data-embed="([^"]+)"><img src="([^"]+)" alt=""[^>]*><span>The crossing</.exec(html) ?? [];
  expect(player).toBe('https://www.youtube-nocookie.com/embed/abcdefghij_');
  const picture = await fetch(app.url + src);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

test('a poster at an address of another host is not downloaded', async () => {
  answerAsYoutube('https://ytimg.com.example.org/a.jpg');
  const id = await createPage({ title: 'Crossing', slug: 'crossing', content: CONTENT });
  expect(await fetchPosters(id)).toEqual({ isPlanned: true, posters: [] });
});
