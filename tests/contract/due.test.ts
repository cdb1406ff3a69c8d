import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { useServedApp } from '../support/served-app.ts';
import { forgetSite, phpAsync, phpValue, rest } from './wordpress.ts';

// Clears changes that an earlier test left in the queue.
beforeAll(() => void forgetSite());
const app = useServedApp();

const statusOf = (id: number) => phpValue<string>(`return get_post_status( ${id} );`);

test('a scheduled page is published on time and shown, without a visit to WordPress or the site', async () => {
  const path = '/at-two-o-clock/';
  await expect.poll(async () => (await fetch(app.url + path)).status).toBe(404);
  await app.content.begin();
  const before = app.lines.length;
  const date = new Date(Date.now() + 86_400_000).toISOString();
  const made = await rest('wp/v2/pages', {
    as: 'admin',
    body: { status: 'future', date_gmt: date, title: 'At two', slug: 'at-two-o-clock', content: '<p>It is two.</p>' },
  });
  const { id } = made.body;
  onTestFinished(async () => void (await rest(`wp/v2/pages/${id}?force=true`, { as: 'admin', method: 'DELETE' })));
  expect(made.body.status).toBe('future');
  // WordPress schedules nothing within the next minute. So the test moves the time to four seconds from now in the
  // database and notifies the site as for any scheduled page. WordPress' own cron event still has tomorrow's date.
  await phpAsync(`global $wpdb; $time = time() + 4;
      $wpdb->update( $wpdb->posts, array( 'post_date' => get_date_from_gmt( gmdate( 'Y-m-d H:i:s', $time ) ), 'post_date_gmt' => gmdate( 'Y-m-d H:i:s', $time ) ), array( 'ID' => ${id} ) );
      clean_post_cache( ${id} ); do_action( 'pillion_changed', 'page', ${id}, null, 'future' );`);
  // The site's timer publishes the page: the check that runs every minute would exceed this timeout.
  await expect.poll(() => statusOf(id), { interval: 250, timeout: 40_000 }).toBe('publish');
  await expect.poll(async () => (await fetch(app.url + path)).status).toBe(200);
  expect(await (await fetch(app.url + path)).text()).toContain('It is two.');
  expect(app.lines.slice(before).filter((line) => line.includes('"warn"'))).toEqual([]);
});
