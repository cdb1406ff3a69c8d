import { type StatesSite, startStatesSite } from '../support/section-states.ts';
import { test as base } from './test.ts';

/** Tests with a site that has every section in every state that an editor can leave it in. */
export const test = base.extend<object, { states: StatesSite }>({
  states: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const site = await startStatesSite();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
});
