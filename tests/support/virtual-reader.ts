import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

type Reader = typeof import('@guidepup/virtual-screen-reader')['virtual'];

const LIBRARY = createRequire(import.meta.url)
  .resolve('@guidepup/virtual-screen-reader')
  .replace(/lib\/.*$/, 'lib/esm/index.browser.js');

/** A path of the site, because its Content Security Policy allows no scripts of other origins. */
const ADDRESS = '/virtual-reader.js';

/** Starts a screen reader in the page, on one of its elements. Call it once the page is hydrated. */
export async function startReader(page: Page, container = 'main'): Promise<void> {
  await page.route(`**${ADDRESS}`, (route) => route.fulfill({ path: LIBRARY, contentType: 'text/javascript' }));
  await page.evaluate(
    async ({ address, container }) => {
      const { virtual } = (await import(address)) as { virtual: Reader };
      await virtual.start({ container: document.querySelector(container) as HTMLElement });
      Object.assign(window, { reader: virtual });
    },
    { address: ADDRESS, container },
  );
}

/** The reader's output until now, in order. */
export const readSpoken = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { reader: Reader }).reader.spokenPhraseLog());

/** Reads on from the focus until a phrase that starts with `until`. @returns Its whole output, in order. */
export const readUntilPhrase = (page: Page, until: string): Promise<string[]> =>
  page.evaluate(async (until) => {
    const { reader } = window as unknown as { reader: Reader };
    // The limit ends the loop if the phrase never comes.
    for (let steps = 0; steps < 80 && !(await reader.lastSpokenPhrase()).startsWith(until); steps += 1)
      await reader.next();
    return reader.spokenPhraseLog();
  }, until);
