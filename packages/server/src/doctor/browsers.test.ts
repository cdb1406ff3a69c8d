import { createServer } from 'node:http';
import { listen } from '@pillion/lib/testing/listen.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { BROWSERS } from './browsers.ts';
import type { Probe } from './probe.ts';

test('the doctor says how many visitors were refused something since when, and ignores a few', async () => {
  const today = new Date();
  today.setHours(14, 2, 0, 0);
  const metrics = createMetrics(() => today.getTime());
  const { port, close } = await listen(createServer(async (_, response) => response.end(await metrics.render())));
  onTestFinished(close);
  // The public address answers nothing, so the doctor reads the server's own.
  const ask = (at = port, host = '0.0.0.0') =>
    BROWSERS.ask({ config: { siteUrl: 'http://127.0.0.1:1', host, port: at } } as unknown as Probe);
  const kind = { type: 'csp-violation', blocked: 'elsewhere', route: 'page' };
  expect(await ask()).toMatchObject([{ state: 'ok', says: expect.stringContaining('No browser') }]);
  for (let visitor = 0; visitor < 4; visitor++) metrics.reported({ ...kind, directive: 'script-src-elem' });
  expect(await ask()).toMatchObject([{ state: 'ok', says: '4 visitors were refused a script since 14:02 (page).' }]);
  for (const route of ['page', 'search', 'search']) metrics.reported({ ...kind, route, directive: 'script-src' });
  metrics.reported({ ...kind, directive: 'frame-ancestors' });
  metrics.reported({ type: 'error', directive: '', blocked: '', route: 'page' });
  expect(await ask()).toMatchObject([
    { state: 'warning', says: '7 visitors were refused a script since 14:02 (page, search).' },
    { state: 'ok', says: '1 visitor had an error of the site’s script since 14:02 (page).' },
  ]);
  expect(await ask(1)).toMatchObject([{ state: 'unasked' }]);
  // The same server at an IPv6 address.
  expect(await ask(port, '::ffff:127.0.0.1')).toEqual(await ask());
});
