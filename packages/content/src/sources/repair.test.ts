import { expect, test } from 'vitest';
import { route } from '../testing/fake-wordpress.ts';
import type { Endpoint } from '../wordpress/endpoints.ts';
import { repair } from './repair.ts';

const item = (id: number, title = `Item ${id}`) => ({ id, title, url: `/${id}/` });
const section = (heading: unknown, type = 'statement') => ({ type, heading });
const field = (id: number) => ({ id, type: 'email', label: 'Email' });
const EN = { tag: 'en', name: 'English' };
const DE = { tag: 'de', name: 'Deutsch' };

/** The last valid responses. */
const LAST = {
  menus: {
    main_menu: { items: [item(1), item(2)] },
    social_menu: { items: [item(3)] },
    legals_menu: [item(4), item(5)],
  },
  strings: { brand: 'LIVE', labels: { join: 'Come', more: 'Open' }, links: { privacy: '/p/' }, languages: [EN, DE] },
  routes: [route(1, '/'), route(2, '/about/'), route(3, '/log/')],
  redirects: { items: [{ from: '/a/', status: 301, to: '/b/' }] },
  page: { acf: { theme: 'light' }, sections: [section('Good'), section('Old', 'hero')] },
  form: { fields: [field(1), field(2)] },
};
const { menus, strings, routes, redirects, page } = LAST;

type Name = keyof typeof LAST;
const repaired = (name: Name, response: unknown, last: unknown = LAST[name]) =>
  repair({ name } as unknown as Endpoint, response, last);

/** The parts that cannot be read have the last valid values, and the others are current. */
function expectRepaired(name: Name, response: unknown, expected: unknown, ...unreadable: string[]): void {
  expect(repaired(name, response)).toEqual({ response: expected, unreadable });
  expect(repaired(name, response, null).unreadable).toEqual(unreadable);
}

test('R26: an invalid menu keeps its last value, and an invalid item that of its id or position', () => {
  const invalid = { main_menu: [item(9)], social_menu: 5, legals_menu: [[]] };
  expectRepaired('menus', invalid, { ...menus, main_menu: [item(9)] }, 'social_menu', 'legals_menu');
  const items = { main_menu: { items: [item(1, 'First'), 5] }, legals_menu: [{ id: 5, url: 7 }, item(6), 'x'] };
  const kept = { main_menu: { items: [item(1, 'First'), item(2)] }, legals_menu: [item(5), item(6), 'x'] };
  expectRepaired('menus', items, kept, 'main_menu', 'legals_menu');
});

test('R19: invalid texts, groups and languages keep their last values', () => {
  const labels = { join: ['x'], more: 'Wider', own: 5 };
  const given = { brand: 'NEW', labels, links: 5, form: { form_id: true } };
  const kept = { ...given, labels: { ...labels, join: 'Come' }, links: strings.links };
  expectRepaired('strings', given, kept, 'labels.join', 'links', 'form.form_id');
  const [links, last] = [
    { privacy: 7, own: '/o/' },
    { privacy: '/p/', own: '/o/' },
  ];
  expectRepaired('strings', { links }, { links: last }, 'links.privacy');
  for (const languages of ['x', [{ tag: 7 }, null], [{ tag: 7 }, DE]])
    expectRepaired('strings', { languages }, { languages: [EN, DE] }, 'languages');
});

test('R29: invalid routes, redirects, sections and fields keep their last values', () => {
  expectRepaired('routes', [routes[0], { id: 3, path: 5 }, 'x'], [routes[0], routes[2], routes[2]], 'routes');
  expectRepaired('routes', ['x', 5], routes, 'routes');
  const removed = { from: '/c/', status: 410 };
  const items = [removed, { from: '/a/', status: 7 }];
  expectRepaired('redirects', { items }, { items: [removed, ...redirects.items] }, 'items');
  const sections = [section('Good'), section('New')];
  expectRepaired('page', { acf: 'x', sections: [section(5), sections[1]] }, { ...page, sections }, 'acf', 'sections');
  const broken = { id: 3, type: 5 };
  const fields = [{ id: 2, type: 5 }, broken, field(4)];
  expectRepaired('form', { fields }, { fields: [field(2), broken, field(4)] }, 'fields');
});

test('an invalid section never becomes one of another type', () => {
  const sections = [section('Good'), section(5)];
  expectRepaired('page', { sections }, { sections }, 'sections');
});

test.each<[Name, unknown]>([
  ...Object.entries(LAST).map(([name, last]): [Name, unknown] => [name as Name, last]),
  ['menus', { main_menu: [], social_menu: null, legals_menu: { items: [] } }],
  // PHP encodes an empty group as a list.
  ['strings', { brand: null, links: [], labels: null, form: { form_id: 7 }, own: 5 }],
  ['page', { acf: null, sections: [{ type: 'carousel' }] }],
  ['form', {}],
])('of %s, %j is current as it is, also what is empty on purpose', (name, response) => {
  expect(repaired(name, response).response).toBe(response);
});

test('without a last valid value an unreadable one stays, except a list of languages', () => {
  expect(repaired('menus', { main_menu: 5 }, null).response).toEqual({ main_menu: 5 });
  expect(repaired('strings', { languages: 5, links: 5 }, { languages: 6, links: 6 }).response).toEqual({ links: 5 });
  expect(repaired('page', { acf: 5 }, { acf: 6 }).response).toEqual({ acf: 5 });
  expect(repaired('strings', { brand: 5 }, { brand: 6 }).response).toEqual({ brand: 5 });
});
