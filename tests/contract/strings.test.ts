import { DEFAULT_STRINGS } from '@pillion/content/wordpress/default-strings.ts';
import { beforeAll, expect, test } from 'vitest';
import { login } from './browser.ts';
import { createUser, php, phpAfterwards, phpValue, rest, setOption } from './wordpress.ts';

const options = async (query = '?lang=en') => (await rest(`gusto/options${query}`)).body;
const settings = async () => (await rest('wp/v2/settings', { as: 'admin' })).body.pillion_strings;
const save = (pillion_strings: unknown) => rest('wp/v2/settings', { as: 'admin', body: { pillion_strings } });

let before: string;
beforeAll(() => {
  before = php(`echo base64_encode( serialize( get_option( 'pillion_strings' ) ) );`);
});

/** Restores the texts after the test. */
const restoreAfterwards = () =>
  phpAfterwards(`update_option( 'pillion_strings', array() ); delete_option( 'pillion_strings' );
    update_option( 'pillion_strings', unserialize( base64_decode( '${before}' ) ) );`);

/** Paths of all members except those below `links`, whose names the editor chooses. */
function paths(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [prefix];
  return Object.entries(value).flatMap(([name, member]) =>
    prefix === '' && name === 'links' ? [name] : paths(member, prefix ? `${prefix}.${name}` : name),
  );
}

test('R18: the texts are one option of core’s settings endpoint', async () => {
  expect(paths(await settings()).sort()).toEqual(paths(DEFAULT_STRINGS).sort());
  expect((await settings()).footer.colophon).toBe('All Rights Reserved | {brand} Inc. VAT {number}');
});

test('R18: changing one text over REST keeps all others', async () => {
  restoreAfterwards();
  const before = await options();
  expect((await save({ footer: { colophon: 'Made at dusk' } })).status).toBe(200);
  expect(await options()).toEqual({ ...before, footer: { colophon: 'Made at dusk' } });
});

test('R19: an emptied text is null, so that the site’s default applies', async () => {
  restoreAfterwards();
  for (const empty of ['', null]) {
    await save({ labels: { join: empty } });
    expect((await options()).labels).toMatchObject({ join: null, scroll: expect.any(String) });
  }
});

test('R18: texts arrive as typed, including markup and percent signs', async () => {
  restoreAfterwards();
  const typed = 'Rock & Roll <b>50%20</b> \\ "quoted" \u{1F3CD}';
  await save({ brand: `  ${typed}\n` });
  expect((await options()).brand).toBe(typed);
});

test('the sign-up count starts at zero, at a number, or is off', async () => {
  restoreAfterwards();
  for (const [typed, kept] of [
    ['0', '0'],
    ['00214', '214'],
    ['', null],
  ]) {
    expect((await save({ sign_up_number: { from: typed } })).status).toBe(200);
    expect((await options()).sign_up_number.from).toBe(kept);
  }
});

test('the music follows the page or plays unchanged, and no other value is stored', async () => {
  restoreAfterwards();
  for (const [typed, kept] of [
    ['plain', 'plain'],
    ['loud', null],
    ['plain', 'plain'],
    ['', null],
  ]) {
    expect((await save({ audio: { tone: typed } })).status).toBe(200);
    expect((await options()).audio.tone).toBe(kept);
  }
});

for (const [what, input, words] of [
  ['an address that runs script', { fourohfour: { link: { url: 'javascript:alert(1)' } } }, /is not an address/],
  [
    'an address without a scheme',
    { links: { privacy: 'example.org/privacy' } },
    /privacy: “example.org\/privacy” is not an address/,
  ],
  ['another host without a scheme', { audio: { url: '//example.org/a.mp3' } }, /is not an address/],
  ['a logo with a script in it', { logo: '<svg viewBox="0 0 9 9"><script>alert(1)</script></svg>' }, /SVG/],
  ['a logo that is not closed', { logo: '<svg viewBox="0 0 9 9"><path></svg>' }, /SVG/],
  ['a logo without a viewBox', { logo: '<svg width="9"><path d="M0 0"/></svg>' }, /viewBox/],
  ['a logo longer than the site shows', { logo: `<svg viewBox="0 0 9 9">${'x'.repeat(16_384)}</svg>` }, /up to 16384/],
  ['a form number of nought', { form: { form_id: 0 } }, /whole number/],
  ['a number of sign-ups below nought', { sign_up_number: { from: '-1' } }, /whole number of at least 0/],
  ['a number of sign-ups of ten digits', { sign_up_number: { from: '1000000000' } }, /nine digits/],
  ['a text longer than any', { brand: 'x'.repeat(301) }, /up to 300/],
  ['a member of the wrong type', { brand: ['Example'] }, /brand/],
  ['a member nobody knows', { colour: 'grey' }, /colour/],
] as const)
  test(`R18: ${what} is rejected with a message, and nothing is lost`, async () => {
    restoreAfterwards();
    const before = await options();
    const answer = await save({ number: 'changed', ...input });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(words);
    expect(await options()).toEqual(before);
  });

for (const [what, value] of [
  ['is a word', `'broken'`],
  ['is an object of some class that is gone', `new ArrayObject( array( 1 ) )`],
  [
    'has members of wrong types',
    `array( 'brand' => array( 1 ), 'labels' => 'x', 'links' => 7, 'form' => array( 'form_id' => 'y' ), 'number' => 'kept' )`,
  ],
] as const)
  test(`R18: texts whose option ${what} break nothing, and the valid ones are served`, async () => {
    setOption('pillion_strings', value);
    const answer = await rest('gusto/options');
    expect(answer.status).toBe(200);
    expect(paths(answer.body).sort()).toEqual(paths(DEFAULT_STRINGS).sort());
    expect(answer.body).toMatchObject({ brand: null, links: {}, form: { form_id: null } });
    expect(answer.body.number).toBe(value.includes('kept') ? 'kept' : null);
    expect((await settings()).brand).toBeNull();
  });

test('R18: every text has a field on the settings page with the name of the string', async () => {
  const page = await (await login()).page('/wp-admin/admin.php?page=pillion');
  for (const path of paths(DEFAULT_STRINGS).filter((name) => name !== 'links')) {
    const name = `pillion_strings[${path.split('.').join('][')}]`;
    expect([path, page.fields.has(name)]).toEqual([path, true]);
  }
  expect(page.fields.get('pillion_strings[footer][colophon]')).toBe('All Rights Reserved | {brand} Inc. VAT {number}');
});

test('the labels of the settings page can be translated like those of any plugin', () => {
  const [label, help, title, choices] = phpValue<unknown[]>(`
    add_filter( 'gettext_pillion', static function ( $translation, $text ) { return "de: $text"; }, 10, 2 );
    $fields = Pillion\\Content\\StringFields::all();
    return array( $fields['footer.colophon']['label'], $fields['footer.colophon']['help'],
      Pillion\\Content\\StringFields::groups()[2]['title'], $fields['audio.tone']['choices'] );`);
  expect([label, help, title]).toEqual([
    'de: Colophon',
    'de: {brand} and {number} are replaced with the values above.',
    'de: Footer',
  ]);
  expect(choices).toMatchObject({ plain: 'de: Unchanged' });
});

test('R18: the settings page saves all but an invalid address, which it shows again with an error', async () => {
  restoreAfterwards();
  const browser = await login();
  const page = await browser.page('/wp-admin/admin.php?page=pillion');
  const after = await browser.submit('/wp-admin/options.php', page.fields, {
    'pillion_strings[footer][colophon]': 'Made at dusk',
    'pillion_strings[fourohfour][link][url]': 'javascript:alert(1)<b>',
    'pillion_strings[links][0][name]': 'press',
    'pillion_strings[links][0][address]': '/press/',
  });
  expect(after.html).toContain('“javascript:alert(1)&lt;b&gt;” is not an address');
  expect(after.html).not.toContain('alert(1)<b>');
  expect(after.fields.get('pillion_strings[fourohfour][link][url]')).toBe('javascript:alert(1)<b>');
  const { footer, fourohfour, links } = await options();
  expect(footer.colophon).toBe('Made at dusk');
  expect(new URL(fourohfour.link.url).pathname).toBe('/');
  expect(Object.keys(links)).toEqual(['privacy', 'terms', 'cookies', 'press']);
});

test('R18: users who edit pages can change the texts', async () => {
  createUser('text-editor');
  restoreAfterwards();
  const editor = await login('text-editor', 'text-editor');
  const page = await editor.page('/wp-admin/admin.php?page=pillion');
  await editor.submit('/wp-admin/options.php', page.fields, { 'pillion_strings[brand]': 'Edited' });
  expect((await options()).brand).toBe('Edited');
});
