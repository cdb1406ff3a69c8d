import { recordExpiry, recordRead } from '@pillion/content/cache/reads.ts';
import { type Entry, StaleStore } from '@pillion/content/cache/stale-store.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RenderCache, type RenderCacheOptions } from './render-cache.ts';

/** The content of a page: the edition of each source, or `null` if it was unavailable. */
type Said = Record<string, number | null>;

type Mode = 'answers' | 'slow' | 'fails' | 'hangs';

/** All sources of the pages. Every page shows the first two. */
const THINGS = ['routes', 'menus', 'page:1', 'page:2', 'form'] as const;
type Thing = (typeof THINGS)[number];
const MADE_OF: Record<string, Thing[]> = {
  '/one/': ['routes', 'menus', 'page:1', 'form'],
  '/two/': ['routes', 'menus', 'page:2'],
};

/** Longest wait of a page for its sources, as on the site. */
const PAGE_MS = 1500;
const REFRESH_MS = 6000;

/** A source with response times, the store of its responses, and pages made of them. */
function createSite() {
  const editions = new Map<string, number>(THINGS.map((thing) => [thing, 1]));
  const modes = new Map<string, Mode>();
  const calls: string[] = [];
  const entries = new Map<string, Entry>();
  const store = new StaleStore({
    disk: {
      read: async (key) => entries.get(key) ?? null,
      write: async (key, entry) => void entries.set(key, entry),
    },
  });
  let changeCount = 0;
  let renders = 0;
  let drawMs = 5;

  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  async function ask(thing: string): Promise<number> {
    calls.push(thing);
    // The oldest possible response: the edition at the time of the request.
    const edition = editions.get(thing) ?? 0;
    const mode = modes.get(thing) ?? 'answers';
    if (mode === 'hangs') await new Promise(() => {});
    await sleep(mode === 'slow' ? 2500 : 20);
    if (mode === 'fails') throw new Error('down');
    return edition;
  }

  async function read(thing: Thing, waitMs: number): Promise<number | null> {
    const asked = { waitMs, tags: [thing], version: undefined, freshMs: undefined };
    const stored = await store.get(thing, () => ask(thing), asked);
    recordRead(() => {
      const seen = { ...asked, key: thing, edition: stored?.edition ?? null, born: stored?.born ?? 0 };
      return {
        check: () => store.check(seen),
        renew: () => void store.get(thing, () => ask(thing), { ...asked, waitMs: 0 }),
      };
    });
    return stored ? (stored.value as number) : null;
  }

  const pages = new RenderCache<{ said: Said }, never>({
    render: async (path) => {
      renders += 1;
      const things = MADE_OF[path] ?? [];
      const values = await Promise.all(things.map((thing) => read(thing, PAGE_MS)));
      // Rendering takes time too.
      await sleep(drawMs);
      return {
        cacheable: { said: Object.fromEntries(things.map((thing, at) => [thing, values[at] ?? null])) },
        uncacheable: null,
      };
    },
    bytesOf: () => 100,
    isUnbounded: () => false,
    generation: () => store.generation,
    changeCount: () => changeCount,
  });

  return {
    calls,
    pages,
    modes,
    renders: () => renders,
    draw: (ms: number) => {
      drawMs = ms;
    },
    edit: (thing: string) => void editions.set(thing, (editions.get(thing) ?? 0) + 1),
    edition: (thing: string) => editions.get(thing) ?? 0,
    async see(path: string): Promise<Said> {
      const { value } = await pages.get(path);
      return value?.said ?? {};
    },
    /** Sends a change. @returns Whether it is live, as `Content.refresh` does. */
    async tell(thing: Thing): Promise<boolean> {
      changeCount += 1;
      store.invalidate([thing]);
      const until = Date.now() + REFRESH_MS;
      const isLive = async () => {
        await Promise.all([read(thing, until - Date.now()), read('routes', until - Date.now())]);
        return store.isCurrent(thing) && store.isCurrent('routes');
      };
      let isAnew = false;
      for (let round = 0; round < 4 && !isAnew; round += 1) isAnew = await isLive();
      changeCount += 1;
      return isAnew;
    },
  };
}

let site: ReturnType<typeof createSite>;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  site = createSite();
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  await pass(ms);
  return work;
}

const see = (path = '/one/') => within(PAGE_MS + 100, site.see(path));

test('an aged page is served during its refresh, and rendered again only if the content differs', async () => {
  await see();
  await pass(61_000);
  site.calls.length = 0;
  expect(site.pages.find('/one/')?.cacheStatus).toBe('stale');
  await pass(100);
  expect(site.calls.toSorted(), 'each is fetched once').toEqual(['form', 'menus', 'page:1', 'routes']);
  expect(site.pages.find('/one/')?.cacheStatus).toBe('hit');
  expect(site.renders(), 'WordPress says what it said').toBe(1);
  site.edit('page:1');
  await pass(61_000);
  expect((await see())['page:1']).toBe(1);
  expect((await see())['page:1'], 'it has been fetched').toBe(2);
  expect(site.renders()).toBe(2);
});

test('without a message, the first request renders the page and all others get the cached one meanwhile', async () => {
  await see();
  site.edit('menus');
  await pass(61_000);
  await see('/two/');
  const [first, ...others] = Array.from({ length: 1_000 }, () => site.see('/one/'));
  await pass(100);
  expect((await first)?.menus).toBe(2);
  for (const other of others) expect((await other).menus).toBe(1);
  expect((await see()).menus).toBe(2);
  expect(site.renders()).toBe(3);
});

test('a change of shared content renders both pages again, a change of one does not affect the other', async () => {
  await Promise.all([see(), see('/two/')]);
  site.edit('page:1');
  expect(await within(100, site.tell('page:1'))).toBe(true);
  expect(site.pages.find('/two/')?.cacheStatus).toBe('hit');
  expect(site.pages.find('/one/'), 'nobody is given what was before the receipt').toBeNull();
  expect((await see())['page:1']).toBe(2);
  site.edit('menus');
  expect(await within(100, site.tell('menus'))).toBe(true);
  expect([(await see()).menus, (await see('/two/')).menus]).toEqual([2, 2]);
});

test('a request after the receipt gets no page whose rendering began before it', async () => {
  await see();
  site.draw(3_000);
  site.modes.set('page:1', 'slow');
  site.edit('page:1');
  const receipt = site.tell('page:1');
  const early = site.see('/one/');
  // This rendering has timed out and uses stale data when the receipt is sent.
  await pass(PAGE_MS + 1_500);
  expect(await receipt).toBe(true);
  site.modes.set('page:1', 'answers');
  const late = site.see('/one/');
  await pass(10_000);
  expect((await late)['page:1']).toBe(2);
  expect((await early)['page:1']).toBe(1);
  expect((await site.see('/one/'))['page:1'], 'the early one ended first and replaced nothing').toBe(2);
});

test('a page without a source that timed out is cached only until the source is available', async () => {
  site.modes.set('form', 'fails');
  expect((await see()).form).toBeNull();
  const renders = site.renders();
  expect(site.pages.find('/one/')?.cacheStatus, 'nobody asks in the pause after a failure').toBe('hit');
  site.modes.set('form', 'answers');
  await pass(5_000);
  expect(site.pages.find('/one/'), 'the pause is over').toBeNull();
  expect((await see()).form).toBe(1);
  expect(site.renders()).toBe(renders + 1);
});

/** Pages of any content, which by default never changes. */
const pagesOf = <T, U = never>(options: Pick<RenderCacheOptions<T, U>, 'render'> & Partial<RenderCacheOptions<T, U>>) =>
  new RenderCache<T, U>({
    ...{ bytesOf: () => 1, isUnbounded: () => false, generation: () => 0, changeCount: () => 0 },
    ...options,
  });

test('a page is cached until the time at which its content changes', async () => {
  const closes = Date.now() + 1_000;
  const pages = pagesOf<string>({
    render: async () => {
      if (Date.now() < closes) recordExpiry(closes);
      return { cacheable: Date.now() < closes ? 'open' : 'closed', uncacheable: null };
    },
  });
  expect((await pages.get('/')).value).toBe('open');
  await pass(999);
  expect(pages.find('/')?.value).toBe('open');
  await pass(1);
  expect(pages.find('/')).toBeNull();
  expect((await pages.get('/')).value).toBe('closed');
  await pass(86_400_000);
  expect(pages.find('/')?.value).toBe('closed');
  // Setting the clock back may open the form again.
  vi.setSystemTime(closes - 500);
  expect((await pages.get('/')).value).toBe('open');
});

test('an uncacheable page is served to waiting requests and replaces the cached one', async () => {
  let isBroken = false;
  let generation = 0;
  const pages = pagesOf<string, string>({
    render: async () => {
      recordRead(() => ({ check: () => ({ standing: isBroken ? 'due' : 'same', until: Infinity }), renew: () => {} }));
      return isBroken ? { cacheable: null, uncacheable: 'an error' } : { cacheable: 'a page', uncacheable: null };
    },
    generation: () => generation,
  });
  await pages.get('/');
  isBroken = true;
  generation += 1;
  const all = await Promise.all([pages.get('/'), pages.get('/')]);
  expect(all).toEqual([
    { value: null, uncacheable: 'an error', cacheStatus: 'miss' },
    { value: null, uncacheable: 'an error', cacheStatus: 'collapsed' },
  ]);
  expect(pages.figures().pages.count).toBe(0);
});

test('a failed rendering is not cached, and the next request renders again', async () => {
  let isBroken = true;
  const pages = pagesOf<string>({
    render: async () => {
      if (isBroken) throw new Error('the template broke');
      return { cacheable: 'a page', uncacheable: null };
    },
  });
  await expect(pages.get('/')).rejects.toThrow('broke');
  isBroken = false;
  expect((await pages.get('/')).value).toBe('a page');
});

test('a hundred thousand paths stay within the memory limit and evict no page', async () => {
  const pages = pagesOf<{ status: number; size: number }>({
    render: async (path) => ({ cacheable: { status: path === '/' ? 200 : 404, size: 20_000 }, uncacheable: null }),
    bytesOf: ({ size }) => size,
    isUnbounded: ({ status }) => status === 404,
    maxBytes: 1_000_000,
    maxUnboundedBytes: 500_000,
  });
  await pages.get('/');
  let most = 0;
  for (let at = 0; at < 100_000; at += 1) {
    await pages.get(`/made-up-${at}/`);
    most = Math.max(most, pages.figures().unbounded.bytes);
  }
  expect(most).toBeLessThanOrEqual(500_000);
  expect(most).toBeGreaterThan(400_000);
  expect(pages.find('/')?.cacheStatus).toBe('hit');
});

test('pages are limited too, the most recent stay, and the size of a grown page is updated', async () => {
  const pages = pagesOf<{ size: number }>({
    render: async () => ({ cacheable: { size: 20_000 }, uncacheable: null }),
    bytesOf: ({ size }) => size,
    maxBytes: 100_000,
  });
  for (const path of ['/a/', '/b/', '/c/', '/d/']) await pages.get(path);
  pages.find('/a/');
  await pages.get('/e/');
  expect(['/a/', '/b/', '/e/'].map((path) => pages.find(path) !== null)).toEqual([true, false, true]);
  const grown = pages.find('/e/')?.value;
  if (!grown) throw new Error('not kept');
  grown.size = 60_000;
  pages.updateSize('/e/', grown);
  expect(pages.figures().pages.bytes).toBeLessThanOrEqual(100_000);
  expect(pages.find('/e/')?.value).toBe(grown);
});

const thing = fc.constantFrom(...THINGS);
const path = fc.constantFrom(...Object.keys(MADE_OF));
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant('see' as const), path, count: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('edit' as const), thing }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('tell' as const), thing }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('draw' as const), ms: fc.constantFrom(5, 700, 3_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('break' as const),
      thing,
      mode: fc.constantFrom<Mode>('answers', 'slow', 'fails', 'hangs'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('pass' as const),
      ms: fc.oneof(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 8_000 }),
        fc.integer({ min: 50_000, max: 70_000 }),
      ),
    }),
  },
);

test('with any changes and failures no page is older than a change whose receipt was sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      site = createSite();
      /** The edition of each source that was reported as live. */
      const promised = new Map<string, number>();
      const seen: Promise<void>[] = [];
      const ask = (asked: string) => {
        const due = new Map(promised);
        seen.push(
          site.see(asked).then((said) => {
            for (const [name, edition] of Object.entries(said))
              if (edition !== null) expect(edition, `${name} of ${asked}`).toBeGreaterThanOrEqual(due.get(name) ?? 0);
          }),
        );
      };
      for (const one of steps) {
        if (one.does === 'see') for (let at = 0; at < one.count; at += 1) ask(one.path);
        if (one.does === 'edit') site.edit(one.thing);
        if (one.does === 'break') site.modes.set(one.thing, one.mode);
        if (one.does === 'draw') site.draw(one.ms);
        if (one.does === 'pass') await pass(one.ms);
        if (one.does === 'tell') {
          site.edit(one.thing);
          const edition = site.edition(one.thing);
          void site.tell(one.thing).then((isLive) => {
            if (isLive) promised.set(one.thing, Math.max(promised.get(one.thing) ?? 0, edition));
          });
        }
      }
      await pass(40_000);
      await Promise.all(seen);
      // Once every source answers, every page is current without a message.
      for (const name of THINGS) site.modes.set(name, 'answers');
      site.draw(5);
      await pass(100_000);
      for (const asked of Object.keys(MADE_OF)) {
        for (let again = 0; again < 3; again += 1) {
          void site.see(asked);
          await pass(PAGE_MS + 100);
        }
        const said = await within(PAGE_MS + 100, site.see(asked));
        for (const name of MADE_OF[asked] ?? []) expect(said[name], `${name} of ${asked}`).toBe(site.edition(name));
      }
    }),
    { numRuns: 300 },
  );
});
