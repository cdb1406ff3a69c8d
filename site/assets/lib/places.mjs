import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders of the built files and of their sources. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const SITE = join(ROOT, 'site');
export const SEED = join(SITE, 'seed');
export const MEDIA = join(SEED, 'media');
export const STYLES = join(ROOT, 'site/theme');
export const FONTS = join(STYLES, 'fonts');
/** Typefaces of share pictures: the site's, and the kit's fallback. */
export const SHARE_FONTS = join(ROOT, 'site/share-typefaces');
export const FALLBACK_FONTS = join(ROOT, 'packages/server/src/share/fonts');
export const PACKAGES = join(ROOT, 'site/assets/node_modules');
