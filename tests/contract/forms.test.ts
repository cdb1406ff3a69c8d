import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { login } from './browser.ts';
import { php, phpAfterwards, phpValue, rest, setOption } from './wordpress.ts';

const GOOD = { input_1: 'Ada', input_2: 'ada@example.org', input_3_1: '1', source_page: 1, target_page: 0 };
const send = (body: Record<string, unknown>, form = 1) => rest(`gf/v2/forms/${form}/submissions`, { body });

interface Entry {
  id: number;
  title: string;
  slug: string;
  status: string;
  values: Record<string, string>;
}

const entries = () =>
  phpValue<
    Entry[]
  >(`return array_map( function ( $p ) { return array( 'id' => $p->ID, 'title' => $p->post_title, 'slug' => $p->post_name,
    'status' => $p->post_status, 'values' => json_decode( get_post_meta( $p->ID, '_pillion_values', true ) ) ); },
    get_posts( array( 'post_type' => 'pillion_entry', 'post_status' => 'any', 'numberposts' => -1 ) ) );`);

test('R30: a missing form is an error 500 with Gravity Forms’ code', async () => {
  expect(await rest('gf/v2/forms/77')).toMatchObject({ status: 500, body: { code: 'gf_not_found' } });
  expect(await send(GOOD, 77)).toMatchObject({ status: 400, body: { code: 'form_not_found' } });
});

test('R20: only the site’s server can read and send forms', async () => {
  expect((await rest('gf/v2/forms/1', { as: 'nobody' })).status).toBe(401);
  expect((await rest('gf/v2/forms', { as: 'nobody' })).status).toBe(401);
  expect((await rest('gf/v2/forms/1/submissions', { as: 'nobody', body: GOOD })).status).toBe(401);
});

test('R30: an answer is stored as typed and confirmed', async () => {
  const id = randomUUID();
  const typed = { ...GOOD, input_1: `O'Neil <b>"50%20"</b> \\ \u{1F3CD}`, sign_up_id: id };
  const { status, body } = await send(typed);
  expect(status).toBe(200);
  expect(body).toMatchObject({ is_valid: true, confirmation_type: 'message', entry_id: expect.any(Number) });
  expect(body.confirmation_message).toContain('You are on the list.');
  expect(entries().find(({ slug }) => slug === id)).toMatchObject({
    status: 'private',
    title: 'ada@example.org',
    values: { 1: typed.input_1, 2: 'ada@example.org', '3.1': '1' },
  });
});

test('R30: invalid answers get 400 with a message for each field, and are not stored', async () => {
  const before = entries().length;
  expect(await send({ input_2: 'no address', input_3_1: '' })).toMatchObject({
    status: 400,
    body: {
      is_valid: false,
      validation_messages: {
        1: 'This field is required.',
        2: expect.stringContaining('email address entered is invalid'),
        3: 'This field is required.',
      },
    },
  });
  expect((await send({ ...GOOD, input_1: 'x'.repeat(10_001) })).body.validation_messages).toHaveProperty('1');
  expect(await send({})).toMatchObject({ status: 400, body: { code: 'missing_submission_values' } });
  expect(await send({ ...GOOD, sign_up_id: '../../x' })).toMatchObject({
    status: 400,
    body: { code: 'pillion_sign_up_id' },
  });
  expect(entries()).toHaveLength(before);
});

test('R30: a repeated sign-up is confirmed again and stored once', async () => {
  const answers = { ...GOOD, sign_up_id: randomUUID() };
  const first = await send(answers);
  const again = await send({ ...answers, sign_up_id: answers.sign_up_id.toUpperCase() });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  php(`wp_trash_post( ${first.body.entry_id} );`);
  await send(answers);
  expect(entries().filter(({ slug }) => slug.startsWith(answers.sign_up_id))).toHaveLength(0);
});

const FORM = `array( 2 => array( 'id' => 2, 'title' => 'Two', 'is_active' => '1', 'fields' => array(
  array( 'id' => 1, 'type' => 'select', 'label' => 'Topic', 'isRequired' => true, 'choices' => array( array( 'text' => 'Press', 'value' => 'press' ), array( 'text' => 'Other', 'value' => 'other' ) ) ),
  array( 'id' => 2, 'type' => 'text', 'label' => 'Which?', 'isRequired' => true, 'errorMessage' => 'Say which.', 'conditionalLogic' => array( 'actionType' => 'show', 'logicType' => 'all', 'rules' => array( array( 'fieldId' => '1', 'operator' => 'is', 'value' => 'other' ) ) ) ),
  array( 'id' => 4, 'type' => 'name', 'label' => 'Name', 'isRequired' => false, 'inputs' => array( array( 'id' => '4.3' ), array( 'id' => '4.6' ) ) ),
  ), 'confirmations' => array( 'a' => array( 'type' => 'redirect', 'url' => 'https://example.org/thanks' ) ) ) )`;

test('R30: choices, hidden fields and parts of a name are read as Gravity Forms reads them', async () => {
  setOption('pillion_forms', FORM);
  expect((await send({ input_1: 'bogus' }, 2)).body.validation_messages[1]).toContain('Invalid selection');
  expect((await send({ input_1: 'other' }, 2)).body.validation_messages).toEqual({ 2: 'Say which.' });
  const answer = await send({ input_1: 'press', input_4_3: 'Ada', input_4_6: 'L' }, 2);
  expect(answer).toMatchObject({
    status: 200,
    body: { is_valid: true, confirmation_redirect: 'https://example.org/thanks' },
  });
  expect(answer.headers.get('location')).toBe('https://example.org/thanks');
  expect(entries().find(({ id }) => id === answer.body.entry_id)?.values).toEqual({
    1: 'press',
    '4.3': 'Ada',
    '4.6': 'L',
  });
});

test('R30: an unpublished confirmation page has no address, so the site confirms with its own text', async () => {
  const draft = phpValue<number>(
    `return wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'draft', 'post_title' => 'Thanks' ) );`,
  );
  phpAfterwards(`wp_delete_post( ${draft}, true );`);
  setOption(
    'pillion_forms',
    `array( 5 => array( 'id' => 5, 'title' => 'Five', 'is_active' => '1', 'fields' => array( array( 'id' => 1, 'type' => 'text', 'label' => 'Name' ) ),
      'confirmations' => array( 'a' => array( 'type' => 'page', 'pageId' => ${draft} ) ) ) )`,
  );
  expect((await rest('gf/v2/forms/5')).body.confirmations.a).toMatchObject({ type: 'page', url: '' });
  expect((await send({ input_1: 'Ada' }, 5)).body).toMatchObject({ is_valid: true, confirmation_redirect: '' });
});

const RULE = `'actionType' => 'show', 'logicType' => 'all', 'rules' => array( array( 'fieldId' => '1', 'operator'`;
const LOGIC = `array( 3 => array( 'id' => 3, 'title' => 'Three', 'is_active' => '1', 'fields' => array(
  array( 'id' => 1, 'type' => 'checkbox', 'label' => 'Days', 'inputs' => array( array( 'id' => '1.1' ), array( 'id' => '1.2' ) ) ),
  array( 'id' => 2, 'type' => 'section', 'label' => 'Sunday', 'conditionalLogic' => array( ${RULE} => 'is', 'value' => 'SUN' ) ) ) ),
  array( 'id' => 3, 'type' => 'text', 'label' => 'Why?', 'isRequired' => true ),
  array( 'id' => 4, 'type' => 'section', 'label' => 'All' ),
  array( 'id' => 5, 'type' => 'multiselect', 'label' => 'Places' ),
  array( 'id' => 6, 'type' => 'text', 'label' => 'Not on Sunday', 'isRequired' => true, 'conditionalLogic' => array( ${RULE} => 'isnot', 'value' => 'sun' ) ) ) ),
  array( 'id' => 7, 'type' => 'text', 'label' => 'Ours', 'isRequired' => true, 'visibility' => 'administrative' ),
  array( 'id' => 8, 'type' => 'text', 'label' => 'Source', 'isRequired' => true, 'visibility' => 'hidden' ),
  ), 'confirmations' => array() ) )`;

test('R30: a hidden section hides its fields, any checked box can meet a condition, a list is stored whole', async () => {
  setOption('pillion_forms', LOGIC);
  expect((await rest('gf/v2/forms/3')).body.fields[1].conditionalLogic.rules).toHaveLength(1);
  expect((await send({ input_1_1: 'sat' }, 3)).body.validation_messages).toEqual({ 6: 'This field is required.' });
  const both = { input_1_1: 'sat', input_1_2: 'Sun' };
  expect((await send(both, 3)).body.validation_messages).toEqual({ 3: 'This field is required.' });
  const { body } = await send({ ...both, input_3: 'Rest', input_5: ['coast', 'moor'] }, 3);
  expect(entries().find(({ id }) => id === body.entry_id)?.values).toEqual({
    ...{ '1.1': 'sat', '1.2': 'Sun', 3: 'Rest', 5: 'coast, moor' },
  });
});

const NUMBERS = `array( 4 => array( 'id' => 4, 'title' => 'Four', 'is_active' => '1', 'fields' => array(
  array( 'id' => 1, 'type' => 'number', 'label' => 'Height', 'numberFormat' => 'decimal_comma' ),
  array( 'id' => 2, 'type' => 'text', 'label' => 'Tall?', 'conditionalLogic' => array( ${RULE} => '>', 'value' => '1.5' ) ) ) ),
  array( 'id' => 3, 'type' => 'text', 'label' => 'Short?', 'conditionalLogic' => array( ${RULE} => '<', 'value' => '1.5' ) ) ) ),
  array( 'id' => 4, 'type' => 'text', 'label' => 'Exact?', 'conditionalLogic' => array( ${RULE} => 'is', 'value' => '1,7' ) ) ) ),
  ), 'confirmations' => array() ) )`;

test('R30: conditions compare numbers in the format of their field, as the site does', async () => {
  setOption('pillion_forms', NUMBERS);
  for (const [height, kept] of [
    ['1,70', { 2: 'yes', 4: 'yes' }],
    ['-1,7', { 3: 'yes' }],
    ['1.400', { 2: 'yes' }],
    ['tall', {}],
  ] as const) {
    const { body } = await send({ input_1: height, input_2: 'yes', input_3: 'yes', input_4: 'yes' }, 4);
    expect(entries().find(({ id }) => id === body.entry_id)?.values, height).toEqual({ 1: height, ...kept });
  }
});

for (const [what, value] of [
  ['is a word', `'broken'`],
  [
    'holds things that are no forms',
    `array( 1 => 'x', 2 => array( 'fields' => 7 ), 3 => array( 'id' => 3, 'fields' => array( 'x', 5, array( 'label' => 'no id' ) ), 'is_active' => '1', 'confirmations' => 'x' ) )`,
  ],
] as const)
  test(`R30: forms whose option ${what} break nothing`, async () => {
    setOption('pillion_forms', value);
    expect((await rest('gf/v2/forms', { as: 'admin' })).status).toBe(200);
    expect(await rest('gf/v2/forms/1')).toMatchObject({ status: 500, body: { code: 'gf_not_found' } });
    expect((await send({ input_1: 'x' }, 3)).status).toBeLessThan(500);
  });

test('R30: editors find sign-ups in WordPress’ list; visitors and REST do not', async () => {
  const { body } = await send({ ...GOOD, input_1: '<script>alert(1)</script>', input_2: 'list@example.org' });
  const browser = await login();
  const list = await browser.page('/wp-admin/edit.php?post_type=pillion_entry');
  expect(list.html).toContain('list@example.org');
  expect(list.html).toContain('&lt;script&gt;alert(1)');
  expect(list.html).not.toContain('<script>alert(1)');
  const one = await browser.page(`/wp-admin/post.php?post=${body.entry_id}&action=edit`);
  expect(one.html).toMatch(/<th scope="row">Email<\/th><td>list@example.org<\/td>/);
  expect((await browser.page('/wp-admin/post-new.php?post_type=pillion_entry')).status).toBe(403);
  expect((await rest('wp/v2/types', { as: 'admin' })).body).not.toHaveProperty('pillion_entry');
  expect((await rest('wp/v2/search?search=list@example.org', { as: 'nobody' })).body).toEqual([]);
});
