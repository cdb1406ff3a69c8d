import type { Page } from '@playwright/test';

// Time that a test moves: timers fire when the test says so, on a fast machine and on a busy one.

/**
 * Longest time that the loader is shown, in milliseconds (R9). The stage's timer waits for what is left of it when the
 * entry has loaded: in tests, more than 3 s.
 */
const DEADLINE_MS = 4_000;

/** What these functions store in the page's window. */
interface Timed {
  /** The stage's stopped timers by their id. */
  deadlines: Map<number, { ms: number; pass(): void }>;
  /** The animations that `holdAnimations` has paused. */
  held: Animation[];
  frames: { samples: [timeMs: number, scrollY: number][]; holdAt: number; requestFrame(): void };
}

/**
 * Stops the seconds that the starter counts: after 8 s it opens the page without the entry. Its timer is the only one
 * that passes on a number. Call it before the page is opened.
 */
export const holdStarterSeconds = (page: Page) =>
  page.addInitScript(() => {
    const { setTimeout: later } = window;
    Object.assign(window, {
      setTimeout: (work: TimerHandler, ms = 0, ...rest: unknown[]) =>
        ms === 1_000 && typeof rest[0] === 'number' ? 0 : later(work, ms, ...rest),
    });
  });

/** Stops the stage's deadline and the starter's. Call it before the page is opened. */
export async function holdDeadline(page: Page): Promise<void> {
  await holdStarterSeconds(page);
  await page.addInitScript((longest) => {
    const { setTimeout: later, clearTimeout: clear } = window;
    const deadlines: Timed['deadlines'] = new Map();
    Object.assign(window, {
      deadlines,
      setTimeout: (work: TimerHandler, ms = 0, ...rest: unknown[]) => {
        if (typeof work !== 'function' || ms <= 3_000 || ms > longest) return later(work, ms, ...rest);
        // No id of the browser's timers.
        const id = 1e9 + deadlines.size;
        deadlines.set(id, { ms, pass: () => work() });
        return id;
      },
      clearTimeout: (id?: number) => {
        if (id === undefined || !deadlines.delete(id)) clear(id);
      },
    });
  }, DEADLINE_MS);
}

/** Remaining time of the running deadlines, in milliseconds. */
export const readDeadlines = (page: Page): Promise<number[]> =>
  page.evaluate(() => [...(globalThis as unknown as Timed).deadlines.values()].map(({ ms }) => ms));

/** Lets the running deadlines pass. */
export const passDeadline = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const { pass } of (globalThis as unknown as Timed).deadlines.values()) pass();
  });

/** Pauses the shell's parts at the beginning of their entry (R39). Call it before the page is opened. */
export const holdEntry = (page: Page) =>
  page.addInitScript(() =>
    // Its callback runs before the first frame of the entry.
    new MutationObserver(() => {
      for (const animation of document.getAnimations())
        if ((animation as CSSAnimation).animationName === 'slide-up') animation.pause();
    }).observe(document, { subtree: true, attributeFilter: ['data-stage'] }),
  );

export const releaseEntry = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if ((animation as CSSAnimation).animationName === 'slide-up') animation.play();
  });

/**
 * Pauses every animation at its beginning that a script starts on elements of `selector`. Call it before the page is
 * opened.
 */
export const holdAnimations = (page: Page, selector: string) =>
  page.addInitScript((selector) => {
    const held: Animation[] = [];
    Object.assign(window, { held });
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...given) {
      const animation = animate.apply(this, given);
      if (this.matches(selector)) {
        animation.pause();
        held.push(animation);
      }
      return animation;
    };
  }, selector);

/** Duration of each paused animation in milliseconds, as the animation reports it. */
export const readDurations = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    (globalThis as unknown as Timed).held.map(({ effect }) => Number(effect?.getComputedTiming().duration)),
  );

/** Moves the paused animations to `ms`, and finishes those that reach their end. */
export const seekAnimations = (page: Page, ms: number | 'end'): Promise<void> =>
  page.evaluate((ms) => {
    for (const animation of (globalThis as unknown as Timed).held)
      if (ms === 'end') animation.finish();
      else animation.currentTime = ms;
  }, ms);

/** Stops the stylesheets' animations `ms` after their beginning, however long the page took to load. */
export const holdClockAt = (page: Page, ms: number) =>
  page.evaluate((ms) => {
    for (const animation of document.getAnimations())
      if (animation.timeline === document.timeline) {
        animation.pause();
        animation.currentTime = ms;
      }
  }, ms);

/** Waits for two frames: all earlier changes have been drawn. */
export const waitForPaint = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** Makes the page appear opened `ms` milliseconds earlier, by its own clock. Call it before the page is opened. */
export const agePage = (page: Page, ms: number) =>
  page.addInitScript((ms) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + ms;
  }, ms);

/**
 * Gives the page frames of a screen of `rate` Hz, one after the other without a pause, at any speed of the machine: an
 * animation of a second takes `rate` frames. Records the page's position in each. Call it before the page is opened.
 * @param holdAt Beyond this position, in CSS pixels, there are no more frames until `releaseFrames`.
 */
export const driveFrames = (page: Page, rate: number, holdAt = Number.MAX_VALUE) =>
  page.addInitScript(
    ({ rate, holdAt }) => {
      const { port1, port2 } = new MessageChannel();
      let waiting: FrameRequestCallback[] = [];
      let clock = performance.now();
      const frames: Timed['frames'] = {
        samples: [],
        holdAt,
        requestFrame() {
          if (scrollY <= frames.holdAt) port2.postMessage(null);
        },
      };
      Object.assign(window, { frames });
      window.requestAnimationFrame = (work) => {
        waiting.push(work);
        if (waiting.length === 1) frames.requestFrame();
        return waiting.length;
      };
      port1.onmessage = () => {
        const works = waiting;
        waiting = [];
        clock += 1000 / rate;
        for (const work of works) work(clock);
        frames.samples.push([clock, scrollY]);
      };
    },
    { rate, holdAt },
  );

/** Time in milliseconds and position in CSS pixels, frame by frame. */
export const readFrames = (page: Page): Promise<Timed['frames']['samples']> =>
  page.evaluate(() => (globalThis as unknown as Timed).frames.samples);

export const releaseFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { frames } = globalThis as unknown as Timed;
    frames.holdAt = Number.MAX_VALUE;
    frames.requestFrame();
  });
