import { demoCheckout } from '@pillion/tests/one-language.ts';
import { type RunningSite, startSite } from '@pillion/tests/site.ts';
import { test as base, expect } from '../../tests/journeys/test.ts';

/** Journeys on the built site with the demo's English content. The tests of a worker share `site`. */
export const test = base.extend<
  { startOwnSite: (env: Record<string, string>, directory?: string) => Promise<RunningSite> },
  { site: RunningSite }
>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const site = await startSite({}, demoCheckout());
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  startOwnSite: async ({ startOwnSite }, use) => use((env, directory = demoCheckout()) => startOwnSite(env, directory)),
});

export { denyStorage, follow, hydrated, NO_SUCH_PAGE, testOf, visit } from '../../tests/journeys/test.ts';
export { expect };
