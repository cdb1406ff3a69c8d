import { startDevelopment } from '../support/development.ts';
import { expect, test } from './test.ts';

test('R48: in development the page loads from its sources, and a blocked script names ad blockers @lean', async ({
  page,
  watched,
}) => {
  // Vite compiles on request.
  test.slow();
  const { url, stop } = await startDevelopment({ ANALYTICS_SCRIPT: '/insights/script.js' });
  try {
    await page.route('**/insights/script.js', (route) => route.abort('blockedbyclient'));
    const said: string[] = [];
    // Vite reloads the page when it finds a dependency that it has not bundled.
    page.on('framenavigated', () => said.splice(0));
    page.on('console', (message) => said.push(message.text()));
    const answer = await page.goto(`${url}/`);
    expect(answer?.status()).toBe(200);
    await expect(page.locator('html')).toHaveAttribute('data-stage', 'playing', { timeout: 120_000 });
    await expect.poll(() => said.filter((text) => text.startsWith('Analytics'))).toHaveLength(1);
    expect(said.find((text) => text.startsWith('Analytics'))).toContain('ad blocker');
    expect(watched).toEqual([]);
  } finally {
    // A page whose server stops while it fetches a module logs an error.
    await page.close();
    await stop();
  }
});
