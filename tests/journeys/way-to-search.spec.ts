import { expect, test, waitForScript } from './test.ts';

test('R31: at 320 px nothing in the header is cut off, and each control can be pressed @lean', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  await waitForScript(page);
  const boxes = await page
    .getByRole('banner')
    .locator('a')
    .evaluateAll((links) =>
      links
        .filter((link) => link.checkVisibility())
        .map((link) => {
          const { left, right, width, height } = link.getBoundingClientRect();
          const words = link.querySelector('span');
          return { left, right, width, height, cut: words ? words.scrollWidth - words.clientWidth : 0 };
        }),
    );
  expect(boxes).toHaveLength(3);
  for (const [index, { left, right, width, height }] of boxes.entries()) {
    expect(Math.min(width, height), `link ${index}`).toBeGreaterThanOrEqual(24);
    expect(right).toBeLessThanOrEqual(320);
    expect(left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0);
  }
  expect(boxes.at(-1)?.cut).toBeLessThanOrEqual(0);
});
