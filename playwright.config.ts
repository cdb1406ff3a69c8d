import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM as launchOptions } from './tests/support/chromium.ts';

const CHROMIUM = { browserName: 'chromium' as const, launchOptions };

/** Stock Firefox, as Debian ships it: Playwright's own build cannot be fetched from a package registry. */
const FIREFOX = {
  browserName: 'firefox' as const,
  channel: 'moz-firefox',
  launchOptions: {
    executablePath: '/usr/bin/firefox-esr',
    firefoxUserPrefs: { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 },
  },
};

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results/journeys',
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  // Two cores: one browser each.
  workers: 2,
  fullyParallel: false,
  forbidOnly: !!process.env.CI,
  timeout: 60_000,
  // A state is waited for, so a longer wait costs nothing but where it never comes; two busy cores need it.
  expect: { timeout: 10_000 },
  use: {
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'no-preference' },
  },
  projects: [
    // A test tagged `@phone` runs on both, one tagged `@phone-only` has nothing to show on a large screen.
    { name: 'chromium', use: CHROMIUM, grepInvert: /@phone-only/ },
    { name: 'phone', use: { ...devices['Pixel 7'], ...CHROMIUM }, grep: /@phone/ },
    { name: 'firefox', use: FIREFOX, grep: /@firefox/ },
  ],
});
