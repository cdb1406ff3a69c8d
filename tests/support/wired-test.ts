import { test as base } from '@playwright/test';
import { startWired, type Wired } from './wired.ts';

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
