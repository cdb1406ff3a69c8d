// Writes the WordPress plugin for a site: node scripts/lib/write-plugin.mjs SITE FOLDER
// A separate program, because it reads TypeScript: the launcher may run under an older Node.
import { writePlugin } from '@pillion/server/vite/own-parts.mjs';

const [site = '', folder = ''] = process.argv.slice(2);
try {
  await writePlugin(site, folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
