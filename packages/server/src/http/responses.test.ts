import { expect, test } from 'vitest';
import { jsonResponse } from './responses.ts';

const answer = (status: number) => jsonResponse(new Request('http://site.test/'), {}, status);

test('R29: browsers revalidate every time, proxies cache for 5 s, CDNs may refresh in the background', async () => {
  const { headers } = await answer(200);
  expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=5, stale-if-error=86400');
  expect(headers.get('cdn-cache-control')).toContain('stale-while-revalidate=30');
});

test('errors and redirects of the page endpoint are not cached, and 503 has Retry-After', async () => {
  for (const status of [301, 422, 500, 503]) {
    const { headers } = await answer(status);
    expect(headers.get('cache-control'), String(status)).toBe('no-store');
    expect(headers.has('cdn-cache-control'), String(status)).toBe(false);
  }
  expect((await answer(503)).headers.get('retry-after')).toBe('10');
});
