import { mediaName } from '@pillion/lib/media-types.ts';
import { LRUCache } from 'lru-cache';
import { MEDIA_PREFIX } from './wordpress/rewrite.ts';

/** How many names of files are remembered. A name that was forgotten counts as one that a visitor made up. */
const MEDIA_KEPT = 50_000;

/** Remembers the files that content names. */
export function createKnownMedia() {
  const names = new LRUCache<string, true>({ max: MEDIA_KEPT });
  return {
    note(path: string) {
      const name = mediaName(path.slice(MEDIA_PREFIX.length));
      if (name !== null) names.set(name, true);
    },
    has: (name: string) => names.has(name),
  };
}
