import { NO_SUCH_PAGE } from '../../tests/journeys/test.ts';
import { expect, test, visitPage } from './test.ts';

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the title of an error page is painted on the road, at any width @lean', async ({ page }) => {
    for (const width of [page.viewportSize()?.width ?? 1440, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(NO_SUCH_PAGE);
      const title = page.getByRole('heading', { level: 1, name: '404' });
      await expect(title).toBeInViewport({ ratio: 0.99 });
      const road = page.locator('.error-page-plane');
      await expect(road).not.toHaveCSS('clip-path', 'none');
      const [painted, asphalt] = await Promise.all([title.boundingBox(), road.boundingBox()]);
      expect(painted && asphalt && painted.y > asphalt.y).toBe(true);
    }
  });
});

test('the road moves with transforms only, and is still with reduced motion @lean', async ({ page }) => {
  const moved = () =>
    page.locator('.error-page').evaluate((shown) =>
      shown
        .getAnimations({ subtree: true })
        .filter(({ playState }) => playState === 'running')
        .flatMap(({ effect }) =>
          (effect as KeyframeEffect)
            .getKeyframes()
            .flatMap(({ offset: _, easing: __, composite: ___, computedOffset: ____, ...rest }) => Object.keys(rest)),
        ),
    );
  await visitPage(page, NO_SUCH_PAGE);
  expect(new Set(await moved())).toEqual(new Set(['transform']));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moved()).toEqual([]);
});

test('in forced colours the error page is plain text @lean', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await visitPage(page, NO_SUCH_PAGE);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('transform', 'none');
  await expect(page.locator('.error-page-plane')).toBeHidden();
});
