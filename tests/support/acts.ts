import type { Page } from '@playwright/test';
import { expect, visit } from '../journeys/test.ts';

// The acts of the front page: one fills the window after the other.

export const passage = (page: Page) => page.locator('[data-passage]');
export const acts = (page: Page) => passage(page).locator('li');
export const backdrop = (page: Page, act: number) => acts(page).nth(act).locator('> div').first();

/** Scrolls to a share of the acts: at 0 their top is at the window's top, at 1 their bottom at its bottom. */
export const scrollToActs = (page: Page, share: number) =>
  passage(page).evaluate((section, share) => {
    const { top, height } = section.getBoundingClientRect();
    window.scrollTo({ top: scrollY + top + share * (height - innerHeight), behavior: 'instant' });
  }, share);

/** Opens the page, and waits until the loader has faded and the pictures of the acts have loaded. */
export async function visitActs(page: Page) {
  await visit(page, '/');
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  for (const picture of await passage(page).locator('img').all()) {
    await picture.evaluate((image: HTMLImageElement) => {
      image.loading = 'eager';
      return image.decode();
    });
  }
}
