import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from './browser.ts';
import { forgetSite, installPlugin, phpValue, setOption, setSite, withOption, wordpress } from './wordpress.ts';

/** Pillion → Look, where editors change colours. A must-use plugin answers in place of the site. */
const SCREEN = '/wp-admin/admin.php?page=pillion-look';
const FIELD = 'look[color.dark.text]';
const SITE = `add_filter( 'pre_http_request', static function ( $answer, $sent, $url ) {
  if ( false === strpos( $url, 'look.example' ) ) { return $answer; }
  if ( get_option( 'look_site_is_down' ) ) { return new WP_Error( 'http_request_failed', 'no server' ); }
  return array( 'headers' => array(), 'body' => '{"ok":true,"editable":[{"path":"color.dark.text","kind":"color","value":"#ffffff"}],"problems":[]}', 'response' => array( 'code' => 200, 'message' => 'OK' ), 'cookies' => array() );
}, 10, 3 );`;

const stored = () => phpValue<unknown>(`return get_option( 'pillion_look' );`);
const saved = (color: string, at: number) =>
  `array( 'values' => array( 'color.dark.text' => '${color}' ), 'at' => ${at}, 'user' => 1 )`;
const LOOKS = `array( ${saved('#dddddd', 200)}, ${saved('#cccccc', 100)} )`;

beforeAll(() => installPlugin(SITE));
beforeAll(() => void setSite('https://look.example', `whsec_${Buffer.alloc(32, 7).toString('base64')}`));
afterAll(() => void forgetSite());

test('a save after a login in another tab stores nothing and keeps the values; the next save stores them', async () => {
  setOption('pillion_look', LOOKS);
  const before = stored();
  const { url } = wordpress();
  const { fields } = await (await login()).page(SCREEN);
  // Nonces belong to a session, so those of the open screen are invalid after another login.
  const browser = await login();
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: url }] as Record<string, string>[]) {
    const again = await browser.submit(SCREEN, fields, { [FIELD]: '#eeeeee' }, headers);
    expect(again.status).toBe(200);
    expect(again.html).toMatch(/role="alert"><p>The look is not saved because .* Press Save again\.</);
    expect(again.fields.get(FIELD)).toBe('#eeeeee');
    expect(stored()).toEqual(before);
  }
  const again = await browser.submit(SCREEN, fields, { [FIELD]: '#eeeeee' }, { origin: url });
  const done = await browser.submit(SCREEN, again.fields, {});
  expect(done.html).toContain('Saved.');
  expect(stored()).toMatchObject([{ values: { 'color.dark.text': '#eeeeee' } }, {}, {}]);
});

test('an earlier look chosen after another login is shown in the form, and stored with the next save', async () => {
  setOption('pillion_look', LOOKS);
  const { fields } = await (await login()).page(SCREEN);
  const browser = await login();
  const again = await browser.submit(SCREEN, fields, { earlier: '100' }, { 'sec-fetch-site': 'same-origin' });
  expect(again.html).toContain('Press Save again');
  expect(again.fields.get(FIELD)).toBe('#cccccc');
  expect(stored()).toMatchObject([{ at: 200 }, { at: 100 }]);
  await browser.submit(SCREEN, again.fields, {});
  expect(stored()).toMatchObject([{ values: { 'color.dark.text': '#cccccc' } }, { at: 200 }, { at: 100 }]);
});

test('the second save still names another user’s look that was saved since the screen was opened', async () => {
  setOption('pillion_look', LOOKS);
  const browser = await login();
  const { fields } = await browser.page(SCREEN);
  const late = { [FIELD]: '#eeeeee', _wpnonce: 'stale', version: 'of yesterday' };
  const again = await browser.submit(SCREEN, fields, late, { 'sec-fetch-site': 'same-origin' });
  const refused = await browser.submit(SCREEN, again.fields, {});
  expect(refused.html).toContain('has saved another look');
  expect(refused.fields.get(FIELD)).toBe('#eeeeee');
  expect(stored()).toMatchObject([{ at: 200 }, { at: 100 }]);
  await browser.submit(SCREEN, refused.fields, {});
  expect(stored()).toMatchObject([{ values: { 'color.dark.text': '#eeeeee' } }, { at: 200 }, { at: 100 }]);
});

test('a save while the site does not respond keeps the values; the next save stores them', async () => {
  setOption('pillion_look', LOOKS);
  const browser = await login();
  const { fields } = await browser.page(SCREEN);
  const kept = await withOption('look_site_is_down', '1', () => browser.submit(SCREEN, fields, { [FIELD]: '#eeeeee' }));
  expect(kept.html).toContain('Nothing was saved, because the site could not check the look.');
  expect(kept.html).toContain('Your values are still here.');
  expect(stored()).toMatchObject([{ at: 200 }, { at: 100 }]);
  const done = await browser.submit(SCREEN, kept.fields, {});
  expect(done.html).toContain('Saved.');
  expect(stored()).toMatchObject([{ values: { 'color.dark.text': '#eeeeee' } }, {}, {}]);
});

test('a save after a refused value still names another user’s look that was saved since', async () => {
  setOption('pillion_look', LOOKS);
  const browser = await login();
  const { fields } = await browser.page(SCREEN);
  const refused = await browser.submit(SCREEN, fields, { [FIELD]: 'blue', version: 'of yesterday' });
  expect(refused.html).toContain('“blue” is not a colour');
  const again = await browser.submit(SCREEN, refused.fields, { [FIELD]: '#eeeeee' });
  expect(again.html).toContain('has saved another look');
  expect(stored()).toMatchObject([{ at: 200 }, { at: 100 }]);
});
