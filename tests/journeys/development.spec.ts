import { startDevelopment } from '../support/development.ts';
import { expect, hydrated, test } from './test.ts';

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
    page.on('console', (message) => said.push(message.text()));
    const answer = await page.goto(`${url}/`);
    expect(answer?.status()).toBe(200);
    await hydrated(page);
    await expect.poll(() => said.filter((text) => text.startsWith('Analytics'))).toHaveLength(1);
    expect(said.find((text) => text.startsWith('Analytics'))).toContain('ad blocker');
    expect(watched).toEqual([]);
  } finally {
    await stop();
  }
});
