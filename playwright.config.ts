import { CHROMIUM as COMPLETE, HEADLESS_SHELL } from '@pillion/tests/chromium.ts';
import { SEED } from '@pillion/tests/fixture.ts';
import { defineConfig, devices } from '@playwright/test';

// Every WordPress of a test is filled with the fixture.
process.env.PILLION_SEED ||= SEED;

/** Stock Firefox, as Debian ships it: Playwright's own build cannot be fetched from a package registry. */
const FIREFOX = {
  browserName: 'firefox' as const,
  channel: 'moz-firefox',
  launchOptions: {
    executablePath: '/usr/bin/firefox-esr',
    firefoxUserPrefs: { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 },
  },
};

/** Firefox with scroll-driven animations, which it has behind a preference. */
const FIREFOX_TIMELINES = {
  ...FIREFOX,
  launchOptions: {
    ...FIREFOX.launchOptions,
    firefoxUserPrefs: {
      ...FIREFOX.launchOptions.firefoxUserPrefs,
      'layout.css.scroll-driven-animations.enabled': true,
    },
  },
};

/**
 * `JOURNEYS` chooses: `lean` is what `npm test` runs, `rest` and `complete` what `npm run test:full` adds, `figures` what
 * `npm run bench -- journeys` measures. Without it all but the figures run, in the complete Chromium.
 *
 * On the large screen of Chromium a journey is lean where it is tagged `@lean` or `@essential`, on phone and Firefox where
 * it is tagged `@essential`: one for each thing that a visitor or an editor does, so that `npm test` stays short however
 * many there are. `@figure` is measured by the clock of a quiet machine and proves nothing on a busy one.
 */
const part = process.env.JOURNEYS;
const isRest = part === 'rest' || part === 'complete';

/**
 * What `complete` runs. All other journeys run in the headless shell, which needs half of the processor time. It does not
 * request a page's icon, which the tests of a site check.
 */
const IN_COMPLETE = ['tests/journeys/site-tests.spec.ts', 'site/tests/*.spec.ts'];

const CHROMIUM = {
  use: {
    browserName: 'chromium' as const,
    launchOptions: part === 'lean' || part === 'rest' ? HEADLESS_SHELL : COMPLETE,
  },
  ...(part === 'rest' && { testIgnore: IN_COMPLETE }),
  ...(part === 'complete' && { testMatch: IN_COMPLETE }),
};

/** Titles that have each of `tags`. */
const all = (...tags: string[]) => new RegExp(tags.map((tag) => `(?=.*${tag})`).join(''));
/** Titles that have one of `tags`. */
const any = (...tags: string[]) => new RegExp(tags.join('|'));

/** Which titles a project takes and leaves. @param own Its own tag, null for the large screen of Chromium. */
function chosen(own: string | null, not: string[] = []): { grep: RegExp; grepInvert: RegExp } {
  if (part === 'figures') return { grep: all('@figure', ...(own ? [own] : [])), grepInvert: any('^$', ...not) };
  const left = ['@figure', ...not];
  if (own === null) {
    const lean = ['@lean', '@essential'];
    if (part === 'lean') return { grep: any(...lean), grepInvert: any(...left) };
    return { grep: /./, grepInvert: any(...left, ...(isRest ? lean : [])) };
  }
  return part === 'lean'
    ? { grep: all(own, '@essential'), grepInvert: any(...left) }
    : { grep: all(own), grepInvert: any(...left, ...(isRest ? ['@essential'] : [])) };
}

export default defineConfig({
  testMatch: ['tests/journeys/*.spec.ts', 'site/tests/*.spec.ts'],
  globalSetup: 'tests/journeys/global-setup.ts',
  outputDir: part === 'complete' ? 'test-results/journeys-complete' : 'test-results/journeys',
  snapshotPathTemplate: 'site/tests/looks/{arg}{ext}',
  // Two cores: one browser each.
  workers: 2,
  fullyParallel: false,
  forbidOnly: !!process.env.CI,
  timeout: 120_000,
  // A state is waited for, so a longer wait costs nothing but where it never comes; two busy cores need it.
  expect: { timeout: 20_000 },
  use: {
    screenshot: 'only-on-failure',
    // Recording each test costs a third of its time: switched on for the one that is looked into, with `--trace on`.
    trace: 'off',
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'no-preference' },
  },
  projects: [
    // A test tagged `@phone` runs on both, one tagged `@phone-only` has nothing to show on a large screen,
    // one tagged `@firefox-only` nothing in Chromium.
    { ...CHROMIUM, name: 'chromium', ...chosen(null, ['@phone-only', '@firefox-only']) },
    { ...CHROMIUM, name: 'phone', use: { ...devices['Pixel 7'], ...CHROMIUM.use }, ...chosen('@phone') },
    { name: 'firefox', use: FIREFOX, ...chosen('@firefox') },
    {
      name: 'firefox-timelines',
      use: FIREFOX_TIMELINES,
      ...(part === 'lean' ? { grep: /^$/ } : chosen('@timelines')),
    },
  ],
});
