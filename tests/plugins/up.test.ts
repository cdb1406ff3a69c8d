import { afterAll, beforeAll, expect, test } from 'vitest';
import { rest } from '../contract/wordpress.ts';
import { owned, type PluginSite, startPluginSite, switchRestApiOn } from './site.ts';

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

test.skipIf(!owned.gravityforms)('Gravity Forms accepts the key only once its REST API is on', async () => {
  const form = site.phpValue<number>(`return GFAPI::add_form( array( 'title' => 'Trial', 'fields' => array() ) );`);
  // The key can read single forms, but not the list.
  const answer = async () => (await rest(`gf/v2/forms/${form}`, { site: site.wordpress })).status;
  expect(await answer()).toBe(404);
  switchRestApiOn(site);
  expect(await answer()).toBe(200);
});

test('a mail is stored for the test and not sent', () => {
  site.forgetMails();
  site.php(`wp_mail( 'desk@example.org', 'Hello', "One\\nTwo" );`);
  expect(site.mails()).toMatchObject([{ to: 'desk@example.org', subject: 'Hello', message: 'One\nTwo' }]);
  site.forgetMails();
  expect(site.mails()).toEqual([]);
});
