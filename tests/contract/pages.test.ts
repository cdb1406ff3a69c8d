import { expect, test } from 'vitest';
import { login } from './browser.ts';
import { createPage, php, phpAfterwards, phpValue, rest, usePlugin } from './wordpress.ts';

const bySlug = async (slug: string) => (await rest(`wp/v2/pages?slug=${slug}`)).body[0];

const themeOf = async (id: number) => (await rest(`wp/v2/pages/${id}`)).body.acf;

test('R2: the block editor saves a page’s theme with the page; an unknown theme falls back to the site’s', async () => {
  const id = await createPage({ title: 'Painted', meta: { _pillion_theme: 'light' } });
  expect(await themeOf(id)).toEqual({ theme: 'light' });
  for (const [chosen, seen] of [
    ['dark', { theme: 'dark' }],
    ['neon', []],
    ['', []],
  ] as const) {
    await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { meta: { _pillion_theme: chosen } } });
    expect(await themeOf(id)).toEqual(seen);
  }
});

test('R2: the classic editor has the theme and the SEO fields in boxes, and reads markup as text', async () => {
  usePlugin(`add_filter( 'use_block_editor_for_post', '__return_false' );`);
  const id = await createPage({ title: 'Boxed' });
  const browser = await login();
  const read = async () => {
    const { acf, found } = (await rest(`wp/v2/pages/${id}`)).body;
    return [acf, found];
  };
  const save = async (values: Record<string, string>) => {
    const { fields } = await browser.page(`/wp-admin/post.php?post=${id}&action=edit`);
    expect([...fields.keys()]).toEqual(expect.arrayContaining(['pillion_theme', 'pillion_seo_title']));
    await browser.submit('/wp-admin/post.php', fields, { action: 'editpost', post_ID: String(id), ...values });
    return read();
  };
  const [, none] = await read();
  const title = 'A "quoted" \\ title';
  const seo = {
    pillion_seo_title: title,
    pillion_seo_description: '<script>x</script>Plain',
    pillion_seo_noindex: '1',
  };
  expect(await save({ pillion_theme: 'light', ...seo })).toEqual([
    { theme: 'light' },
    { ...none, title, description: 'Plain', noindex: true, share_title: title, share_description: 'Plain' },
  ]);
  const empty = { pillion_seo_title: '', pillion_seo_description: '', pillion_seo_noindex: '' };
  expect(await save({ pillion_theme: 'neon', ...empty })).toEqual([[], none]);
});

test('R2: the boxes of the classic editor change no other post that is saved in the same request', async () => {
  usePlugin(`add_filter( 'use_block_editor_for_post', '__return_false' );`);
  const id = await createPage({ title: 'Boxed and moved', slug: 'boxed-and-moved' });
  const browser = await login();
  const { fields } = await browser.page(`/wp-admin/post.php?post=${id}&action=edit`);
  const moved = { post_name: 'boxed-elsewhere', pillion_theme: 'light', pillion_seo_title: 'Boxed' };
  await browser.submit('/wp-admin/post.php', fields, { action: 'editpost', post_ID: String(id), ...moved });
  const titles = `$wpdb->get_col( "SELECT post_title FROM $wpdb->posts JOIN $wpdb->postmeta ON post_id = ID WHERE meta_key LIKE '_pillion%' AND post_type = 'pillion_redirect'" )`;
  expect(phpValue(`return Pillion\\Redirects\\Redirects::find_at( '/boxed-and-moved/' );`)).toMatchObject({ page: id });
  expect(phpValue(`global $wpdb; return ${titles};`)).toEqual([]);
});

test('R2: the landing page names its template, and any page can use it with any active theme', async () => {
  expect((await bySlug('home')).template).toBe('landing');
  const themes = phpValue<string[]>(`return array_keys( wp_get_themes() );`);
  const before = php(`echo get_stylesheet();`);
  phpAfterwards(`switch_theme( '${before}' );`);
  for (const theme of themes) {
    php(`switch_theme( '${theme}' );`);
    const id = await createPage({ title: 'Second landing', template: 'landing' });
    expect([theme, (await rest(`wp/v2/pages/${id}`)).body.template]).toEqual([theme, 'landing']);
    const route = (await rest('gusto/routes')).body.find((one: { id: number }) => one.id === id);
    expect(route.template).toBe('landing');
  }
});

test('R2: an unregistered template is rejected', async () => {
  const { status } = await rest('wp/v2/pages', { as: 'admin', body: { title: 'X', template: 'nowhere.php' } });
  expect(status).toBe(400);
});

test('seeding twice changes nothing', () => {
  const state = `return array( wp_count_posts( 'page' ), wp_count_posts( 'attachment' ), wp_count_posts( 'nav_menu_item' ), get_option( 'pillion_strings' ), count( get_option( 'pillion_keys' ) ) );`;
  const before = phpValue(state);
  php(`require '${new URL('../../scripts/wordpress/seed-kit/seed.php', import.meta.url).pathname}';`);
  expect(phpValue(state)).toEqual(before);
});

test('nothing of a password-protected page is readable over REST', async () => {
  const id = await createPage({ title: 'Locked', password: 'sesame', content: '<p>the secret text</p>' });
  const { body } = await rest(`wp/v2/pages/${id}`);
  expect(body.content.protected).toBe(true);
  expect(JSON.stringify(body)).not.toContain('the secret text');
});
