import { join } from 'node:path';

/**
 * The site that tests of the kit look at: no brand, three languages, every kind of page and section. Its build is in it
 * too, and not in the repository's `build/` (scripts/lib/build.mjs).
 */
export const FIXTURE = join(import.meta.dirname, '../site');

/** What a WordPress of tests is filled with. */
export const SEED = join(FIXTURE, 'seed');

/** What `npm run content:pull` wrote of such a WordPress. */
export const BUNDLE = join(FIXTURE, 'content');
