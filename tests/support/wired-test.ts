import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startWordPress } from '@pillion/scripts/wordpress.mjs';
import { test as base } from '@playwright/test';
import { createFolder, findFreePort, type RunningSite, startSite } from './site.ts';

export type Wired = Awaited<ReturnType<typeof startWired>>;

/**
 * Starts a WordPress and the site that reads it, each configured with the other's address and their secret, as
 * `npm run start:wordpress` does.
 */
async function startWired() {
  const folder = createFolder();
  const port = await findFreePort();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const url = `http://127.0.0.1:${port}`;
  const wordpress = await startWordPress({ directory: join(folder, 'site'), site: { url, secret } });
  const env = {
    CONTENT_SOURCE: 'wordpress',
    ...{ CONTENT_URL: wordpress.url, CONTENT_KEY: wordpress.key, CONTENT_SECRET: wordpress.secret },
    WEBHOOK_SECRET: secret,
  };
  let running: RunningSite | null = null;
  const site = {
    url,
    async start() {
      running ??= await startSite({ ...env, PORT: String(port), DATA_DIR: join(folder, 'data') });
    },
    async stop() {
      await running?.stop();
      running = null;
    },
    /** Puts the clock of the site forward, or back if `ms` is negative. */
    forward: async (ms: number) => running?.forward(ms),
  };
  await site.start();
  /** Ends all and removes their files. */
  const end = async () => {
    await site.stop();
    await wordpress.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { wordpress, site, end };
}

/** Journeys with a connected WordPress and site, one pair for all tests of a worker. */
export const createWiredTest = () =>
  base.extend<object, { wired: Wired }>({
    wired: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
      async ({}, use) => {
        const wired = await startWired();
        await use(wired);
        await wired.end();
      },
      { scope: 'worker', timeout: 180_000 },
    ],
  });

export const wiredTest = createWiredTest();
