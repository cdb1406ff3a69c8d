import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { siteFlags } from '@pillion/server/bin/site-flags.mjs';
import { ROOT } from './lib/project.mjs';
import { run, withNode } from './lib/run.mjs';
import { step } from './lib/steps.mjs';
import { portFromEnvironment, startWordPress } from './wordpress.mjs';

const DEFAULT_PORT = 3000;

/** The address at which WordPress on this machine reaches the site. */
function siteUrl({ HOST = '', PORT = '' }) {
  const host = ['', '0.0.0.0', '::'].includes(HOST.trim()) ? '127.0.0.1' : HOST.trim();
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT.trim() || DEFAULT_PORT}`;
}

/**
 * Starts a real WordPress and a site that reads it, and ends them together.
 * @param {string} node Path of the Node to run the site under.
 * @param {readonly string[]} args
 * @returns The site's exit code.
 */
export async function startBoth(node, args) {
  // A new secret for each start, known to both, so that changes go live without setup.
  const secret = process.env.WEBHOOK_SECRET?.trim() || `whsec_${randomBytes(32).toString('base64')}`;
  const site = { url: siteUrl(process.env), secret };
  const options = {
    ...{ port: portFromEnvironment(), languages: true, site, show: step },
    ...{ fresh: args.includes('--fresh'), empty: args.includes('--empty') },
  };
  const wordpress = await startWordPress(options);
  const env = {
    NODE_ENV: 'production',
    CONTENT_SOURCE: 'wordpress',
    CONTENT_URL: wordpress.url,
    CONTENT_KEY: wordpress.key,
    CONTENT_SECRET: wordpress.secret,
    WEBHOOK_SECRET: secret,
  };
  try {
    return await run(node, [...siteFlags(), join(ROOT, 'build/server/main.js')], {
      env: withNode(node, env),
      onAddress: (address) =>
        console.log(`\n  site       ${address}\n  WordPress  ${wordpress.url}/wp-admin/  (admin, admin)\n`),
    });
  } finally {
    await wordpress.stop();
  }
}
