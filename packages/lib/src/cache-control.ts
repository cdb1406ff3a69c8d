/**
 * `Cache-Control` headers. Content on this server is at most 60 s old, and the contract allows 65 s for a change (R29),
 * so caches may add only seconds. `stale-if-error` lets caches serve a copy for a day while this server is down.
 */
export const CACHE = {
  /** Health, responses for one visitor, errors. */
  never: { 'cache-control': 'no-store' },
  /**
   * Pages, menus and texts. `stale-while-revalidate` is for shared caches only: browsers obey it too, and would show
   * editors an outdated page (decision 007).
   */
  page: {
    'cache-control': 'public, max-age=0, s-maxage=5, stale-if-error=86400',
    'cdn-cache-control': 'public, max-age=5, stale-while-revalidate=30, stale-if-error=86400',
  },
  /** Sitemap, robots.txt and manifest. Changes to them are not urgent. */
  wellKnown: { 'cache-control': 'public, max-age=0, s-maxage=60, stale-if-error=86400' },
  /** Files whose URL changes with their content. */
  immutable: { 'cache-control': 'public, max-age=31536000, immutable' },
  /** Files of the build without a hash in their URL, such as the icons. */
  buildFile: { 'cache-control': 'public, max-age=86400' },
  /** Uploads. If an editor replaces a file under the same name, the change is visible after a day. */
  media: { 'cache-control': 'public, max-age=86400, stale-while-revalidate=604800' },
  /** A placeholder for a picture that will soon be available. */
  standIn: { 'cache-control': 'public, max-age=60' },
} as const satisfies Record<string, Record<string, string>>;
