import type { Form } from '@pillion/forms/form.ts';
import type { z } from 'zod';
import { FORM_FORMAT } from '../forms/format.ts';
import { type PageContent, pageContentOf } from '../pages/page-content.ts';
import { createJoin, MOST_ANSWERS, type Redirects, redirectsOf } from '../pages/redirects.ts';
import { type Route, routesOf } from '../pages/routes.ts';
import { menusOf, stringsOf } from '../pages/shell-content.ts';
import type { Menus, Strings } from '../types.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import { type Endpoint, nameOf } from '../wordpress/endpoints.ts';
import { FIRST_ASKED, type Languages, languagesOf } from '../wordpress/languages.ts';
import { failure, type Result, success, type Warn } from '../wordpress/result.ts';
import { createRewriter, type Rewriter } from '../wordpress/rewrite.ts';
import {
  check,
  menusSchema,
  pageSchema,
  redirectsSchema,
  routesSchema,
  siteSchema,
  stringsSchema,
} from '../wordpress/schemas.ts';
import { uploadFolders } from '../wordpress/uploads.ts';

/** Conditions for a read. */
export interface Wanted {
  budget: Budget;
  /** A stored response of another version is requested again before use. */
  version?: string;
  /** A stored response is requested again before use, unless it is very recent. */
  isFresh?: boolean;
}

/** Reads raw responses that match their endpoint's schema: from WordPress, the store or the bundled copy. */
export type Reader = (endpoint: Endpoint, wanted: Wanted) => Promise<Result<unknown>>;

/** Clean content of one origin. No method throws or rejects. */
export interface Source {
  languages: (wanted: Wanted) => Promise<Result<Languages>>;
  routes: (lang: string, wanted: Wanted) => Promise<Result<Route[]>>;
  menus: (lang: string, wanted: Wanted) => Promise<Result<Menus>>;
  strings: (lang: string, wanted: Wanted) => Promise<Result<Strings>>;
  redirects: (lang: string, wanted: Wanted) => Promise<Result<Redirects>>;
  page: (route: Route, lang: string, wanted: Wanted) => Promise<Result<PageContent>>;
  form: (id: number, lang: string, wanted: Wanted) => Promise<Result<Form>>;
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

type Wire<N extends Endpoint['name']> = z.output<(typeof SCHEMAS)[N]>;

/**
 * @returns The unchanged response if its schema accepts it. Forms lose their notifications, since the site does not
 * need the recipients' addresses.
 */
export function accept(endpoint: Endpoint, answer: unknown): Result<unknown> {
  if (isEmptyList(endpoint, answer)) return success(answer);
  const read = check<unknown>(SCHEMAS[endpoint.name], answer, nameOf(endpoint));
  return read.ok ? success(endpoint.name === 'form' ? FORM_FORMAT.withoutRecipients(answer) : answer) : read;
}

/** Whether this is the empty page list of a further language without published pages. */
const isEmptyList = (endpoint: Endpoint, answer: unknown) =>
  endpoint.name === 'routes' && endpoint.mayBeEmpty === true && Array.isArray(answer) && answer.length === 0;

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
 * Reads clean content through `read`. Cleaning (sanitizing, rewriting) is done once per raw response and cached with
 * it. Responses on disk stay raw, so that a stricter version of this code also checks those that an older one stored.
 */
export function createSource({ read, home, onMedia, warn }: SourceOptions): Source {
  const cleaned = new WeakMap<object, { rewriter: Rewriter; value: unknown }>();
  const rewriterOf = createRewriters(home, onMedia);

  async function currentRewriter(budget: Budget): Promise<Rewriter> {
    const site = home === null ? null : await read({ name: 'site' }, { budget });
    return rewriterOf(site?.ok ? site.data : null);
  }

  async function clean<N extends Endpoint['name'], T>(
    endpoint: Endpoint & { name: N },
    wanted: Wanted,
    make: (wire: Wire<N>, rewriter: Rewriter) => T,
  ): Promise<Result<T>> {
    // WordPress may use another address than the one at which it is called. Links to both are the site's.
    const [answer, rewriter] = await Promise.all([read(endpoint, wanted), currentRewriter(wanted.budget)]);
    if (!answer.ok) return answer;
    const raw = answer.data as object | null;
    const known = raw && cleaned.get(raw);
    if (known?.rewriter === rewriter) return success(known.value as T);
    const schema = SCHEMAS[endpoint.name] as unknown as z.ZodType<Wire<N>>;
    const wire = check(schema, raw, nameOf(endpoint));
    if (!wire.ok) return wire;
    try {
      const value = make(wire.data, rewriter);
      // `null` is a valid response for no menus, and cannot be a key.
      if (raw !== null) cleaned.set(raw, { rewriter, value });
      return success(value);
    } catch (error) {
      return failure('bad response', `${nameOf(endpoint)}: ${String(error)}`);
    }
  }

  const join = createJoin();

  async function languages(wanted: Wanted): Promise<Result<Languages>> {
    const answer = await read({ name: 'strings', lang: FIRST_ASKED }, wanted);
    return answer.ok ? success(languagesOf(answer.data, warn)) : answer;
  }

  const redirectsAnswer = (lang: string, page: number, wanted: Wanted) =>
    clean({ name: 'redirects', lang, page }, wanted, (wire) => ({
      answers: Math.ceil(wire.total / wire.per_page),
      redirects: redirectsOf(wire.items, warn),
    }));

  async function redirectsAnswers(lang: string, wanted: Wanted) {
    const first = await redirectsAnswer(lang, 1, wanted);
    const answers = first.ok ? Math.min(first.data.answers, MOST_ANSWERS) : 1;
    if (first.ok && first.data.answers > answers) warn('content.redirects-too-many', { answers: first.data.answers });
    const others = Array.from({ length: answers - 1 }, (_, i) => redirectsAnswer(lang, i + 2, wanted));
    return [first, ...(await Promise.all(others))] as const;
  }

  return {
    languages,
    routes: async (lang, wanted) => {
      // Routes of the default language do not wait for the list of languages.
      const listed = await languages({ budget: lang === FIRST_ASKED ? createBudget(0) : wanted.budget });
      const mayBeEmpty = listed.ok && listed.data.slice(1).some(({ tag }) => tag === lang);
      const endpoint = { name: 'routes' as const, lang, mayBeEmpty };
      const answer = mayBeEmpty ? await read(endpoint, wanted) : null;
      if (answer?.ok && isEmptyList(endpoint, answer.data)) return success(NO_ROUTES);
      const routes = await clean(endpoint, wanted, (wire, rewriter) => routesOf(wire, lang, rewriter, warn));
      if (!routes.ok || routes.data.length > 0) return routes;
      return failure('bad response', 'gusto/routes: no route is valid');
    },
    menus: (lang, wanted) => clean({ name: 'menus', lang }, wanted, (wire, rewriter) => menusOf(wire, rewriter, warn)),
    strings: (lang, wanted) =>
      clean({ name: 'strings', lang }, wanted, (wire, rewriter) => stringsOf(wire, lang, rewriter, warn)),
    async redirects(lang, wanted) {
      const [first, ...others] = await redirectsAnswers(lang, wanted);
      if (!first.ok) return first;
      // If a later response is missing, only its own redirects are lost.
      return success(join([first, ...others].flatMap((answer) => (answer.ok ? answer.data.redirects : []))));
    },
    page: (route, lang, wanted) =>
      clean({ name: 'page', lang, restBase: route.restBase, id: route.id }, wanted, (wire, rewriter) =>
        pageContentOf(wire, route.path, rewriter, warn),
      ),
    form: (id, lang, wanted) =>
      clean({ name: 'form', lang, id }, wanted, (wire, rewriter) => FORM_FORMAT.describe(wire, rewriter, warn)),
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

/** Creates one rewriter per set of addresses, so that its identity shows which addresses content was cleaned with. */
function createRewriters(home: string | null, onMedia?: (path: string) => void) {
  let key = '';
  let rewriter = createRewriter(home === null ? [] : [home], onMedia);
  return (site: unknown): Rewriter => {
    const known = home === null ? null : addressesOf(home, site);
    if (known === null) return rewriter;
    const named = JSON.stringify(known);
    if (named !== key) {
      key = named;
      rewriter = createRewriter(known.addresses, onMedia, known.folders);
    }
    return rewriter;
  };
}
