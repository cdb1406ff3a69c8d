import { gzipSync } from 'node:zlib';
import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { chromium } from '@playwright/test';

/** A page counts as loaded after this many milliseconds without a request. */
const IDLE_MS = 3_000;

export const launch = () => chromium.launch(CHROMIUM);

/** Screens of a visit: a laptop and a phone. */
const LARGE = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

const gzipped = (body) => gzipSync(body, { level: 9 }).length;

const sum = (files, pick) => files.filter(pick).reduce((total, file) => total + file.gzip, 0);

/**
 * Loads one page in a new browser context and measures every file that it requests without input. Bytes are
 * recompressed with gzip 9, so that figures of different sites are comparable.
 */
export async function firstVisit(browser, url, screen = LARGE) {
  const page = await browser.newPage(screen);
  const files = [];
  const pending = [];
  const seen = new Set();
  page.on('response', (response) => {
    // Repeated requests (the worker of the scene's probe) come from the browser's cache.
    if (seen.has(response.url())) return;
    seen.add(response.url());
    pending.push(
      response.body().then(
        (body) =>
          files.push({
            url: response.url(),
            type: response.headers()['content-type'] ?? '',
            gzip: gzipped(body),
            bytes: body.length,
            started: response.request().timing().startTime,
          }),
        () => {},
      ),
    );
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForTimeout(IDLE_MS);
  await Promise.all(pending);
  const timing = await page.evaluate(pageTiming);
  await page.close();
  const js = (file) => file.type.includes('javascript');
  return {
    files,
    js: sum(files, (file) => js(file) && !/\/scene-/.test(file.url)),
    starter: sum(files, (file) => /\/starter-/.test(file.url)),
    css: sum(files, (file) => file.type.includes('css')),
    html: sum(files, (file) => file.type.includes('html')),
    fonts: files.filter((file) => file.type.includes('font')).reduce((total, file) => total + file.bytes, 0),
    fontFiles: files.filter((file) => file.type.includes('font')).length,
    audio: files.filter((file) => file.type.includes('audio')).reduce((total, file) => total + file.bytes, 0),
    weight: files.reduce((total, file) => total + (/image|font|audio/.test(file.type) ? file.bytes : file.gzip), 0),
    requests: files.filter((file) => file.started <= timing.timeOrigin + timing.firstPaint).length,
    cls: timing.cls,
  };
}

/** Runs in the page: first paint and all layout shifts. */
function pageTiming() {
  return new Promise((resolve) => {
    const firstPaint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    let cls = 0;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) cls += shift.value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() =>
      requestAnimationFrame(() => resolve({ firstPaint, cls, timeOrigin: performance.timeOrigin })),
    );
  });
}
