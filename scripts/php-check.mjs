// Checks the plugin's PHP (scripts/php). It prints nothing if it finds nothing. Without PHP 8 it prints that it was
// skipped.
import { globSync } from 'node:fs';
import { ROOT } from './lib/project.mjs';
import { capture } from './lib/run.mjs';

/** The rules need PHP 8. The checked code runs on PHP 7.4. */
const hasPhp8 = await capture('php', ['-r', 'exit(PHP_MAJOR_VERSION >= 8 ? 0 : 1);']).then(
  ({ code }) => code === 0,
  () => false,
);
if (hasPhp8) {
  const otherFiles = globSync('{site/seed,tests/site/seed,scripts/wordpress}/**/*.php', { cwd: ROOT });
  const { code, output } = await capture('php', ['scripts/php/check.php', 'plugins/pillion', ...otherFiles], {
    cwd: ROOT,
  });
  if (code !== 0) console.error(output.trim());
  process.exit(code);
}
console.log('PHP 8 is not installed here: the plugin’s PHP was not checked.');
