import type { Page, Route } from '@playwright/test';
import { getActs, scrollToActs } from '../support/acts.ts';
import {
  countNodes,
  createSteadyTrack,
  fulfillSteadyTrack,
  probeAudio,
  readContextState,
  readLevel,
  readLoop,
  readLoudness,
  replayVolume,
  TRACK,
} from '../support/audio-probe.ts';
import { withSoundCard } from '../support/sound-card.ts';
import {
  test as base,
  denyStorage,
  expect,
  followLink,
  isMarked,
  logRequests,
  markWindow,
  visitPage,
  waitForScript,
} from './test.ts';

/** Journeys of the sound: the output of the audio graph is measured. */
const test = base.extend({
  launchOptions: [withSoundCard, { scope: 'worker' }],
  page: async ({ page }, use) => {
    await probeAudio(page);
    await use(page);
  },
});

const toggle = (page: Page) => page.getByRole('contentinfo').locator('button[data-sound]');

/** Clicks an empty place of the hero. */
const clickSomewhere = (page: Page) => page.mouse.click(500, 450);

/** Change of the volume per second that R34 requires: 0.8 s from silence to full volume, linear. */
const PER_SECOND = 1 / 0.8;

/** Change of the volume between two samples of a fade, with a margin: a jump is larger. */
const STEP = (PER_SECOND / 8_000) * 1.5;

const reaches = (page: Page, volume: number) =>
  expect.poll(() => readLevel(page), { intervals: [50] }).toBeCloseTo(volume, 3);

test.describe('R34: fades', () => {
  test.beforeEach(async ({ page }) => {
    await page.route(TRACK, fulfillSteadyTrack);
    await visitPage(page, '/');
  });

  test('R34, R35: a click fades the looping track in over 0.8 s, the next out; 200 clicks leave one context @firefox @essential', async ({
    page,
  }) => {
    const fetched = logRequests(page, /\.mp3/);
    await toggle(page).click();
    await reaches(page, 1);
    expect((await readLoop(page))?.isLoop).toBe(true);
    await toggle(page).click();
    await expect.poll(() => readContextState(page)).toBe('suspended');
    expect(await readLevel(page)).toBe(0);
    await toggle(page).click();
    await reaches(page, 1);
    expect(await replayVolume(page)).toMatchObject({ slopes: [PER_SECOND, -PER_SECOND, PER_SECOND], level: 1 });
    expect(await countNodes(page)).toEqual({ contexts: 1, sources: 1, gains: 2, starts: 1 });
    expect((await replayVolume(page)).largestStep).toBeLessThan(STEP);
    await toggle(page).evaluate(async (button: HTMLButtonElement) => {
      for (let times = 0; times < 199; times++) {
        button.click();
        await new Promise((resolve) => setTimeout(resolve));
      }
    });
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await reaches(page, 0);
    expect(await countNodes(page)).toEqual({ contexts: 1, sources: 1, gains: 2, starts: 1 });
    expect(fetched).toHaveLength(1);
    expect((await replayVolume(page)).largestStep).toBeLessThan(STEP);
  });
});

test('R35: neither music nor its code is fetched before the first click @lean', async ({ page }) => {
  const asked = logRequests(page, /\.mp3|player/);
  await visitPage(page, '/');
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 1500);
  await followLink(page, '/paper-notes/');
  await expect(page).toHaveURL('/paper-notes/');
  expect(asked).toEqual([]);
  expect((await countNodes(page)).contexts).toBe(0);
});

test.describe('R33: the first click', () => {
  test('anywhere toggles the sound once the hero can play, later clicks do not, until a reload @firefox @lean', async ({
    page,
  }) => {
    let letIn = () => {};
    const clicked = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    // The hero waits for its picture.
    await page.route('**/media/hero-*', async (route) => {
      await clicked;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    await expect(toggle(page)).toBeAttached();
    await clickSomewhere(page);
    letIn();
    await waitForScript(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await expect(page.locator('[data-loader]')).toHaveCount(0);
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => readLoudness(page)).toBeGreaterThan(0.01);
    await clickSomewhere(page);
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await waitForScript(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('data-sound', 'playing');
  });

  test('does not count if made by keyboard, except on the toggle @lean', async ({ page }) => {
    await visitPage(page, '/');
    await page.getByRole('banner').getByRole('link', { name: 'The paper notes' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/paper-notes/');
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await toggle(page).focus();
    await page.keyboard.press('Space');
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    await expect(toggle(page)).toHaveAttribute('data-sound', 'playing');
    await page.keyboard.press('Enter');
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
  });

  test('counts once, also on the toggle, and never unmutes a visitor who has muted @firefox @lean', async ({
    page,
  }) => {
    await visitPage(page, '/');
    await toggle(page).click();
    await expect(toggle(page)).toHaveAttribute('data-sound', 'playing');
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    await toggle(page).click();
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await page.reload();
    await waitForScript(page);
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await expect(page.locator('[data-sound-hint]')).toHaveCount(0);
    await toggle(page).click();
    await expect(toggle(page)).toHaveAttribute('data-sound', 'playing');
  });

  test('works without storage', async ({ page }) => {
    await denyStorage(page);
    await visitPage(page, '/');
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('data-sound', 'playing');
    await toggle(page).click();
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
  });
});

test('R1: the music continues while pages change, and the toggle stays on plain pages @firefox @lean', async ({
  page,
}) => {
  await visitPage(page, '/');
  await markWindow(page);
  await clickSomewhere(page);
  await expect.poll(() => readLoudness(page)).toBeGreaterThan(0.01);
  for (const path of ['/paper-notes/', '/privacy-policy/', '/']) {
    await followLink(page, path);
    await expect(page).toHaveURL(path);
    await expect(toggle(page)).toBeVisible();
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => readLoudness(page)).toBeGreaterThan(0.01);
  }
  expect(await isMarked(page)).toBe(true);
  expect((await countNodes(page)).starts).toBe(1);
});

test.describe('R10, R32: a touch screen @phone-only', () => {
  test('there is no hint; only a tap on the unfolded footer’s toggle starts the sound; muting is remembered @essential', async ({
    page,
  }) => {
    await visitPage(page, '/');
    await page.mouse.move(220, 320, { steps: 2 });
    await expect(toggle(page)).toBeAttached();
    await expect(page.locator('[data-sound-hint]')).toHaveCount(0);
    await page.touchscreen.tap(200, 300);
    await page.getByRole('contentinfo').getByText('All Rights Reserved').tap();
    await expect(toggle(page)).toBeHidden();
    await page.getByRole('contentinfo').locator('button[aria-expanded]').tap();
    await expect(toggle(page)).toBeInViewport({ ratio: 1 });
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await expect(toggle(page)).toHaveAttribute('data-sound', 'asking');
    const box = await toggle(page).boundingBox();
    expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
    await toggle(page).tap();
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => readLoudness(page)).toBeGreaterThan(0.01);
    await toggle(page).tap();
    await expect.poll(() => readLoudness(page)).toBe(0);
    await page.reload();
    await waitForScript(page);
    await expect(toggle(page)).toHaveAttribute('data-sound', 'declined');
  });
});

test.describe('errors', () => {
  const warnings = (page: Page) => {
    const said: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && said.push(message.text()));
    return said;
  };

  /** The page works, the toggle is gone, and one warning says why. */
  const expectSilence = async (page: Page, said: string[]) => {
    await expect(toggle(page)).toHaveCount(0);
    await expect(page.locator('[data-sound-hint]')).toHaveCount(0);
    expect(said.filter((text) => /There is no sound/.test(text))).toHaveLength(1);
    await page.getByRole('banner').getByRole('link', { name: 'The paper notes' }).click();
    await expect(page).toHaveURL('/paper-notes/');
    await expect(toggle(page)).toHaveCount(0);
  };

  /** In the page: the browser has no context left. */
  const denyContexts = () => {
    window.AudioContext = class {
      constructor() {
        throw new DOMException('no hardware left', 'NotSupportedError');
      }
    } as never;
  };
  const breakTrack = (route: Route) => route.fulfill({ contentType: 'audio/mpeg', body: 'x'.repeat(5000) });
  for (const [what, prepare] of [
    ['if the track is broken @firefox', (page: Page) => page.route(TRACK, breakTrack)],
    ['if the browser creates no audio context', (page: Page) => page.addInitScript(denyContexts)],
  ] as const)
    test(`R35: the toggle disappears, and the page stays, ${what}`, async ({ page }) => {
      const said = warnings(page);
      await prepare(page);
      await visitPage(page, '/');
      await clickSomewhere(page);
      await expectSilence(page, said);
    });

  test('without Web Audio there is no toggle and no hint, and a click requests nothing', async ({ page }) => {
    const asked = logRequests(page, /\.mp3|player/);
    await page.addInitScript(() => Reflect.deleteProperty(window, 'AudioContext'));
    await visitPage(page, '/');
    await page.mouse.move(300, 300);
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveCount(0);
    await expect(page.locator('[data-sound-hint]')).toHaveCount(0);
    expect(asked).toEqual([]);
  });

  test('R32: if the browser refuses, the toggle says so, and its next click starts the music @lean', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      // A context that runs for no gesture but one that is given to the context itself, as WebKit's does.
      const { resume } = AudioContext.prototype;
      let isAllowed = false;
      Object.assign(window, { allowSound: () => (isAllowed = true) });
      AudioContext.prototype.resume = function () {
        return isAllowed ? resume.call(this) : Promise.reject(new DOMException('refused', 'NotAllowedError'));
      };
      const Context = AudioContext;
      window.AudioContext = class extends Context {
        constructor() {
          super();
          void this.suspend();
        }
      };
    });
    await visitPage(page, '/');
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('data-sound', 'asking');
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await page.evaluate(() => (window as never as { allowSound: () => void }).allowSound());
    await toggle(page).click();
    await expect(toggle(page)).toHaveAttribute('data-sound', 'playing');
    await expect.poll(() => readLoudness(page)).toBeGreaterThan(0.01);
  });

  test('R32: the music continues after the back/forward cache, and after an interruption with any click', async ({
    page,
  }) => {
    await page.route(TRACK, fulfillSteadyTrack);
    await visitPage(page, '/');
    await clickSomewhere(page);
    await reaches(page, 1);
    // A browser that has suspended the audio with the page reports only that the page is shown.
    await page.evaluate(async () => {
      const context = (globalThis as never as { probe: { contexts: AudioContext[] } }).probe
        .contexts[0] as AudioContext;
      const { resume } = AudioContext.prototype;
      AudioContext.prototype.resume = () => Promise.reject(new DOMException('asleep', 'InvalidStateError'));
      const slept = new Promise((resolve) => context.addEventListener('statechange', resolve, { once: true }));
      await context.suspend();
      await slept;
      AudioContext.prototype.resume = resume;
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await expect.poll(() => readContextState(page)).toBe('running');
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    await reaches(page, 1);

    await page.evaluate(async () => {
      const { probe } = globalThis as never as { probe: { contexts: AudioContext[] } };
      const { resume } = AudioContext.prototype;
      Object.assign(window, { endCall: () => (AudioContext.prototype.resume = resume) });
      AudioContext.prototype.resume = () => Promise.reject(new DOMException('interrupted', 'InvalidStateError'));
      await probe.contexts[0]?.suspend();
    });
    await expect(toggle(page)).toHaveAttribute('data-sound', 'blocked');
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await page.evaluate(() => (window as never as { endCall: () => void }).endCall());
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('data-sound', 'playing');
    await reaches(page, 1);
    await clickSomewhere(page);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
  });

  test('a second click while the track loads cancels it: it stays silent', async ({ page }) => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) =>
      page.route(TRACK, async (route) => {
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        await fulfillSteadyTrack(route);
      }),
    );
    await visitPage(page, '/');
    await toggle(page).click();
    await asked;
    await expect(toggle(page)).toHaveAttribute('data-sound', 'starting');
    await toggle(page).click();
    const came = page.waitForResponse(TRACK);
    answer();
    await (await came).finished();
    await expect.poll(async () => (await countNodes(page)).starts).toBe(1);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    expect(await readLevel(page)).toBe(0);
    await toggle(page).click();
    await reaches(page, 1);
  });

  test('another track in the texts replaces the playing one, and none ends it', async ({ page }) => {
    await page.addInitScript(() => {
      const { now } = Date;
      Date.now = () => now() + ((window as { later?: number }).later ?? 0);
    });
    let track: string | null = '/media/other.mp3';
    await page.route('**/media/other.mp3', (route) =>
      route.fulfill({ contentType: 'audio/wav', body: createSteadyTrack(5) }),
    );
    await page.route('**/api/shell*', async (route) => {
      const answer = await route.fetch();
      const shell = await answer.json();
      await route.fulfill({
        response: answer,
        json: { ...shell, strings: { ...shell.strings, audio: { url: track } } },
      });
    });
    await visitPage(page, '/');
    await clickSomewhere(page);
    await expect.poll(() => readLoudness(page)).toBeGreaterThan(0.01);
    /** Returns to the tab after a while: the shell is requested again (R23). */
    const comeBack = async () => {
      await page.evaluate(() => {
        Object.assign(window, { later: ((window as { later?: number }).later ?? 0) + 120_000 });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    };
    await comeBack();
    await reaches(page, 1);
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
    expect(await countNodes(page)).toMatchObject({ contexts: 1, sources: 2, gains: 2 });
    track = null;
    await comeBack();
    await expect(toggle(page)).toHaveCount(0);
    expect(await readLevel(page)).toBe(0);
    track = '/media/other.mp3';
    await comeBack();
    await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
    await toggle(page).click();
    await reaches(page, 1);
  });
});

test.describe('the music follows the hero', () => {
  /** Records the values that the page sets for filter and level, and whether only curves change them. */
  const listen = (page: Page) =>
    page.addInitScript(() => {
      const told = { filters: 0, hertz: [] as number[], levels: [] as number[], others: 0 };
      Object.assign(window, { told });
      const params = new Map<AudioParam, number[]>();
      const { BiquadFilterNode: Filter, GainNode: Gain } = window;
      window.BiquadFilterNode = class extends Filter {
        constructor(context: BaseAudioContext, options?: BiquadFilterOptions) {
          super(context, options);
          told.filters += 1;
          told.hertz.push(options?.frequency ?? 0);
          params.set(this.frequency, told.hertz);
        }
      };
      window.GainNode = class extends Gain {
        constructor(context: BaseAudioContext, options?: GainOptions) {
          super(context, options);
          told.levels.push(options?.gain ?? 1);
          params.set(this.gain, told.levels);
        }
      };
      const { setTargetAtTime, setValueAtTime } = AudioParam.prototype;
      AudioParam.prototype.setTargetAtTime = function (value, time, seconds) {
        params.get(this)?.push(value);
        return setTargetAtTime.call(this, value, time, seconds);
      };
      AudioParam.prototype.setValueAtTime = function (value, time) {
        told.others += Number(params.has(this));
        return setValueAtTime.call(this, value, time);
      };
    });
  const told = (page: Page) =>
    page.evaluate(
      () =>
        (window as unknown as { told: { filters: number; hertz: number[]; levels: number[]; others: number } }).told,
    );
  const last = (values: number[]) => values.at(-1) ?? 0;

  test.beforeEach(async ({ page }) => {
    await page.route(TRACK, fulfillSteadyTrack);
    await listen(page);
  });

  test('it is bright by day, dull at night, brighter with speed, never above its level; muted, it rests', async ({
    page,
  }) => {
    await visitPage(page, '/');
    await toggle(page).click();
    await reaches(page, 1);
    const { hertz: day } = await told(page);
    await scrollToActs(page, 1);
    await expect.poll(async () => last((await told(page)).levels)).toBeCloseTo(0.7, 2);
    const { hertz: night } = await told(page);
    expect(last(night)).toBeLessThan(last(day) / 4);
    // The values that were set are audible.
    await reaches(page, 0.7);
    // To and fro at the end of the night: the hour stays, only speed is new.
    await page.evaluate(async () => {
      for (let i = 0; i < 20; i++) {
        scrollBy({ top: (i % 8 < 4 ? 1 : -1) * 0.1 * innerHeight, behavior: 'instant' });
        await new Promise(requestAnimationFrame);
      }
    });
    const { hertz, levels, others } = await told(page);
    expect(Math.max(...hertz.slice(night.length))).toBeGreaterThan(last(night) * 4);
    expect(Math.max(...levels)).toBeLessThanOrEqual(1);
    expect(others).toBe(0);
    // The page rests: the door closes again.
    await expect.poll(async () => last((await told(page)).hertz)).toBeLessThan(last(night) * 1.1);
    await scrollToActs(page, 0);
    await reaches(page, 1);
    await toggle(page).click();
    await reaches(page, 0);
    const before = await told(page);
    await scrollToActs(page, 1);
    await expect(getActs(page).last()).toBeInViewport();
    expect(await told(page)).toEqual(before);
  });

  /** With the setting “Unchanged”. */
  const playPlain = (page: Page) =>
    page.route('/', async (route) => {
      const answer = await route.fetch();
      const html = (await answer.text()).replace('<html ', '<html data-music="plain" ');
      await route.fulfill({ response: answer, body: html });
    });
  for (const [what, prepare, expected] of [
    [
      'in calm mode the filter stays open',
      (page: Page) => page.emulateMedia({ reducedMotion: 'reduce' }),
      { filters: 1, hertz: [18_000], levels: [1] },
    ],
    ['with the setting “Unchanged” there is no filter', playPlain, { filters: 0, hertz: [], levels: [], others: 0 }],
  ] as const)
    test(what, async ({ page }) => {
      await prepare(page);
      await visitPage(page, '/');
      await toggle(page).click();
      await reaches(page, 1);
      await scrollToActs(page, 1);
      await expect(getActs(page).last()).toBeInViewport();
      expect(await told(page)).toMatchObject(expected);
      expect(await readLevel(page)).toBeCloseTo(1, 3);
    });
});

test('INP: the click that starts the sound is painted before audio is set up, also at CPU ×4', async ({ page }) => {
  // A scene drawn by a software GPU would delay both.
  await page.route(/assets\/scene-.*\.js/, (route) => route.abort());
  await page.addInitScript(() => {
    const Context = AudioContext;
    window.AudioContext = class extends Context {
      constructor() {
        performance.mark('context');
        super();
      }
    };
    const onFrame = () => setTimeout(() => performance.mark('painted'));
    document.addEventListener('click', () => requestAnimationFrame(onFrame), { capture: true });
  });
  await visitPage(page, '/');
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  await page.mouse.move(500, 440);
  await expect(page.locator('[data-sound-hint]')).toHaveCSS('opacity', '1');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await clickSomewhere(page);
  await expect(toggle(page)).toHaveAttribute('data-sound', 'playing', { timeout: 30_000 });
  const marked = (name: string) =>
    page.evaluate((name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN, name);
  expect(await marked('context')).toBeGreaterThan(await marked('painted'));
});
