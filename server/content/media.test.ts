import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from './client.ts';
import { createMedia, type Media } from './media.ts';
import { MediaCache } from './media-cache.ts';
import { failure } from './result.ts';
import { type FakeWordpress, hang, html, type Play, redirect, startFakeWordpress } from './testing/fake-wordpress.ts';

const PICTURE = Buffer.from('0123456789');

let directory: string;
let wordpress: FakeWordpress;
let media: Media;
let warnings: string[];

const upload = (name: string) => `/wp-content/uploads/${name}`;
const play =
  (bytes: Buffer, type = 'image/webp', status = 200): Play =>
  (response) =>
    response.writeHead(status, { 'content-type': type, 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' }).end(bytes);

function open() {
  return createMedia({
    bundleDirectory: join(directory, 'bundle'),
    cacheDirectory: join(directory, 'cache'),
    client: createClient({ baseUrl: wordpress.url, key: 'ck_a', secret: 'cs_a' }),
    warn: (_, { message }) => warnings.push(String(message)),
  });
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  media.answer(path, new Request(`http://site.test${path}`, { headers, method }));

const textOf = async (path: string, headers: Record<string, string> = {}) => (await ask(path, headers))?.text();

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pillion-media-'));
  await mkdir(join(directory, 'bundle'));
  wordpress = await startFakeWordpress();
  wordpress.plays.set(upload('a.webp'), play(PICTURE));
  warnings = [];
  media = open();
});
afterEach(async () => {
  await media.close();
  await wordpress.stop();
  await rm(directory, { recursive: true, force: true });
});

test('a picture of WordPress is served under the site’s own address, fetched once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => textOf('/media/a.webp')));
  expect(new Set(answers)).toEqual(new Set(['0123456789']));
  expect(wordpress.requests.map(({ url }) => url)).toEqual([upload('a.webp')]);
  expect(wordpress.requests[0]?.headers.authorization).toMatch(/^Basic /);
});

test('a picture that WordPress keeps to itself comes from the bundle before its visitor gives up', async () => {
  await writeFile(join(directory, 'bundle', 'a.webp'), 'bundled');
  wordpress.plays.set(upload('a.webp'), hang);
  const begun = performance.now();
  expect(await textOf('/media/a.webp')).toBe('bundled');
  expect(performance.now() - begun).toBeLessThan(2000);
  await wordpress.stop();
});

test('a picture outlives WordPress and a restart', async () => {
  await textOf('/media/a.webp');
  await wordpress.stop();
  media = open();
  expect(await textOf('/media/a.webp')).toBe('0123456789');
});

test('with WordPress gone a picture nobody asked for comes from the bundle, at once after the first', async () => {
  await writeFile(join(directory, 'bundle/b.webp'), 'bundled');
  await wordpress.stop();
  expect(await textOf('/media/b.webp')).toBe('bundled');
  expect(await ask('/media/c.webp')).toBeNull();
});

test('a picture says what it is, how long it keeps and that parts can be had', async () => {
  const answer = await ask('/media/a.webp');
  await answer?.body?.cancel();
  expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
    'content-length': '10',
    'content-type': 'image/webp',
    'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT',
  });
});

test('HEAD says the same without the file', async () => {
  const answer = await ask('/media/a.webp', {}, 'HEAD');
  expect([answer?.status, answer?.headers.get('content-length'), answer?.body]).toEqual([200, '10', null]);
});

test('nothing is written to', async () => {
  expect((await ask('/media/a.webp', {}, 'POST'))?.status).toBe(405);
});

describe('a visitor who has the picture', () => {
  test('is told so by its tag', async () => {
    const etag = (await ask('/media/a.webp', {}, 'HEAD'))?.headers.get('etag') ?? '';
    expect((await ask('/media/a.webp', { 'if-none-match': `"x", W/${etag}` }))?.status).toBe(304);
    expect((await ask('/media/a.webp', { 'if-none-match': '"x"' }, 'HEAD'))?.status).toBe(200);
  });

  test('is told so by its date', async () => {
    const since = { 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' };
    expect((await ask('/media/a.webp', since))?.status).toBe(304);
    expect((await ask('/media/a.webp', { ...since, 'if-none-match': '"x"' }, 'HEAD'))?.status).toBe(200);
  });
});

describe('a player asks for parts of a file', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('%s', async (range, text, described) => {
    const answer = await ask('/media/a.webp', { range });
    expect([answer?.status, answer?.headers.get('content-range'), await answer?.text()]).toEqual([
      206,
      described,
      text,
    ]);
  });

  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'lines=0-1', 'bytes=a-b'])(
    '%s is no range we know: the whole file',
    async (range) => {
      expect((await ask('/media/a.webp', { range }, 'GET'))?.status).toBe(200);
    },
  );

  test.each(['bytes=10-', 'bytes=-0'])('%s lies outside: 416', async (range) => {
    const answer = await ask('/media/a.webp', { range });
    expect([answer?.status, answer?.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  });

  test('a part of a file that has changed meanwhile is the whole file', async () => {
    expect(await textOf('/media/a.webp', { range: 'bytes=0-1', 'if-range': '"other"' })).toBe('0123456789');
  });
});

test.each([
  '/media/../../wp-config.php',
  '/media/%2e%2e/a.webp',
  '/media/a%2fb.webp',
  '/media/a%5cb.webp',
  '/media/.htaccess.webp',
  '/media//a.webp',
  '/media/a.svg',
  '/media/a.php',
  '/media/a.webp/',
  '/media/a.webp%3fx=.webp',
  '/media/a%00.webp',
  '/media/%zz.webp',
  '/media/',
  `/media/${'a/'.repeat(9)}a.webp`,
  `/media/${'a'.repeat(300)}.webp`,
  '/elsewhere/a.webp',
])('nothing is fetched or served for %s', async (path) => {
  expect(await ask(path)).toBeNull();
  expect(wordpress.requests).toEqual([]);
});

test('a name with spaces and letters of any script is found', async () => {
  wordpress.plays.set(upload('2026/11/caf%C3%A9%20%231.webp'), play(PICTURE));
  expect(await textOf('/media/2026/11/caf%c3%a9%20%231.webp')).toBe('0123456789');
});

describe('what is no picture is not kept', () => {
  test.each([
    ['an HTML page with status 200', html],
    ['a script', play(PICTURE, 'text/javascript')],
    ['a drawing that can run script', play(PICTURE, 'image/svg+xml', 404)],
    ['a redirect', redirect('http://127.0.0.1:9/')],
    ['more than 25 MB', play(Buffer.alloc(25_000_001))],
  ])('%s', async (_, played) => {
    wordpress.plays.set(upload('a.webp'), played);
    expect(await ask('/media/a.webp')).toBeNull();
    expect(await readdir(join(directory, 'cache'), { recursive: true }).catch(() => [])).toEqual([]);
  });
});

test('a name WordPress does not have is asked for once a minute', async () => {
  await ask('/media/none.webp');
  await ask('/media/none.webp');
  expect(wordpress.requests).toHaveLength(1);
});

describe('the cache on disk', () => {
  const cacheOf = (more: object = {}) => {
    const client = createClient({ baseUrl: wordpress.url, key: 'ck_a', secret: 'cs_a', timeoutMs: 200 });
    return new MediaCache({
      directory: join(directory, 'cache'),
      fetchUpload: (name, headers) => client.file(upload(name), { headers }),
      ...more,
    });
  };
  const has = async (cache: MediaCache, name: string) => {
    const handle = await cache.open(name);
    await handle?.close();
    return handle !== null;
  };
  const kept = async () => (await readdir(join(directory, 'cache'))).sort();

  test('makes room by dropping what was asked for longest ago', async () => {
    for (const name of ['b', 'c', 'd']) wordpress.plays.set(upload(`${name}.webp`), play(PICTURE));
    const cache = cacheOf({ maxBytes: 30 });
    for (const name of ['a', 'b', 'c', 'a', 'd']) await has(cache, `${name}.webp`);
    expect(await kept()).toEqual(['a.webp', 'c.webp', 'd.webp']);
  });

  test('keeps its bound over a restart, and clears away what a killed process left', async () => {
    await mkdir(join(directory, 'cache'));
    for (const [index, name] of ['old.webp', 'new.webp', 'x.webp.1.aside'].entries()) {
      await writeFile(join(directory, 'cache', name), PICTURE);
      await utimes(join(directory, 'cache', name), 1000 + index, 1000);
    }
    await has(cacheOf({ maxBytes: 10 }), 'new.webp');
    expect(await kept()).toEqual(['new.webp']);
  });

  test('notices a picture that was replaced under its name, and shows the last one meanwhile', async () => {
    const cache = cacheOf({ freshMs: -1 });
    await has(cache, 'a.webp');
    wordpress.plays.set(upload('a.webp'), play(Buffer.from('replaced')));
    const handle = await cache.open('a.webp');
    expect(await handle?.readFile('utf8')).toBe('0123456789');
    await handle?.close();
    await cache.close();
    const next = await cache.open('a.webp');
    expect(await next?.readFile('utf8')).toBe('replaced');
    await next?.close();
    await cache.close();
    expect(wordpress.requests.at(-1)?.headers['if-modified-since']).toBe('Fri, 20 Nov 2026 10:00:00 GMT');
  });

  test('keeps a picture that WordPress no longer answers', async () => {
    const cache = cacheOf({ freshMs: -1 });
    await has(cache, 'a.webp');
    wordpress.plays.set(upload('a.webp'), hang);
    expect(await has(cache, 'a.webp')).toBe(true);
    await cache.close();
    expect(await has(cache, 'a.webp')).toBe(true);
    await cache.close();
  });

  test('leaves a WordPress that is down to itself, the pictures that were waiting their turn too', async () => {
    let asked = 0;
    const fetchUpload = async () => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return failure('timeout', 'no answer in time');
    };
    const cache = cacheOf({ fetchUpload });
    await Promise.all(Array.from({ length: 20 }, (_, index) => has(cache, `${index}.webp`)));
    expect(asked).toBe(6);
  });

  test('fetches six at a time and the rest after them', async () => {
    let open = 0;
    let most = 0;
    wordpress.plays.set('*', (response, request) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        play(PICTURE)(response, request);
      }, 20);
    });
    const cache = cacheOf({});
    const names = Array.from({ length: 20 }, (_, index) => `${index}.webp`);
    expect(await Promise.all(names.map((name) => has(cache, name)))).toEqual(names.map(() => true));
    expect(most).toBe(6);
  });
});
