import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningWordPress, startWordPress } from '@pillion/scripts/wordpress.mjs';
import { test as base, expect } from '@playwright/test';
import { createFolder, type RunningSite, startSite, waitForSite } from './site.ts';

/** Starts a WordPress with the fixture in it. @returns It, and a function that ends it and removes its files. */
async function startOwnWordPress() {
  const folder = createFolder();
  const wordpress = await startWordPress({ directory: join(folder, 'site') });
  const end = async () => {
    await wordpress.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { wordpress, end };
}

/** A site that reads this WordPress. It gets no webhooks: it sees changes when its content becomes stale. */
const startReadingSite = ({ url, key, secret }: RunningWordPress) =>
  startSite({ CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret });

const START_TIMEOUT = { timeout: 180_000 };

/**
 * Journeys in wp-admin, one WordPress for all tests of a worker.
 * @returns A separate test for the caller: Playwright shares a worker, and its WordPress, only between files with the
 * same fixtures. So no file changes the WordPress of another.
 */
export const createWordpressTest = () =>
  base.extend<object, { wordpress: RunningWordPress }>({
    wordpress: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
      async ({}, use) => {
        const { wordpress, end } = await startOwnWordPress();
        await use(wordpress);
        await end();
      },
      { scope: 'worker', ...START_TIMEOUT },
    ],
  });

/**
 * Journeys from wp-admin to a visitor. If each must have the other's address and their secret, use `wired-test.ts`.
 * @returns A separate test for the caller, as above.
 */
export const createBothTest = () =>
  base.extend<object, { both: { wordpress: RunningWordPress; site: RunningSite } }>({
    both: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
      async ({}, use) => {
        const { wordpress, end } = await startOwnWordPress();
        const site = await startReadingSite(wordpress);
        await waitForSite(site.url);
        await use({ wordpress, site });
        await site.stop();
        await end();
      },
      { scope: 'worker', ...START_TIMEOUT },
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
