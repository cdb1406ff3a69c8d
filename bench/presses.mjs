// Work of the page's thread from the release of each control to the end of the next frame, at a quarter of this
// processor's speed: its part of Interaction to Next Paint (INP). Chromium's trace has the thread's own clock, which excludes
// other load and drawing; the processor does the drawing here in place of a GPU. Usage: `node bench/presses.mjs` after a
// build.
import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { startSite } from '@pillion/tests/site.ts';
import { chromium } from '@playwright/test';
import { isProgram, median } from './lib/figures.mjs';

const BUDGET_MS = 50;
/** A mid-range phone has a quarter of this processor's speed. */
const SLOWER = 4;
const ROUNDS = 5;

/** The pressed controls with their page. Those that lead to another page come last. */
const CONTROLS = [
  ['sound, on and off', '/', 'button[data-sound]'],
  ['join', '/', 'header a[href*="#form"]'],
  ['a question', '/', 'main summary'],
  ['a field of the form', '/', '#inner-form input[type="email"]'],
  ['consent', '/', '#inner-form input[type="checkbox"]'],
  ['send, with what is missing', '/', '#inner-form button[type="submit"]'],
  ['a picture of the gallery', '/the-road/', 'main [tabindex="0"]'],
  ['the search field', '/search', 'main input[name="q"]'],
  ['a link of the menu', '/', 'header nav a'],
  ['the logo, from a page', '/privacy-policy/', 'header a[data-entry="0"]'],
];

/** @returns The events of Chromium's trace during `act`. */
async function trace(cdp, act) {
  const events = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  const includedCategories = ['devtools.timeline', 'toplevel'];
  await cdp.send('Tracing.start', { traceConfig: { includedCategories }, transferMode: 'ReportEvents' });
  await act();
  await cdp.send('Tracing.end');
  await ended;
  return events;
}

/** @returns Milliseconds of the page's thread in the tasks from the release of the pointer to the next frame. */
function workToNextFrame(events) {
  const released = events.find(({ name, args }) => name === 'EventDispatch' && args.data.type === 'pointerup');
  const ofThread = events.filter(({ pid, tid }) => pid === released.pid && tid === released.tid);
  const tasks = ofThread.filter(({ name, ts, dur }) => name.endsWith('::RunTask') && ts + dur > released.ts);
  tasks.sort((one, other) => one.ts - other.ts);
  const isFrame = ({ ts, dur }) =>
    ofThread.some((event) => event.name === 'Layerize' && event.ts > ts && event.ts < ts + dur);
  const frame = tasks.findIndex(isFrame);
  if (frame < 0) throw new Error('The trace has no frame after the press.');
  // The trace leaves out the thread time of the shortest tasks.
  return tasks.slice(0, frame + 1).reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0);
}

/** Presses once on a new page. @returns Milliseconds of the page's thread. */
async function press(browser, url, selector) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'no-preference' });
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'networkidle' });
    const control = page.locator(selector).first();
    await control.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(500);
    const { x, y, width, height } = await control.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    const traced = await trace(await context.newCDPSession(page), async () => {
      await page.mouse.down();
      await page.mouse.up();
      // A frame is in the trace only after its end.
      for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame));
    });
    return workToNextFrame(traced);
  } finally {
    await context.close();
  }
}

/** Prints the figures. @returns Whether all of them keep the budget. */
export async function presses() {
  console.log(`\nFrom a press to the next frame, work of the page's thread × ${SLOWER} (median and most of ${ROUNDS})`);
  const site = await startSite({}, process.cwd());
  const browser = await chromium.launch(CHROMIUM);
  let isKept = true;
  try {
    for (const [name, path, selector] of CONTROLS) {
      const times = [];
      for (let round = 0; round < ROUNDS; round++)
        times.push(SLOWER * (await press(browser, site.url + path, selector)));
      const most = Math.max(...times);
      isKept &&= median(times) <= BUDGET_MS;
      console.log(`  ${name.padEnd(32)}${median(times).toFixed(0).padStart(6)} ms${most.toFixed(0).padStart(8)} ms`);
    }
  } finally {
    await browser.close();
    await site.stop();
  }
  return isKept;
}

if (isProgram(import.meta.url)) process.exitCode = (await presses()) ? 0 : 1;
