import { expect, test } from 'vitest';
import { createPage, php, phpAfterwards, rest } from './wordpress.ts';

const menus = async () => (await rest('gusto/nav/menu-locations?lang=en')).body;

test('R26: a location without a menu is null, and the others are present', async () => {
  const before = php(`$all = get_theme_mod( 'nav_menu_locations' ); echo wp_json_encode( $all );
    unset( $all['social_menu'] ); set_theme_mod( 'nav_menu_locations', $all );`);
  phpAfterwards(`set_theme_mod( 'nav_menu_locations', json_decode( '${before}', true ) );`);
  const { social_menu, legals_menu } = await menus();
  expect(social_menu).toBeNull();
  expect(legals_menu.items).toHaveLength(3);
});

test('R17: an emptied menu is an empty list, not null', async () => {
  const id = php(`
    $empty = wp_create_nav_menu( 'Nothing' );
    set_theme_mod( 'nav_menu_locations', array( 'main_menu' => $empty ) + get_theme_mod( 'nav_menu_locations' ) );
    echo $empty;`);
  phpAfterwards(`wp_delete_nav_menu( ${Number(id)} );
      set_theme_mod( 'nav_menu_locations', array( 'main_menu' => wp_get_nav_menu_object( 'Main menu' )->term_id ) + get_theme_mod( 'nav_menu_locations' ) );`);
  expect((await menus()).main_menu.items).toEqual([]);
});

test('R17: titles arrive as text and nested items as children', async () => {
  const ids = php(`
    $menu = wp_get_nav_menu_object( 'Main menu' )->term_id;
    $top  = wp_update_nav_menu_item( $menu, 0, array( 'menu-item-title' => 'Rock & <b>Roll</b>', 'menu-item-url' => '#', 'menu-item-status' => 'publish' ) );
    $sub  = wp_update_nav_menu_item( $menu, 0, array( 'menu-item-title' => 'Below', 'menu-item-url' => '#b', 'menu-item-parent-id' => $top, 'menu-item-status' => 'publish' ) );
    echo "$top,$sub";`);
  phpAfterwards(`foreach ( array( ${ids} ) as $id ) { wp_delete_post( $id, true ); }`);
  const added = (await menus()).main_menu.items.at(-1);
  expect(added.title).toBe('Rock & <b>Roll</b>');
  expect(added.children).toMatchObject([{ title: 'Below', url: '#b' }]);
});

test('R17: a page that becomes a draft leaves its menu', async () => {
  const id = await createPage({ title: 'Soon', status: 'publish' });
  const item = php(`echo wp_update_nav_menu_item( wp_get_nav_menu_object( 'Main menu' )->term_id, 0, array(
      'menu-item-type' => 'post_type', 'menu-item-object' => 'page', 'menu-item-object-id' => ${id}, 'menu-item-status' => 'publish' ) );`);
  expect((await menus()).main_menu.items.at(-1).title).toBe('Soon');
  await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { status: 'draft' } });
  expect((await menus()).main_menu.items.map(({ title }: { title: string }) => title)).toEqual([
    'The paper notes',
    'The tour',
  ]);
  php(`wp_delete_post( ${Number(item)}, true );`);
});

test('R17: an item of a page with a password is left out, as one of a draft is', async () => {
  const id = await createPage({ title: 'Guests', status: 'publish' });
  const item = php(`echo wp_update_nav_menu_item( wp_get_nav_menu_object( 'Main menu' )->term_id, 0, array(
      'menu-item-type' => 'post_type', 'menu-item-object' => 'page', 'menu-item-object-id' => ${id}, 'menu-item-status' => 'publish' ) );`);
  phpAfterwards(`wp_delete_post( ${Number(item)}, true );`);
  const last = async () => (await menus()).main_menu.items.at(-1).title;
  expect(await last()).toBe('Guests');
  await rest(`wp/v2/pages/${id}`, { as: 'admin', body: { password: 'secret' } });
  expect(await last()).toBe('The tour');
});

test('R21: a single location can be requested; an unknown one gets 404', async () => {
  expect((await rest('gusto/nav/menu-locations/legals_menu')).body.items).toHaveLength(3);
  expect((await rest('gusto/nav/menu-locations/nowhere')).status).toBe(404);
});

test('R17: the locations are WordPress’ own, so core’s menu screen and REST list them', async () => {
  const { body } = await rest('wp/v2/menu-locations', { as: 'admin' });
  expect(Object.keys(body)).toEqual(expect.arrayContaining(['main_menu', 'social_menu', 'legals_menu']));
});
