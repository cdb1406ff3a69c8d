import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Actions, By, Key, Origin, type WebElement } from 'selenium-webdriver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUNDLE, FIXTURE } from '../support/fixture.ts';
import { readSignUps } from '../support/sign-ups.ts';
import { type RunningSite, startSite } from '../support/site.ts';
import { startWebKit, type WebKit } from '../support/webkit.ts';

/*
 * Journeys in WebKit, the engine of Safari and of every browser on iOS. It has no Navigation API here: each page is
 * loaded in full.
 */

let site: RunningSite;
let webkit: WebKit;

beforeAll(async () => {
  [site, webkit] = await Promise.all([startSite({}, FIXTURE), startWebKit()]);
});
afterAll(() => Promise.all([site?.stop(), webkit?.stop()]));

const run = <T>(script: string): Promise<T> => webkit.driver.executeScript(script);
const find = (selector: string): WebElement => webkit.driver.findElement(By.css(selector));
const focused = () => run<string>('return document.activeElement.textContent.trim()');

/** Waits until the page's own script runs it. */
const played = () => expect.poll(() => run('return document.documentElement.dataset.stage')).toBe('playing');

async function visit(path: string, url = site.url): Promise<void> {
  await webkit.driver.get(url + path);
  await played();
}

/** Sets the width of the window's content. */
async function setWidth(width: number): Promise<void> {
  const window = webkit.driver.manage().window();
  const outer = await run<number>('return outerWidth - innerWidth');
  await window.setRect({ x: 0, y: 0, width: width + outer, height: 900 });
  await expect.poll(() => run('return innerWidth')).toBe(width);
}

const LANGUAGES = ['en', 'de', 'ar'];
const pathsIn = (lang: string): string[] =>
  JSON.parse(readFileSync(join(BUNDLE, `${lang}/routes.json`), 'utf8')).map(({ path }: { path: string }) => path);

/** The value of the cookie of a visitor who agreed to these purposes. */
function cookieOf(categories: string[]): string {
  const at = '2026-11-01T10:00:00.000Z';
  const consentId = '01234567-89ab-cdef-0123-456789abcdef';
  return encodeURIComponent(JSON.stringify({ categories, consentId, consentTimestamp: at, lastConsentTimestamp: at }));
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, one line per element. A text that another section covers is not checked. */
async function violations(): Promise<string[]> {
  await run(axe);
  return webkit.driver.executeAsyncScript(`
    const done = arguments[arguments.length - 1];
    axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
      done(violations.flatMap(({ id, nodes }) => nodes.filter(({ target }) => {
        const element = document.querySelector(target);
        const { left, top, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return id !== 'color-contrast' || hit === null || element.contains(hit) || hit.contains(element);
      }).map(({ target, failureSummary }) => id + ' ' + target + ': ' + failureSummary))));
  `);
}

test('the landing page plays, and the wheel scrolls it @essential', async () => {
  await setWidth(1440);
  await visit('/');
  // Its types do not have the wheel.
  const actions = webkit.driver.actions() as Actions & { scroll(...place: [...number[], Origin]): Actions };
  await actions.scroll(700, 450, 0, 600, Origin.VIEWPORT).perform();
  await expect.poll(() => run<number>('return scrollY')).toBeGreaterThan(300);
});

test('the sound button starts the music, and after a page change the next click resumes it at its position @essential', async () => {
  const sound = () => find('footer button[data-sound]').getAttribute('data-sound');
  const position = () => run<string | null>('return sessionStorage.getItem("sound-at")');
  await visit('/');
  await find('footer button[data-sound]').click();
  await expect.poll(sound).toBe('playing');
  await find('header nav a').click();
  await expect.poll(() => webkit.driver.getCurrentUrl()).toBe(`${site.url}/paper-notes/`);
  await played();
  await expect.poll(sound).toBe('blocked');
  expect(Number(await position())).toBeGreaterThan(0);
  // Later than the music can be by now, so that the next page shows that it did not start again.
  await run('addEventListener("pagehide", () => sessionStorage.setItem("sound-at", "9"))');
  await visit('/cookie-policy/');
  await find('h1').click();
  await expect.poll(sound).toBe('playing');
  const stored = () =>
    run<string | null>('dispatchEvent(new Event("pagehide")); return sessionStorage.getItem("sound-at")');
  await expect.poll(async () => Number(await stored())).toBeGreaterThan(9);
  await run('sessionStorage.clear(); localStorage.clear()');
});

/** Signs up on the page that is open, and waits for the confirmation. */
async function signUp(email: string): Promise<void> {
  const form = find('main form');
  await run('document.querySelector("main form").scrollIntoView()');
  await expect.poll(() => run('return document.querySelector("main form").matches("[data-hydrated]")')).toBe(true);
  await form.findElement(By.css('[autocomplete=name]')).sendKeys('Ada Quist');
  await form.findElement(By.css('[type=email]')).sendKeys(email);
  await form.findElement(By.css('[type=checkbox]')).click();
  await form.findElement(By.css('button[type=submit]')).click();
  await expect.poll(() => find('main').getText()).toContain('You are on the list');
}

test('a visitor signs up and is thanked @essential', async () => {
  await visit('/the-tour/');
  await signUp('reader-webkit@example.org');
  const kept = await readSignUps(site.dataDirectory);
  expect(kept.map(({ answers }) => answers?.input_2)).toEqual(['reader-webkit@example.org']);
});

test('the keyboard reaches the content by the skip link @essential', async () => {
  await visit('/');
  await webkit.driver.actions().sendKeys(Key.TAB).perform();
  await expect.poll(focused).toBe('Skip to content');
  await webkit.driver.actions().sendKeys(Key.ENTER).perform();
  await webkit.driver.actions().sendKeys(Key.TAB).perform();
  await expect.poll(focused).toBe('When do we start?');
});

test('results come while a visitor types in the search', async () => {
  await visit('/search');
  await find('[name=q]').sendKeys('paper');
  // The results of a part of the word may be there first.
  await expect.poll(() => run('return document.querySelector("main [role=status]").textContent')).toContain('“paper”');
  await expect.poll(() => run('return document.querySelectorAll("[role=option]").length')).toBeGreaterThan(0);
  await webkit.driver.actions().sendKeys(Key.ARROW_DOWN, Key.ENTER).perform();
  await expect.poll(() => webkit.driver.getCurrentUrl()).toBe(`${site.url}/paper-notes/`);
});

describe('with a tag manager', () => {
  let measured: RunningSite;
  beforeAll(async () => {
    measured = await startSite({ GTM_ID: 'GTM-TEST123' });
  });
  afterAll(() => measured?.stop());

  const CONSENTS: [consent: string[] | null, campaign: Record<string, string>, isMeasured: boolean][] = [
    [null, { utm_source: 'letter' }, false],
    [['statistics', 'marketing'], { utm_source: 'letter', gclid: '1' }, true],
  ];
  const reject = () => webkit.driver.findElements(By.xpath('//*[@role="dialog"]//button[contains(., "eject")]'));
  const dialogs = () => run<number>('return document.querySelectorAll("[role=dialog]").length');
  const forget = () => run('document.cookie = "consent=; path=/; max-age=0"; sessionStorage.clear()');

  test.each(CONSENTS)('with consent to %j a sign-up has the campaign %j', async (consent, campaign, isMeasured) => {
    await visit('/paper-notes/', measured.url);
    await forget();
    if (consent) await run(`document.cookie = ${JSON.stringify(`consent=${cookieOf(consent)}; path=/`)}`);
    await visit('/paper-notes/?utm_source=letter&gclid=1', measured.url);
    if (!consent) {
      await expect.poll(async () => (await reject()).length).toBe(1);
      await (await reject())[0]?.click();
      await expect.poll(dialogs).toBe(0);
    }
    await run('document.querySelector(`header nav a[href="/the-tour/"]`).click()');
    await expect.poll(() => webkit.driver.getCurrentUrl()).toBe(`${measured.url}/the-tour/`);
    await played();
    if (!consent) {
      // A visitor who rejected consent is not asked again.
      expect(await dialogs()).toBe(0);
      expect(await run('return document.querySelectorAll("script[src*=googletagmanager]").length')).toBe(0);
    }
    const email = `reader-${isMeasured}@example.org`;
    await signUp(email);
    const stored = (await readSignUps(measured.dataDirectory)).find(({ answers }) => answers?.input_2 === email);
    expect(stored?.attribution).toEqual({ first: campaign, last: campaign });
    const lead = { event: 'generate_lead', event_id: stored?.id, form_id: 1, page_path: '/the-tour/' };
    const leads = () => run('return (window.dataLayer ?? []).filter(({ event }) => event === "generate_lead")');
    await expect.poll(leads).toEqual(isMeasured ? [lead] : []);
    await forget();
  });
});

for (const lang of LANGUAGES)
  for (const width of [1440, 390])
    test(`no page in ${lang} is wider than ${width} px, and axe finds nothing${lang === 'en' ? ' @essential' : ''}`, async () => {
      await setWidth(width);
      for (const path of pathsIn(lang)) {
        await visit(path);
        await expect.poll(() => run('return document.querySelectorAll("[data-loader]").length')).toBe(0);
        await expect
          .poll(() =>
            run(
              'return document.getAnimations().every(({ timeline, effect, playState }) => timeline !== document.timeline || playState !== "running" || effect.getComputedTiming().iterations === Infinity)',
            ),
          )
          .toBe(true);
        expect.soft(await run<number>('return document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
        expect.soft(await violations(), path).toEqual([]);
      }
    });

test('a visitor whose system asks for reduced motion gets a page that does not move', async () => {
  const calm = await startWebKit({ isCalm: true });
  try {
    await calm.driver.get(`${site.url}/`);
    const stage = () => calm.driver.executeScript('return document.documentElement.dataset.stage');
    await expect.poll(stage).toBe('playing');
    expect(await calm.driver.executeScript('return matchMedia("(prefers-reduced-motion: reduce)").matches')).toBe(true);
    const moves =
      'return document.getAnimations().filter(({ timeline, playState }) => timeline === document.timeline && playState === "running").length';
    await expect.poll(() => calm.driver.executeScript(moves)).toBe(0);
  } finally {
    await calm.stop();
  }
});
