import { createDemoCheckout } from '@pillion/tests/one-language.ts';
import { type RunningSite, startSite } from '@pillion/tests/site.ts';
import type { Page } from '@playwright/test';
import { test as base, expect, waitForScript } from '../../tests/journeys/test.ts';

interface Fixtures {
  startOwnSite: (env: Record<string, string>, directory?: string) => Promise<RunningSite>;
  /** Opens the front page with the scene, which the processor draws. */
  openScene: (page: Page) => Promise<void>;
}

export const canvas = (page: Page) => page.locator('[data-scene] canvas');

/** Waits until the scene is drawn. */
export const expectScene = (page: Page) => expect(canvas(page)).toHaveAttribute('data-drawn', '', { timeout: 90_000 });

/** Journeys on the built site with the demo's English content. The tests of a worker share `site`. */
export const test = base.extend<Fixtures, { site: RunningSite; forcing: RunningSite }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const site = await startSite({}, createDemoCheckout());
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  /** Allows forcing the scene. */
  forcing: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const site = await startSite({ DEBUG: 'true' }, createDemoCheckout());
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  openScene: async ({ forcing }, use) =>
    use(async (page) => {
      await page.goto(`${forcing.url}/?scene=force`);
      await waitForScript(page);
      await expectScene(page);
    }),
  startOwnSite: async ({ startOwnSite }, use) =>
    use((env, directory = createDemoCheckout()) => startOwnSite(env, directory)),
});

export {
  createTestIn,
  denyStorage,
  followLink,
  logRequests,
  NO_SUCH_PAGE,
  visitPage,
  waitForScript,
} from '../../tests/journeys/test.ts';
export { expect };
