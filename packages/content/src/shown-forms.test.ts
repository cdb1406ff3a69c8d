import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Content } from './content.ts';
import { type FakeSite, openContent, startFakeSite } from './testing/fake-site.ts';
import {
  type FakeWordpress,
  form,
  formPath,
  hang,
  json,
  page,
  pagePath,
  ROUTES,
  route,
} from './testing/fake-wordpress.ts';

let site: FakeSite;
let wordpress: FakeWordpress;
let content: Content;

/** Ids of forms that were requested from WordPress. */
const askedFor = () =>
  wordpress.requests.flatMap(({ url }) => {
    const [, id] = /\/gf\/v2\/forms\/(\d+)/.exec(url) ?? [];
    return id ? [Number(id)] : [];
  });

beforeEach(async () => {
  site = await startFakeSite();
  ({ wordpress } = site);
  for (const id of [2, 3, 4]) wordpress.plays.set(formPath(id), json(form(id)));
  // Form 2 is on the page about the team, form 3 on a private page, form 4 on none.
  wordpress.plays.set(pagePath(3), json(page(3, { sections: [{ type: 'sign-up', form_id: 2 }] })));
  wordpress.plays.set(pagePath(2), json(page(2, { status: 'private', sections: [{ type: 'sign-up', form_id: 3 }] })));
  content = openContent(site);
});
afterEach(async () => {
  await content.close();
  await site.stop();
});

test('a form on a page that was not visited yet is found', async () => {
  expect(await content.form(2, 'en')).toMatchObject({ id: 2 });
  expect(await content.form(1, 'en'), 'the site’s own').toMatchObject({ id: 1 });
});

test('a form on no public page does not exist for visitors and is not requested from WordPress', async () => {
  expect(await content.form(2, 'en')).not.toBeNull();
  await expect.poll(async () => (await content.shownForm(4, 'en')).isShown).toBe(false);
  for (const id of [3, 4, 999]) {
    expect((await content.shownForm(id, 'en')).isShown).toBe(false);
    expect(await content.form(id, 'en')).toBeNull();
  }
  expect(askedFor()).toEqual([2]);
});

test('invariant 9: invented form ids cause no requests to WordPress', async () => {
  await expect.poll(async () => (await content.shownForm(999, 'en')).isShown).toBe(false);
  const made = Array.from({ length: 2_000 }, (_, at) => 1_000 + at);
  await Promise.all(made.map((id) => content.form(id, 'en')));
  await Promise.all(made.map((id) => content.shownForm(id, 'en')));
  expect(askedFor()).toEqual([]);
  // Each page once, after all other requests.
  const pages = wordpress.requests.filter(({ url }) => url.startsWith('/wp-json/wp/v2/pages/'));
  expect(pages.length, 'each page is read once').toBeLessThanOrEqual(3);
});

test('a form on a page that cannot be read yet is not rejected, so that no sign-up is lost', async () => {
  wordpress.plays.set(pagePath(3), hang);
  expect((await content.shownForm(2, 'en')).isShown).toBeNull();
  expect(await content.form(2, 'en')).toMatchObject({ id: 2 });
});

test('R30: a form is available on a cold start, before WordPress has listed the pages', async () => {
  wordpress.plays.set(ROUTES, hang);
  expect(await content.form(2, 'en')).toMatchObject({ id: 2 });
  expect((await content.shownForm(999, 'en')).isShown, 'the pages are not known yet').toBeNull();
});

test('while some pages are unknown, invented ids wait in a short queue and the rest is rejected', async () => {
  wordpress.plays.set(pagePath(3), hang);
  for (let id = 1_000; id < 1_500; id++) wordpress.plays.set(formPath(id), hang);
  await Promise.all(Array.from({ length: 500 }, (_, at) => content.form(1_000 + at, 'en')));
  expect(askedFor().length).toBeLessThan(10);
});

test('R29: a form appears with the page that uses it and disappears with it', async () => {
  expect(await content.form(2, 'en')).not.toBeNull();
  await expect.poll(async () => (await content.shownForm(4, 'en')).isShown).toBe(false);
  expect(await content.form(4, 'en')).toBeNull();
  const changed = { modified: '2026-11-21T10:00:00' };
  wordpress.plays.set(ROUTES, json([route(1, '/', { template: 'landing' }), route(2, '/about/', changed)]));
  wordpress.plays.set(pagePath(2), json(page(2, { sections: [{ type: 'sign-up', form_id: 4 }] })));
  expect(await content.refresh({ type: 'page', id: 2, path: '/about/', status: 'publish' })).toBe(true);
  expect(await content.form(4, 'en')).toMatchObject({ id: 4 });
  expect(await content.form(2, 'en')).toBeNull();
});
