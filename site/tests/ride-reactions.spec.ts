import type { Page } from '@playwright/test';
import type { Reaction } from '../scene/reaction.ts';
import { canvas, expect, expectScene, followLink, test } from './test.ts';

/** The handle of the forced scene, its reaction per frame, and the times of a joining sequence of the test. */
interface Looking {
  ride: {
    reaction(): Reaction;
    still(still: object): void;
    resize(): void;
    settle(): void;
  };
  seen: Reaction[];
  asked: number[];
  endAt: number;
}

const AT_REST: Reaction = { pace: 0, was: 0, brake: 0, aside: 0, swerve: 0 };

const reaction = (page: Page) => page.evaluate(() => (window as unknown as Looking).ride.reaction());
const seen = (page: Page) => page.evaluate(() => (window as unknown as Looking).seen);
const most = (reactions: Reaction[], what: keyof Reaction) => Math.max(...reactions.map((one) => Math.abs(one[what])));

/** Records the reaction in each frame from now on. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const looking = window as unknown as Looking;
    looking.seen = [];
    const { seen } = looking;
    const look = () => {
      if (looking.seen !== seen) return;
      seen.push(looking.ride.reaction());
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

/** Scrolls the page up and down behind the hero, a tenth of the window per frame. */
const fling = (page: Page, frames = 30) =>
  page.evaluate(async (frames) => {
    for (let i = 1; i <= frames; i++) {
      const place = Math.abs(((i + 4) % 8) - 4) / 10;
      scrollTo({ top: place * innerHeight, behavior: 'instant' });
      await new Promise(requestAnimationFrame);
    }
  }, frames);

/** Waits until the ride is at rest. */
const calmed = (page: Page, rest = AT_REST) => expect.poll(() => reaction(page), { timeout: 60_000 }).toEqual(rest);

const asked = (page: Page) => page.evaluate(() => [...(window as unknown as Looking).asked]);

/** Starts a joining sequence that records each frame, and ends when the page sets `endAt`. */
const join = (page: Page) =>
  page.evaluate(() => {
    const looking = Object.assign(window as unknown as Looking, { asked: [], endAt: Number.POSITIVE_INFINITY });
    const detail = (ms: number) => {
      looking.asked.push(ms);
      return ms < looking.endAt ? { lift: 0.5, flown: 0.5, climbed: 0.5, flare: 2 } : null;
    };
    sessionStorage.setItem('pillion-number', '215');
    dispatchEvent(new CustomEvent('pillion:join', { detail }));
  });

/** No frame from now on belongs to a joining. */
async function expectNoJoining(page: Page): Promise<void> {
  await page.evaluate(async () => {
    (window as unknown as Looking).asked.splice(0);
    for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
  });
  expect(await asked(page)).toEqual([]);
}

/** A small window, because the processor draws here. */
test.describe('the ride reacts', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(180_000);

  test.beforeEach(({ openScene, page }) => openScene(page));

  /** Waits until the ride reacts to movement. */
  const ridden = async (page: Page) => {
    await watch(page);
    await expect
      .poll(
        async () => {
          await fling(page, 8);
          return most(await seen(page), 'pace');
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0.3);
  };

  test('scrolling changes the pace, the lamp lights up when the page stops, and both return to rest', async ({
    page,
  }) => {
    await ridden(page);
    await fling(page);
    await expect.poll(async () => most(await seen(page), 'brake'), { timeout: 60_000 }).toBeGreaterThan(0.5);
    await calmed(page);
    const all = await seen(page);
    const at = (what: 'pace' | 'brake') => all.findIndex((one) => one[what] === most(all, what));
    expect(at('pace')).toBeLessThan(at('brake'));
    expect(most(all, 'aside')).toBe(0);
  });

  test('the rider moves to the pointer’s side of the lane and stays there', async ({ page }) => {
    await ridden(page);
    await calmed(page);
    await page.mouse.move(240, 60);
    await calmed(page, { ...AT_REST, aside: 0.5 });
    await page.mouse.move(80, 60);
    await calmed(page, { ...AT_REST, aside: -0.5 });
  });

  test('a resize and a jump do not change the pace', async ({ page }) => {
    await ridden(page);
    await calmed(page);
    const framesOn = async (frames: number) => {
      const soFar = (await seen(page)).length;
      await expect.poll(async () => (await seen(page)).length, { timeout: 30_000 }).toBeGreaterThan(soFar + frames);
    };
    await watch(page);
    // Scrolls to the end, which a lower window moves up.
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await framesOn(5);
    const place = await page.evaluate(() => scrollY);
    await page.setViewportSize({ width: 320, height: 234 });
    await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(place);
    await framesOn(5);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await framesOn(5);
    expect(most(await seen(page), 'pace')).toBe(0);
    expect(most(await seen(page), 'brake')).toBe(0);
  });

  test('R44: a resize while the ride plays paints no empty frame', async ({ page }) => {
    await ridden(page);
    // Observers run in the order of their creation: this one sees what the browser then paints.
    await page.evaluate(() => {
      const scene = document.querySelector('canvas') as HTMLCanvasElement;
      const painted: boolean[] = [];
      Object.assign(window, { painted });
      new ResizeObserver(() => {
        const { width, height } = scene;
        const copy = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
        copy.drawImage(scene, 0, 0);
        const { data } = copy.getImageData(0, 0, width, height);
        painted.push(data.some((value, at) => at % 4 !== 3 && value > 0));
      }).observe(scene);
    });
    await page.setViewportSize({ width: 360, height: 240 });
    const painted = () => page.evaluate(() => (window as unknown as { painted: boolean[] }).painted);
    await expect.poll(async () => (await painted()).length, { timeout: 30_000 }).toBeGreaterThan(1);
    expect((await painted()).slice(1)).not.toContain(false);
  });

  test('the joining follows the frame loop and ends; a resize does not disturb it', async ({ page }) => {
    await join(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(1);
    await page.setViewportSize({ width: 360, height: 240 });
    const soFar = (await asked(page)).length;
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(soFar);
    const times = await asked(page);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // In one task, so that no frame comes between them.
    await page.evaluate(() => {
      const looking = window as unknown as Looking;
      looking.endAt = 0;
      looking.asked.splice(0);
    });
    await expect.poll(async () => (await asked(page)).length).toBe(1);
    // After the end frames continue, but the joining is no longer called.
    await expectNoJoining(page);
  });

  test('covered, after a page change and Back, and after a context loss the ride is at rest, no light joins', async ({
    page,
  }) => {
    await ridden(page);
    await fling(page);
    await page.evaluate(() => scrollTo({ top: innerHeight * 1.5, behavior: 'instant' }));
    await calmed(page);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await ridden(page);
    await join(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(0);
    await followLink(page, '/privacy-policy/');
    await expect(canvas(page)).toHaveCount(0);
    expect(await reaction(page)).toEqual(AT_REST);
    await page.goBack();
    await expect(canvas(page)).toBeAttached();
    await expectNoJoining(page);
    await ridden(page);

    await join(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(0);
    const extension = await page.evaluateHandle(() =>
      document.querySelector('canvas')?.getContext('webgl2')?.getExtension('WEBGL_lose_context'),
    );
    await extension.evaluate((lose) => lose?.loseContext());
    await expect(canvas(page)).not.toHaveAttribute('data-drawn');
    await expect(canvas(page)).toHaveCSS('opacity', '0');
    await expect(page.locator('[data-scene] img')).toBeVisible();
    expect(await reaction(page)).toEqual(AT_REST);
    await extension.evaluate((lose) => lose?.restoreContext());
    await expectScene(page);
    await expectNoJoining(page);
    await ridden(page);
  });

  test('asking for calm at speed and during a joining stops both at once, and calm starts neither', async ({
    page,
  }) => {
    // Reading the size draws the canvas again without advancing time.
    const pixels = () =>
      page.evaluate(() => {
        const scene = document.querySelector('canvas') as HTMLCanvasElement;
        const copy = new OffscreenCanvas(scene.width, scene.height).getContext(
          '2d',
        ) as OffscreenCanvasRenderingContext2D;
        (window as unknown as Looking).ride.resize();
        copy.drawImage(scene, 0, 0);
        return [...copy.getImageData(0, 0, scene.width, scene.height).data];
      });
    await ridden(page);
    await join(page);
    await fling(page);
    await expect.poll(async () => (await asked(page)).length).toBeGreaterThan(1);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => reaction(page)).toEqual(AT_REST);
    const calm = await pixels();
    // A joining that has already ended leaves the same picture.
    await page.evaluate(() => (window as unknown as Looking).ride.settle());
    expect(await pixels()).toEqual(calm);
    await watch(page);
    await page.mouse.move(304, 60);
    await join(page);
    await fling(page);
    for (const one of await seen(page)) expect(one).toEqual(AT_REST);
    expect(await asked(page)).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expectNoJoining(page);
  });

  test('the lamp is a red light on the machine and on the road behind it, at every hour', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const progress of [0, 0.5, 1]) {
      /** Red, green and blue that the lamp adds to the picture, as sums. */
      const added = await page.evaluate(
        ({ progress, rest }) => {
          const { ride } = window as unknown as Looking;
          const pixels = (brake: number) => {
            ride.still({ width: 320, height: 200, seconds: 20, progress, reaction: { ...rest, brake } });
            const scene = document.querySelector('canvas') as HTMLCanvasElement;
            const copy = new OffscreenCanvas(320, 200).getContext('2d') as OffscreenCanvasRenderingContext2D;
            copy.drawImage(scene, 0, 0);
            return copy.getImageData(0, 0, 320, 200).data;
          };
          const dark = pixels(0);
          return pixels(1).reduce(
            (sum, value, i) => {
              sum[i % 4] = (sum[i % 4] ?? 0) + value - (dark[i] ?? 0);
              return sum;
            },
            [0, 0, 0, 0],
          );
        },
        { progress, rest: AT_REST },
      );
      const [red = 0, green = 0, blue = 0] = added;
      expect(red, `at ${progress}`).toBeGreaterThan(2_000);
      expect(red, `at ${progress}`).toBeGreaterThan(3 * Math.max(Math.abs(green), Math.abs(blue)));
    }
  });
});
