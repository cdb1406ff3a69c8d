import { randomUUID } from 'node:crypto';
import { formOf } from '@pillion/content/forms/gravity-forms/form.ts';
import { formSchema } from '@pillion/content/forms/gravity-forms/schemas.ts';
import { createRewriter } from '@pillion/content/wordpress/rewrite.ts';
import { expect, test } from 'vitest';
import { type Browser, login, type Screen } from './browser.ts';
import { php, phpValue, rest, setOption, wordpress } from './wordpress.ts';

/** Pillion → Forms, where editors make forms without Gravity Forms. Each test restores the forms. */
const SCREEN = '/wp-admin/admin.php?page=pillion-forms';
const OWN = `get_option( 'pillion_forms' )`;

const stored = () =>
  phpValue<Record<string, { title: string; fields: object[] }>>(`return get_option( 'pillion_forms' );`);

/** The values that the screen would submit for a form with these fields. */
function typed(
  screen: Screen,
  fields: Record<string, string>[],
  changes: Record<string, string> = {},
): Map<string, string> {
  const own = [...screen.fields].filter(([name]) => !name.startsWith('form[fields]'));
  const rows = fields.flatMap((field, index) =>
    Object.entries(field).map(([name, value]): [string, string] => [`form[fields][${index}]${name}`, value]),
  );
  // A browser submits the end marker last.
  return new Map([...own.filter(([name]) => name !== 'end'), ...rows, ...Object.entries(changes), ['end', '1']]);
}

const field = (id: number, type: string, more: Record<string, string> = {}): Record<string, string> => ({
  '[id]': String(id),
  '[type]': type,
  '[label]': `A ${type}`,
  ...more,
});

async function open(form: string): Promise<{ browser: Browser; path: string; screen: Screen }> {
  const browser = await login();
  const path = `${SCREEN}&form=${form}`;
  return { browser, path, screen: await browser.page(path) };
}

const GOOD = {
  'form[title]': 'Test form',
  'form[submit]': 'Join',
  'form[thanks][type]': 'message',
  'form[thanks][message]': 'Thanks.',
};

const CHOICES = { '[choices]': 'Press and radio|press\r\nOther' };
const OPTIONS: Record<string, Record<string, string>> = {
  select: CHOICES,
  radio: { ...CHOICES, '[defaultValue]': 'press' },
  checkbox: {
    '[choices]': Array.from({ length: 11 }, (_, n) => `Day ${n + 1}`).join('\n'),
    '[defaultValue]': 'Day 2, Day 3',
  },
  multiselect: { '[choices]': 'Yes, weekly\nNo', '[defaultValue]': 'Yes, weekly' },
  textarea: { '[size]': 'small', '[maxLength]': '200' },
  email: { '[emailConfirmEnabled]': '1' },
  phone: { '[phoneFormat]': 'international' },
  number: { '[numberFormat]': 'decimal_dot', '[rangeMin]': '1', '[rangeMax]': '4' },
  date: { '[dateFormat]': 'dmy' },
  name: { '[parts][0]': '3', '[parts][1]': '6' },
  address: { '[parts][0]': '1', '[parts][1]': '3', '[parts][2]': '5' },
  fileupload: { '[allowedExtensions]': 'pdf, jpg', '[maxFileSize]': '5' },
  html: { '[content]': '<p>Bring <em>water</em>.</p><script>alert(1)</script>' },
  consent: { '[checkboxLabel]': 'I agree. <a href="/privacy-policy/">Privacy</a>', '[isRequired]': '1' },
};

/** Reads the offered types from the screen, so that new types are tested too. */
const offered = ({ html }: Screen) =>
  [...html.matchAll(/<template data-pillion-new="(\w+)"/g)].map(([, type = '']) => type);

/** Reads a saved form as the site does, and collects the server's warnings about it. */
async function asTheSiteReadsIt(id: number) {
  const warnings: object[] = [];
  const { body } = await rest(`gf/v2/forms/${id}`);
  const form = formOf(formSchema.parse(body), createRewriter([]), (_event, details) => void warnings.push(details));
  return { body, form, warnings };
}

test('R30: every kind of field on the screen is saved in Gravity Forms’ shape and drawn by the site', async () => {
  setOption('pillion_forms', OWN);
  const { browser, path, screen } = await open('new');
  const types = offered(screen);
  expect(types.length).toBeGreaterThan(18);
  const fields = types.map((type, index) => field(index + 1, type, OPTIONS[type]));
  const logic = {
    '[logic][action]': 'show',
    '[logic][type]': 'any',
    '[logic][rules][0][fieldId]': String(types.indexOf('select') + 1),
    '[logic][rules][0][operator]': 'is',
    '[logic][rules][0][value]': 'press',
  };
  Object.assign(fields[0] ?? {}, logic);
  const saved = await browser.submit(path, typed(screen, fields, GOOD), {});
  expect(saved.html).toContain('Form saved.');

  const { body, form, warnings } = await asTheSiteReadsIt(2);
  expect(body).toMatchObject({
    id: 2,
    title: 'Test form',
    button: { text: 'Join' },
    is_active: '1',
    notifications: [],
  });
  expect(warnings.filter((warning) => !('type' in warning && warning.type === 'fileupload'))).toEqual([]);
  const drawn = (type: string) => form.fields.find((one) => one.type === type);
  for (const type of types.filter((one) => one !== 'fileupload')) expect(drawn(type), type).toBeDefined();
  expect(drawn('text')?.logic).toMatchObject({
    shows: true,
    needsAll: false,
    rules: [{ operator: 'equals', value: 'press' }],
  });
  expect(drawn('radio')?.choices).toEqual([
    { text: 'Press and radio', value: 'press', isSelected: true },
    { text: 'Other', value: 'Other', isSelected: false },
  ]);
  // Gravity Forms skips every tenth number.
  expect(
    drawn('checkbox')
      ?.inputs.map(({ name }) => name)
      .slice(-3),
  ).toEqual(['input_13_9', 'input_13_11', 'input_13_12']);
  expect(drawn('checkbox')?.choices.filter(({ isSelected }) => isSelected)).toHaveLength(2);
  expect(drawn('multiselect')?.choices.map(({ isSelected }) => isSelected)).toEqual([true, false]);
  expect(drawn('email')?.inputs.map(({ name }) => name)).toEqual(['input_3', 'input_3_2']);
  expect(drawn('address')?.inputs).toHaveLength(3);
  expect(drawn('consent')?.consentHtml).toContain('href="/privacy-policy/"');
  expect(drawn('textarea')).toMatchObject({ rows: 3, maxLength: 200 });
  expect(body.fields.find((one: { type: string }) => one.type === 'html').content).not.toContain('script');
  expect(body.fields.find((one: { type: string }) => one.type === 'fileupload')).toMatchObject({
    ...{ allowedExtensions: 'pdf, jpg', maxFileSize: 5, multipleFiles: false },
  });
  expect(form.steps).toHaveLength(2);
});

test('R30: opening and saving a form without a change leaves it as it is', async () => {
  setOption('pillion_forms', OWN);
  const before = (await rest('gf/v2/forms/1')).body;
  const { browser, path, screen } = await open('1');
  const fields = new Map(
    [...screen.fields].filter(([name]) => !name.includes('__field__') && !name.includes('__rule__')),
  );
  const ticked = Object.fromEntries([0, 1, 2].map((index) => [`form[fields][${index}][isRequired]`, '1']));
  expect((await browser.submit(path, fields, ticked)).html).toContain('Form saved.');
  expect((await rest('gf/v2/forms/1')).body).toMatchObject(before);
});

test('errors name the field and the setting, nothing is saved, and no input is lost', async () => {
  const before = stored();
  const { browser, path, screen } = await open('new');
  const fields = [
    field(1, 'text', { '[label]': '' }),
    field(2, 'select', { '[label]': 'Topic', '[choices]': 'Press\nPress' }),
    field(3, 'number', { '[label]': 'Readers', '[numberFormat]': 'decimal_dot', '[rangeMin]': '9', '[rangeMax]': '4' }),
    field(4, 'radio', { '[label]': 'Size', '[choices]': 's\nm', '[defaultValue]': 'xl' }),
    field(5, 'text', {
      '[label]': 'Which <b>topic</b>?',
      '[logic][rules][0][fieldId]': '2',
      '[logic][rules][0][operator]': 'is',
      '[logic][rules][0][value]': 'Nobody',
      '[logic][rules][1][fieldId]': '77',
      '[logic][rules][1][operator]': 'is',
      '[logic][rules][2][fieldId]': '3',
      '[logic][rules][2][operator]': '>',
      '[logic][rules][2][value]': '1,5',
    }),
    field(6, 'fileupload', { '[label]': 'Licence', '[allowedExtensions]': 'any file' }),
  ];
  const answer = await browser.submit(
    path,
    typed(screen, fields, {
      ...GOOD,
      'form[title]': ' ',
      'form[notify]': 'me@example.org, nobody',
      'form[thanks][type]': 'redirect',
      'form[thanks][url]': 'javascript:alert(1)',
    }),
    {},
  );
  for (const message of [
    'The form is not saved yet. Your changes are still here.',
    'Name of the form: enter a name',
    'Notification: “nobody” is not an email address.',
    'After sign-up: enter an address that begins with https://',
    '“Field 1” (Single line): enter a label',
    '“Topic” (Drop down): the choice “Press” is listed twice.',
    '“Readers” (Number): the largest number is smaller than the smallest.',
    '“Size” (Radio buttons): the default value “xl” is not one of the choices.',
    'a condition compares with “Nobody”, which is not a choice of “Topic”.',
    'a condition has no field.',
    '“is larger than” and “is smaller than” need a number, like 10 or 2.5.',
    '“Licence” (File): list the accepted kinds of file',
  ])
    expect(answer.html).toContain(message);
  expect(answer.fields.get('form[fields][4][label]')).toBe('Which <b>topic</b>?');
  // The next added field gets a number that none of the submitted fields has.
  expect(answer.html).toContain('data-next="7"');
  expect(answer.html).not.toContain('<b>topic</b>');
  expect(answer.fields.get('form[thanks][url]')).toBe('javascript:alert(1)');
  expect(answer.html).toMatch(/<a href="#pillion-fields-1-choices">/);
  expect(answer.html).toMatch(/id="pillion-fields-1-choices"[^>]*aria-invalid="true"/);
  expect(stored()).toEqual(before);
});

test('a form without fields is rejected, and keeps its name on the screen', async () => {
  const { browser, path, screen } = await open('new');
  const answer = await browser.submit(path, typed(screen, [], GOOD), {});
  expect(answer.html).toContain('Fields: add at least one field that visitors can answer.');
  expect(answer.fields.get('form[title]')).toBe('Test form');
});

test('a truncated, late or conflicting save is rejected, and the input stays on the screen', async () => {
  const before = stored();
  const { browser, path, screen } = await open('1');
  const fields = typed(screen, [field(1, 'text', { '[label]': 'Typed for an hour' })], GOOD);
  const refused = async (
    changes: Record<string, string>,
    message: string,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ) => {
    const answer = await browser.submit(path, fields, changes, headers);
    expect(answer.html).toContain(message);
    expect(answer.fields.get('form[fields][0][label]')).toBe('Typed for an hour');
    expect(stored()).toEqual(before);
  };
  await refused({ end: '' }, 'the form has more settings than the server accepts');
  const { url } = wordpress();
  // Ways in which newer and older browsers state the origin.
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: url }, { referer: `${url}${path}` }])
    await refused({ _wpnonce: 'stale' }, 'Press Save again', headers);
  await refused({ version: 'of yesterday' }, 'Another user saved this form');
  // The save after a late one still notices the other user's.
  const late = { _wpnonce: 'stale', version: 'of yesterday' };
  const again = await browser.submit(path, fields, late, { 'sec-fetch-site': 'same-origin' });
  expect((await browser.submit(path, again.fields, {})).html).toContain('Another user saved this form');
  expect(stored()).toEqual(before);
});

test('input for a form that another user deleted stays on the screen, and the next save restores it', async () => {
  setOption('pillion_forms', OWN);
  const { browser, path, screen } = await open('1');
  const fields = typed(screen, [field(1, 'text', { '[label]': 'Typed for an hour' })], GOOD);
  php('Pillion\\Forms\\Forms::delete( 1 );');
  const rejected = await browser.submit(path, fields, {});
  expect(rejected.html).toContain('Another user saved this form');
  expect(rejected.fields.get('form[fields][0][label]')).toBe('Typed for an hour');
  const again = new Map([...rejected.fields].filter(([name]) => !name.includes('__')));
  expect((await browser.submit(path, again, {})).html).toContain('Form saved.');
  expect(stored()[1]).toMatchObject({ title: 'Test form', fields: [{ label: 'Typed for an hour' }] });
});

test('a form from another or an unknown site is discarded and not shown again with a valid nonce', async () => {
  const before = stored();
  const { browser, path, screen } = await open('1');
  const fields = typed(screen, [field(1, 'text', { '[label]': 'A stranger’s' })], {
    ...GOOD,
    'form[notify]': 'thief@example.org',
  });
  const own = wordpress().url;
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site', origin: own },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null', referer: own },
    { origin: `${own}.evil.example` },
    { origin: own.replace('127.0.0.1', 'localhost') },
    { referer: `https://evil.example/${own}` },
    { referer: own.replace(/:\d+/, '') },
  ] as Record<string, string>[])
    for (const nonce of ['stale', '']) {
      const answer = await browser.submit(path, fields, { _wpnonce: nonce }, headers);
      expect([headers, answer.status, answer.html.includes('thief@example.org')]).toEqual([headers, 403, false]);
      expect(answer.html).not.toContain('name="_wpnonce"');
    }
  expect(stored()).toEqual(before);
});

const IMPORTED = `array( 4 => array( 'id' => 4, 'title' => 'Imported', 'is_active' => '1', 'cssClass' => 'kept', 'button' => array( 'text' => 'Go' ), 'fields' => array(
  array( 'id' => 1, 'type' => 'text', 'label' => 'Name', 'isRequired' => true, 'somebodysOption' => 'kept too' ),
  array( 'id' => 2, 'type' => 'signature', 'label' => 'Sign here', 'isRequired' => true, 'penSize' => 3 ),
  array( 'id' => 3, 'type' => 'time', 'label' => 'At', 'timeFormat' => '12' ) ),
  'confirmations' => array( 'x' => array( 'type' => 'message', 'message' => 'Thanks.', 'isDefault' => true ) ) ) )`;

test('R30: a field that the site cannot draw is reported and kept, and blocks no sign-up', async () => {
  setOption('pillion_forms', IMPORTED);
  const { warnings } = await asTheSiteReadsIt(4);
  expect(warnings).toEqual([{ form: 4, field: 2, type: 'signature' }]);
  const { browser, path, screen } = await open('4');
  const list = await browser.page(SCREEN);
  for (const { html } of [screen, list])
    expect(html).toContain('“Sign here” (signature) is not shown: the site does not support this kind of field.');
  // The site draws times of twelve hours.
  expect(list.html).not.toContain('“At”');

  const fields = new Map([...screen.fields].filter(([name]) => !name.includes('__')));
  expect((await browser.submit(path, fields, { 'form[title]': 'Ours now' })).html).toContain('Form saved.');
  expect(stored()[4]).toMatchObject({
    title: 'Ours now',
    cssClass: 'kept',
    fields: [
      { somebodysOption: 'kept too' },
      { type: 'signature', isRequired: true, penSize: 3 },
      { timeFormat: '24' },
    ],
  });
  // The field is required and not drawn: validating it would reject every sign-up.
  expect(await rest('gf/v2/forms/4/submissions', { body: { input_1: 'Ada', input_3: '10:30' } })).toMatchObject({
    status: 200,
  });
});

test('a form can be copied, and deleted after a warning; its sign-ups stay and its number is not reused', async () => {
  setOption('pillion_forms', OWN);
  const { browser, screen: list } = await open('');
  await browser.submit(SCREEN, list.fields, { do: 'duplicate', id: '1' });
  const copy = Math.max(...Object.keys(stored()).map(Number));
  expect(stored()[copy]).toMatchObject({ title: 'Join the list (copy)', fields: [{ formId: copy }, {}, {}] });
  const { body } = await rest(`gf/v2/forms/${copy}/submissions`, {
    body: { input_1: 'Ada', input_2: 'copy@example.org', input_3_1: '1', sign_up_id: randomUUID() },
  });
  const warning = await browser.page(`${SCREEN}&form=${copy}&do=delete`);
  expect(warning.html).toContain('1 sign-up was sent with this form.');
  expect((await browser.page(`${SCREEN}&form=1&do=delete`)).html).toContain('The site shows this form (en).');
  expect((await browser.submit(SCREEN, warning.fields, {})).html).toContain('Form deleted.');
  expect(stored()).not.toHaveProperty(String(copy));
  expect((await browser.page(`/wp-admin/post.php?post=${body.entry_id}&action=edit`)).html).toMatch(
    /<th scope="row">Email<\/th><td>copy@example.org<\/td>/,
  );
  await browser.submit(SCREEN, list.fields, { do: 'duplicate', id: '1' });
  expect(stored()).toHaveProperty(String(copy + 1));
  php(`wp_delete_post( ${body.entry_id}, true );`);
});

test('R30: a confirmation page reaches the site by its address', async () => {
  setOption('pillion_forms', OWN);
  const page = phpValue<{ id: number; url: string }>(
    `$p = get_page_by_path( 'privacy-policy' ); return array( 'id' => $p->ID, 'url' => get_permalink( $p ) );`,
  );
  const { browser, path, screen } = await open('new');
  const thanks = { 'form[thanks][type]': 'page', 'form[thanks][pageId]': String(page.id) };
  await browser.submit(path, typed(screen, [field(1, 'text')], { ...GOOD, ...thanks }), {});
  const id = Math.max(...Object.keys(stored()).map(Number));
  expect(Object.values((await rest(`gf/v2/forms/${id}`)).body.confirmations)).toMatchObject([
    { type: 'page', url: page.url },
  ]);
  expect((await rest(`gf/v2/forms/${id}/submissions`, { body: { input_1: 'Ada' } })).body).toMatchObject({
    confirmation_type: 'redirect',
    confirmation_redirect: page.url,
  });
});
