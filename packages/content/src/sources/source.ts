import type { Form } from '@pillion/forms/form.ts';
import type { z } from 'zod';
import { FORM_FORMAT } from '../forms/format.ts';
import { type PageContent, pageContentOf } from '../pages/page-content.ts';
import { createRedirectsJoin, MAX_RESPONSES, type Redirects, redirectsOf } from '../pages/redirects.ts';
import { type Route, routesOf } from '../pages/routes.ts';
import { menusOf, stringsOf } from '../pages/shell-content.ts';
import type { Menus, Strings } from '../types.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import { type Endpoint, nameOf } from '../wordpress/endpoints.ts';
import { FIRST_REQUESTED, type Languages, languagesOf } from '../wordpress/languages.ts';
import { failure, type Result, success, type Warn } from '../wordpress/result.ts';
import { createRewriter, type Rewriter } from '../wordpress/rewrite.ts';
import {
  menusSchema,
  pageSchema,
  redirectsSchema,
  routesSchema,
  siteSchema,
  stringsSchema,
  validate,
} from '../wordpress/schemas.ts';
import { uploadFolders } from '../wordpress/uploads.ts';

/** Conditions for a read. */
export interface ReadOptions {
  budget: Budget;
  /** A stored response of another version is requested again before use. */
  version?: string;
  /** A stored response is requested again before use, unless it is very recent. */
  isFresh?: boolean;
}

/** Reads raw responses that match their endpoint's schema: from WordPress, the store or the bundled copy. */
export type Reader = (endpoint: Endpoint, options: ReadOptions) => Promise<Result<unknown>>;

/** Clean content of one origin. No method throws or rejects. */
export interface Source {
  languages: (options: ReadOptions) => Promise<Result<Languages>>;
  routes: (lang: string, options: ReadOptions) => Promise<Result<Route[]>>;
  menus: (lang: string, options: ReadOptions) => Promise<Result<Menus>>;
  strings: (lang: string, options: ReadOptions) => Promise<Result<Strings>>;
  redirects: (lang: string, options: ReadOptions) => Promise<Result<Redirects>>;
  page: (route: Route, lang: string, options: ReadOptions) => Promise<Result<PageContent>>;
  form: (id: number, lang: string, options: ReadOptions) => Promise<Result<Form>>;
}

/** The schema of each endpoint's response. */
export const SCHEMAS = {
  site: siteSchema,
  routes: routesSchema,
  menus: menusSchema,
  strings: stringsSchema,
  redirects: redirectsSchema,
  page: pageSchema,
  form: FORM_FORMAT.schema,
} as const;

/** A response that its schema has read. */
type Wire<N extends Endpoint['name']> = z.output<(typeof SCHEMAS)[N]>;

/**
 * @returns The unchanged response if its schema accepts it. Forms lose their notifications, since the site does not
 * need the recipients' addresses.
 */
export function accept(endpoint: Endpoint, response: unknown): Result<unknown> {
  if (isEmptyList(endpoint, response)) return success(response);
  const read = validate<unknown>(SCHEMAS[endpoint.name], response, nameOf(endpoint));
  return read.ok ? success(endpoint.name === 'form' ? FORM_FORMAT.withoutRecipients(response) : response) : read;
}

/** Whether this is the empty page list of a further language without published pages. */
const isEmptyList = (endpoint: Endpoint, response: unknown) =>
  endpoint.name === 'routes' && endpoint.mayBeEmpty === true && Array.isArray(response) && response.length === 0;

/** One constant, since an index is cached per list. */
const NO_ROUTES: Route[] = [];

interface SourceOptions {
  read: Reader;
  /** Address at which WordPress is called; `null` for the bundled copy, whose addresses are already paths. */
  home: string | null;
  /** Called with every path under `/media/` in the content. */
  onMedia?: (path: string) => void;
  warn: Warn;
}

/**
 * Reads content through `read` and converts it (sanitizes texts, rewrites addresses). This is done once per raw response
 * and cached with it. Responses on disk stay raw, so that a stricter version of this code also checks those that an older one stored.
 */
export function createSource({ read, home, onMedia, warn }: SourceOptions): Source {
  const convertedResponses = new WeakMap<object, { rewriter: Rewriter; value: unknown }>();
  const rewriterOf = createRewriters(home, onMedia);

  async function currentRewriter(budget: Budget): Promise<Rewriter> {
    const site = home === null ? null : await read({ name: 'site' }, { budget });
    return rewriterOf(site?.ok ? site.data : null);
  }

  async function readAndConvert<N extends Endpoint['name'], T>(
    endpoint: Endpoint & { name: N },
    options: ReadOptions,
    convert: (checked: Wire<N>, rewriter: Rewriter) => T,
  ): Promise<Result<T>> {
    // WordPress may use another address than the one at which it is called. Links to both are the site's.
    const [response, rewriter] = await Promise.all([read(endpoint, options), currentRewriter(options.budget)]);
    if (!response.ok) return response;
    const raw = response.data as object | null;
    const converted = raw && convertedResponses.get(raw);
    // Another rewriter means that WordPress' addresses have changed.
    if (converted?.rewriter === rewriter) return success(converted.value as T);
    // TypeScript does not infer that the schema belongs to the endpoint.
    const schema = SCHEMAS[endpoint.name] as unknown as z.ZodType<Wire<N>>;
    const checked = validate(schema, raw, nameOf(endpoint));
    if (!checked.ok) return checked;
    try {
      const value = convert(checked.data, rewriter);
      // `null` is a valid response for no menus, and cannot be a key.
      if (raw !== null) convertedResponses.set(raw, { rewriter, value });
      return success(value);
    } catch (error) {
      return failure('bad response', `${nameOf(endpoint)}: ${String(error)}`);
    }
  }

  const joinRedirects = createRedirectsJoin();

  async function languages(options: ReadOptions): Promise<Result<Languages>> {
    const response = await read({ name: 'strings', lang: FIRST_REQUESTED }, options);
    return response.ok ? success(languagesOf(response.data, warn)) : response;
  }

  const readRedirectsPart = (lang: string, page: number, options: ReadOptions) =>
    readAndConvert({ name: 'redirects', lang, page }, options, (wire) => ({
      partCount: Math.ceil(wire.total / wire.per_page),
      redirects: redirectsOf(wire.items, warn),
    }));

  async function readRedirectsParts(lang: string, options: ReadOptions) {
    const first = await readRedirectsPart(lang, 1, options);
    const partCount = first.ok ? first.data.partCount : 1;
    if (partCount > MAX_RESPONSES) warn('content.redirects-too-many', { answers: partCount });
    const others = Array.from({ length: Math.min(partCount, MAX_RESPONSES) - 1 }, (_, i) =>
      readRedirectsPart(lang, i + 2, options),
    );
    return [first, ...(await Promise.all(others))] as const;
  }

  return {
    languages,
    routes: async (lang, options) => {
      // Routes of the default language do not wait for the list of languages.
      const listed = await languages({ budget: lang === FIRST_REQUESTED ? createBudget(0) : options.budget });
      const mayBeEmpty = listed.ok && listed.data.slice(1).some(({ tag }) => tag === lang);
      const endpoint = { name: 'routes' as const, lang, mayBeEmpty };
      const response = mayBeEmpty ? await read(endpoint, options) : null;
      if (response?.ok && isEmptyList(endpoint, response.data)) return success(NO_ROUTES);
      const routes = await readAndConvert(endpoint, options, (wire, rewriter) => routesOf(wire, lang, rewriter, warn));
      if (!routes.ok || routes.data.length > 0) return routes;
      return failure('bad response', 'gusto/routes: no route is valid');
    },
    menus: (lang, options) =>
      readAndConvert({ name: 'menus', lang }, options, (wire, rewriter) => menusOf(wire, rewriter, warn)),
    strings: (lang, options) =>
      readAndConvert({ name: 'strings', lang }, options, (wire, rewriter) => stringsOf(wire, lang, rewriter, warn)),
    async redirects(lang, options) {
      const [first, ...others] = await readRedirectsParts(lang, options);
      if (!first.ok) return first;
      // If a later response is missing, only its own redirects are lost.
      return success(
        joinRedirects([first, ...others].flatMap((response) => (response.ok ? response.data.redirects : []))),
      );
    },
    page: (route, lang, options) =>
      readAndConvert({ name: 'page', lang, restBase: route.restBase, id: route.id }, options, (wire, rewriter) =>
        pageContentOf(wire, route.path, rewriter, warn),
      ),
    form: (id, lang, options) =>
      readAndConvert({ name: 'form', lang, id }, options, (wire, rewriter) =>
        FORM_FORMAT.describe(wire, rewriter, warn),
      ),
  };
}

/** Addresses of a WordPress, for `createRewriter`. */
export interface KnownAddresses {
  addresses: string[];
  folders: string[];
}

/** @param site Response of the `site` endpoint. @returns `null` if it cannot be read. */
export function addressesOf(home: string, site: unknown): KnownAddresses | null {
  const { data } = siteSchema.safeParse(site);
  if (!data) return null;
  return { addresses: [home, data.home, data.url], folders: uploadFolders(home, data).map(({ written }) => written) };
}

/**
 * Creates a function that returns the rewriter for a `site` response; the last one if the response is unreadable. It is
 * a new object only if WordPress' addresses have changed: converted content is cached per rewriter.
 * @param home `null`: the bundled copy.
 */
function createRewriters(home: string | null, onMedia?: (path: string) => void) {
  let key = '';
  let rewriter = createRewriter(home === null ? [] : [home], onMedia);
  return (site: unknown): Rewriter => {
    const known = home === null ? null : addressesOf(home, site);
    if (known === null) return rewriter;
    const knownKey = JSON.stringify(known);
    if (knownKey !== key) {
      key = knownKey;
      rewriter = createRewriter(known.addresses, onMedia, known.folders);
    }
    return rewriter;
  };
}
