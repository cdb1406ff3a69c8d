import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the built files go, and where what they are made of lies. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const SEED = join(ROOT, 'wordpress/seed');
export const MEDIA = join(SEED, 'media');
export const PUBLIC = join(ROOT, 'public');
export const FONTS = join(ROOT, 'app/styles/fonts');
export const PACKAGES = join(ROOT, 'assets/node_modules');
