import { layoutShift } from '@pillion/site-tests/in-page.mjs';
import { collectFiles, gzipOf, weigh } from '@pillion/site-tests/weights.mjs';
import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { chromium } from '@playwright/test';

/** A page counts as loaded after this many milliseconds without a request. */
const IDLE_MS = 3_000;

export const launch = () => chromium.launch(CHROMIUM);

/** Screens of a visit: a laptop and a phone. */
const LARGE = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

/** Loads one page in a new browser context and measures every file that it requests without input. */
export async function firstVisit(browser, url, screen = LARGE) {
  const page = await browser.newPage(screen);
  const readFiles = collectFiles(page);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForTimeout(IDLE_MS);
  const files = await readFiles();
  const timing = await page.evaluate(readTiming);
  const { sum: cls } = await layoutShift(page);
  await page.close();
  const { styles, document, fonts, all } = weigh(files);
  return {
    files,
    js: gzipOf(files, ({ type, url }) => type.includes('javascript') && !/\/scene-/.test(url)),
    starter: gzipOf(files, ({ url }) => /\/starter-/.test(url)),
    css: styles,
    html: document,
    fonts,
    fontFiles: files.filter(({ type }) => type.includes('font')).length,
    audio: files.filter(({ type }) => type.includes('audio')).reduce((total, { bytes }) => total + bytes, 0),
    weight: all,
    requests: files.filter(({ started }) => started <= timing.timeOrigin + timing.firstPaint).length,
    cls,
  };
}

/** Runs in the page. First paint in milliseconds after `timeOrigin`, which is in epoch milliseconds. */
const readTiming = () => ({
  firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  timeOrigin: performance.timeOrigin,
});
