import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPageLoader, NeedsDocument } from './page-loader.ts';

let asked: string[];
let build: string;
let status: number;

beforeEach(() => {
  asked = [];
  build = 'b1';
  status = 200;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('fetch', async (address: string) => {
    const path = new URL(address, 'http://site.test').searchParams.get('path') ?? '';
    asked.push(path);
    const headers = { 'content-type': 'application/json', 'pillion-build': build };
    return new Response(JSON.stringify({ status, page: { path, template: null, sections: [] } }), { headers });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = () => createPageLoader({ page: { lang: 'en' }, build: 'b1', mayEmbed: false }, async () => {});
const { signal } = new AbortController();

test('R43: a prefetched page is used without another request for 30 s', async () => {
  const pages = open();
  pages.prefetch('/a/');
  pages.prefetch('/a/');
  await pages.load('/a/', signal);
  expect(asked).toEqual(['/a/']);
  pages.prefetch('/b/');
  vi.advanceTimersByTime(30_000);
  await pages.load('/b/', signal);
  expect(asked).toEqual(['/a/', '/b/', '/b/']);
});

test('R43: outdated prefetched pages make room for new ones on a long visit', async () => {
  const pages = open();
  for (let link = 0; link < 25; link++) pages.prefetch(`/${link}/`);
  expect(asked).toHaveLength(20);
  vi.advanceTimersByTime(30_000);
  pages.prefetch('/0/');
  pages.prefetch('/24/');
  expect(asked.slice(20)).toEqual(['/0/', '/24/']);
});

test('R43: a page that was prefetched while the site was unavailable is requested again', async () => {
  const pages = open();
  status = 503;
  pages.prefetch('/a/');
  status = 200;
  await expect(pages.load('/a/', signal)).resolves.toMatchObject({ status: 200 });
  expect(asked).toEqual(['/a/', '/a/']);
});

test('a page from another build needs a document', async () => {
  build = 'b2';
  await expect(open().load('/a/', signal)).rejects.toBeInstanceOf(NeedsDocument);
});

test('a page with a video of another site needs a document, whose policy allows the player', async () => {
  vi.stubGlobal('fetch', async () => {
    const sections = [{ type: 'rich-text', html: '<a data-embed="https://player.vimeo.com/video/1">A film</a>' }];
    const headers = { 'content-type': 'application/json', 'pillion-build': build };
    return new Response(JSON.stringify({ status: 200, page: { path: '/a/', sections } }), { headers });
  });
  await expect(open().load('/a/', signal)).rejects.toThrow(NeedsDocument);
  const there = createPageLoader({ page: { lang: 'en' }, build: 'b1', mayEmbed: true }, async () => {});
  await expect(there.load('/a/', signal)).resolves.toMatchObject({ status: 200 });
});
