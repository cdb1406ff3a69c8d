// Looks for faults in the plugin's PHP (scripts/php). Silent where there are none; where PHP is not installed it says so
// and finds nothing.
import { globSync } from 'node:fs';
import { ROOT } from './lib/project.mjs';
import { capture } from './lib/run.mjs';

/** The rules themselves are written for PHP 8; what they judge runs on 7.4. */
const isThere = await capture('php', ['-r', 'exit(PHP_MAJOR_VERSION >= 8 ? 0 : 1);']).then(
  ({ code }) => code === 0,
  () => false,
);
if (isThere) {
  const besides = globSync('{site/seed,tests/site/seed,scripts/wordpress}/**/*.php', { cwd: ROOT });
  const { code, output } = await capture('php', ['scripts/php/check.php', 'plugins/pillion', ...besides], {
    cwd: ROOT,
  });
  if (code !== 0) console.error(output.trim());
  process.exit(code);
}
console.log('PHP 8 is not installed here: the plugin’s PHP was not checked.');
