import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, PlaywrightWorkerArgs, PlaywrightWorkerOptions } from '@playwright/test';
import { CHROMIUM } from './chromium.ts';
import { createFolder } from './site.ts';

type Started = Pick<PlaywrightWorkerArgs, 'playwright'> &
  Pick<PlaywrightWorkerOptions, 'browserName' | 'channel' | 'launchOptions'>;

/**
 * Opens a browser with a font size of `px`, as its settings page stores it. The headless shell has no settings, so
 * Chromium is the complete one.
 */
export async function withFontSize(
  px: number,
  { playwright, browserName, channel, launchOptions }: Started,
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const profile = createFolder();
  mkdirSync(join(profile, 'Default'), { recursive: true });
  writeFileSync(join(profile, 'Default/Preferences'), `{"webkit":{"webprefs":{"default_font_size":${px}}}}`);
  const context = await playwright[browserName].launchPersistentContext(profile, {
    ...launchOptions,
    ...(browserName === 'chromium' && CHROMIUM),
    ...(channel && { channel }),
    firefoxUserPrefs: {
      ...launchOptions.firefoxUserPrefs,
      'font.size.variable.x-western': px,
      'font.size.variable.ar': px,
    },
  });
  try {
    await use(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
