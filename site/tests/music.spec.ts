import { loopOf, loudness, probeAudio } from '@pillion/tests/audio-probe.ts';
import { startSoundCard } from '@pillion/tests/sound-card.ts';
import { test as base, expect, visit } from './test.ts';

const test = base.extend<object, { soundCard: string }>({
  launchOptions: [
    async ({ launchOptions, browserName }, use) => {
      if (browserName !== 'firefox') return use(launchOptions);
      const card = await startSoundCard();
      await use({ ...launchOptions, env: { ...(process.env as Record<string, string>), ...card.env } });
      await card.stop();
    },
    { scope: 'worker' },
  ],
  page: async ({ page }, use) => {
    await probeAudio(page);
    await use(page);
  },
});

test('R35: the demo’s music is audible, and its loop has no seam @firefox', async ({ page }) => {
  await visit(page, '/');
  await page.mouse.click(500, 450);
  await expect.poll(() => loudness(page)).toBeGreaterThan(0.01);
  const loop = await loopOf(page);
  expect(loop?.start).toBeCloseTo(0.25, 3);
  expect(loop?.end).toBeCloseTo(48.25, 3);
  const seam = await page.evaluate(async ({ start, end }) => {
    const answer = await fetch('/media/last-light.mp3');
    const context = new OfflineAudioContext(1, 44_100, 44_100);
    const buffer = await context.decodeAudioData(await answer.arrayBuffer());
    // From 0.5 s before the loop's end to 0.5 s after it.
    const source = new AudioBufferSourceNode(context, { buffer, loop: true, loopStart: start, loopEnd: end });
    source.connect(context.destination);
    source.start(0, end - 0.5);
    const played = (await context.startRendering()).getChannelData(0);
    // The file continues after the loop: this is the sound without a jump back.
    const straight = new OfflineAudioContext(1, 44_100, 44_100);
    const other = new AudioBufferSourceNode(straight, { buffer });
    other.connect(straight.destination);
    other.start(0, end - 0.5);
    const meant = (await straight.startRendering()).getChannelData(0);
    const turn = 22_050;
    let error = 0;
    let power = 0;
    for (let at = turn; at < turn + 11_025; at++) {
      error += ((played[at] ?? 0) - (meant[at] ?? 0)) ** 2;
      power += (meant[at] ?? 0) ** 2;
    }
    const step = (at: number) => Math.abs((played[at] ?? 0) - (played[at - 1] ?? 0));
    const steps = Array.from({ length: 20_000 }, (_, index) => step(index + 1));
    const atTurn = Math.max(step(turn - 1), step(turn), step(turn + 1));
    return { errorDb: 10 * Math.log10(error / power), atTurn, usual: Math.max(...steps) };
  }, loop ?? { start: 0, end: 0 });
  expect(seam.errorDb, 'how far it differs from music that goes on').toBeLessThan(-20);
  expect(seam.atTurn).toBeLessThanOrEqual(seam.usual);
});
