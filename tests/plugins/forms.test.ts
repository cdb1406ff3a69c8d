import { afterAll, beforeAll, expect, test } from 'vitest';
import { rest } from '../contract/wordpress.ts';
import { owned, type PluginSite, startPluginSite } from './site.ts';

/**
 * Behaviour that only the real Gravity Forms can show: the form, rejections before storage, and notifications of
 * changes.
 */

const NAME = `array( 'id' => 1, 'type' => 'text', 'label' => 'Name', 'noDuplicates' => true )`;
const MAIL = `'notifications' => array( 'a' => array( 'id' => 'a', 'name' => 'Desk', 'to' => 'desk@example.org', 'event' => 'form_submission' ) )`;

let site: PluginSite;
beforeAll(async () => {
  if (!owned.gravityforms) return;
  site = await startPluginSite({ plugins: ['gravityforms'], restApi: true });
});
afterAll(() => site?.stop());

const real = test.skipIf(!owned.gravityforms);

/**
 * @param more PHP: members of the form.
 * @returns Its id.
 */
const makeForm = (more = '', fields = NAME): number =>
  site.phpValue<number>(
    `return GFAPI::add_form( array( ${more} 'title' => 'Trial', 'is_active' => 1, 'button' => array( 'type' => 'text', 'text' => 'Go' ), ${MAIL}, 'fields' => array( ${fields} ) ) );`,
  );

const ask = async (id: number) => (await rest(`gf/v2/forms/${id}`, { site: site.wordpress })).body;

const check = async (id: number, answers: object) => {
  const { url, key, secret } = site.wordpress;
  const response = await fetch(`${url}/wp-json/pillion/v1/forms/${id}/check`, {
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
      'x-pillion-answers': Buffer.from(JSON.stringify(answers)).toString('base64url'),
    },
  });
  return response.json();
};

const send = (id: number, body: object) => rest(`gf/v2/forms/${id}/submissions`, { site: site.wordpress, body });

real(
  'R30: a form that Gravity Forms would refuse says so and in which words; recipients stay in WordPress',
  async () => {
    const full = makeForm(
      `'limitEntries' => true, 'limitEntriesCount' => 1, 'limitEntriesMessage' => 'Sold out, sorry.',`,
    );
    expect((await ask(full)).pillion).toMatchObject({ closed: null, asks: true, unique: [1] });
    expect(await ask(full)).not.toHaveProperty('notifications');
    site.php(`GFAPI::add_entry( array( 'form_id' => ${full}, '1' => 'first' ) );`);
    expect((await ask(full)).pillion.closed).toEqual({ reason: 'full', message: '<p>Sold out, sorry.</p>' });
    expect((await check(full, {})).closed).toMatchObject({ reason: 'full' });
    // Gravity Forms shows the same message.
    expect(await send(full, { input_1: 'second' })).toMatchObject({
      status: 400,
      body: { code: 'form_restriction_error' },
    });

    const off = makeForm();
    site.php(`GFAPI::update_form_property( ${off}, 'is_active', 0 );`);
    expect((await ask(off)).pillion.closed).toMatchObject({ reason: 'inactive' });
  },
);

real('R30: an answer sent before is known by what Gravity Forms keeps of it, and in its words', async () => {
  const id = makeForm('', `${NAME}, array( 'id' => 2, 'type' => 'phone', 'label' => 'Phone', 'noDuplicates' => true )`);
  await send(id, { input_1: `O'Neil "q"`, input_2: '(555) 010-0199' });
  expect(await check(id, { input_1: `O'Neil "q"`, input_2: '555 010 0199' })).toEqual({
    closed: null,
    taken: { 1: expect.stringContaining('already been used'), 2: expect.stringContaining('already been used') },
  });
  expect(await check(id, { input_1: 'Ada' })).toEqual({ closed: null, taken: {} });
});

real('R30: a captcha stops nobody whom the site’s server sends, and everybody else', async () => {
  const id = makeForm('', `${NAME}, array( 'id' => 2, 'type' => 'captcha', 'label' => 'C' )`);
  expect(await send(id, { input_1: 'Ada' })).toMatchObject({ status: 200, body: { is_valid: true } });
  const stranger = await rest(`gf/v2/forms/${id}/submissions`, {
    site: site.wordpress,
    as: 'nobody',
    body: { input_1: 'Bo' },
  });
  expect(stranger.body).toMatchObject({
    is_valid: false,
    validation_messages: { 2: expect.stringContaining('reCAPTCHA') },
  });
});

real(
  'R30: a consent to words that have changed since is kept with its own words; words nobody wrote are refused',
  async () => {
    const consent = (words: string) =>
      `array( 'id' => 2, 'type' => 'consent', 'label' => 'C', 'checkboxLabel' => '${words}', 'inputs' => array( array( 'id' => '2.1', 'label' => 'C' ), array( 'id' => '2.2', 'label' => 'T' ), array( 'id' => '2.3', 'label' => 'D' ) ), 'choices' => array( array( 'text' => 'Checked', 'value' => '1' ) ) )`;
    const id = makeForm('', `array( 'id' => 1, 'type' => 'text', 'label' => 'Name' ), ${consent('The old words')}`);
    const { fixed } = (await ask(id)).pillion;
    expect(fixed).toEqual({ input_2_2: 'The old words', input_2_3: expect.stringMatching(/^\d+$/) });
    site.php(
      `$form = GFAPI::get_form( ${id} ); $form['fields'][1]->checkboxLabel = 'New words'; GFAPI::update_form( $form );`,
    );
    const sent = await send(id, { input_1: 'Ada', input_2_1: '1', ...fixed });
    expect(sent.body).toMatchObject({ is_valid: true });
    const [entry] = site.phpValue<Record<string, string>[]>(`return GFAPI::get_entries( ${id} );`);
    expect(entry).toMatchObject({ '2.1': '1', '2.2': 'The old words', '2.3': fixed.input_2_3 });
    const forged = await send(id, { input_1: 'Bo', input_2_1: '1', ...fixed, input_2_2: 'Nobody wrote this' });
    expect(forged.body).toMatchObject({ is_valid: false });
  },
);

real('merge tags are filled in where they need nobody, and never shown raw or of the key’s owner', async () => {
  const words = '<p>{form_title}|{today:format:Y}|{Name:1}|{user:user_email}|{ip}</p>';
  const id = makeForm('', `${NAME}, array( 'id' => 2, 'type' => 'html', 'label' => 'H', 'content' => '${words}' )`);
  expect((await ask(id)).fields[1].content).toMatch(/^<p>Trial[^|]*\|\d{4}\|\|\|<\/p>$/);
});

/** Changes that the plugin records while `code` runs. */
const noted = (code: string): { type: string; id: number }[] =>
  site.phpValue(
    `${code} $noted = new ReflectionProperty( 'Pillion\\\\Site\\\\Changes', 'noted' ); $noted->setAccessible( true ); return array_values( $noted->getValue() );`,
  );

real('R46: every change of a form is reported: by code, its confirmations, its state, the entry that fills it', () => {
  const id = makeForm(`'limitEntries' => true, 'limitEntriesCount' => 1,`);
  const reported = [expect.objectContaining({ type: 'form', id })];
  expect(noted(`$form = GFAPI::get_form( ${id} ); $form['title'] = 'Other'; GFAPI::update_form( $form );`)).toEqual(
    reported,
  );
  expect(
    noted(`$form = GFAPI::get_form( ${id} ); GFFormsModel::save_form_confirmations( ${id}, $form['confirmations'] );`),
  ).toEqual(reported);
  expect(noted(`GFFormsModel::update_form_active( ${id}, 0 );`)).toEqual(reported);
  expect(noted(`GFFormsModel::trash_form( ${id} );`)).toEqual(reported);
  const other = makeForm(`'limitEntries' => true, 'limitEntriesCount' => 1,`);
  expect(noted(`GFAPI::submit_form( ${other}, array( 'input_1' => 'Ada' ) );`)).toContainEqual(
    expect.objectContaining({ type: 'form', id: other }),
  );
  expect(
    noted(`GFAPI::update_entry_property( GFAPI::get_entries( ${other} )[0]['id'], 'status', 'trash' );`),
  ).toContainEqual(expect.objectContaining({ type: 'form', id: other }));
});
