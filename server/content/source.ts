import type { z } from 'zod';
import type { Form, Menus, Strings } from '../../app/content/types.ts';
import type { Budget } from './budget.ts';
import { type Endpoint, nameOf } from './endpoints.ts';
import { formSchema } from './form-schemas.ts';
import { formOf } from './forms.ts';
import { type PageContent, pageContentOf } from './page-content.ts';
import { createJoin, MOST_ANSWERS, type Redirects, redirectsOf } from './redirects.ts';
import { failure, type Result, success, type Warn } from './result.ts';
import { createRewriter, type Rewriter } from './rewrite.ts';
import { type Route, routesOf } from './routes.ts';
import { check, menusSchema, pageSchema, redirectsSchema, routesSchema, siteSchema, stringsSchema } from './schemas.ts';
import { menusOf, stringsOf } from './shell-content.ts';

/** What a reader may be told about the answer wanted. */
export interface Wanted {
  budget: Budget;
  /** The caller knows of this version: one kept of another version is asked for anew before it is used. */
  version?: string;
  /** A kept answer that is no longer fresh is asked for anew before it is used. */
  isFresh?: boolean;
}

/** Raw answers, valid for their endpoint's schema; from WordPress, from what was kept of it, or from the bundle. */
export type Reader = (endpoint: Endpoint, wanted: Wanted) => Promise<Result<unknown>>;

/** Clean content of one origin. Every call resolves; none throws. */
export interface Source {
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

/** @returns The answer as it came, once its schema has accepted it. */
export function accept(endpoint: Endpoint, answer: unknown): Result<unknown> {
  const read = check<unknown>(SCHEMAS[endpoint.name], answer, nameOf(endpoint));
  return read.ok ? success(answer) : read;
}

interface SourceOptions {
  read: Reader;
  /** Address WordPress is called under, `null` for the bundle, whose addresses are paths already. */
  home: string | null;
  warn: Warn;
}

/**
 * Reads clean content through `read`. Cleaning (sanitising, rewriting) is done once per raw answer and remembered with
 * it; what is kept on disk stays raw, so that a stricter version of this code also judges what an older one kept.
 */
export function createSource({ read, home, warn }: SourceOptions): Source {
  const cleaned = new WeakMap<object, { rewriter: Rewriter; value: unknown }>();
  const rewriterOf = createRewriters(home);

  async function clean<N extends Endpoint['name'], T>(
    endpoint: Endpoint & { name: N },
    wanted: Wanted,
    make: (wire: Wire<N>, rewriter: Rewriter) => T,
  ): Promise<Result<T>> {
    // WordPress may call itself by another address than the one it is called under; links to both are ours.
    const [answer, site] = await Promise.all([
      read(endpoint, wanted),
      home === null ? null : read({ name: 'site' }, wanted),
    ]);
    if (!answer.ok) return answer;
    const rewriter = rewriterOf(site?.ok ? site.data : null);
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
    routes: async (lang, wanted) => {
      const routes = await clean({ name: 'routes', lang }, wanted, (wire) => routesOf(wire, warn));
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

/** One rewriter per set of addresses, so that its identity tells whether something was cleaned with it. */
function createRewriters(home: string | null) {
  let key = '';
  let rewriter = createRewriter(home === null ? [] : [home]);
  return (site: unknown): Rewriter => {
    const read = siteSchema.safeParse(site);
    if (home === null || !read.success) return rewriter;
    const addresses = [home, read.data.home, read.data.url];
    if (addresses.join() !== key) {
      key = addresses.join();
      rewriter = createRewriter(addresses);
    }
    return rewriter;
  };
}
