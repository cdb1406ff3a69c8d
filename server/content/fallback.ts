import type { Form, Menus, Strings } from '../../app/content/types.ts';
import type { Budget } from './budget.ts';
import { DEFAULT_LEGALS_MENU } from './defaults.ts';
import type { PageContent } from './page-content.ts';
import { NO_REDIRECTS, type Redirects } from './redirects.ts';
import type { Result, Warn } from './result.ts';
import { createRewriter } from './rewrite.ts';
import { findRoute, type Route } from './routes.ts';
import { stringsOf } from './shell-content.ts';
import type { Source } from './source.ts';

/** A path and who holds it. */
export interface Located {
  source: Source;
  route: Route;
}

/** Content from whoever has it. Each call waits no longer than its budget. */
export interface Fallback {
  /** The defaults where nobody has any (R19). */
  strings: (lang: string, budget: Budget) => Promise<Strings>;
  menus: (lang: string, budget: Budget) => Promise<Menus>;
  /** `null`: nobody can say which pages exist. */
  routes: (lang: string, budget: Budget) => Promise<Route[] | null>;
  /** None where nobody has any. */
  redirects: (lang: string, budget: Budget) => Promise<Redirects>;
  form: (id: number, lang: string, budget: Budget) => Promise<Form | null>;
  /** `null`: there is no such page. */
  locate: (path: string, lang: string, budget: Budget) => Promise<Located | null>;
  /** `null`: there is, but nobody can show it. */
  page: (located: Located, lang: string, budget: Budget) => Promise<PageContent | null>;
}

const NO_MENU = { items: [] };
const NO_MENUS: Menus = { main_menu: NO_MENU, social_menu: NO_MENU, legals_menu: NO_MENU };

/**
 * Puts the sources in order: WordPress or what was kept of it, then the bundled copies, then the defaults.
 * Menus, strings, pages and forms fall back each on its own; a bundled page stands in only for the same path, since
 * the numbers of two WordPresses have nothing to do with each other.
 * @param live WordPress, `null` with bundled content.
 */
export function createFallback(live: Source | null, bundle: Source, warn: Warn): Fallback {
  const order = live ? [live, bundle] : [bundle];

  async function first<T>(ask: (source: Source) => Promise<Result<T>>): Promise<T | null> {
    for (const source of order) {
      const answer = await ask(source);
      if (answer.ok) return answer.data;
    }
    return null;
  }

  async function inBundle(path: string, lang: string, budget: Budget): Promise<Located | null> {
    const routes = await bundle.routes(lang, { budget });
    const route = routes.ok ? findRoute(routes.data, path) : null;
    return route && { source: bundle, route };
  }

  return {
    strings: async (lang, budget) =>
      (await first((source) => source.strings(lang, { budget }))) ?? stringsOf({}, createRewriter([]), warn),

    async menus(lang, budget) {
      const own = await live?.menus(lang, { budget });
      if (own?.ok) return own.data;
      const bundled = await bundle.menus(lang, { budget });
      const menus = bundled.ok ? bundled.data : NO_MENUS;
      // R26: an empty answer of WordPress stays empty; only a bundle may get R19's menu.
      return menus.legals_menu.items.length > 0 ? menus : { ...menus, legals_menu: DEFAULT_LEGALS_MENU };
    },

    routes: (lang, budget) => first((source) => source.routes(lang, { budget })),
    async redirects(lang, budget) {
      const own = await live?.redirects(lang, { budget });
      if (own?.ok) return own.data;
      // A plugin older than redirects has none, and the demo's are not this site's.
      if (own?.error.status === 404) return NO_REDIRECTS;
      const bundled = await bundle.redirects(lang, { budget });
      return bundled.ok ? bundled.data : NO_REDIRECTS;
    },

    form: (id, lang, budget) => first((source) => source.form(id, lang, { budget })),

    async locate(path, lang, budget) {
      const known = await live?.routes(lang, { budget });
      if (!live || !known?.ok) return inBundle(path, lang, budget);
      const route = findRoute(known.data, path);
      if (route) return { source: live, route };
      // What WordPress did not have a minute ago may have been published since.
      const newest = await live.routes(lang, { budget, isFresh: true });
      const published = newest.ok ? findRoute(newest.data, path) : null;
      return published && { source: live, route: published };
    },

    async page({ source, route }, lang, budget) {
      const own = await source.page(route, lang, { budget, version: route.modified });
      if (own.ok) return own.data;
      const standIn = source === bundle ? null : await inBundle(route.path, lang, budget);
      const copy = standIn && (await bundle.page(standIn.route, lang, { budget }));
      return copy?.ok ? copy.data : null;
    },
  };
}
