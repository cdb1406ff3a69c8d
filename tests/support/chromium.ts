import { CHROMIUM_ARGS } from '@pillion/site-tests/browser.mjs';

/** Debian's Chromium. */
export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', ...CHROMIUM_ARGS],
};
