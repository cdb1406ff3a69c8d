import type { Form } from '@pillion/forms/form.ts';
import type { PageContent } from '../pages/page-content.ts';
import { NO_REDIRECTS, type Redirects } from '../pages/redirects.ts';
import { findRoute, type Route } from '../pages/routes.ts';
import { stringsOf } from '../pages/shell-content.ts';
import type { Menus, Strings } from '../types.ts';
import { type Budget, createBudget } from '../wordpress/budget.ts';
import { DEFAULT_LEGALS_MENU } from '../wordpress/default-strings.ts';
import type { Endpoint } from '../wordpress/endpoints.ts';
import type { Languages } from '../wordpress/languages.ts';
import { failure, type Result, type Warn } from '../wordpress/result.ts';
import { createRewriter } from '../wordpress/rewrite.ts';
import type { Source } from './source.ts';

/** A page's route and its source. */
export interface Located {
  source: Source;
  route: Route;
}

/** Content from the first source that has it. No call waits longer than its budget. */
export interface Fallback {
  /** `null` if no source has a list of languages. */
  languages: (budget: Budget) => Promise<Languages | null>;
  /** Whether no source has texts or pages of this site. */
  isBlank: (lang: string, budget: Budget) => Promise<boolean>;
  /** The defaults if no source has texts (R19). */
  strings: (lang: string, budget: Budget) => Promise<Strings>;
  menus: (lang: string, budget: Budget) => Promise<Menus>;
  /** `null` if no source has a list of pages. */
  routes: (lang: string, budget: Budget) => Promise<Route[] | null>;
  /**
   * Whether WordPress has returned the list of pages and the number of the site's own form since the last reported
   * change. Only then is it certain that no page shows a form. Sends no request.
   */
  knowsForms: (lang: string) => boolean;
  /** Empty if no source has redirects. */
  redirects: (lang: string, budget: Budget) => Promise<Redirects>;
  form: (id: number, lang: string, budget: Budget) => Promise<Form | null>;
  /**
   * Whether no page is at the path, by a list that WordPress returned after the last reported change. An older or
   * bundled list may lack a new page. Sends no request.
   */
  isKnownMissing: (path: string, lang: string) => Promise<boolean>;
  /** `null` if no source has the page. */
  locate: (path: string, lang: string, budget: Budget) => Promise<Located | null>;
  /** `null` if the page exists and no source can show it. */
  page: (located: Located, lang: string, budget: Budget) => Promise<PageContent | null>;
}

const NO_MENU = { items: [] };
const NO_MENUS: Menus = { main_menu: NO_MENU, social_menu: NO_MENU, legals_menu: NO_MENU };

/** Replaces a bundled copy of another WordPress. */
const NO_BUNDLE: Source = (() => {
  const none = async () => failure('bad response', 'bundled: not of this WordPress');
  return { languages: none, routes: none, menus: none, strings: none, redirects: none, page: none, form: none };
})();

/**
 * Orders the sources: WordPress or its stored responses, then the bundled copy, then the defaults. Menus, strings,
 * pages and forms fall back separately. A bundled page replaces only the page at the same path, since ids of two
 * WordPress installations are unrelated.
 * @param live WordPress; `null` with bundled content.
 * @param bundled The bundled copy; `null` if it belongs to another WordPress.
 * @param isCurrent Whether WordPress has responded since the last change of the content that the endpoint depends on.
 */
export function createFallback(
  live: Source | null,
  bundled: Source | null,
  warn: Warn,
  isCurrent: (endpoint: Endpoint) => boolean,
): Fallback {
  const bundle = bundled ?? NO_BUNDLE;
  const sources = live ? [live, bundle] : [bundle];

  /** Reads the sources in order. @returns `null` if none has the content. */
  async function firstResult<T>(read: (source: Source) => Promise<Result<T>>): Promise<T | null> {
    for (const source of sources) {
      const result = await read(source);
      if (result.ok) return result.data;
    }
    return null;
  }

  const firstStrings = (lang: string, budget: Budget) => firstResult((source) => source.strings(lang, { budget }));
  const firstRoutes = (lang: string, budget: Budget) => firstResult((source) => source.routes(lang, { budget }));

  async function locateInBundle(path: string, lang: string, budget: Budget): Promise<Located | null> {
    const routes = await bundle.routes(lang, { budget });
    const route = routes.ok ? findRoute(routes.data, path) : null;
    return route && { source: bundle, route };
  }

  return {
    languages: (budget) => firstResult((source) => source.languages({ budget })),

    isBlank: async (lang, budget) =>
      (await firstStrings(lang, budget)) === null && (await firstRoutes(lang, budget)) === null,

    strings: async (lang, budget) =>
      (await firstStrings(lang, budget)) ?? stringsOf({}, lang, createRewriter([]), warn),

    async menus(lang, budget) {
      const result = await live?.menus(lang, { budget });
      if (result?.ok) return result.data;
      const bundled = await bundle.menus(lang, { budget });
      const menus = bundled.ok ? bundled.data : NO_MENUS;
      // R26: an empty menu of WordPress stays empty; only a bundled one may get the menu of R19.
      return menus.legals_menu.items.length > 0 ? menus : { ...menus, legals_menu: DEFAULT_LEGALS_MENU };
    },

    routes: firstRoutes,
    knowsForms: (lang) => !live || (isCurrent({ name: 'routes', lang }) && isCurrent({ name: 'strings', lang })),

    async redirects(lang, budget) {
      const result = await live?.redirects(lang, { budget });
      if (result?.ok) return result.data;
      // An older plugin has no redirects, and the bundled ones may not be this site's.
      if (result?.error.status === 404) return NO_REDIRECTS;
      const bundled = await bundle.redirects(lang, { budget });
      return bundled.ok ? bundled.data : NO_REDIRECTS;
    },

    form: (id, lang, budget) => firstResult((source) => source.form(id, lang, { budget })),

    async locate(path, lang, budget) {
      const routes = await live?.routes(lang, { budget });
      if (!live || !routes?.ok) return locateInBundle(path, lang, budget);
      const route = findRoute(routes.data, path);
      if (route) return { source: live, route };
      // The page may have been published just before.
      const newest = await live.routes(lang, { budget, isFresh: true });
      const published = newest.ok ? findRoute(newest.data, path) : null;
      return published && { source: live, route: published };
    },

    async isKnownMissing(path, lang) {
      if (!live) return true;
      // Checked before reading, so that the list is not older than the result.
      if (!isCurrent({ name: 'routes', lang })) return false;
      const routes = await live.routes(lang, { budget: createBudget(0) });
      return routes.ok && findRoute(routes.data, path) === null;
    },

    async page({ source, route }, lang, budget) {
      const result = await source.page(route, lang, { budget, version: route.modified });
      if (result.ok) return result.data;
      const replacement = source === bundle ? null : await locateInBundle(route.path, lang, budget);
      const copy = replacement && (await bundle.page(replacement.route, lang, { budget }));
      return copy?.ok ? copy.data : null;
    },
  };
}
