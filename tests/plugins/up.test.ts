import { afterAll, beforeAll, expect, test } from 'vitest';
import { owned, type PluginSite, startPluginSite } from './site.ts';

const names = (['gravityforms', 'acf', 'yoast', 'polylang'] as const).filter((name) => owned[name]);

let site: PluginSite;
beforeAll(async () => {
  site = await startPluginSite({ plugins: [] });
});
afterAll(() => site?.stop());

test.each(names)('%s starts next to those before it', (name) => {
  site.activate(name);
  expect(site.versions[name]).toBe(owned[name]?.version);
});

test('Pillion is ready with all plugins', async () => {
  const pillion = await site.startPillion();
  expect((await fetch(`${pillion.url}/readyz`)).status).toBe(200);
  expect((await fetch(pillion.url)).status).toBe(200);
});
