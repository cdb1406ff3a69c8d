import { join } from 'node:path';

/**
 * The site for tests of the kit: no brand, three languages, every kind of page and section. Its build is in it
 * too, and not in the repository's `build/` (scripts/lib/build.mjs).
 */
export const FIXTURE = join(import.meta.dirname, '../site');

/** The content of a WordPress in tests. */
export const SEED = join(FIXTURE, 'seed');

/** Copies that `npm run content:pull` made of such a WordPress. */
export const BUNDLE = join(FIXTURE, 'content');
