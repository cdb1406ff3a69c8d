// Work of the page's thread from a press of each control to the second frame after it, at a quarter of this processor's
// speed: its part of Interaction to Next Paint (INP). The thread's own clock excludes other load and drawing, which the
// processor does here in place of a GPU. The cost of two frames and of the measurement without a press is measured just
// before on the same page, and subtracted. Usage: `node bench/presses.mjs` after a build.
import { pathToFileURL } from 'node:url';
import { CHROMIUM } from '@pillion/tests/chromium.ts';
import { startSite } from '@pillion/tests/site.ts';
import { chromium } from '@playwright/test';

const BUDGET_MS = 100;
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

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

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
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
    };
    /** Work from an action to the second frame after its event. Work before the event does not count. */
    const cost = async (event, act) => {
      await page.evaluate((name) => {
        globalThis.painted = new Promise((resolve) =>
          addEventListener(name, () => requestAnimationFrame(() => requestAnimationFrame(resolve)), { once: true }),
        );
      }, event);
      const before = await worked();
      await act();
      await page.evaluate(() => globalThis.painted);
      return (await worked()) - before;
    };
    const idle = await cost('measured', () => page.evaluate(() => dispatchEvent(new Event('measured'))));
    const pressed = await cost('pointerup', async () => {
      await page.mouse.down();
      await page.mouse.up();
    });
    return pressed - idle;
  } finally {
    await context.close();
  }
}

/** Prints the figures. @returns Whether all of them keep the budget. */
export async function presses() {
  console.log(`\nFrom a press to the paint, work of the page's thread × ${SLOWER} (median and most of ${ROUNDS})`);
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = (await presses()) ? 0 : 1;
