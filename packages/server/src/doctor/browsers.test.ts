import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { BROWSERS } from './browsers.ts';
import type { Probe } from './probe.ts';

test('the doctor says how many visitors were refused something since when, and ignores a few', async () => {
  const today = new Date();
  today.setHours(14, 2, 0, 0);
  const metrics = createMetrics(() => today.getTime());
  const server = createServer(async (_, response) => response.end(await metrics.render()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // The public address answers nothing, so the doctor reads the server's own.
  const ask = (at = port) =>
    BROWSERS.ask({ config: { siteUrl: 'http://127.0.0.1:1', host: '0.0.0.0', port: at } } as unknown as Probe);
  const kind = { type: 'csp-violation', blocked: 'elsewhere', route: 'page' };
  try {
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
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
