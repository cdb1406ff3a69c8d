import type { Form } from '@pillion/forms/form.ts';
import type { z } from 'zod';
import { formOf } from '../forms/forms.ts';
import { type PageContent, pageContentOf } from '../pages/page-content.ts';
import { createJoin, MOST_ANSWERS, type Redirects, redirectsOf } from '../pages/redirects.ts';
import { type Route, routesOf } from '../pages/routes.ts';
import { menusOf, stringsOf } from '../pages/shell-content.ts';
import type { Menus, Strings } from '../types.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import { type Endpoint, nameOf } from '../wordpress/endpoints.ts';
import { formSchema } from '../wordpress/form-schemas.ts';
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

/** What a reader may be told about the answer wanted. */
export interface Wanted {
  budget: Budget;
  /** The caller knows of this version: one kept of another version is asked for anew before it is used. */
  version?: string;
  /** A kept answer is asked for anew before it is used, unless that was done a moment ago. */
  isFresh?: boolean;
}

/** Raw answers, valid for their endpoint's schema; from WordPress, from what was kept of it, or from the bundle. */
export type Reader = (endpoint: Endpoint, wanted: Wanted) => Promise<Result<unknown>>;

/** Clean content of one origin. Every call resolves; none throws. */
export interface Source {
  languages: (wanted: Wanted) => Promise<Result<Languages>>;
  routes: (lang: string, wanted: Wanted) => Promise<Result<Route[]>>;
  menus: (lang: string, wanted: Wanted) => Promise<Result<Menus>>;
  strings: (lang: string, wanted: Wanted) => Promise<Result<Strings>>;
  redirects: (lang: string, wanted: Wanted) => Promise<Result<Redirects>>;
  page: (route: Route, lang: string, wanted: Wanted) => Promise<Result<PageContent>>;
  form: (id: number, lang: string, wanted: Wanted) => Promise<Result<Form>>;
}

/** The schema that decides whether an answer is one, by endpoint. */
export const SCHEMAS = {
  site: siteSchema,
  routes: routesSchema,
  menus: menusSchema,
  strings: stringsSchema,
  redirects: redirectsSchema,
  page: pageSchema,
  form: formSchema,
} as const;

type Wire<N extends Endpoint['name']> = z.output<(typeof SCHEMAS)[N]>;

/**
 * @returns The answer as it came, once its schema has accepted it; of a form without those whom Gravity Forms tells of
 * a sign-up: their addresses are nobody's on this side.
 */
export function accept(endpoint: Endpoint, answer: unknown): Result<unknown> {
  if (isEmptyList(endpoint, answer)) return success(answer);
  const read = check<unknown>(SCHEMAS[endpoint.name], answer, nameOf(endpoint));
  return read.ok ? success(endpoint.name === 'form' ? withoutRecipients(answer) : answer) : read;
}

/** A second language whose first page is yet to be published. */
const isEmptyList = (endpoint: Endpoint, answer: unknown) =>
  endpoint.name === 'routes' && endpoint.mayBeEmpty === true && Array.isArray(answer) && answer.length === 0;

/** @returns The same object where there is nothing to leave out. */
export function withoutRecipients(form: unknown): unknown {
  if (typeof form !== 'object' || form === null || !('notifications' in form) || !('fields' in form)) return form;
  const { notifications: _, ...rest } = form;
  return rest;
}

/** One and the same, as an index is kept of each list. */
const NO_ROUTES: Route[] = [];

interface SourceOptions {
  read: Reader;
  /** Address WordPress is called under, `null` for the bundle, whose addresses are paths already. */
  home: string | null;
  /** Told every path under `/media/` that its content names. */
  onMedia?: (path: string) => void;
  warn: Warn;
}

/**
 * Reads clean content through `read`. Cleaning (sanitising, rewriting) is done once per raw answer and remembered with
 * it; what is kept on disk stays raw, so that a stricter version of this code also judges what an older one kept.
 */
export function createSource({ read, home, onMedia, warn }: SourceOptions): Source {
  const cleaned = new WeakMap<object, { rewriter: Rewriter; value: unknown }>();
  const rewriterOf = createRewriters(home, onMedia);

  async function currentRewriter(wanted: Wanted): Promise<Rewriter> {
    const site = home === null ? null : await read({ name: 'site' }, wanted);
    return rewriterOf(site?.ok ? site.data : null);
  }

  async function clean<N extends Endpoint['name'], T>(
    endpoint: Endpoint & { name: N },
    wanted: Wanted,
    make: (wire: Wire<N>, rewriter: Rewriter) => T,
  ): Promise<Result<T>> {
    // WordPress may call itself by another address than the one it is called under; links to both are ours.
    const [answer, rewriter] = await Promise.all([read(endpoint, wanted), currentRewriter(wanted)]);
    if (!answer.ok) return answer;
    const raw = answer.data as object | null;
    const known = raw && cleaned.get(raw);
    if (known?.rewriter === rewriter) return success(known.value as T);
    const schema = SCHEMAS[endpoint.name] as unknown as z.ZodType<Wire<N>>;
    const wire = check(schema, raw, nameOf(endpoint));
    if (!wire.ok) return wire;
    try {
      const value = make(wire.data, rewriter);
      // `null` is a valid answer for no menus, and nothing to remember.
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
      // The default language's routes wait for nothing else.
      const listed = await languages(lang === FIRST_ASKED ? { ...wanted, budget: createBudget(0) } : wanted);
      const mayBeEmpty = listed.ok && listed.data.slice(1).some(({ tag }) => tag === lang);
      const endpoint = { name: 'routes' as const, lang, mayBeEmpty };
      const answer = mayBeEmpty ? await read(endpoint, wanted) : null;
      if (answer?.ok && isEmptyList(endpoint, answer.data)) return success(NO_ROUTES);
      const routes = await clean(endpoint, wanted, (wire, rewriter) => routesOf(wire, lang, rewriter, warn));
      if (!routes.ok || routes.data.length > 0) return routes;
      return failure('bad response', 'gusto/routes: not one route could be read');
    },
    menus: (lang, wanted) => clean({ name: 'menus', lang }, wanted, (wire, rewriter) => menusOf(wire, rewriter, warn)),
    strings: (lang, wanted) =>
      clean({ name: 'strings', lang }, wanted, (wire, rewriter) => stringsOf(wire, rewriter, warn)),
    async redirects(lang, wanted) {
      const [first, ...others] = await redirectsAnswers(lang, wanted);
      if (!first.ok) return first;
      // A later answer that is missing costs its own redirects, and not all of them.
      return success(join([first, ...others].flatMap((answer) => (answer.ok ? answer.data.redirects : []))));
    },
    page: (route, lang, wanted) =>
      clean({ name: 'page', lang, restBase: route.restBase, id: route.id }, wanted, (wire, rewriter) =>
        pageContentOf(wire, route.path, rewriter, warn),
      ),
    form: (id, lang, wanted) =>
      clean({ name: 'form', lang, id }, wanted, (wire, rewriter) => formOf(wire, rewriter, warn)),
  };
}

/** What `createRewriter` needs to know of a WordPress. */
export interface KnownAddresses {
  /** Every address that it goes by. */
  addresses: string[];
  /** Paths of its upload folders. */
  folders: string[];
}

/** @param site What WordPress says of itself. @returns `null` if that cannot be read. */
export function addressesOf(home: string, site: unknown): KnownAddresses | null {
  const { data } = siteSchema.safeParse(site);
  if (!data) return null;
  return { addresses: [home, data.home, data.url], folders: uploadFolders(home, data).map(({ written }) => written) };
}

/** One rewriter per set of addresses, so that its identity tells whether something was cleaned with it. */
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
