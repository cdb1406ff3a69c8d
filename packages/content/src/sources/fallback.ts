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

/** A page's route and the source that has the page. */
export interface Located {
  source: Source;
  route: Route;
}

/** Content from the first source that has it. Each call waits no longer than its budget. */
export interface Fallback {
  /** `null` where no source has said which there are. */
  languages: (budget: Budget) => Promise<Languages | null>;
  /** Whether no source knows this site, neither its strings nor its pages. */
  isBlank: (lang: string, budget: Budget) => Promise<boolean>;
  /** The defaults where no source has any (R19). */
  strings: (lang: string, budget: Budget) => Promise<Strings>;
  menus: (lang: string, budget: Budget) => Promise<Menus>;
  /** `null` where no source can say which pages exist. */
  routes: (lang: string, budget: Budget) => Promise<Route[] | null>;
  /**
   * Whether WordPress itself has said which pages exist and which form is the site's own, after the last change it told
   * of: only then is a form that stands on no page none. Asks nothing of anybody.
   */
  knowsForms: (lang: string) => boolean;
  /** Empty where no source has any. */
  redirects: (lang: string, budget: Budget) => Promise<Redirects>;
  form: (id: number, lang: string, budget: Budget) => Promise<Form | null>;
  /**
   * Whether there is no page at a path, by what WordPress said of now: after the last change it told of. A list that is
   * older, or the copies' own, may lack what was published since. Asks nothing of anybody.
   */
  lacks: (path: string, lang: string) => Promise<boolean>;
  /** `null` where no source knows such a page. */
  locate: (path: string, lang: string, budget: Budget) => Promise<Located | null>;
  /** `null` where the page exists and no source can show it. */
  page: (located: Located, lang: string, budget: Budget) => Promise<PageContent | null>;
}

const NO_MENU = { items: [] };
const NO_MENUS: Menus = { main_menu: NO_MENU, social_menu: NO_MENU, legals_menu: NO_MENU };

/** In place of bundled copies that are of another WordPress. */
const NO_BUNDLE: Source = (() => {
  const none = async () => failure('bad response', 'bundled: not of this WordPress');
  return { languages: none, routes: none, menus: none, strings: none, redirects: none, page: none, form: none };
})();

/**
 * Puts the sources in order: WordPress or what was kept of it, then the bundled copies, then the defaults.
 * Menus, strings, pages and forms fall back each on its own; a bundled page stands in only for the same path, since
 * the numbers of two WordPresses have nothing to do with each other.
 * @param live WordPress, `null` with bundled content.
 * @param bundled The bundled copies, `null` where they are of another WordPress.
 * @param isCurrent Whether WordPress has answered since the last change that this depends on.
 */
export function createFallback(
  live: Source | null,
  bundled: Source | null,
  warn: Warn,
  isCurrent: (endpoint: Endpoint) => boolean,
): Fallback {
  const bundle = bundled ?? NO_BUNDLE;
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
    languages: (budget) => first((source) => source.languages({ budget })),

    isBlank: async (lang, budget) =>
      (await first((source) => source.strings(lang, { budget }))) === null &&
      (await first((source) => source.routes(lang, { budget }))) === null,

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
    knowsForms: (lang) => !live || (isCurrent({ name: 'routes', lang }) && isCurrent({ name: 'strings', lang })),

    async redirects(lang, budget) {
      const own = await live?.redirects(lang, { budget });
      if (own?.ok) return own.data;
      // An older plugin has no redirects, and the demo's are not this site's.
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
      // A page may have been published a moment ago.
      const newest = await live.routes(lang, { budget, isFresh: true });
      const published = newest.ok ? findRoute(newest.data, path) : null;
      return published && { source: live, route: published };
    },

    async lacks(path, lang) {
      if (!live) return true;
      // Asked before reading, so that what is read is not older than the answer.
      if (!isCurrent({ name: 'routes', lang })) return false;
      const known = await live.routes(lang, { budget: createBudget(0) });
      return known.ok && findRoute(known.data, path) === null;
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
