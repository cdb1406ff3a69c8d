import { test as base, expect, type Page } from '@playwright/test';
import { type RunningSite, startSite } from '../support/site.ts';

interface Fixtures {
  /** Fails the test when the page logs an error, throws, or breaks its content policy. */
  watched: string[];
}

/** Journeys run against the built site with its bundled content; `site` is shared by a worker's tests. */
export const test = base.extend<Fixtures, { site: RunningSite }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  watched: [
    async ({ page }, use) => {
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(`threw: ${error.message}`));
      page.on('console', (message) => {
        // A page that answers 404, 422 or 503 on purpose is reported as a failed resource: that is not ours.
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
          problems.push(message.text());
      });
      await use(problems);
      expect(problems, 'errors in the page’s console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Waits until the page’s own script runs it. */
export const hydrated = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-stage', 'playing');
