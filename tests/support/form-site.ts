import {
  type FakeWordpress,
  formPath,
  form as formResponse,
  json,
  STRINGS,
  serveSite,
  startFakeWordpress,
} from '@pillion/content/testing/fake-wordpress.ts';
import type { Page } from '@playwright/test';
import { test as base, expect, visitPage } from '../journeys/test.ts';
import { agePage } from './driven-time.ts';
import { reachForm } from './sign-up-form.ts';
import type { RunningSite } from './site.ts';

/** Path of WordPress that sign-ups are delivered to. */
export const DELIVERY_PATH = `${formPath(1)}/submissions`;

/** A site with the form `definition`, and a WordPress that the test simulates and that takes every sign-up. */
export const createFormTest = (definition: object) =>
  base.extend<{ formDefinition: object; formSite: RunningSite & { wordpress: FakeWordpress } }>({
    formDefinition: [definition, { option: true }],
    formSite: async ({ startOwnSite, formDefinition }, use) => {
      const wordpress = await startFakeWordpress();
      serveSite(wordpress);
      wordpress.plays.set(STRINGS, json({ brand: 'LIVE', links: { terms: '/about/' } }));
      wordpress.plays.set(formPath(1), json(formResponse(1, formDefinition)));
      wordpress.plays.set(DELIVERY_PATH, json({ is_valid: true }));
      const connection = { CONTENT_URL: wordpress.url, CONTENT_KEY: 'ck_a', CONTENT_SECRET: 'cs_a' };
      const site = await startOwnSite({ CONTENT_SOURCE: 'wordpress', ...connection });
      // Until WordPress responds, the site shows the bundled front page.
      const readFrontPage = async () => (await fetch(site.url)).text();
      await expect.poll(readFrontPage).toMatch(/^(?!.*Read the first page).*<form/s);
      await use({ ...site, wordpress });
      await wordpress.stop();
    },
  });

/** Where the page sends a sign-up. */
export const ENDPOINT = '**/api/sign-ups';

/** Opens a page and waits until the form's script has hydrated it. */
export async function visitAgedForm(page: Page, url: string): Promise<void> {
  // Waits until the form is 5 s old, because a faster sign-up counts as probable spam.
  await agePage(page, 5_000);
  await visitPage(page, url);
  await reachForm(page);
}
