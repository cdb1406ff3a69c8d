import { join } from 'node:path';
import { leastProcessorMs } from '@pillion/lib/testing/processor-time.ts';
import { MAX_RESPONSE_MS, pass, startVirtualTime } from '@pillion/lib/testing/virtual-time.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Content } from '../content.ts';
import { type FakeSite, openContent, startFakeSite } from '../testing/fake-site.ts';
import { type FakeWordpress, hang, json, page, pagePath, ROUTES, route } from '../testing/fake-wordpress.ts';
import { markedBundle } from '../testing/own-bundle.ts';
import { followRedirects, redirectsOf } from './redirects.ts';

const REDIRECTS = '/wp-json/pillion/v1/redirects';

let site: FakeSite;
let wordpress: FakeWordpress;
let content: Content;
/** The bundled copies, pulled from this WordPress. */
let bundleDirectory: string;
let events: [string, Record<string, unknown>][];

const open = (source?: 'wordpress' | 'bundled') =>
  openContent(site, {
    ...(source && { source }),
    bundleDirectory,
    log: (_, event, details = {}) => events.push([event, details]),
  });

async function restart(source?: 'wordpress' | 'bundled') {
  await content.close();
  content = open(source);
}

const moved = (from: string, to: string, status = 301) => ({ from, status, to });
const gone = (from: string) => ({ from, status: 410, to: null });
const answer = (items: unknown[], total = items.length, per_page = 1000) => json({ total, per_page, items });

const keep = (...items: unknown[]) => wordpress.plays.set(REDIRECTS, answer(items));
const resolve = (path: string) => content.resolve(path, 'en');

beforeEach(async () => {
  events = [];
  site = await startFakeSite();
  ({ wordpress } = site);
  bundleDirectory = markedBundle(join(site.directory, 'bundle'), wordpress.url);
  startVirtualTime();
  content = open();
});
afterEach(async () => {
  await content.close();
  await site.stop();
});

describe('a path that an editor redirects', () => {
  test('leads to its target, permanently or temporarily, or is gone', async () => {
    keep(moved('/old/', '/about/'), moved('/for-now/', '/about/', 302), gone('/first/'));
    expect(await resolve('/old/')).toEqual({ kind: 'redirect', status: 301, location: '/about/' });
    expect(await resolve('/for-now/')).toEqual({ kind: 'redirect', status: 302, location: '/about/' });
    expect(await resolve('/first/')).toEqual({ kind: 'gone' });
    expect(await resolve('/second/')).toEqual({ kind: 'missing' });
  });

  test.each([
    ['/old', '/old/'],
    ['/old/', '/old'],
    ['//old//', '/old/'],
    ['/%6Fld/', '/old/'],
    ['/%C3%BCber-uns/', '/über-uns/'],
    ['/%c3%bcber-uns', '/%C3%BCber-uns/'],
    ['/u%CC%88ber-uns/', '/%C3%BCber-uns/'],
    ['/%E9%81%93/', '/道/'],
    ['/old.html', '/old.html/'],
    ["/it's-(old)!/", '/it%27s-%28old%29%21/'],
  ])('requested as %s matches the one stored as %s', async (asked, from) => {
    keep(moved(from, '/about/'));
    expect(await resolve(asked)).toEqual({ kind: 'redirect', status: 301, location: '/about/' });
  });

  test.each([
    ['/about', '/about/'],
    ['/about/?a=1&b=%26#team', '/about/?a=1&b=%26#team'],
    ['/nowhere/?q=über', '/nowhere/?q=%C3%BCber'],
    ['/media/a%20b.pdf', '/media/a%20b.pdf'],
    ['/道/', '/%E9%81%93/'],
    ['/', '/'],
  ])('may lead to %s', async (to, location) => {
    keep(moved('/old/', to));
    expect(await resolve('/old/')).toEqual({ kind: 'redirect', status: 301, location });
  });

  test('R29: shows the page once one exists there', async () => {
    keep(moved('/about/', '/'), gone('/about/team/'));
    expect(await resolve('/about/')).toMatchObject({ kind: 'page' });
    expect(await resolve('/about/team/')).toMatchObject({ kind: 'page' });
  });

  test('R29: of a page that was just withdrawn is not found by its old route', async () => {
    keep(gone('/about/'), moved('/about/team/', '/about/team/?again'));
    wordpress.plays.set(pagePath(2), json(page(2, { status: 'trash' })));
    wordpress.plays.set(pagePath(3), json(page(3, { status: 'draft' })));
    expect(await resolve('/about/')).toEqual({ kind: 'gone' });
    expect(await resolve('/about/team/')).toEqual({ kind: 'missing' });
  });
});

describe('redirects one after another', () => {
  test('redirect a visitor once, permanently only if each is permanent', async () => {
    keep(moved('/a/', '/b/'), moved('/b/', '/c/?x=1'), moved('/c/', '/about', 302), moved('/d/', '/a/'));
    expect(await resolve('/c/')).toEqual({ kind: 'redirect', status: 302, location: '/about/' });
    expect(await resolve('/d/')).toEqual({ kind: 'redirect', status: 302, location: '/about/' });
  });

  test('end at an existing page, even if it has a redirect', async () => {
    keep(moved('/a/', '/about/'), moved('/about/', '/elsewhere/'));
    expect(await resolve('/a/')).toEqual({ kind: 'redirect', status: 301, location: '/about/' });
  });

  test('that end at a removed path respond with 410 at once', async () => {
    keep(moved('/a/', '/b/'), gone('/b/'));
    expect(await resolve('/a/')).toEqual({ kind: 'gone' });
  });

  test('in a circle, which only invalid data has, are cut and logged once', async () => {
    keep(moved('/a/', '/b/'), moved('/b/', '/A/../a'), moved('/c/', '/d/'), moved('/d/', '/c'), moved('/e/', '/e/#x'));
    for (const path of ['/c/', '/d/', '/e/', '/c/']) expect(await resolve(path), path).toEqual({ kind: 'missing' });
    expect(events.filter(([event]) => event === 'content.redirect-loop').map(([, { paths }]) => paths)).toEqual([
      ['/c/', '/d/', '/c/'],
      ['/d/', '/c/', '/d/'],
      ['/e/', '/e/'],
    ]);
  });

  test('of any length are cut', () => {
    const many = redirectsOf(
      Array.from({ length: 5000 }, (_, i) => moved(`/${i}/`, `/${i + 1}/`)),
      () => {},
    );
    expect(followRedirects(many, '/0/', () => null)).toMatchObject({ kind: 'loop' });
  });
});

describe('an invalid redirect', () => {
  test.each([
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example/',
    '/\t/elsewhere.example/',
    '/a/\r\nset-cookie: a=b',
    '/a/%0d%0aset-cookie:a',
    '/%2f%2felsewhere.example',
    'javascript:alert(1)',
    '',
    '/\ud800/',
    7,
  ])('to %j is left out, and its neighbours stay', async (to) => {
    keep(moved('/bad/', to as string), moved('/good/', '/about/'));
    expect(await resolve('/bad/')).toEqual({ kind: 'missing' });
    expect(await resolve('/good/')).toMatchObject({ kind: 'redirect' });
    expect(events.map(([event]) => event)).toContain('content.redirect-dropped');
  });

  test.each([null, 'x', [], {}, moved('/', '/about/'), moved('/a/', '/about/', 307), { from: 7, status: 410 }])(
    'that is not a redirect (%j) is left out too',
    async (item) => {
      keep(item, gone('/first/'));
      expect(await resolve('/first/')).toEqual({ kind: 'gone' });
      expect(await resolve('/')).toMatchObject({ kind: 'page' });
      expect(events.map(([event]) => event)).toContain('content.redirect-dropped');
    },
  );

  test('of two from one path the first applies', async () => {
    keep(moved('/old/', '/about/'), moved('/old', '/about/team/'));
    expect(await resolve('/old/')).toMatchObject({ location: '/about/' });
  });
});

test('invariant 19: with any stored redirects and any request, a visitor stays on this site', () => {
  const piece = fc.oneof(
    fc.constantFrom(...'/ // \\ /a /b %2f %5c %0d%0a .. ? # @ : https: e.example ü'.split(' '), '\t'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const redirect = fc.record({ from: path, status: fc.constantFrom(301, 302, 410, 200), to: path });
  fc.assert(
    fc.property(fc.array(redirect, { maxLength: 8 }), path, (items, asked) => {
      const redirects = redirectsOf(items, () => {});
      for (const from of [asked, ...items.map((item) => item.from)]) {
        const followed = followRedirects(redirects, from, () => null);
        if (followed?.kind !== 'moved') continue;
        expect(new URL(followed.to, 'https://site.example/a/').origin).toBe('https://site.example');
        expect(() => new Headers({ location: followed.to })).not.toThrow();
      }
    }),
    { numRuns: 2000 },
  );
});

describe('thousands of redirects', () => {
  /** Serves the requested page of ten thousand redirects. */
  const playMany = (count: number, fault?: number) =>
    wordpress.plays.set(REDIRECTS, (response, request) => {
      const number = Number(new URL(request.url ?? '', wordpress.url).searchParams.get('page'));
      if (number === fault) return json({ code: 'broken' }, 500)(response, request);
      const from = (number - 1) * 1000;
      const items = Array.from({ length: Math.min(1000, count - from) }, (_, i) =>
        moved(`/many-${from + i}/`, `/about/?n=${from + i}`),
      );
      answer(items, count)(response, request);
    });

  test('are read in several responses, including the last one', async () => {
    playMany(10_000);
    expect(await resolve('/many-0/')).toMatchObject({ location: '/about/?n=0' });
    expect(await resolve('/many-9999/')).toMatchObject({ location: '/about/?n=9999' });
    expect(await resolve('/many-10000/')).toEqual({ kind: 'missing' });
    expect(wordpress.requests.filter(({ url }) => url.startsWith(REDIRECTS))).toHaveLength(10);
  });

  test('take the same time as a few, once they are read', async () => {
    const took = (path: string) =>
      leastProcessorMs(5, async () => {
        for (let i = 0; i < 100; i += 1) await resolve(path);
      });
    keep(moved('/many-5/', '/about/'));
    const few = await took('/many-5/');
    playMany(10_000);
    await restart();
    await content.refresh({ type: 'redirects', id: null, path: null, status: null });
    const many = await took('/many-9995/');
    console.info(`a hundred redirects of 1: ${few.toFixed(1)} ms, of 10,000: ${many.toFixed(1)} ms`);
    expect(many).toBeLessThan(few * 3 + 20);
  });

  test('lose only a thousand if one response fails', async () => {
    playMany(3000, 2);
    expect(await resolve('/many-1500/')).toEqual({ kind: 'missing' });
    expect(await resolve('/many-2500/')).toMatchObject({ kind: 'redirect' });
  });
});

describe('if WordPress does not answer', () => {
  test('R24: the last good redirects stay, after a restart too', async () => {
    keep(moved('/old/', '/about/'), gone('/first/'));
    await resolve('/old/');
    await resolve('/about/');
    wordpress.plays.clear();
    wordpress.plays.set('*', hang);
    await restart();
    pass(120);
    const begun = performance.now();
    expect(await resolve('/old/')).toEqual({ kind: 'redirect', status: 301, location: '/about/' });
    expect(await resolve('/first/')).toEqual({ kind: 'gone' });
    expect(performance.now() - begun).toBeLessThan(2 * MAX_RESPONSE_MS);
  });

  test('R24: and never did, the bundled ones apply', async () => {
    wordpress.plays.clear();
    wordpress.plays.set('*', hang);
    const begun = performance.now();
    expect(await resolve('/journal')).toEqual({ kind: 'redirect', status: 301, location: '/paper-notes/' });
    expect(performance.now() - begun).toBeLessThan(MAX_RESPONSE_MS);
  });

  test('R24: or is not configured, the bundled ones apply', async () => {
    await restart('bundled');
    expect(await resolve('/journal/')).toEqual({ kind: 'redirect', status: 301, location: '/paper-notes/' });
    expect(await resolve('/trial-copies/')).toEqual({ kind: 'redirect', status: 302, location: '/the-tour/' });
    expect(await resolve('/first-edition/')).toEqual({ kind: 'gone' });
    expect(wordpress.requests).toEqual([]);
  });

  test('the last good redirects survive a 404, as of a plugin older than redirects', async () => {
    keep(moved('/old/', '/about/'));
    await resolve('/old/');
    wordpress.plays.set(REDIRECTS, json({ code: 'rest_no_route' }, 404));
    pass(120);
    await resolve('/old/');
    expect(await resolve('/old/')).toMatchObject({ kind: 'redirect' });
  });
});

describe('with a companion plugin older than redirects', () => {
  test('there are no redirects, no error and no repeated wait', async () => {
    expect(await resolve('/journal/'), 'the bundled redirects are of another site').toEqual({ kind: 'missing' });
    wordpress.plays.set(REDIRECTS, hang);
    pass(40);
    const begun = performance.now();
    expect(await resolve('/old/')).toEqual({ kind: 'missing' });
    // Shorter than the timeout for a WordPress that hangs.
    expect(performance.now() - begun).toBeLessThan(1_400);
    expect(events).toEqual([]);
  });

  test('there are redirects within a minute after its update', async () => {
    await resolve('/old/');
    keep(moved('/old/', '/about/'));
    pass(40);
    await resolve('/old/');
    await vi.waitFor(async () => expect(await resolve('/old/')).toMatchObject({ kind: 'redirect' }));
  });
});

test.each([
  ['redirects', null],
  ['page', 2],
])('a message about %s loads the current redirects', async (type, id) => {
  keep(moved('/old/', '/about/'));
  await resolve('/old/');
  keep(gone('/old/'));
  wordpress.plays.set(ROUTES, json([route(1, '/'), route(2, '/about/')]));
  await content.refresh({ type, id, path: null, status: null });
  expect(await resolve('/old/')).toEqual({ kind: 'gone' });
});
