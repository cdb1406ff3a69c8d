// Copies the content of a live WordPress into the bundled copies: `npm run content:pull [-- folder]`. Default folder:
// `site/content`. Without CONTENT_URL it uses the WordPress of `npm run wordpress`.
import { pull } from '@pillion/server/bin/pull.mjs';

if (!process.env.CONTENT_URL) {
  // The seeded WordPress on loopback. Its key is not secret.
  process.env.CONTENT_URL = `http://127.0.0.1:${process.env.WORDPRESS_PORT || 8080}`;
  process.env.CONTENT_KEY = 'ck_pillion_development';
  process.env.CONTENT_SECRET = 'cs_pillion_development';
}

try {
  await pull(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
