import type { Page } from '@playwright/test';
import { expect, hydrated, test } from './test.ts';

/** Where a text stands: its first words, how many lines it takes, where its first line begins and how wide its longest is. */
interface Placed {
  text: string;
  lines: number;
  top: number;
  width: number;
}

/** Every text of the page, in CSS pixels from the top of the document. */
const placedTexts = (page: Page): Promise<Placed[]> =>
  page.evaluate(() => {
    const blocks = document.querySelectorAll<HTMLElement>(
      'h1, h2, h3, p, li, dt, dd, label, legend, main a, main button, header a, footer a',
    );
    // What holds other texts would count them again.
    const innermost = [...blocks].filter(
      (block) => ![...blocks].some((other) => other !== block && block.contains(other)),
    );
    return innermost.flatMap((block) => {
      // What is folded away has boxes as soon as the browser has got round to laying it out; nobody sees them.
      if (!block.checkVisibility()) return [];
      const range = document.createRange();
      range.selectNodeContents(block);
      // A turned word is set larger, so the boxes on one line begin at different heights: lines are told by their middle.
      const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      const middles = boxes.map(({ top, height }) => top + height / 2).sort((a, b) => a - b);
      const lines = middles.filter((middle, at) => at === 0 || middle - (middles[at - 1] ?? 0) > 8).length;
      const { top } = block.getBoundingClientRect();
      const right = Math.max(...boxes.map((box) => box.right));
      const left = Math.min(...boxes.map((box) => box.left));
      const text = (block.textContent ?? '').trim().slice(0, 40);
      return boxes.length && text ? [{ text, lines, top: Math.round(top + scrollY), width: right - left }] : [];
    });
  });

const fontsLoaded = (page: Page) =>
  page.evaluate(() => {
    const own = [...document.fonts].filter(({ family }) => !/Fallback/.test(family)).map(({ status }) => status);
    return own.includes('loaded') && !own.includes('loading');
  });

/** Everything that the page moved by itself, as browsers count it (CLS), of whatever size. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });

/** Opens a page whose typefaces stay on their way until they are let through. */
async function visitWithoutType(page: Page, path: string): Promise<() => void> {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/*.woff2', async (route) => {
    await held;
    await route.continue();
  });
  // Nothing slides in, so that what moves has moved for the type.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(path, { waitUntil: 'commit' });
  await hydrated(page);
  // The loader says the headline a second time until it has gone.
  await expect(page.locator('[data-loader]')).toHaveCount(0);
  return letThrough;
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
  [320, 640],
] as const)
  for (const path of ['/', '/ferry-log/', '/privacy-policy/', '/no-such-page/'])
    test(`nothing that is seen moves when the typefaces come: ${path} at ${width}${path === '/' && width === 390 ? ' @lean' : ''}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height });
      await watchShifts(page);
      const letThrough = await visitWithoutType(page, path);
      expect(await fontsLoaded(page)).toBe(false);
      const before = await placedTexts(page);
      expect(before.length).toBeGreaterThan(5);
      letThrough();
      await expect.poll(() => fontsLoaded(page)).toBe(true);
      const after = await placedTexts(page);
      expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
      const brokenAnew = after.filter(({ lines }, at) => lines !== before[at]?.lines);
      // A stand-in is right for the mean word, so now and then one line of a long text ends a word sooner or later.
      expect(brokenAnew.map(({ text }) => text).slice(1)).toEqual([]);
      const inFirstScreen = (texts: Placed[]) =>
        texts.filter(({ top }) => top < height).map(({ text, lines, top }) => ({ text, lines, top }));
      expect(inFirstScreen(after)).toEqual(inFirstScreen(before));
      const widths = after.map((text, at) => text.width / (before[at]?.width ?? 0) - 1);
      test.info().annotations.push({
        type: 'widths, stand-in against typeface',
        description: `${(100 * Math.min(...widths)).toFixed(1)} … ${(100 * Math.max(...widths)).toFixed(1)} %`,
      });
      const shifts = await page.evaluate(() => (window as never as { shifts: number[] }).shifts);
      // A link at the edge that is wider by four pixels counts 0.000005; 0.1 is what is called poor.
      expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.0001);
    });
