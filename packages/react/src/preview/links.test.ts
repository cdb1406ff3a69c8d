import { beforeEach, expect, test, vi } from 'vitest';
import { previewHref } from './links.ts';

const SITE = 'https://site.test';
const PREVIEW = { post: 7, drafts: { '/about/': 12, '/': 3 } };

beforeEach(() => {
  vi.stubGlobal('location', { origin: SITE });
});

const targetOf = (path: string) => previewHref(SITE + path, PREVIEW, '/the-tour/').replace(SITE, '');

test('a link to a page with a draft leads to its preview, with query and hash', () => {
  expect(targetOf('/about/')).toBe('/preview/12/');
  expect(targetOf('/about/?a=1#team')).toBe('/preview/12/?a=1#team');
  expect(targetOf('/#form')).toBe('/preview/3/#form');
});

test('a link to the page itself stays in its preview', () => {
  expect(targetOf('/the-tour/#crew')).toBe('/preview/7/#crew');
});

test('a link leads to its preview in either spelling of percent codes', () => {
  const preview = { post: 7, drafts: { '/%d7%90/': 12, '/%D7%91/': 13 } };
  const target = (path: string, own: string) => previewHref(SITE + path, preview, own).replace(SITE, '');
  expect(target('/%D7%90/', '/the-tour/')).toBe('/preview/12/');
  expect(target('/%d7%91/', '/the-tour/')).toBe('/preview/13/');
  expect(target('/%D7%92/#crew', '/%d7%92/')).toBe('/preview/7/#crew');
});

test('other links stay unchanged', () => {
  for (const path of ['/privacy/', '/about', '/toString', '/preview/7/#a']) expect(targetOf(path)).toBe(path);
  for (const href of ['https://other.test/about/', 'mailto:a@b.test', 'tel:1'])
    expect(previewHref(href, PREVIEW, '/the-tour/')).toBe(href);
});
