import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskCache } from '../cache/disk-cache.ts';
import { StaleStore } from '../cache/stale-store.ts';
import { routesOf } from '../pages/routes.ts';
import { form, page, picture, route } from '../testing/fake-wordpress.ts';
import { createBudget } from '../wordpress/budget.ts';
import { type Endpoint, endpointPath } from '../wordpress/endpoints.ts';
import type { Result } from '../wordpress/result.ts';
import { repair } from './repair.ts';
import { accept, createSource, SCHEMAS, type Source } from './source.ts';

const LANG = 'en';
const item = (id: number, title: string) => ({ id, title, url: `/${title}/`, target: '', classes: [] });

/** A valid response of every endpoint. */
const GOOD: { [Name in Endpoint['name']]: { endpoint: Endpoint & { name: Name }; answer: unknown } } = {
  site: { endpoint: { name: 'site' }, answer: { home: 'http://a.test', url: 'http://a.test/wp' } },
  routes: {
    endpoint: { name: 'routes', lang: LANG },
    answer: [route(1, '/', { template: 'landing' }), route(2, '/about/'), route(3, '/about/team/')],
  },
  menus: {
    endpoint: { name: 'menus', lang: LANG },
    answer: { main_menu: { items: [item(1, 'one')] }, social_menu: [], legals_menu: { items: [item(2, 'privacy')] } },
  },
  strings: {
    endpoint: { name: 'strings', lang: LANG },
    answer: { brand: 'LIVE', labels: { join: 'Come along' }, form: { form_id: 1 }, audio: { url: '/a.mp3' } },
  },
  redirects: {
    endpoint: { name: 'redirects', lang: LANG, page: 1 },
    answer: {
      total: 2,
      per_page: 100,
      items: [
        { from: '/a/', status: 301, to: '/b/' },
        { from: '/c/', status: 410 },
      ],
    },
  },
  page: {
    endpoint: { name: 'page', lang: LANG, restBase: 'pages', id: 1 },
    answer: page(1, {
      sections: [
        { type: 'hero', heading: 'Read <em>on</em>', picture: picture('http://a.test', 'hero'), portrait: null },
        { type: 'acts', heading: 'Acts', items: [{ label: 'a', title: 'b', text: 'c' }] },
        { type: 'questions', kicker: '', heading: 'Q', items: [{ question: 'Why?', answer: '<p>So.</p>' }] },
        { type: 'sign-up', kicker: '', heading: 'Join', text: '', picture: null, portrait: null, form_id: 1 },
      ],
      picture: picture('http://a.test', 'own'),
      found: { title: 'T', description: 'D', noindex: false },
      yoast_head_json: { title: 'Y', og_image: [{ url: 'http://a.test/wp-content/uploads/o.webp' }] },
    }),
  },
  form: { endpoint: { name: 'form', lang: LANG, id: 1 }, answer: form(1) },
};
const RESPONSES = Object.values(GOOD) as { endpoint: Endpoint; answer: unknown }[];

const known = await createDictionary();

/** Names and values of valid responses. Random strings would almost never match a member. */
async function createDictionary() {
  const names = new Set<string>(['__proto__', 'constructor', 'toString', '0', '']);
  const leaves: unknown[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return void leaves.push(value);
    for (const [name, member] of Object.entries(value)) {
      names.add(name);
      walk(member);
    }
  };
  for (const { answer } of RESPONSES) walk(answer);
  return { names: [...names], leaves };
}

const leaf = fc.oneof(
  fc.constantFrom(...known.leaves),
  fc.constantFrom(null, true, false, 0, -1, 1e300, '', '0', '/', '//x', 'javascript:alert(1)', '\ud800', '\0'),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Any JSON, often with members that the site reads. */
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...known.names), fc.string()), tie('value'), { maxKeys: 6 }),
  ),
})).value;

type Place = { holder: Record<string, unknown>; name: string };

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

/** A valid response with 1 to 4 values replaced or removed, as a plugin, a filter or a firewall may do. */
const spoilt = (answer: unknown) =>
  fc
    .array(fc.record({ at: fc.nat(), what: fc.oneof(fc.constant(undefined), anyJson) }), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      const copy = structuredClone(answer);
      for (const { at, what } of changes) {
        const places = placesIn(copy);
        const place = places[at % Math.max(1, places.length)];
        if (place) place.holder[place.name] = structuredClone(what);
      }
      return JSON.parse(JSON.stringify(copy)) as unknown;
    });

/** Any value after a round trip through JSON, which changes some values, such as `-0`. */
const wired = anyJson.map((value) => JSON.parse(JSON.stringify(value ?? null)) as unknown);

let directory: string;
let diskCache: DiskCache;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pillion-answers-'));
  diskCache = new DiskCache({ directory });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const wanted = { budget: createBudget(1000) };

/** Reads one response as the site does. */
function read(source: Source, endpoint: Endpoint): Promise<Result<unknown>> {
  switch (endpoint.name) {
    case 'site':
      return source.strings(LANG, wanted);
    case 'page': {
      const [first] = routesOf([route(1, '/')], LANG, { address: String, html: String } as never, () => {});
      if (!first) throw new Error('no route');
      return source.page(first, LANG, wanted);
    }
    case 'form':
      return source.form(endpoint.id, LANG, wanted);
    default:
      return source[endpoint.name](LANG, wanted);
  }
}

/** A source whose WordPress returns `answer` for `endpoint` and valid responses for the others. */
function sourceOf(endpoint: Endpoint, answer: unknown): Source {
  return createSource({
    read: async (asked) => accept(asked, asked.name === endpoint.name ? answer : GOOD[asked.name].answer),
    home: 'http://a.test',
    warn: () => {},
  });
}

test.each(RESPONSES.map((response) => [response.endpoint.name, response] as const))(
  'invariant 11: any JSON as %s throws no error, and what is accepted can be stored and read again',
  async (_, { endpoint, answer }) => {
    expect(accept(endpoint, answer).ok, 'the good one').toBe(true);
    expect((await read(sourceOf(endpoint, answer), endpoint)).ok, 'the good one').toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.oneof(wired, spoilt(answer)), async (any) => {
        const accepted = accept(endpoint, any);
        const shown = await read(sourceOf(endpoint, any), endpoint);
        if (!accepted.ok) return;
        const entry = { value: repair(endpoint, accepted.data, answer).response, born: 1, version: null, tags: [] };
        const key = endpointPath(endpoint);
        await diskCache.write(key, entry);
        const kept = await diskCache.read(key);
        expect(kept).toEqual({ ...entry, length: expect.any(Number) });
        expect(SCHEMAS[endpoint.name].safeParse(kept?.value).success).toBe(true);
        expect((await read(sourceOf(endpoint, kept?.value), endpoint)).ok).toBe(true);
        // Only routes may be an error here: if none of them is valid.
        if (endpoint.name !== 'routes') expect(shown.ok).toBe(true);
      }),
      { numRuns: 100 },
    );
  },
);

test.each(RESPONSES.map((response) => [response.endpoint.name, response] as const))(
  'invariant 11: invalid data never replaces a valid response of %s, in memory or on disk',
  async (_, { endpoint, answer }) => {
    const schema = SCHEMAS[endpoint.name];
    await fc.assert(
      fc.asyncProperty(fc.oneof(wired, spoilt(answer)), async (any) => {
        const own = new DiskCache({ directory: mkdtempSync(join(directory, 'own-')) });
        const store = new StaleStore({ disk: own });
        const key = endpointPath(endpoint);
        const get = (value: unknown) =>
          store.get(
            key,
            async () => {
              const accepted = accept(endpoint, value);
              if (!accepted.ok) throw new Error(accepted.error.message);
              const last = await store.lastValid(key);
              return last === null ? accepted.data : repair(endpoint, accepted.data, last).response;
            },
            { waitMs: 5000 },
          );
        await get(answer);
        store.invalidate();
        const shown = (await get(any))?.value;
        await store.close();
        expect(schema.safeParse(shown).success).toBe(true);
        const kept = await own.read(key);
        expect(kept?.value).toEqual(shown);
        if (!accept(endpoint, any).ok) expect(shown).toEqual(accept(endpoint, answer).ok && accepted(endpoint, answer));
        expect(repair(endpoint, shown, answer).unreadable).toEqual(repair(endpoint, shown, null).unreadable);
      }),
      { numRuns: 40 },
    );
  },
);

function accepted(endpoint: Endpoint, answer: unknown): unknown {
  const read = accept(endpoint, answer);
  return read.ok ? read.data : null;
}
