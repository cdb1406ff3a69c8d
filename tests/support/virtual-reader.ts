import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

type Reader = typeof import('@guidepup/virtual-screen-reader')['virtual'];

const LIBRARY = createRequire(import.meta.url)
  .resolve('@guidepup/virtual-screen-reader')
  .replace(/lib\/.*$/, 'lib/esm/index.browser.js');

/** At the site's own address, because its policy allows no other script. */
const ADDRESS = '/virtual-reader.js';

/** Starts a screen reader in the page, on its `main`. Call it once the page is hydrated. */
export async function startReader(page: Page): Promise<void> {
  await page.route(`**${ADDRESS}`, (route) => route.fulfill({ path: LIBRARY, contentType: 'text/javascript' }));
  await page.evaluate(async (address) => {
    const { virtual } = (await import(address)) as { virtual: Reader };
    await virtual.start({ container: document.querySelector('main') as HTMLElement });
    Object.assign(window, { reader: virtual });
  }, ADDRESS);
}

/** Its output until now, in order. */
export const spoken = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { reader: Reader }).reader.spokenPhraseLog());
