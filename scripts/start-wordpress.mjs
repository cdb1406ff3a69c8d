import { join } from 'node:path';
import { ROOT } from './lib/project.mjs';
import { run, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';
import { portFromEnvironment, startWordPress } from './wordpress.mjs';

/** A real WordPress and the site that reads it, ended together. @returns The site's exit code. */
export async function startBoth(node, args) {
  const wordpress = await startWordPress({ port: portFromEnvironment(), fresh: args.includes('--fresh'), show: step });
  const env = {
    NODE_ENV: 'production',
    CONTENT_SOURCE: 'wordpress',
    CONTENT_URL: wordpress.url,
    CONTENT_KEY: wordpress.key,
    CONTENT_SECRET: wordpress.secret,
  };
  try {
    return await run(node, [join(ROOT, 'build/server/main.js')], {
      env: withNode(node, env),
      onMessage: ({ address }) =>
        console.log(`\n  site       ${address}\n  WordPress  ${wordpress.url}/wp-admin/  (admin, admin)\n`),
    });
  } finally {
    await wordpress.stop();
  }
}
