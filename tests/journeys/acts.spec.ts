import { tooFaint } from '@pillion/site-tests/text-contrast.mjs';
import { getActs, getBackdrop, getPassage, scrollToActs, visitActs } from '../support/acts.ts';
import { waitForPaint } from '../support/driven-time.ts';
import { measureColour } from '../support/png.ts';
import { expect, test, visitPage } from './test.ts';

/** The worst picture for each palette: bright under light words, dark under dark words. */
const WORST = [
  { words: 'dark', palette: {}, picture: 'rgb(12 9 6)' },
  {
    words: 'light',
    palette: { '--text': '#fff', '--accent-2': '#fff', '--background': '#111', '--veil': '0 0 0' },
    picture: 'rgb(250 234 194)',
  },
];

for (const [windows, tags, ...sizes] of [
  ['a phone', ' @firefox @timelines @lean', [390, 844]],
  ['large and very small windows', '', [1440, 900], [320, 480]],
] as const)
  test(`WCAG 1.4.3: on ${windows} an act’s text has contrast on any picture and palette${tags}`, async ({
    page,
    context,
    watched,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const [[width, height]] = sizes;
    await page.setViewportSize({ width, height });
    await visitPage(page, '/');
    const blank = await context.newPage();
    const seen: string[] = [];
    for (const { words, palette, picture, size } of WORST.flatMap((worst) =>
      sizes.map((size) => ({ ...worst, size })),
    )) {
      const [width, height] = size;
      await page.setViewportSize({ width, height });
      for (const act of await getActs(page).all()) {
        await act.evaluate(
          (act, { palette, picture }) => {
            const ground = act.closest<HTMLElement>('[data-tone]');
            for (const [name, value] of Object.entries(palette)) ground?.style.setProperty(name, value);
            const [backdrop] = act.children as unknown as HTMLElement[];
            backdrop?.replaceChildren();
            if (backdrop) backdrop.style.background = picture;
            act.scrollIntoView({ block: 'start', behavior: 'instant' });
          },
          { palette, picture },
        );
        await expect(act.getByRole('heading')).toBeInViewport();
        const own = await act.locator('> div').last().locator('> *').allTextContents();
        expect(own.length).toBeGreaterThan(1);
        const faint = await tooFaint(page, blank);
        seen.push(
          ...faint
            .filter((text) => own.some((line) => text.includes(line.slice(0, 20))))
            .map((text) => `${words} words at ${width} px: ${text}`),
        );
      }
    }
    expect(seen).toEqual([]);
    // For a screenshot the driver hides the caret with a style that Firefox checks against our policy.
    watched.length = 0;
  });

test.describe('the acts', () => {
  test('the acts have their texts in order, and one dissolves into the next, each with its picture in place', async ({
    page,
  }) => {
    await visitActs(page);
    await expect(getActs(page)).toHaveText([/^08:41Morning/, /^12:06Noon/, /^20:38Evening/]);
    /** Where the opaque part of an act's picture ends, as a share of the window, and how far its picture is from its place. */
    const edge = (act: number) =>
      getBackdrop(page, act).evaluate((node) => {
        const { top, height } = node.getBoundingClientRect();
        return (top + height * 0.8) / innerHeight;
      });
    const astray = (act: number) =>
      getBackdrop(page, act)
        .locator('img')
        .evaluate((image) => {
          const { top, height } = image.getBoundingClientRect();
          return Math.max(Math.abs(top), Math.abs(height - innerHeight));
        });
    await scrollToActs(page, 0.02);
    await expect.poll(() => edge(1)).toBeLessThan(0);
    await scrollToActs(page, 0.25);
    await expect.poll(() => edge(1)).toBeGreaterThan(0.1);
    expect(await edge(1)).toBeLessThan(0.95);
    // The picture does not move with the mask that uncovers it.
    expect(await astray(1)).toBeLessThan(1);
    await scrollToActs(page, 0.5);
    await expect.poll(() => edge(1)).toBeCloseTo(1, 2);
    expect(await edge(2)).toBeLessThan(0.3);
  });

  test('the edge of a picture between two pixels shows no bright line', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visitActs(page);
    const top = await getPassage(page).evaluate((section) => section.getBoundingClientRect().top + scrollY);
    for (const part of [0.2, 0.4, 0.6, 0.8]) {
      await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), Math.floor(top) - 500 + part);
      await waitForPaint(page);
      const y = await getPassage(page).evaluate((section) => Math.floor(section.getBoundingClientRect().top));
      const light = async (at: number) => {
        const clip = { x: 250, y: at, width: 120, height: 1 };
        const { red, green, blue } = await measureColour(await page.screenshot({ clip }));
        return red + green + blue;
      };
      const [above, on, below] = [await light(y - 6), await light(y), await light(y + 6)];
      expect(on, `${part} of a pixel`).toBeLessThan(Math.max(above, below) + 20);
    }
  });
});

test('calm: the acts are stills one below the other, each in a separate window @phone', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await visitPage(page, '/');
  const places = await getActs(page).evaluateAll((acts) =>
    acts.map((act) => {
      const own = act.getBoundingClientRect();
      const picture = act.querySelector('img')?.getBoundingClientRect();
      return [own.top - (picture?.top ?? 0), own.height - (picture?.height ?? 0), own.height - innerHeight].map(
        Math.round,
      );
    }),
  );
  expect(places).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(await getBackdrop(page, 1).evaluate((node) => node.getAnimations().length)).toBe(0);
});
