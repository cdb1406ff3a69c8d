import { mkdir, open as openFile, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runFor } from '@pillion/lib/fairness.ts';
import { startVirtualTime } from '@pillion/lib/testing/virtual-time.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ACCESS, type FakeSite, startFakeSite } from '../testing/fake-site.ts';
import { type FakeWordpress, hang, html, type Play, redirect } from '../testing/fake-wordpress.ts';
import { createClient, type Download } from '../wordpress/client.ts';
import { failure, success } from '../wordpress/result.ts';
import { fetchUpload } from '../wordpress/uploads.ts';
import { Media, respond, streamFile } from './media.ts';
import { MediaCache } from './media-cache.ts';

const PICTURE = Buffer.from('0123456789');

let site: FakeSite;
let directory: string;
let wordpress: FakeWordpress;
let media: Media;
let warnings: string[];

const upload = (name: string) => `/wp-content/uploads/${name}`;
const play =
  (bytes: Buffer, type = 'image/webp', status = 200): Play =>
  (response) =>
    response.writeHead(status, { 'content-type': type, 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' }).end(bytes);

const clientOf = () => createClient({ baseUrl: wordpress.url, ...ACCESS });

function open(isKnown?: (name: string) => boolean) {
  return new Media({
    bundleDirectory: join(directory, 'bundle'),
    cacheDirectory: join(directory, 'cache'),
    upload: (name, options) => fetchUpload(clientOf(), wordpress.url, null, name, options),
    warn: (_, { message }) => warnings.push(String(message)),
    ...(isKnown && { isKnown }),
  });
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  media.serve(path, new Request(`http://site.test${path}`, { headers, method }));

const textOf = async (path: string, headers: Record<string, string> = {}) => (await ask(path, headers))?.text();

beforeEach(async () => {
  site = await startFakeSite();
  ({ directory, wordpress } = site);
  await mkdir(join(directory, 'bundle'));
  wordpress.plays.set(upload('a.webp'), play(PICTURE));
  warnings = [];
  media = open();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await media.close();
  await site.stop();
});

test('a picture of WordPress is served under the site’s address and fetched once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => textOf('/media/a.webp')));
  expect(new Set(answers)).toEqual(new Set(['0123456789']));
  expect(wordpress.requests.map(({ url }) => url)).toEqual([upload('a.webp')]);
  expect(wordpress.requests[0]?.headers.authorization).toMatch(/^Basic /);
});

const keptFiles = async () => (await readdir(join(directory, 'cache'))).filter((name) => !name.startsWith('.')).sort();
const absent = play(Buffer.from('{}'), 'application/json', 404);

async function restart() {
  await media.close();
  media = open();
}

test('a deleted picture leaves the site by the receipt, with its sizes and the bundled copy', async () => {
  for (const name of ['b.webp', 'b-300x188.webp', 'b-scaled.webp', 'bc.webp'])
    wordpress.plays.set(upload(name), play(PICTURE));
  for (const name of ['b.webp', 'b-300x188.webp', 'b-scaled.webp', 'bc.webp']) await textOf(`/media/${name}`);
  await writeFile(join(directory, 'bundle', 'b.webp'), 'bundled');
  for (const name of ['b.webp', 'b-300x188.webp', 'b-scaled.webp']) wordpress.plays.set(upload(name), absent);
  expect(await media.revalidate('/media/b.webp')).toEqual({ isAnswered: true, isChanged: true });
  expect(await keptFiles()).toEqual(['bc.webp']);
  expect(await ask('/media/b.webp')).toBeNull();
  expect(await ask('/media/b-300x188.webp')).toBeNull();
  await restart();
  await wordpress.stop();
  expect(await ask('/media/b.webp')).toBeNull();
  expect(await textOf('/media/bc.webp')).toBe('0123456789');
});

test('a replaced and a restored picture are shown by the receipt, which waits for WordPress', async () => {
  await textOf('/media/a.webp');
  wordpress.plays.set(upload('a.webp'), play(Buffer.from('another')));
  expect(await media.revalidate('/media/a.webp')).toEqual({ isAnswered: true, isChanged: true });
  expect(await textOf('/media/a.webp')).toBe('another');
  wordpress.plays.set(upload('a.webp'), absent);
  await media.revalidate('/media/a.webp');
  expect(await ask('/media/a.webp')).toBeNull();
  wordpress.plays.set(upload('a.webp'), play(PICTURE));
  await media.revalidate('/media/a.webp');
  expect(await textOf('/media/a.webp')).toBe('0123456789');
  await wordpress.stop();
  expect(await media.revalidate('/media/a.webp')).toEqual({ isAnswered: false, isChanged: false });
  expect(await textOf('/media/a.webp')).toBe('0123456789');
});

test('a replaced picture whose download breaks off is not live, and is requested again after a minute', async () => {
  const breakOff: Play = (response) => {
    response.writeHead(200, { 'content-type': 'image/webp', 'content-length': '1000' });
    response.write('another', () => response.destroy());
  };
  await textOf('/media/a.webp');
  wordpress.plays.set(upload('a.webp'), breakOff);
  expect(await media.revalidate('/media/a.webp')).toEqual({ isAnswered: false, isChanged: false });
  expect(await textOf('/media/a.webp')).toBe('0123456789');
  expect(wordpress.requests).toHaveLength(2);
  wordpress.plays.set(upload('a.webp'), play(Buffer.from('another')));
  const now = Date.now() + 61_000;
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  await expect.poll(() => textOf('/media/a.webp'), { timeout: 10_000 }).toBe('another');
});

test('a picture deleted without a message is removed once WordPress has reported it missing twice', async () => {
  let now = Date.parse('2026-11-20T10:00:00Z');
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  await textOf('/media/a.webp');
  wordpress.plays.set(upload('a.webp'), absent);
  now += 86_400_001;
  expect(await textOf('/media/a.webp')).toBe('0123456789');
  await expect.poll(() => wordpress.requests.length).toBe(2);
  expect(await keptFiles()).toEqual(['a.webp']);
  now += 60_001;
  await expect.poll(() => textOf('/media/a.webp'), { timeout: 10_000 }).toBeUndefined();
  expect(await keptFiles()).toEqual([]);
});

test('daily restarts do not prevent the revalidation of a picture', async () => {
  let now = Date.parse('2026-11-20T10:00:00Z');
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  await textOf('/media/a.webp');
  wordpress.plays.set(upload('a.webp'), play(Buffer.from('another')));
  for (let half = 0; half < 3; half += 1) {
    now += 43_200_000;
    await restart();
    await textOf('/media/a.webp');
  }
  await expect.poll(() => textOf('/media/a.webp')).toBe('another');
  const asked = wordpress.requests.length;
  await restart();
  await textOf('/media/a.webp');
  expect(wordpress.requests.length).toBe(asked);
});

test('invented names are not stored on disk', async () => {
  for (let i = 0; i < 20; i += 1) await ask(`/media/made-up-${i}.webp`);
  await textOf('/media/a.webp');
  await media.close();
  expect(await readFile(join(directory, 'cache/.checked.json'), 'utf8')).not.toContain('made-up');
});

test('a picture on which WordPress hangs comes from the bundle within the visitor’s timeout', async () => {
  await writeFile(join(directory, 'bundle', 'a.webp'), 'bundled');
  wordpress.plays.set(upload('a.webp'), hang);
  startVirtualTime();
  const begun = performance.now();
  expect(await textOf('/media/a.webp')).toBe('bundled');
  expect(performance.now() - begun).toBeLessThan(2000);
  await wordpress.stop();
});

test('without WordPress an uncached picture comes from the bundle; any other may exist, so it is no 404', async () => {
  await writeFile(join(directory, 'bundle/b.webp'), 'bundled');
  await wordpress.stop();
  expect(await textOf('/media/b.webp')).toBe('bundled');
  expect((await ask('/media/c.webp'))?.status).toBe(503);
});

test('a picture has its type, its cache duration and support for ranges', async () => {
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

test('HEAD has the same headers without the file', async () => {
  const answer = await ask('/media/a.webp', {}, 'HEAD');
  expect([answer?.status, answer?.headers.get('content-length'), answer?.body]).toEqual([200, '10', null]);
});

test('writing methods are rejected', async () => {
  expect((await ask('/media/a.webp', {}, 'POST'))?.status).toBe(405);
});

describe('a visitor who has the picture', () => {
  test('gets 304 by its tag', async () => {
    const etag = (await ask('/media/a.webp', {}, 'HEAD'))?.headers.get('etag') ?? '';
    expect((await ask('/media/a.webp', { 'if-none-match': `"x", W/${etag}` }))?.status).toBe(304);
    expect((await ask('/media/a.webp', { 'if-none-match': '"x"' }, 'HEAD'))?.status).toBe(200);
  });

  test('gets 304 by its date', async () => {
    const since = { 'if-modified-since': 'Fri, 20 Nov 2026 10:00:00 GMT' };
    expect((await ask('/media/a.webp', since))?.status).toBe(304);
    expect((await ask('/media/a.webp', { ...since, 'if-none-match': '"x"' }, 'HEAD'))?.status).toBe(200);
  });
});

test.each([
  ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
  ['bytes=7-', 206, 'bytes 7-9/10', '789'],
  ['bytes=-2', 206, 'bytes 8-9/10', '89'],
  ['bytes=8-99', 206, 'bytes 8-9/10', '89'],
  ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
  // Outside the file.
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=-0', 416, 'bytes */10', ''],
  // Not supported, so the response is the whole file.
  ['bytes=0-1,4-5', 200, null, '0123456789'],
  ['bytes=5-2', 200, null, '0123456789'],
  ['bytes=-', 200, null, '0123456789'],
  ['lines=0-1', 200, null, '0123456789'],
  ['bytes=a-b', 200, null, '0123456789'],
])('a player that requests the range %s gets status %d, range %s', async (range, status, described, text) => {
  const answer = await ask('/media/a.webp', { range });
  const received = [answer?.status, answer?.headers.get('content-range'), await answer?.text()];
  expect(received).toEqual([status, described, text]);
});

test('a range of a file that has changed is the whole file', async () => {
  expect(await textOf('/media/a.webp', { range: 'bytes=0-1', 'if-range': '"other"' })).toBe('0123456789');
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

test('three hundred readers of a film hold few chunks in memory, and a newcomer is served first', async () => {
  let inHand = 0;
  let most = 0;
  const order: string[] = [];
  /** A film whose chunks each take the disk fifty turns of the event loop. */
  const filmOf = (network: string) =>
    runFor(network, () =>
      streamFile(
        {
          async read(buffer: unknown) {
            most = Math.max(most, ++inHand);
            for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
            inHand -= 1;
            order.push(network);
            return { bytesRead: 4, buffer: buffer as Buffer };
          },
          close: async () => {},
        } as Parameters<typeof streamFile>[0],
        { start: 0, end: 39 },
      ),
    );
  const crowd = Array.from({ length: 300 }, () => filmOf('crowd').getReader());
  const theirs = crowd.map((reader) => reader.read());
  await theirs[20];
  const before = order.length;
  await filmOf('newcomer').getReader().read();
  expect(order.indexOf('newcomer') - before).toBeLessThan(8);
  await Promise.all(theirs);
  expect(most).toBeLessThanOrEqual(4);
});

test('a name with spaces and letters of any script is found', async () => {
  wordpress.plays.set(upload('2026/11/caf%C3%A9%20%231.webp'), play(PICTURE));
  expect(await textOf('/media/2026/11/caf%c3%a9%20%231.webp')).toBe('0123456789');
});

describe('a response that is not a picture is not cached', () => {
  test.each([
    ['an HTML page with status 200', html],
    ['a script', play(PICTURE, 'text/javascript')],
    ['an SVG, which can run scripts', play(PICTURE, 'image/svg+xml', 404)],
    ['a redirect', redirect('http://127.0.0.1:9/')],
  ])('%s', async (_, played) => {
    wordpress.plays.set(upload('a.webp'), played);
    expect(await ask('/media/a.webp')).toBeNull();
    expect(await readdir(join(directory, 'cache'), { recursive: true }).catch(() => [])).toEqual([]);
  });
});

test('captions of a video are served as such, and an HTML page in their place is not', async () => {
  wordpress.plays.set(upload('a.vtt'), play(Buffer.from('WEBVTT'), 'text/vtt'));
  wordpress.plays.set(upload('b.vtt'), html);
  expect((await ask('/media/a.vtt', {}, 'HEAD'))?.headers.get('content-type')).toBe('text/vtt');
  expect(await ask('/media/b.vtt')).toBeNull();
});

test('a name that WordPress lacks is requested once a minute', async () => {
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
  async function* chunksOf(bytes: Buffer) {
    yield bytes;
  }
  const downloadOf = (bytes: Buffer): Download => ({
    status: 200,
    headers: { 'content-type': 'image/webp' },
    body: chunksOf(bytes),
    cancel: () => {},
  });
  const kept = async () => (await readdir(join(directory, 'cache'))).sort();

  test('neither stores nor serves a file over its limit', async () => {
    const cache = cacheOf({ maxFileBytes: PICTURE.length - 1 });
    expect(await has(cache, 'a.webp')).toBe(false);
    expect(await kept().catch(() => [])).toEqual([]);
  });

  test('evicts the least recently requested files', async () => {
    for (const name of ['b', 'c', 'd']) wordpress.plays.set(upload(`${name}.webp`), play(PICTURE));
    const cache = cacheOf({ maxBytes: 30 });
    for (const name of ['a', 'b', 'c', 'a', 'd']) await has(cache, `${name}.webp`);
    expect(await kept()).toEqual(['a.webp', 'c.webp', 'd.webp']);
  });

  test('keeps its limit after a restart, and removes files of a killed process', async () => {
    await mkdir(join(directory, 'cache'));
    for (const [index, name] of ['old.webp', 'new.webp', 'x.webp.1.aside'].entries()) {
      await writeFile(join(directory, 'cache', name), PICTURE);
      await utimes(join(directory, 'cache', name), 1000 + index, 1000);
    }
    await writeFile(join(directory, 'cache/y.webp.1.aside'), PICTURE);
    await has(cacheOf({ maxBytes: 10 }), 'new.webp');
    expect(await kept(), 'and the file that another process is writing').toEqual(['new.webp', 'y.webp.1.aside']);
  });

  test('clears the files of an earlier process', async () => {
    await has(cacheOf(), 'a.webp');
    await cacheOf().clear();
    expect(await kept()).toEqual([]);
  });

  test('clears a file whose download began before', async () => {
    const release = Promise.withResolvers<void>();
    wordpress.plays.set(upload('a.webp'), (...exchange) => void release.promise.then(() => play(PICTURE)(...exchange)));
    const cache = cacheOf();
    const opening = has(cache, 'a.webp');
    await expect.poll(() => wordpress.requests.length).toBe(1);
    const clearing = cache.clear();
    release.resolve();
    await Promise.all([opening, clearing]);
    expect(await kept()).toEqual([]);
  });

  test('ends the download of a file that it cannot write', async () => {
    await writeFile(join(directory, 'cache'), 'a file in place of the folder');
    const cancel = vi.fn();
    const fetchUpload = async () => success({ ...downloadOf(PICTURE), cancel });
    expect(await has(cacheOf({ fetchUpload }), 'a.webp')).toBe(false);
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('notices a replaced picture of the same name, and shows the old one meanwhile', async () => {
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

  test('keeps a picture that WordPress no longer serves', async () => {
    const cache = cacheOf({ freshMs: -1 });
    await has(cache, 'a.webp');
    wordpress.plays.set(upload('a.webp'), hang);
    expect(await has(cache, 'a.webp')).toBe(true);
    await cache.close();
    expect(await has(cache, 'a.webp')).toBe(true);
    await cache.close();
  });

  test('sends no requests to a WordPress that is down, including for waiting pictures', async () => {
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
    const fetchUpload = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      return success(downloadOf(PICTURE));
    };
    const cache = cacheOf({ fetchUpload });
    const names = Array.from({ length: 20 }, (_, index) => `${index}.webp`);
    expect(await Promise.all(names.map((name) => has(cache, name)))).toEqual(names.map(() => true));
    expect(most).toBe(6);
  });
});

describe('invented names', () => {
  const KNOWN = 'a.webp';
  const asked = () => wordpress.requests.map(({ url }) => url.replace(upload(''), ''));
  const request = (name: string, signal?: AbortSignal) =>
    media.serve(`/media/${name}`, new Request(`http://site.test/media/${name}`, signal ? { signal } : {}));

  beforeEach(() => {
    media = open((name) => name === KNOWN);
    wordpress.plays.set('*', hang);
  });

  test('invariant 9: do not delay a picture of the site', async () => {
    const given = new AbortController();
    const made = Array.from({ length: 1_500 }, (_, at) => request(`made-${at}.webp`, given.signal));
    await expect.poll(() => asked().length).toBe(2);
    expect(await (await request(KNOWN))?.text()).toBe('0123456789');
    expect(asked(), 'two of the invented names, then the picture').toHaveLength(3);
    given.abort();
    wordpress.dropAll();
    const statuses = (await Promise.all(made)).map((answer) => answer?.status ?? null);
    expect(
      statuses.filter((status) => status === 503).length,
      'the queue is full, or the connection broke',
    ).toBeGreaterThanOrEqual(1_500 - 16);
  });

  test('free their place in the queue when the visitor leaves', async () => {
    const given = new AbortController();
    const gone = Array.from({ length: 18 }, (_, at) => request(`gone-${at}.webp`, given.signal));
    expect((await request('late.webp'))?.status).toBe(503);
    given.abort();
    const next = request('next.webp');
    wordpress.plays.set(upload('next.webp'), play(PICTURE));
    await expect.poll(() => asked().length).toBe(2);
    wordpress.dropAll();
    expect((await next)?.status).toBe(503);
    await Promise.all(gone);
    expect(asked(), 'no file of a disconnected visitor is requested').toHaveLength(2);
  });
});

test.each([
  ['read completely', 'whole'],
  ['read partly', 'left'],
  ['truncated meanwhile', 'cut'],
] as const)('a file that is %s is closed', async (_, end) => {
  const path = join(directory, 'long.webp');
  await writeFile(path, Buffer.alloc(100_000));
  const handle = await openFile(path);
  const answer = await respond(handle, 'long.webp', new Request('http://site.test/media/long.webp'));
  if (!answer?.body) throw new Error('nothing was sent');
  const reader = answer.body.getReader();
  await reader.read();
  if (end === 'cut') await truncate(path, 0);
  if (end === 'left') await reader.cancel();
  const rest = (async () => {
    while (!(await reader.read()).done);
  })();
  if (end === 'cut') await expect(rest).rejects.toThrow('shorter than it was');
  else await rest;
  await expect.poll(() => handle.fd).toBe(-1);
});
