import { CHROMIUM_ARGS } from '@pillion/site-tests/browser.mjs';

const args = ['--no-sandbox', ...CHROMIUM_ARGS];

/** Debian's Chromium. */
export const CHROMIUM = { executablePath: '/usr/bin/chromium', args };

/**
 * The same engine without tabs and windows, for half of the processor time. Its letters are hinted as on a desktop, so
 * that pictures of pages are the same in both. Its pointer is on the screen from the start (`tests/journeys/test.ts`), and it
 * has no settings.
 */
export const HEADLESS_SHELL = {
  executablePath: '/usr/lib/chromium/chromium-headless-shell',
  args: [...args, '--font-render-hinting=slight'],
};
