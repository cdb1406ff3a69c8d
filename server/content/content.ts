import { join } from 'node:path';
import type { Form, Page, Picture, SearchAnswer, ShellContent } from '../../app/content/types.ts';
import { DEFAULT_LOCALE, LOCALES } from '../locales.ts';
import type { ContentMetrics } from '../metrics/metrics.ts';
import type { Card } from '../share/card.ts';
import { type Budget, createBudget } from './budget.ts';
import { createBundle } from './bundle.ts';
import type { Endpoint } from './endpoints.ts';
import { createFallback } from './fallback.ts';
import { createMedia } from './media.ts';
import { firstPicture, pageOf, shareOf } from './pages.ts';
import { follow } from './redirects.ts';
import { type Warn, warnOnce } from './result.ts';
import { findRoute, type Route } from './routes.ts';
import { createSearch } from './search.ts';
import { createWordpress, type Wordpress } from './wordpress.ts';

export type { Route } from './routes.ts';

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
  metrics?: ContentMetrics | undefined;
}

export type Resolved =
  | { kind: 'page'; page: Page }
  | { kind: 'redirect'; status: 301 | 302; location: string }
  /** An editor said that it is gone for good, or deleted its page. */
  | { kind: 'gone' }
  | { kind: 'missing' }
  /** The route exists, but neither WordPress nor what was kept of it nor the bundle can show it. */
  | { kind: 'unavailable' };

/** Something was changed in WordPress. */
export interface Change {
  /** `menu`, `strings`, `form`, a post type; anything else may have changed everything. */
  type: string;
  id: number | string | null;
  /** Where it stands on the site. */
  path: string | null;
  /** `publish`, or what took it off the site. */
  status: string | null;
}

/** What the site shows, whoever holds it. Nothing here throws or rejects. */
export interface Content {
  shell: (lang: string) => Promise<ShellContent>;
  /** @param path Pathname as requested, percent-encoded, without a query. Waits `PAGE_BUDGET_MS` at most. */
  resolve: (path: string, lang: string) => Promise<Resolved>;
  routes: (lang: string) => Promise<Route[]>;
  /** What a page is shared with, and what that is drawn of unless its editor chose it. `null`: there is no such page. */
  shared: (path: string, lang: string) => Promise<{ picture: Picture; card: Card | null } | null>;
  /** The front page's picture, which stands for the site. */
  picture: (lang: string) => Promise<Picture | null>;
  /** Pages that have all the words of `query` (R31). @param page From 1. Waits `PAGE_BUDGET_MS` at most. */
  search: (query: string, page: number, lang: string) => Promise<SearchAnswer>;
  /** @param id `null`: the site's own form (R18). Waits `PAGE_BUDGET_MS` at most. */
  form: (id: number | null, lang: string) => Promise<Form | null>;
  /** @param path Pathname under `/media/`. `null`: nothing there. */
  media: (path: string, request: Request) => Promise<Response | null>;
  /**
   * Something was changed in WordPress: what depends on it is fetched anew before it is shown again.
   * @returns Whether WordPress has answered with what every page needs and with the thing itself; where it has not, what
   * was kept stays, and the next visitor's request asks again.
   */
  refresh: (change: Change) => Promise<boolean>;
  /** Whether a page could be shown now. */
  ready: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** A page waits this long for WordPress in all, so that its visitor has an answer within 2 s. */
const PAGE_BUDGET_MS = 1500;

/** Whoever says that something has changed waits this long for WordPress in all: a slow one costs her patience, no page. */
const REFRESH_BUDGET_MS = 6000;

/** What was on its way when a change was told is asked for once more, and again where another change came meanwhile. */
const REFRESH_ROUNDS = 4;

/** Opens the content of the site. Asks nothing of anybody until it is asked. */
export function createContent(options: ContentOptions): Content {
  const { bundleDirectory, dataDirectory, isKnownTemplate, log } = options;
  const warn = warnOnce((event, details) => log('warn', event, details));
  const wordpress = connect(options, warn);
  const held = createFallback(wordpress?.source ?? null, createBundle(bundleDirectory, warn), warn);
  const media = createMedia({
    bundleDirectory: join(bundleDirectory, 'media'),
    cacheDirectory: join(dataDirectory, 'media'),
    client: wordpress?.client ?? null,
    warn,
  });
  const budget = () => createBudget(PAGE_BUDGET_MS);
  const search = createSearch({ client: wordpress?.client ?? null, held, log });

  async function resolve(path: string, lang: string): Promise<Resolved> {
    const left = budget();
    const [located, strings, routes] = await Promise.all([
      held.locate(path, lang, left),
      held.strings(lang, left),
      held.routes(lang, left),
    ]);
    if (!located) return elsewhere(path, lang, left);
    const { route } = located;
    if (path !== route.path) return { kind: 'redirect', status: 301, location: route.path };
    const content = await held.page(located, lang, left);
    if (!content) return { kind: 'unavailable' };
    if (!content.isPublic) return elsewhere(path, lang, left);
    const form = (id: number) => held.form(id || strings.form.form_id, lang, left);
    return {
      kind: 'page',
      page: await pageOf({ route, content, strings, routes: routes ?? [], lang, isKnownTemplate, form, warn }),
    };
  }

  /** Where an editor leads whoever asks for a path that no page has. */
  async function elsewhere(path: string, lang: string, left: Budget): Promise<Resolved> {
    const redirects = await held.redirects(lang, left);
    const routes = redirects.size > 0 ? ((await held.routes(lang, left)) ?? []) : [];
    // The page that was asked for is known to be shown no more, though its route may still be kept.
    const asked = findRoute(routes, path);
    const followed = follow(redirects, path, (next) => {
      const route = findRoute(routes, next);
      return route && route !== asked ? route.path : null;
    });
    switch (followed?.kind) {
      case 'moved':
        return { kind: 'redirect', status: followed.status, location: followed.to };
      case 'gone':
        return { kind: 'gone' };
      case 'loop':
        warn('content.redirect-loop', { paths: followed.paths });
    }
    return { kind: 'missing' };
  }

  async function shared(path: string, lang: string) {
    const left = budget();
    const [located, strings, routes] = await Promise.all([
      held.locate(path, lang, left),
      held.strings(lang, left),
      held.routes(lang, left),
    ]);
    const content = located && (await held.page(located, lang, left));
    return located && content?.isPublic
      ? shareOf({ route: located.route, content, strings, routes: routes ?? [] })
      : null;
  }

  /** The front page's picture, which stands for the site on pages without one. */
  async function pictureOfSite(lang: string, left: Budget): Promise<Picture | null> {
    const front = await held.locate('/', lang, left);
    const content = front && (await held.page(front, lang, left));
    return content && (content.metaImage ?? firstPicture(content.sections));
  }

  /** Reads what every page needs and what was changed. @returns Whether all of it is WordPress' answer of now. */
  async function isReadAnew({ source, isCurrent }: Wordpress, change: Change, left: Budget): Promise<boolean> {
    const read = LOCALES.map(async (lang): Promise<Endpoint[]> => {
      const [routes] = await Promise.all([
        held.routes(lang, left),
        held.menus(lang, left),
        held.strings(lang, left),
        held.redirects(lang, left),
      ]);
      const shared: Endpoint[] = [
        { name: 'routes', lang },
        { name: 'menus', lang },
        { name: 'strings', lang },
      ];
      // An older plugin keeps no redirects: only who changed one waits for WordPress to have answered with them.
      if (change.type === 'redirects') shared.push({ name: 'redirects', lang, page: 1 });
      const route = routes?.find(({ id, path }) => path === change.path || String(id) === String(change.id));
      if (change.type === 'form') return [...shared, ...(await readForm(change, lang, left))];
      if (!route || SHARED_TYPES.has(change.type)) return shared;
      await held.page({ source, route }, lang, left);
      return [...shared, { name: 'page', lang, restBase: route.restBase, id: route.id }];
    });
    return (await Promise.all(read)).flat().every(isCurrent);
  }

  /** A form that is gone cannot be read; what shows it has then none. */
  async function readForm({ id, status }: Change, lang: string, left: Budget): Promise<Endpoint[]> {
    if (id === null || status === 'delete' || status === 'trash') return [];
    await held.form(Number(id), lang, left);
    return [{ name: 'form', lang, id: Number(id) }];
  }

  return {
    async shell(lang) {
      const left = budget();
      const [menus, strings] = await Promise.all([held.menus(lang, left), held.strings(lang, left)]);
      return { lang, menus, strings };
    },
    resolve: (path, lang) =>
      resolve(path, lang).catch((error: unknown) => {
        log('error', 'content.resolve-failed', { path, error });
        return { kind: 'unavailable' };
      }),
    routes: async (lang) => (await held.routes(lang, budget())) ?? [],
    shared: (path, lang) => shared(path, lang).catch(() => null),
    picture: (lang) => pictureOfSite(lang, budget()).catch(() => null),
    search: (query, page, lang) => search(query, page, lang, budget()),
    async form(id, lang) {
      // The number may come from a visitor: what can be no form is not asked for.
      if (id !== null && (!Number.isSafeInteger(id) || id < 1)) return null;
      const left = budget();
      return held.form(id ?? (await held.strings(lang, left)).form.form_id, lang, left);
    },
    media: (path, request) => media.answer(path, request),
    ready: async () => (await held.routes(DEFAULT_LOCALE, budget())) !== null,
    async refresh(change) {
      if (!wordpress) return false;
      wordpress.invalidate(changedBy(change));
      const left = createBudget(REFRESH_BUDGET_MS);
      for (let round = 0; round < REFRESH_ROUNDS; round += 1)
        if (await isReadAnew(wordpress, change, left)) return true;
      return false;
    },
    async close() {
      await Promise.all([wordpress?.close(), media.close()]);
    },
  };
}

/** Their numbers are no page's. */
const SHARED_TYPES = new Set(['menu', 'strings', 'redirects']);

/** @returns Tags of what a change touches; `null`: it may be anything. */
function changedBy({ type, id }: Change): string[] | null {
  switch (type) {
    case 'menu':
      return ['menus'];
    case 'strings':
      return ['strings'];
    case 'redirects':
      return ['redirects'];
    case 'form':
      return id === null ? null : [`form:${id}`];
    case 'page':
    case 'post':
      // A menu may name the page, and follow its title and path; a page that moved or went leaves a redirect.
      return id === null ? null : [`page:${id}`, 'routes', 'menus', 'redirects'];
    default:
      return null;
  }
}

function connect({ source, wordpress, dataDirectory, log, metrics }: ContentOptions, warn: Warn): Wordpress | null {
  if (source !== 'wordpress' || wordpress === null) return null;
  return createWordpress({ ...wordpress, shelfDirectory: join(dataDirectory, 'content'), log, warn, metrics });
}
