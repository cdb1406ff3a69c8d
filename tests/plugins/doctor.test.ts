import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineSite, runDoctor } from '../support/doctor.ts';
import { owned, type PluginSite, startPluginSite, switchRestApiOn } from './site.ts';

describe.skipIf(!owned.gravityforms)('npm run doctor with the real Gravity Forms', () => {
  let site: PluginSite;
  let env: Record<string, string>;
  let formId: number;

  const field = (id: number, type: string, label: string, more = '') =>
    `array( 'id' => ${id}, 'type' => '${type}', 'label' => '${label}', ${more} )`;
  const update = (change: string) =>
    site.php(`$form = GFAPI::get_form( ${formId} ); ${change} $done = GFAPI::update_form( $form );
      if ( is_wp_error( $done ) ) { throw new Exception( $done->get_error_message() ); }`);
  const entries = () =>
    site.phpValue<Record<string, number>>(`global $wpdb; return array(
      'entries' => (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->prefix}gf_entry" ),
      'values'  => (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->prefix}gf_entry_meta" ),
      'notes'   => (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->prefix}gf_entry_notes" ),
    );`);

  beforeAll(async () => {
    const plugins = (['gravityforms', 'acf'] as const).filter((name) => owned[name]);
    site = await startPluginSite({ plugins, restApi: false });
    const { url, key, secret } = site.wordpress;
    env = { CONTENT_SOURCE: 'wordpress', CONTENT_URL: url, CONTENT_KEY: key, CONTENT_SECRET: secret };
    formId = site.phpValue<number>(`$id = GFAPI::add_form( array( 'title' => 'Join', 'fields' => array(
        ${field(1, 'text', 'Name', `'isRequired' => true`)},
        ${field(2, 'email', 'Email', `'isRequired' => true`)},
      ), 'notifications' => array( 'one' => array( 'id' => 'one', 'name' => 'Desk', 'to' => 'desk@example.org', 'toType' => 'email', 'event' => 'form_submission', 'subject' => 'New', 'message' => '{all_fields}', 'isActive' => true ) ),
      'confirmations' => array( 'thanks' => array( 'id' => 'thanks', 'name' => 'Thanks', 'type' => 'message', 'message' => 'Thanks', 'isDefault' => true ) ) ) );
      $strings = get_option( 'pillion_strings' ); $strings['form']['form_id'] = $id; update_option( 'pillion_strings', $strings );
      return $id;`);
  });
  afterAll(() => site?.stop());

  test('with its REST API off, which is its default, no form is shown and the doctor says so', async () => {
    const { code, of } = await examineSite(env);
    expect(of('Gravity Forms')).toMatchObject({
      state: 'broken',
      says: expect.stringMatching(/REST API is off/),
      todo: expect.stringMatching(/Forms → Settings → REST API/),
    });
    expect(code).toBe(1);
    switchRestApiOn(site);
  });

  test('a trial leaves no entry, value, note or mail', async () => {
    const before = entries();
    site.forgetMails();
    const { lines, of } = await runDoctor(env, '--trial');
    expect(lines.filter(({ state }) => state === 'broken')).toEqual([]);
    expect(lines.find(({ group }) => group === 'Trial')).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/then removed/),
    });
    expect(of('fields')).toBeUndefined();
    expect(entries()).toEqual(before);
    expect(site.mails()).toEqual([]);
  });

  test('a trial counts towards no limit: a form limited to one entry still takes a real one', async () => {
    update(`$form['limitEntries'] = true; $form['limitEntriesCount'] = 1;`);
    await runDoctor(env, '--trial');
    const { of } = await examineSite(env);
    expect(of('form')).toBeUndefined();
    update(`$form['limitEntries'] = false;`);
  });

  test('names a form that is inactive, in the trash, full, outside its dates or for members only', async () => {
    const stateOf = async () => (await examineSite(env)).of('form')?.says ?? 'open';
    site.php(`GFFormsModel::update_form_active( ${formId}, false );`);
    expect(await stateOf()).toMatch(/is inactive/);
    site.php(`GFFormsModel::update_form_active( ${formId}, true ); GFFormsModel::trash_form( ${formId} );`);
    expect(await stateOf()).toMatch(/in the trash/);
    site.php(`GFFormsModel::restore_form( ${formId} );`);
    update(`$form['requireLogin'] = true; $form['requireLoginMessage'] = 'Members only.';`);
    expect(await stateOf()).toMatch(/for members only.*“Members only\.”/);
    update(`$form['requireLogin'] = false;
      $form['scheduleForm'] = true; $form['scheduleEnd'] = '01/01/2020'; $form['scheduleEndHour'] = '1'; $form['scheduleEndMinute'] = '00'; $form['scheduleEndAmpm'] = 'am'; $form['scheduleMessage'] = 'Closed since New Year.';`);
    expect(await stateOf()).toMatch(/closed by its schedule.*“Closed since New Year\.”/);
    update(`$form['scheduleForm'] = false;`);
    expect(await stateOf()).toBe('open');
  });

  test('names a required field that the site does not draw', async () => {
    update(`$form['fields'][] = GF_Fields::create( ${field(9, 'username', 'User', `'isRequired' => true`)} );`);
    const { code, of } = await examineSite(env);
    expect(of('fields')).toMatchObject({
      state: 'broken',
      says: expect.stringMatching(/every sign-up is refused: User \(username\)/),
    });
    expect(code).toBe(1);
    update(`array_pop( $form['fields'] );`);
  });

  test('an editor’s key reads forms even if Gravity Forms does not let the editor', async () => {
    const made = site.phpValue<{
      key: string;
      secret: string;
    }>(`$user = wp_insert_user( array( 'user_login' => 'editor', 'user_pass' => wp_generate_password(), 'role' => 'editor' ) );
      return Pillion\\Access\\Keys::create( 'doctor-editor', 'of the tests', $user );`);
    const { lines, of } = await examineSite({ ...env, CONTENT_KEY: made.key, CONTENT_SECRET: made.secret });
    expect(lines.find(({ name }) => name === 'its rights')?.state).toBe('ok');
    expect(of('form')).toBeUndefined();
  });

  test('lists the versions of all plugins', async () => {
    const { lines } = await examineSite(env);
    const says = lines.map((line) => line.says).join('\n');
    for (const version of Object.values(site.versions)) expect(says).toContain(version);
  });
});
