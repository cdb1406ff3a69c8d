import { fulfillSteadyTrack, probeAudio, readContextState, readLevel, TRACK } from '../support/audio-probe.ts';
import { openHideableBrowser } from '../support/hidden-tab.ts';
import { expect, test, waitForScript } from './test.ts';

// A recorded page is never hidden.
test.use({ trace: 'off' });

test('R37: a hidden tab is silent at once, and at full volume again when visible and not muted @lean', async ({
  site,
}) => {
  const { context, page, hide, show, close } = await openHideableBrowser();
  const toggle = page.getByRole('contentinfo').locator('button[data-sound]');
  const reaches = (volume: number) => expect.poll(() => readLevel(page), { intervals: [50] }).toBeCloseTo(volume, 3);
  try {
    await probeAudio(context);
    await context.route(TRACK, fulfillSteadyTrack);
    await page.goto(site.url);
    await waitForScript(page);
    await page.mouse.click(500, 450);
    await reaches(1);
    // The volume during the event, before any timer.
    await page.evaluate(() => {
      const atOnce = new Promise<number | undefined>((resolve) => {
        const { gains } = (globalThis as never as { probe: { gains: GainNode[] } }).probe;
        document.addEventListener('visibilitychange', () => resolve(gains[0]?.gain.value), { once: true });
      });
      Object.assign(window, { atOnce });
    });
    await hide();
    expect(await page.evaluate(() => (window as never as { atOnce: Promise<number> }).atOnce)).toBe(0);
    await reaches(0);
    await expect.poll(() => readContextState(page)).toBe('suspended');
    await show();
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await reaches(1);
    await toggle.click();
    await reaches(0);
    await hide();
    await show();
    await toggle.hover();
    expect(await readLevel(page)).toBe(0);
    await expect(toggle).toHaveAttribute('aria-pressed', 'false');
  } finally {
    await close();
  }
});
