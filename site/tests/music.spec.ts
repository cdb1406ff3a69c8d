import { probeAudio, readLoop, readLoudness } from '@pillion/tests/audio-probe.ts';
import { withSoundCard } from '@pillion/tests/sound-card.ts';
import { test as base, expect, visitPage } from './test.ts';

const test = base.extend({
  launchOptions: [withSoundCard, { scope: 'worker' }],
  page: async ({ page }, use) => {
    await probeAudio(page);
    await use(page);
  },
});

test('R35: the demo’s music is audible, and loops from the end of its piece to the beginning @firefox', async ({
  page,
}) => {
  await visitPage(page, '/');
  await page.mouse.click(500, 450);
  await expect.poll(() => readLoudness(page)).toBeGreaterThan(0.01);
  const loop = await readLoop(page);
  expect(loop?.start).toBeCloseTo(0.25, 3);
  expect(loop?.end).toBeCloseTo(48.25, 3);
});
