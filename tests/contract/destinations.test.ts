import { afterAll, expect, test } from 'vitest';
import { type Browser, login, type Screen } from './browser.ts';
import { createUser, php, rest, setOption } from './wordpress.ts';

/** *Pillion → Destinations*, and the list that the site's server reads. */

const PAGE = '/wp-admin/admin.php?page=pillion-destinations';

afterAll(() => php(`delete_option( 'pillion_destinations' );`));

const answer = async () => (await rest('pillion/v1/destinations')).body;

/** Submits the form of the screen with these values. The buttons of the list are other forms on it. */
async function save(browser: Browser, { fields, html }: Screen, values: Record<string, string>): Promise<Screen> {
  const form = html.slice(html.lastIndexOf('name="do" value="save"'));
  const id = /name="id" value="([^"]+)"/.exec(form)?.[1] ?? '';
  return browser.submit(PAGE, fields, { enabled: '1', do: 'save', id, ...values });
}

const secretIn = ({ html }: Screen) => /id="pillion-destination-secret"[^>]* value="(whsec_[^"]+)"/.exec(html)?.[1];

test('an administrator adds, changes and removes a destination, which the site reads with its key', async () => {
  const admin = await login();
  const empty = await admin.page(PAGE);
  expect(empty.html).toContain('No destination yet.');
  expect(await answer()).toEqual({ destinations: [], removed: [] });

  const values = { name: 'CRM & <b>mail</b>', url: 'https://crm.example.com/in?token=t', purpose: 'marketing' };
  expect(empty.html).toContain('Email</label>');
  const added = await save(admin, empty, {
    ...values,
    'fields[1][input_1]': '1',
    'fields[1][input_3_1]': '1',
    'fields[12][input_2]': '1',
    // No names of fields.
    'fields[1][email]': '1',
    'fields[x][input_1]': '1',
  });
  expect(added.html).toContain('CRM &amp; mail');
  expect(added.html).toContain('<td>crm.example.com</td>');
  const { destinations } = await answer();
  const [{ id, secret }] = destinations;
  expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
  expect(destinations).toEqual([
    {
      ...{ ...values, id, secret, name: 'CRM & mail', enabled: true },
      fields: { 1: ['input_1', 'input_3_1'], 12: ['input_2'] },
    },
  ]);
  expect(secretIn(added)).toBe(secret);
  // Only on demand.
  const later = await admin.page(PAGE);
  expect(later.html).not.toContain('whsec_');
  expect(secretIn(await admin.submit(PAGE, later.fields, { do: 'secret', id }))).toBe(secret);

  const edited = await admin.page(`${PAGE}&edit=${id}`);
  expect(Object.fromEntries(edited.fields)).toMatchObject({ id, name: 'CRM & mail' });
  // Also those that no form has any more.
  const chosen = [...edited.html.matchAll(/name="(fields[^"]+)" value="1" checked='checked'/g)].map(([, name]) => name);
  expect(chosen).toEqual(['fields[1][input_1]', 'fields[1][input_3_1]', 'fields[12][input_2]']);
  const changed = await save(admin, edited, { name: 'CRM', enabled: '' });
  expect(changed.html).toContain('switched off');
  expect(await answer()).toEqual({
    destinations: [{ ...values, id, secret, name: 'CRM', fields: {}, enabled: false }],
    removed: [],
  });

  const removed = await admin.submit(PAGE, (await admin.page(PAGE)).fields, { do: 'remove', id });
  expect(removed.html).toContain('The destination is removed.');
  expect(await answer()).toEqual({ destinations: [], removed: [id] });
  // The screen of another administrator who still has it open.
  const refused = await save(admin, edited, { name: 'CRM' });
  expect(refused.html).toContain('was removed in the meantime');
  expect((await answer()).destinations).toEqual([]);
  await save(admin, refused, { name: 'CRM' });
  const again = (await answer()).destinations;
  expect(again).toMatchObject([{ name: 'CRM' }]);
  // A reload of that page sends the same form again.
  expect((await save(admin, refused, { name: 'CRM', id: again[0].id })).html).toContain('Saved.');
  await admin.submit(PAGE, (await admin.page(PAGE)).fields, { do: 'remove', id: again[0].id });
});

test.each<[string, Record<string, string>, string]>([
  ['no name', { name: ' ' }, 'Enter a name of at most 60 characters.'],
  ['the name of the environment', { name: 'Environment' }, 'Another destination has this name.'],
  ['http on another machine', { url: 'http://crm.example.com/' }, 'begins with https://'],
  ['a password in the address', { url: 'https://a:b@crm.example.com/' }, 'without a user'],
  ['another scheme', { url: 'javascript:alert(1)' }, 'begins with https://'],
  ['a host that is none', { url: 'https://crm_"><script>/' }, 'begins with https://'],
  ['an unknown purpose', { purpose: 'sales' }, 'Choose a purpose.'],
])('the form explains %s, keeps what was typed and saves nothing', async (_, wrong, expected) => {
  const admin = await login();
  const values = { name: 'Typed "><script>', url: 'http://127.0.0.1:9000/in', purpose: 'none' };
  const { html, fields } = await save(admin, await admin.page(PAGE), { ...values, ...wrong });
  expect(html).toContain('The destination is not saved yet.');
  expect(html).toContain(expected);
  expect(html).toMatch(/aria-invalid="true"/);
  expect(html).not.toContain('"><script>');
  expect(Object.fromEntries(fields)).toMatchObject({
    name: values.name,
    url: values.url,
    ...wrong,
    ...(wrong.purpose && { purpose: 'none' }),
  });
  expect((await answer()).destinations).toEqual([]);
});

test('an editor sees neither the screen nor the list, and only the key reads it', async () => {
  createUser('dest-editor');
  const kept = `array( 'listed' => array( 'a' => array( 'id' => 'a', 'name' => 'CRM', 'url' => 'https://a.example', 'secret' => 'whsec_canary', 'purpose' => 'none', 'fields' => array(), 'enabled' => true ) ), 'removed' => array() )`;
  setOption('pillion_destinations', kept);
  const editor = await login('dest-editor', 'dest-editor');
  const page = await editor.page(PAGE);
  expect(page.status).toBe(403);
  const sent = await editor.submit(PAGE, page.fields, { do: 'secret', id: 'a' });
  expect([sent.status, sent.html.includes('canary')]).toEqual([403, false]);
  expect((await rest('pillion/v1/destinations')).body.destinations[0].secret).toBe('whsec_canary');
  for (const as of ['nobody', 'admin'] as const) {
    const { status, body } = await rest('pillion/v1/destinations', { as });
    expect([status, JSON.stringify(body).includes('canary')]).toEqual([as === 'admin' ? 403 : 401, false]);
  }
  const { headers } = await rest('pillion/v1/destinations');
  expect(headers.get('cache-control')).toContain('no-store');
});
