import type { Page } from '@playwright/test';
import { expect, visitPage } from '../journeys/test.ts';

// The acts of the front page: one fills the window after the other.

/** The section that contains them. */
export const getPassage = (page: Page) => page.locator('[data-passage]');
export const getActs = (page: Page) => getPassage(page).locator('li');
/** The picture of an act. */
export const getBackdrop = (page: Page, act: number) => getActs(page).nth(act).locator('> div').first();

/** Scrolls to a share of the acts: at 0 their top is at the window's top, at 1 their bottom at its bottom. */
export const scrollToActs = (page: Page, share: number) =>
  getPassage(page).evaluate((section, share) => {
    const { top, height } = section.getBoundingClientRect();
    window.scrollTo({ top: scrollY + top + share * (height - innerHeight), behavior: 'instant' });
  }, share);

/** Opens the page, and waits until the loader has faded and the pictures of the acts have loaded. */
export async function visitActs(page: Page) {
  await visitPage(page, '/');
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  for (const picture of await getPassage(page).locator('img').all()) {
    await picture.evaluate((image: HTMLImageElement) => {
      image.loading = 'eager';
      return image.decode();
    });
  }
}
