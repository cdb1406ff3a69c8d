import type { Page } from '@playwright/test';
import type { Reaction } from '../scene/reaction.ts';
import { expect, follow, hydrated, test } from './test.ts';

/** The handle of the forced scene, and its reaction recorded per frame. */
interface Looking {
  ride: {
    reaction(): Reaction;
    still(still: object): void;
  };
  seen: Reaction[];
}

const AT_REST: Reaction = { pace: 0, was: 0, brake: 0, aside: 0, swerve: 0 };

const canvas = (page: Page) => page.locator('[data-scene] canvas');
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

/** A small window, because the processor draws here. */
test.describe('the ride reacts', () => {
  test.use({ viewport: { width: 320, height: 240 } });
  test.setTimeout(180_000);

  test.beforeEach(async ({ startOwnSite, page }) => {
    const { url } = await startOwnSite({ DEBUG: 'true' });
    await page.goto(`${url}/?scene=force`);
    await hydrated(page);
    await expect(canvas(page)).toHaveAttribute('data-drawn', '', { timeout: 90_000 });
  });

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

  test('after being covered, and after a page change and Back, the ride starts at rest', async ({ page }) => {
    await ridden(page);
    await fling(page);
    await page.evaluate(() => scrollTo({ top: innerHeight * 1.5, behavior: 'instant' }));
    await calmed(page);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await ridden(page);
    await follow(page, '/privacy-policy/');
    await expect(canvas(page)).toHaveCount(0);
    expect(await reaction(page)).toEqual(AT_REST);
    await page.goBack();
    await expect(canvas(page)).toBeAttached();
    await calmed(page);
    await ridden(page);
  });

  test('after a context loss at speed the ride returns at rest', async ({ page }) => {
    await ridden(page);
    await fling(page);
    await page.evaluate(() => {
      const gl = (document.querySelector('canvas') as HTMLCanvasElement).getContext('webgl2');
      const extension = gl?.getExtension('WEBGL_lose_context');
      Object.assign(window, { extension });
      extension?.loseContext();
    });
    await expect(canvas(page)).not.toHaveAttribute('data-drawn');
    expect(await reaction(page)).toEqual(AT_REST);
    await page.evaluate(() => (window as unknown as { extension: WEBGL_lose_context }).extension.restoreContext());
    await expect(canvas(page)).toHaveAttribute('data-drawn', '', { timeout: 90_000 });
    await ridden(page);
  });

  test('with calm there is no reaction, and asking for calm at speed stops it at once', async ({ page }) => {
    await ridden(page);
    await fling(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => reaction(page)).toEqual(AT_REST);
    await watch(page);
    await page.mouse.move(304, 60);
    await fling(page);
    for (const one of await seen(page)) expect(one).toEqual(AT_REST);
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
