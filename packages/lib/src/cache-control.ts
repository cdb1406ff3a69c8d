/**
 * How long browsers and those who stand in front of the site may keep what. Content is at most 60 s old here, and the
 * contract gives a change 65 s in all (R29), so caches add only seconds. `stale-if-error` keeps a copy for a day on which
 * this server is down.
 */
export const CACHE = {
  /** Health, answers to one visitor, faults. */
  never: { 'cache-control': 'no-store' },
  /**
   * Pages, menus and strings. `stale-while-revalidate` is only for caches in front: browsers obey it too, and an editor
   * would then see her page as it was (decision 007).
   */
  page: {
    'cache-control': 'public, max-age=0, s-maxage=5, stale-if-error=86400',
    'cdn-cache-control': 'public, max-age=5, stale-while-revalidate=30, stale-if-error=86400',
  },
  /** Sitemap, robots.txt and manifest: nobody asks for them to see a change. */
  wellKnown: { 'cache-control': 'public, max-age=0, s-maxage=60, stale-if-error=86400' },
  /** Files whose address changes with what they hold. */
  immutable: { 'cache-control': 'public, max-age=31536000, immutable' },
  /** Files of the build without a hash in their address, such as the icons. */
  buildFile: { 'cache-control': 'public, max-age=86400' },
  /** Uploads: an editor rarely gives a name to another picture; where one does, a day shows it. */
  media: { 'cache-control': 'public, max-age=86400, stale-while-revalidate=604800' },
  /** What stands in for a picture that will soon be there. */
  standIn: { 'cache-control': 'public, max-age=60' },
} as const satisfies Record<string, Record<string, string>>;
