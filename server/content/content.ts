import { join } from 'node:path';
import type { Form, Menus, Page, ShellContent, Strings } from '../../app/content/types.ts';
import { type Budget, createBudget } from './budget.ts';
import { createBundle } from './bundle.ts';
import { DEFAULT_LEGALS_MENU } from './defaults.ts';
import { createMedia } from './media.ts';
import { pageOf } from './pages.ts';
import { failure, type Result, type Warn, warnOnce } from './result.ts';
import { createRewriter } from './rewrite.ts';
import { findRoute, type Route } from './routes.ts';
import { stringsOf } from './shell-content.ts';
import type { Source } from './source.ts';
import type { Submission } from './submission.ts';
import { createWordpress, type Wordpress } from './wordpress.ts';

export type { Route } from './routes.ts';
export type { Submission } from './submission.ts';

export interface ContentOptions {
  source: 'bundled' | 'wordpress';
  /** Needed for 'wordpress'. `timeoutMs` is the deadline of one call, 0 for none (R27). */
  wordpress: { url: string; key: string; secret: string; timeoutMs: number } | null;
  /** Where last good answers and fetched media are kept. */
  dataDirectory: string;
  /** The bundled copies, `content/`. */
  bundleDirectory: string;
  isKnownTemplate: (name: string) => boolean;
  log: (level: 'info' | 'warn' | 'error', event: string, details?: Record<string, unknown>) => void;
}

export type Resolved =
  | { kind: 'page'; page: Page }
  | { kind: 'redirect'; status: 301; location: string }
  | { kind: 'missing' }
  /** The route exists, but neither WordPress nor what was kept of it nor the bundle can show it. */
  | { kind: 'unavailable' };

/** What the site shows, whoever holds it. Nothing here throws or rejects. */
export interface Content {
  shell: (lang: string) => Promise<ShellContent>;
  /** @param path Pathname as requested, percent-encoded, without a query. Waits `PAGE_BUDGET_MS` at most. */
  resolve: (path: string, lang: string) => Promise<Resolved>;
  routes: (lang: string) => Promise<Route[]>;
  form: (id: number, lang: string) => Promise<Form | null>;
  /** Hands a sign-up to WordPress. Bundled content has nowhere to hand it and answers a `bad request`. */
  submit: (formId: number, values: Record<string, string>) => Promise<Result<Submission>>;
  /** @param path Pathname under `/media/`. `null`: nothing there. */
  media: (path: string, request: Request) => Promise<Response | null>;
  /** Whether a page could be shown now. */
  ready: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** A page waits this long for WordPress in all; the visitor has her answer within 2 s (issue: *Bad input*). */
const PAGE_BUDGET_MS = 1500;

const READY_LANG = 'en';

/**
 * Puts the sources in order: WordPress or what was kept of it, then the bundled copies, then the defaults.
 * Menus, strings, pages and forms fall back each on its own; a bundled page stands in only for the same path, since
 * the numbers of two WordPresses have nothing to do with each other.
 */
export function createContent(options: ContentOptions): Content {
  const warn = warnOnce((event, details) => options.log('warn', event, details));
  const bundle = createBundle(options.bundleDirectory, warn);
  const wordpress = connect(options, warn);
  const live: Source | null = wordpress?.source ?? null;
  const media = createMedia({
    bundleDirectory: join(options.bundleDirectory, 'media'),
    cacheDirectory: join(options.dataDirectory, 'media'),
    client: wordpress?.client ?? null,
    warn,
  });
  const orders = live ? [live, bundle] : [bundle];

  async function first<T>(ask: (source: Source) => Promise<Result<T>>): Promise<T | null> {
    for (const source of orders) {
      const answer = await ask(source);
      if (answer.ok) return answer.data;
    }
    return null;
  }

  const strings = async (lang: string, budget: Budget): Promise<Strings> =>
    (await first((source) => source.strings(lang, { budget }))) ?? stringsOf({}, createRewriter([]), warn);

  async function menus(lang: string, budget: Budget): Promise<Menus> {
    const own = await live?.menus(lang, { budget });
    if (own?.ok) return own.data;
    const kept = await bundle.menus(lang, { budget });
    const none = { items: [] };
    const { main_menu, social_menu, legals_menu } = kept.ok
      ? kept.data
      : { main_menu: none, social_menu: none, legals_menu: none };
    return { main_menu, social_menu, legals_menu: legals_menu.items.length > 0 ? legals_menu : DEFAULT_LEGALS_MENU };
  }

  /** Finds who holds a path. A path WordPress did not have a minute ago may have been published since. */
  async function locate(path: string, lang: string, budget: Budget) {
    if (live) {
      const known = await live.routes(lang, { budget });
      if (known.ok) {
        const route = findRoute(known.data, path);
        if (route) return { source: live, route };
        const newest = await live.routes(lang, { budget, isFresh: true });
        const published = newest.ok ? findRoute(newest.data, path) : null;
        return published && { source: live, route: published };
      }
    }
    const route = await bundledRoute(path, lang, budget);
    return route && { source: bundle, route };
  }

  async function bundledRoute(path: string, lang: string, budget: Budget): Promise<Route | null> {
    const routes = await bundle.routes(lang, { budget });
    return routes.ok ? findRoute(routes.data, path) : null;
  }

  async function contentOf(source: Source, route: Route, lang: string, budget: Budget) {
    const own = await source.page(route, lang, { budget, version: route.modified });
    if (own.ok || source === bundle) return own.ok ? own.data : null;
    const standIn = await bundledRoute(route.path, lang, budget);
    const copy = standIn && (await bundle.page(standIn, lang, { budget }));
    return copy?.ok ? copy.data : null;
  }

  async function resolve(path: string, lang: string): Promise<Resolved> {
    const budget = createBudget(PAGE_BUDGET_MS);
    const [located, texts] = await Promise.all([locate(path, lang, budget), strings(lang, budget)]);
    if (!located) return { kind: 'missing' };
    const { source, route } = located;
    if (path !== route.path) return { kind: 'redirect', status: 301, location: route.path };
    const content = await contentOf(source, route, lang, budget);
    if (!content) return { kind: 'unavailable' };
    if (!content.isPublic) return { kind: 'missing' };
    const { isKnownTemplate } = options;
    const form = (id: number) => formWithin(id || texts.form.form_id, lang, budget);
    return { kind: 'page', page: await pageOf({ route, content, strings: texts, lang, isKnownTemplate, form, warn }) };
  }

  const formWithin = (id: number, lang: string, budget: Budget) => first((source) => source.form(id, lang, { budget }));

  return {
    shell: async (lang) => {
      const budget = createBudget(PAGE_BUDGET_MS);
      const [ownMenus, texts] = await Promise.all([menus(lang, budget), strings(lang, budget)]);
      return { lang, menus: ownMenus, strings: texts };
    },
    resolve: (path, lang) =>
      resolve(path, lang).catch((error: unknown) => {
        options.log('error', 'content.resolve-failed', { path, error });
        return { kind: 'unavailable' as const };
      }),
    routes: async (lang) =>
      (await first((source) => source.routes(lang, { budget: createBudget(PAGE_BUDGET_MS) }))) ?? [],
    // The number may come from a visitor: what can be no form is not asked for.
    form: async (id, lang) =>
      Number.isSafeInteger(id) && id > 0 ? formWithin(id, lang, createBudget(PAGE_BUDGET_MS)) : null,
    submit: async (formId, values) =>
      wordpress?.submit(formId, values) ?? failure('bad request', 'bundled content takes no sign-ups'),
    media: (path, request) => media.answer(path, request),
    ready: async () =>
      (await first((source) => source.routes(READY_LANG, { budget: createBudget(PAGE_BUDGET_MS) }))) !== null,
    close: async () => {
      await Promise.all([wordpress?.close(), media.close()]);
    },
  };
}

function connect({ source, wordpress, dataDirectory, log }: ContentOptions, warn: Warn): Wordpress | null {
  if (source !== 'wordpress' || wordpress === null) return null;
  return createWordpress({ ...wordpress, shelfDirectory: join(dataDirectory, 'content'), log, warn });
}
