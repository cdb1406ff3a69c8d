import { ensurePhp } from './lib/php.mjs';
import { Stop } from './lib/project.mjs';
import { run, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';
import { ensureMariaDb } from './lib/wordpress-database.mjs';
import { RELEASES } from './lib/wordpress-files.mjs';

const OLDEST_RELEASE = '6.1';

/**
 * Runs the plugin's contract tests on the oldest supported WordPress. They are skipped with the reason if its packages
 * are missing and cannot be installed.
 * @param {string} node Path of the Node to run under.
 * @param {readonly string[]} args Test files. Without any, all of them run.
 * @returns The exit code.
 */
export async function runOldest(node, args) {
  try {
    await step('php', ensurePhp);
    await step('database', ensureMariaDb);
    await step('wordpress', RELEASES[OLDEST_RELEASE].ensure);
  } catch (cause) {
    if (!(cause instanceof Stop) || cause.exitCode !== 77) throw cause;
    console.log(`\nWordPress ${OLDEST_RELEASE} is skipped: ${cause.message}`);
    return 0;
  }
  // The bundled copies come from the newest WordPress, whose markup differs.
  const files = args.length > 0 ? args : ['--exclude', '**/content.test.ts'];
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', ...files], {
    env: withNode(node, { PILLION_WORDPRESS: OLDEST_RELEASE }),
  });
}
