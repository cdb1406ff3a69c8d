import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Entry, type Fetch, type PersistentStore, StaleStore, type StaleStoreOptions } from './stale-store.ts';

/** A disk in memory that a test can make fail. */
function createMemoryDisk(): PersistentStore & { entries: Map<string, Entry>; reads: number } {
  const entries = new Map<string, Entry>();
  return {
    entries,
    reads: 0,
    async read(key) {
      this.reads += 1;
      return entries.get(key) ?? null;
    },
    async write(key, entry) {
      entries.set(key, entry);
    },
  };
}

/** A source that counts its calls and can fail or hang. */
class FakeSource {
  mode: 'answers' | 'fails' | 'hangs' = 'answers';
  asked = 0;
  stopped = 0;

  make: Fetch = async (signal) => {
    this.asked += 1;
    signal.addEventListener('abort', () => {
      this.stopped += 1;
    });
    if (this.mode === 'fails') throw new Error('WordPress is down');
    if (this.mode === 'hangs') await new Promise(() => {});
    return { edition: this.asked };
  };
}

let disk: ReturnType<typeof createMemoryDisk>;
let source: FakeSource;
let store: StaleStore;

const open = (options: Partial<StaleStoreOptions> = {}) => new StaleStore({ disk, ...options });

/** @returns The edition that a visitor sees, or `null`. */
async function see(asked: Partial<Parameters<StaleStore['get']>[2]> = {}, key = 'page'): Promise<number | null> {
  const kept = await store.get(key, source.make, { waitMs: 1500, tags: ['page:1'], ...asked });
  return kept ? (kept.value as { edition: number }).edition : null;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Like `see`, with fake time passing while it waits on a timer. */
async function seeWithin(ms: number, asked: Parameters<typeof see>[0] = {}): Promise<number | null> {
  const seen = see(asked);
  await pass(ms);
  return seen;
}

/** One visit each second. */
async function visitFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await see();
    await pass(1000);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  disk = createMemoryDisk();
  source = new FakeSource();
  store = open();
});
afterEach(() => vi.useRealTimers());

test('visitors see one response for a minute; then it is shown once more and fetched again', async () => {
  expect(await see()).toBe(1);
  await pass(59_000);
  expect(await see()).toBe(1);
  expect(source.asked).toBe(1);
  await pass(1_001);
  expect(await see()).toBe(1);
  await pass(0);
  expect(await see()).toBe(2);
});

const FOUR_HOURS = 4 * 3_600_000;
const setBack = (ms: number) => vi.setSystemTime(Date.now() - ms);

test('after the clock is set back, cached content is fetched again in the background', async () => {
  await see();
  setBack(FOUR_HOURS);
  expect(await see()).toBe(1);
  await pass(0);
  expect(await see()).toBe(2);
  expect(await see()).toBe(2);
  expect(source.asked).toBe(2);
});

test('after the clock is set back a change is visible at once, and not reported as live before', async () => {
  await see();
  setBack(FOUR_HOURS);
  store.invalidate(['page:1']);
  expect(store.isCurrent('page')).toBe(false);
  expect(await see()).toBe(2);
  expect(store.isCurrent('page')).toBe(true);
});

test('a change from before the clock was set back does not invalidate later fetches', async () => {
  await see();
  await pass(1);
  store.invalidate(['page:1']);
  setBack(FOUR_HOURS);
  expect(await see()).toBe(2);
  await pass(0);
  expect(store.isCurrent('page')).toBe(true);
  expect(await see()).toBe(2);
  expect(source.asked).toBe(2);
});

test('setting the clock back ends a pause after a failure', async () => {
  source.mode = 'fails';
  expect(await see()).toBeNull();
  setBack(FOUR_HOURS);
  source.mode = 'answers';
  expect(await see()).toBe(2);
});

test('an entry on the disk with a future date is shown and fetched again, after a restart too', async () => {
  await see();
  setBack(FOUR_HOURS);
  store = open();
  expect(await see()).toBe(1);
  await pass(0);
  expect(await see()).toBe(2);
  expect(disk.entries.get('page')?.born).toBeLessThanOrEqual(Date.now() + 1);
});

test('fifty visitors of an uncached page cause one request to WordPress', async () => {
  const seen = await Promise.all(Array.from({ length: 50 }, () => see()));
  expect(new Set(seen)).toEqual(new Set([1]));
  expect(source.asked).toBe(1);
});

test('fifty visitors of a page on disk cause one read and one request to WordPress', async () => {
  await see();
  await pass(61_000);
  store = open();
  disk.reads = 0;
  const seen = await Promise.all(Array.from({ length: 50 }, () => see()));
  expect(new Set(seen)).toEqual(new Set([1]));
  expect([disk.reads, source.asked]).toEqual([1, 2]);
});

describe('while WordPress fails', () => {
  test('visitors see the last good response, and WordPress gets no request between retries', async () => {
    await see();
    await pass(61_000);
    source.mode = 'fails';
    for (let visit = 0; visit < 50; visit += 1) {
      expect(await see()).toBe(1);
      await pass(10);
    }
    expect(source.asked).toBe(2);
  });

  test('an uncached page is empty; retries come after 5, 10, 20 and then every 20 seconds', async () => {
    source.mode = 'fails';
    const tries: number[] = [];
    let before = 0;
    for (let second = 0; second <= 76; second += 1) {
      expect(await see()).toBeNull();
      if (source.asked > before) tries.push(second);
      before = source.asked;
      await pass(1000);
    }
    expect(tries).toEqual([0, 5, 15, 35, 55, 75]);
  });
});

describe('while WordPress hangs', () => {
  test('an uncached page waits up to its deadline', async () => {
    source.mode = 'hangs';
    let isOver = false;
    const seen = see({ waitMs: 700 }).finally(() => {
      isOver = true;
    });
    await pass(699);
    expect(isOver).toBe(false);
    await pass(1);
    expect(await seen).toBeNull();
  });

  test('the hung call is aborted and does not block its key', async () => {
    source.mode = 'hangs';
    expect(await seeWithin(1500)).toBeNull();
    expect(source.stopped).toBe(0); // A response within half a minute is stored for the next visitor.
    await pass(28_500);
    expect(source.stopped).toBe(1);
    source.mode = 'answers';
    await pass(5001);
    expect(await see()).toBe(2);
  });
});

const HANGS = [0, 7, 29, 31, 60, 600].map((seconds) => ['hangs', seconds] as const);
test.each([...HANGS, ['fails', 120] as const])(
  'invariant 10: content is fresh 65 s after WordPress %s for %d s',
  async (mode, seconds) => {
    await see();
    await pass(61_000);
    source.mode = mode;
    for (let second = 0; second <= seconds; second += 1) {
      expect(await see()).toBe(1);
      await pass(1000);
    }
    source.mode = 'answers';
    await visitFor(65);
    expect(await see()).toBeGreaterThan(1);
  },
);

test('a response after its visitor’s deadline is stored for the next one', async () => {
  const slow: Fetch = (signal) => new Promise((resolve) => setTimeout(resolve, 1000, { edition: signal ? 7 : 0 }));
  const first = store.get('page', slow, { waitMs: 300 });
  await pass(300);
  expect(await first).toBeNull();
  await pass(700);
  expect(await see()).toBe(7);
  expect(source.asked).toBe(0);
});

describe('changed content', () => {
  test('is fetched before it is shown if the routes name another version', async () => {
    expect(await see({ version: 'Monday' })).toBe(1);
    expect(await see({ version: 'Monday' })).toBe(1);
    expect(await see({ version: 'Tuesday' })).toBe(2);
  });

  test('shows its last version if WordPress cannot answer in time', async () => {
    await see({ version: 'Monday' });
    source.mode = 'hangs';
    expect(await seeWithin(500, { version: 'Tuesday', waitMs: 500 })).toBe(1);
  });

  test('is awaited if a stale response would be wrong', async () => {
    await see();
    expect(await see({ freshMs: 60_000 })).toBe(1);
    await pass(61_000);
    expect(await see({ freshMs: 60_000 })).toBe(2);
  });

  test('is fetched again after a message with its tag, and nothing else is', async () => {
    await see();
    await see({ tags: ['page:2'] }, 'other');
    store.invalidate(['page:1']);
    await see();
    await see({ tags: ['page:2'] }, 'other');
    expect(source.asked).toBe(3);
  });

  test('is fetched again when the message arrives during a fetch', async () => {
    const tooSoon: Fetch = (signal) => {
      store.invalidate(['page:1']);
      return source.make(signal);
    };
    await store.get('page', tooSoon, { waitMs: 1500, tags: ['page:1'] });
    expect(store.isCurrent('page')).toBe(false);
    await see();
    expect(source.asked).toBe(2);
    expect(store.isCurrent('page')).toBe(true);
  });

  test('is current once it was fetched after the message, even at the same clock time', async () => {
    await see();
    store.invalidate(['page:1']);
    expect(store.isCurrent('page')).toBe(false);
    await see();
    expect(store.isCurrent('page')).toBe(true);
    await see();
    expect(source.asked).toBe(2);
  });

  test('is not current while WordPress fails, though its last version is shown', async () => {
    await see();
    store.invalidate();
    source.mode = 'fails';
    expect(await see()).toBe(1);
    expect(store.isCurrent('page')).toBe(false);
  });

  test('is fetched at once after a message, even in the pause after a failure', async () => {
    source.mode = 'fails';
    await see();
    source.mode = 'answers';
    store.invalidate();
    expect(await see()).toBe(2);
  });
});

describe('the disk', () => {
  test('serves the last good response for 30 days after a restart with WordPress down', async () => {
    await see();
    source.mode = 'fails';
    await pass(10 * 86_400_000);
    store = open();
    expect(await see()).toBe(1);
    await pass(20 * 86_400_000 + 1);
    store = open();
    expect(await see()).toBeNull();
  });

  test('costs only 150 ms when it hangs', async () => {
    disk.read = () => new Promise(() => {});
    const errors: string[] = [];
    store = open({ onError: (what) => errors.push(what) });
    expect(await seeWithin(150)).toBe(1);
    await pass(1500);
    expect(errors).toEqual(['disk read']);
  });

  test('serves the last good response within the deadline when it is slow and WordPress hangs', async () => {
    await see();
    const { read } = disk;
    disk.read = async (key) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return read.call(disk, key);
    };
    source.mode = 'hangs';
    store = open();
    expect(await seeWithin(400)).toBe(1);
  });

  test('has no effect when it fails', async () => {
    disk.read = () => Promise.reject(new Error('EIO'));
    disk.write = () => Promise.reject(new Error('ENOSPC'));
    const errors: string[] = [];
    store = open({ onError: (what) => errors.push(what) });
    expect(await see()).toBe(1);
    await pass(0);
    expect(errors).toEqual(['disk read', 'disk write']);
  });
});

test('a closed store serves its cache and sends no requests', async () => {
  await see();
  await pass(61_000);
  store.close();
  expect(await see()).toBe(1);
  expect(await see({}, 'other')).toBeNull();
  expect(source.asked).toBe(1);
});

test('a fetch that began before a change is not used for requests after it', async () => {
  await see();
  const { make } = source;
  /** Returns the edition at the time of the request, after a while. */
  source.make = async (signal) => {
    const answer = await make(signal);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return answer;
  };
  await pass(61_000);
  expect(await see(), 'fetched behind her back').toBe(1);
  store.invalidate(['page:1']);
  expect(await seeWithin(1500)).toBe(3);
  expect(source.asked).toBe(3);
});

test('a failed fetch that began before a change causes no pause', async () => {
  await see();
  await pass(61_000);
  source.make = async () => {
    source.asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (source.asked === 2) throw new Error('down');
    return { edition: source.asked };
  };
  expect(await see()).toBe(1);
  store.invalidate(['page:1']);
  expect(await seeWithin(1500)).toBe(3);
});

describe('the state of a read', () => {
  const seenOf = async () => {
    const asked = { waitMs: 1500, tags: ['page:1'], version: undefined, freshMs: undefined };
    const kept = await store.get('page', source.make, asked);
    return { ...asked, key: 'page', edition: kept?.edition ?? null, born: kept?.born ?? 0 };
  };

  test('is unchanged while fresh, then aged, and unchanged if the source returns the same', async () => {
    source.make = async () => ({ edition: 1 });
    const seen = await seenOf();
    expect(store.check(seen)).toEqual({ standing: 'same', until: Date.now() + 60_000 });
    await pass(60_001);
    expect(store.check(seen).standing).toBe('aged');
    await see();
    await pass(0);
    expect(store.check(seen).standing).toBe('same');
  });

  test('is changed if the source returns something else, and due after a change', async () => {
    const seen = await seenOf();
    await pass(60_001);
    await see();
    await pass(0);
    expect(store.check(seen).standing).toBe('changed');
    store.invalidate(['page:1']);
    expect(store.check(seen).standing).toBe('due');
    expect(store.check(await seenOf()).standing).toBe('same');
  });

  test('is unchanged in the pause after a failure, in which no request is sent', async () => {
    const seen = await seenOf();
    source.mode = 'fails';
    store.invalidate(['page:1']);
    expect(store.check(seen).standing).toBe('due');
    await see();
    expect(store.check(seen)).toEqual({ standing: 'same', until: Date.now() + 5_000 });
    await pass(5_001);
    expect(store.check(seen).standing).toBe('due');
  });

  test('the generation grows with everything that may change the result', async () => {
    const seen: number[] = [store.generation];
    const grown = () => seen.push(store.generation) && (seen.at(-1) ?? 0) > (seen.at(-2) ?? 0);
    await see();
    expect(grown(), 'an answer').toBe(true);
    await see();
    expect(grown(), 'the same again').toBe(false);
    store.invalidate(['another']);
    expect(grown(), 'a change').toBe(true);
    setBack(FOUR_HOURS);
    await see();
    expect(grown(), 'a clock that was set back').toBe(true);
  });
});
