import { ensurePhp } from './lib/php.mjs';
import { Stop } from './lib/project.mjs';
import { run, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';
import { ensureMariaDb } from './lib/wordpress-database.mjs';
import { RELEASES } from './lib/wordpress-files.mjs';

const OLDEST = '6.1';

/**
 * The plugin's contract tests on the oldest WordPress it is written for. Skipped with a line that says why where its
 * packages are absent and we may not install them.
 * @param {string} node Path of the Node to run under.
 * @param {readonly string[]} args Test files; none: all of them.
 * @returns The exit code.
 */
export async function runOldest(node, args) {
  try {
    await step('php', ensurePhp);
    await step('database', ensureMariaDb);
    await step('wordpress', RELEASES[OLDEST].ensure);
  } catch (cause) {
    if (!(cause instanceof Stop) || cause.exitCode !== 77) throw cause;
    console.log(`\nWordPress ${OLDEST} is skipped: ${cause.message}`);
    return 0;
  }
  // The bundled copies were made by today's WordPress, whose markup differs from that of its elders.
  const chosen = args.length > 0 ? args : ['--exclude', '**/content.test.ts'];
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', ...chosen], {
    env: withNode(node, { PILLION_WORDPRESS: OLDEST }),
  });
}
