// The second half of `pillion update`, run by the new version: node after-update.mjs EARLIER [CHANGELOG]
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { run } from './update.mjs';
import { stepsBetween } from './update-steps.mjs';

const PROGRAM = fileURLToPath(new URL('pillion.mjs', import.meta.url));
const SHIPPED_CHANGELOG = 'node_modules/@pillion/server/CHANGELOG.md';
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [before = version, changelog = SHIPPED_CHANGELOG] = process.argv.slice(2);

console.log(`Pillion ${before} → ${version} is installed.`);
const releases = existsSync(changelog) ? stepsBetween(readFileSync(changelog, 'utf8'), before, version) : [];
for (const { title, steps } of releases) console.log(`\n${title}\n${steps || 'Nothing to do.'}`);
try {
  // Checks the site's configuration.
  run(process.execPath, [PROGRAM, 'build']);
  console.log(`
The site is built.

1. Read what changed: ${existsSync(changelog) ? changelog : 'CHANGELOG.md of Pillion'}. Test the site: npm test
2. Upload build/wordpress/pillion.zip in WordPress under Plugins → Add New → Upload Plugin.
3. Deploy the site.`);
} catch (error) {
  const reason = error instanceof Error ? error.message : error;
  console.error(
    `\nThe site cannot be built with Pillion ${version}. Correct the site, then run \`npm run build\`.\n\n${reason}`,
  );
  process.exitCode = 1;
}
