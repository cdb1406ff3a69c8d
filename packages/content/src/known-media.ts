import { mediaName } from '@pillion/lib/media-types.ts';
import { LRUCache } from 'lru-cache';
import { MEDIA_PREFIX } from './wordpress/rewrite.ts';

/** Largest number of remembered file names. A forgotten name counts as unknown. */
const MEDIA_KEPT = 50_000;

/** Remembers the files that content refers to. */
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
