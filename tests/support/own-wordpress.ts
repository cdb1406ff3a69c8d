import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { test as base, expect } from '@playwright/test';
import { createFolder, type RunningSite, startSite, waitForSite } from './site.ts';

/** Starts a WordPress with the fixture in it. Ends it after `use`, and removes its files. */
async function withWordPress(use: (wordpress: RunningWordPress) => Promise<void>) {
  const folder = createFolder();
  const wordpress = await startWordPress({ directory: join(folder, 'site') });
  await use(wordpress);
  await wordpress.stop();
  rmSync(folder, { recursive: true, force: true });
}

const OF_WORKER = { scope: 'worker', timeout: 180_000 } as const;

/**
 * Journeys in wp-admin, one WordPress for all tests of a worker.
 * @returns A separate test for the caller: Playwright shares a worker, and its WordPress, only between files with the
 * same fixtures. So no file changes the WordPress of another.
 */
export const createWordpressTest = () =>
  base.extend<object, { wordpress: RunningWordPress }>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    wordpress: [async ({}, use) => withWordPress(use), OF_WORKER],
  });

/**
 * Journeys from wp-admin to a visitor. The site gets no webhooks: it sees changes when its content becomes stale. If it
 * must get them, use `wired-test.ts`.
 * @returns A separate test for the caller, as above.
 */
export const createBothTest = () =>
  base.extend<object, { both: { wordpress: RunningWordPress; site: RunningSite } }>({
    both: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
      async ({}, use) =>
        withWordPress(async (wordpress) => {
          const { url, key, secret } = wordpress;
          const connection = { CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
          const site = await startSite({ CONTENT_SOURCE: 'wordpress', ...connection });
          await waitForSite(site.url);
          await use({ wordpress, site });
          await site.stop();
        }),
      OF_WORKER,
    ],
  });

/** Fails a journey if a script throws in the page, including WordPress' own scripts. */
export const watchedTest = base.extend<{ errors: string[] }>({
  errors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await use(errors);
      expect(errors, 'errors thrown in the page').toEqual([]);
    },
    { auto: true },
  ],
});
