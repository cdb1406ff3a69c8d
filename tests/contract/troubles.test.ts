import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSignUp, sendSignUp } from '../support/crowd.ts';
import { readSignUps, withStore } from '../support/sign-ups.ts';
import { findFreePort, type RunningSite, startSite } from '../support/site.ts';
import { type Browser, login } from './browser.ts';
import { php, setSite, useOwnWordPress, wordpress } from './wordpress.ts';

/** Failed deliveries of sign-ups, as editors see them in WordPress. */

const WEBHOOK_SECRET = `whsec_${Buffer.from('of the test of what is in trouble').toString('base64')}`;
const LIST = '/wp-admin/edit.php?post_type=pillion_entry';

let site: RunningSite;
let receiver: Server;
/** Status of the destinations' answers. */
let answer = 204;
/** Bodies by path. */
const received: [string | undefined, string][] = [];

useOwnWordPress();
beforeAll(async () => {
  const port = await findFreePort();
  setSite(`http://127.0.0.1:${port}`, WEBHOOK_SECRET);
  const { url, key, secret } = wordpress();
  const content = { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
  receiver = createServer(async (request, response) => {
    received.push([request.url, await text(request)]);
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const sending = { DESTINATION_URL: placeOf(receiver), DESTINATION_SECRET: WEBHOOK_SECRET };
  site = await startSite({ ...content, ...sending, WEBHOOK_SECRET, PORT: String(port) });
});
afterAll(async () => {
  await site?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

const placeOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

/** The form is closed after its page was opened. */
const setActive = (active: string) =>
  php(
    `$forms = get_option( 'pillion_forms' ); $forms[1]['is_active'] = '${active}';
    global $wpdb; $wpdb->update( $wpdb->options, array( 'option_value' => serialize( $forms ) ), array( 'option_name' => 'pillion_forms' ) ); wp_cache_flush();`,
  );

const stateOf = async (id: string) => (await readSignUps(site.dataDirectory, null)).find((row) => row.id === id)?.state;

/** The list of sign-ups with what the site says of them. A screen waits only 3 s for the site. */
const listIn = (browser: Browser) =>
  vi.waitUntil(
    async () => {
      const { html } = await browser.page(LIST);
      return !html.includes('did not say whether sign-ups wait') && html;
    },
    { timeout: 60_000, interval: 500 },
  );

/** Follows the button *Send again* of a reason. */
async function sendAgain(browser: Browser, reason: string): Promise<string> {
  const html = await listIn(browser);
  const [button = ''] = new RegExp(`[^"]*action=pillion_retry[^"]*reason=${reason}[^"]*`).exec(html) ?? [];
  const { pathname, search } = new URL(button.replaceAll('&#038;', '&'));
  return (await browser.page(pathname + search)).html;
}

const copyOf = async (id: string) =>
  withStore(site.dataDirectory, null, async (store) => (await store.copiesFor('environment').get(id))?.state);

test('R30: editors see failed sign-ups with the reason above the list, and can retry them once fixed', async () => {
  const browser = await login();
  const list = () => listIn(browser);
  expect(await list()).not.toContain('was not accepted');
  setActive('');
  answer = 410;
  const id = randomUUID();
  expect((await sendSignUp(site.url, createSignUp(id))).status).toBe(200);
  await expect.poll(() => stateOf(id), { timeout: 240_000, interval: 500 }).toBe('dead');
  await expect.poll(list, { timeout: 60_000, interval: 500 }).toContain('was not accepted');
  const html = await list();
  expect(html).toMatch(/1 sign-up of “[^”]+” was not accepted/);
  expect(html).toContain('The form is inactive, in the trash or deleted');
  expect(html).not.toContain('ada@example.org');
  // This button sends only to the destination.
  answer = 204;
  expect(html).toMatch(
    /The destination “environment” did not accept 1 sign-up of “[^”]+” \(since [^)]+, reason: receiver-gone\)/,
  );
  expect(await sendAgain(browser, 'receiver-gone')).toContain('1 sign-up is being sent again.');
  await expect.poll(() => copyOf(id), { timeout: 60_000 }).toBe('delivered');
  expect(await stateOf(id)).toBe('dead');
  const button = /href="([^"]*action=pillion_retry[^"]*)"/.exec(html)?.[1]?.replaceAll('&#038;', '&') ?? '';
  setActive('1');
  // A link with another nonce does nothing.
  const { pathname, search } = new URL(button);
  expect((await browser.page(pathname + search.replace(/_wpnonce=\w+/, '_wpnonce=0'))).status).toBe(403);
  expect((await browser.page(pathname + search)).html).toContain('1 sign-up is being sent again.');
  await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe('delivered');
  await expect.poll(list, { timeout: 60_000, interval: 500 }).not.toContain('was not accepted');
}, 400_000);

test('a destination that an administrator adds gets the chosen fields, and editors see what it refused', async () => {
  const browser = await login();
  const screen = '/wp-admin/admin.php?page=pillion-destinations';
  const values = {
    name: 'CRM',
    url: `${placeOf(receiver)}crm`,
    purpose: 'none',
    'fields[1][input_1]': '1',
    enabled: '1',
  };
  const added = await browser.submit(screen, (await browser.page(screen)).fields, values);
  expect(added.html).toContain('Saved.');
  await expect.poll(() => site.output(), { timeout: 60_000, interval: 500 }).toMatch(/destinations read.*"count":1/);
  answer = 410;
  expect((await sendSignUp(site.url, createSignUp(randomUUID()))).status).toBe(200);
  const list = () => listIn(browser);
  await expect
    .poll(list, { timeout: 60_000, interval: 500 })
    .toMatch(/The destination “CRM” did not accept 1 sign-up of “[^”]+” \(since [^)]+, reason: receiver-gone\)/);
  const bodies = received.filter(([path]) => path === '/crm').map(([, body]) => JSON.parse(body));
  expect(bodies).toMatchObject([{ type: 'sign_up.stored', data: { fields: { input_1: 'Ada' } } }]);
  answer = 204;
  // The first button is that of the environment's destination.
  expect(await sendAgain(browser, 'receiver-gone')).toContain('1 sign-up is being sent again.');
  await expect.poll(list, { timeout: 60_000, interval: 500 }).toContain('Destination “environment”: 2 sign-ups sent');
  expect(await list()).toContain('Destination “CRM”: 0 sign-ups sent');
  expect(await sendAgain(browser, 'receiver-gone')).toContain('1 sign-up is being sent again.');
  await expect
    .poll(list, { timeout: 60_000, interval: 500 })
    .toMatch(/Destination “CRM”: 1 sign-ups sent, 0 waiting\. Last sent: \w/);
  expect(site.output()).not.toContain('whsec_');
}, 400_000);

test('the list of sign-ups still loads, with a note, when the site does not respond', async () => {
  await site.stop();
  const { status, html } = await (await login()).page(LIST);
  expect(status).toBe(200);
  expect(html).toContain('The site did not say whether sign-ups wait for delivery: No server responds at');
});
