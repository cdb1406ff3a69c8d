// Adds bundled content to a WordPress: `npm run content:push [-- --write] [folder]`. Default folder: `site/content`.
// Without CONTENT_URL it uses the WordPress of `npm run wordpress -- --empty`.
import { existsSync } from 'node:fs';
import { push } from '@pillion/server/bin/push.mjs';
import { isSite, localAddress, readSiteInfo } from './lib/wordpress-site.mjs';
import { EMPTY_SITE } from './wordpress.mjs';

if (!process.env.CONTENT_URL && existsSync(EMPTY_SITE) && isSite(EMPTY_SITE)) {
  const { admin } = readSiteInfo(EMPTY_SITE);
  process.env.CONTENT_URL = localAddress(Number(process.env.WORDPRESS_PORT || 8080));
  process.env.WORDPRESS_USER = admin.user;
  process.env.WORDPRESS_PASSWORD = admin.applicationPassword;
}

try {
  await push(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
