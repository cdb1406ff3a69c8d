import { openHideableBrowser } from '@pillion/tests/hidden-tab.ts';
import { expect, hydrated, test } from './test.ts';

// Recording a page prevents it from being hidden.
test.use({ trace: 'off' });

/** Times of the frames since the beginning, in milliseconds. */
interface Asked {
  asked: number[];
}

test('a tab hidden during the joining draws nothing, and continues at the same point', async ({ startOwnSite }) => {
  test.setTimeout(180_000);
  const site = await startOwnSite({ DEBUG: 'true' });
  // A small window, because the processor draws here.
  const { page, hide, show, close } = await openHideableBrowser('500,400');
  const asked = () => page.evaluate(() => [...(window as unknown as Asked).asked]);
  try {
    await page.goto(`${site.url}/?scene=force`);
    await hydrated(page);
    await expect(page.locator('[data-scene] canvas')).toHaveAttribute('data-drawn', '', { timeout: 90_000 });
    await page.evaluate(() => {
      const looking = Object.assign(window as unknown as Asked, { asked: [] });
      const detail = (ms: number) => {
        looking.asked.push(ms);
        return { lift: 0.5, flown: 0.5, climbed: 0.5, flare: 2 };
      };
      dispatchEvent(new CustomEvent('pillion:join', { detail }));
    });
    await expect.poll(async () => (await asked()).length).toBeGreaterThan(2);
    await hide();
    const soFar = await asked();
    // Frames would have come before this timer, so the value must not have changed.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    expect(await asked()).toEqual(soFar);
    await show();
    await expect.poll(async () => (await asked()).length).toBeGreaterThan(soFar.length);
    const [before, after] = [soFar.at(-1) ?? 0, (await asked())[soFar.length] ?? 0];
    // At least one frame, at most the longest step of the loop.
    expect(after - before).toBeGreaterThan(0);
    expect(after - before).toBeLessThanOrEqual(100);
  } finally {
    await close();
  }
});
