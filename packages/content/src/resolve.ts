import { currentForm } from './forms/current-form.ts';
import { headOf, type PageParts, pageOf, shareOf } from './pages/page.ts';
import type { PageHead } from './pages/page-head.ts';
import { follow } from './pages/redirects.ts';
import { findRoute, type Route, translationOf } from './pages/routes.ts';
import type { Card } from './pages/share-card.ts';
import type { Fallback } from './sources/fallback.ts';
import type { Page, Picture, Translation } from './types.ts';
import type { Budget } from './wordpress/budget.ts';
import { fallbacksOf, type Languages, languageNamed, mayHaveLanguage, within } from './wordpress/languages.ts';
import type { Warn } from './wordpress/result.ts';

export type Resolved =
  | { kind: 'page'; page: Page; head: PageHead }
  | { kind: 'redirect'; status: 301 | 302; location: string }
  /** An editor marked the path as gone, or deleted its page. */
  | { kind: 'gone' }
  | { kind: 'missing' }
  /** No source can show the page or say whether it exists. */
  | { kind: 'unavailable' };

export interface ResolverOptions {
  held: Fallback;
  warn: Warn;
  languages: (left: Budget) => Promise<Languages>;
  /** The languages as last read; `null` until a source has returned the list. */
  known: () => Languages | null;
}

/** Finds the content of a path. */
export function createResolver({ held, warn, languages, known }: ResolverOptions) {
  /** @param path Pathname as requested, percent-encoded, without a query. */
  async function resolve(path: string, lang: string, left: Budget): Promise<Resolved> {
    const [located, strings, routes, all] = await Promise.all([
      held.locate(path, lang, left),
      held.strings(lang, left),
      held.routes(lang, left),
      languages(left),
    ]);
    if (!located && routes === null) return { kind: 'unavailable' };
    if (!located) {
      const result = await elsewhere(path, lang, left);
      if (result.kind !== 'missing') return result;
      const standIn = await standInAt(path, lang, all, left);
      if (standIn) return standIn;
      // A slow WordPress may not have reported a new page or language. 404 is only for paths that are known to have no
      // page.
      const isUnsure = known() === null && mayHaveLanguage(path);
      return isUnsure || !(await held.lacks(path, lang)) ? { kind: 'unavailable' } : result;
    }
    const { route } = located;
    if (path !== route.path) return { kind: 'redirect', status: 301, location: route.path };
    const content = await held.page(located, lang, left);
    if (!content) return { kind: 'unavailable' };
    if (!content.isPublic) return elsewhere(path, lang, left);
    const page = await built({ route, content, strings, routes: routes ?? [], lang }, left);
    return { kind: 'page', head: headOf(route, content), page: await translated(page, route, all, left) };
  }

  /** Builds the page from the read content, with its forms in the visitor's language. */
  function built(read: Omit<PageParts, 'form' | 'warn'>, left: Budget): Promise<Page> {
    const form = async (id: number) => currentForm(await held.form(id || read.strings.form.form_id, read.lang, left));
    return pageOf({ ...read, form, warn });
  }

  /** Finds the page in another language that replaces a missing translation (decision 045). */
  async function standInAt(path: string, lang: string, all: Languages, left: Budget): Promise<Resolved | null> {
    const language = languageNamed(all, lang);
    for (const { tag, dir, home } of fallbacksOf(all, language)) {
      const located = await held.locate(home + within(language, path), tag, left);
      if (!located) continue;
      const { route } = located;
      const own = translationOf(route, (await held.routes(lang, left)) ?? []);
      if (own) return { kind: 'redirect', status: 302, location: own.path };
      const here = language.home + route.path.slice(home.length);
      if (path !== here) return { kind: 'redirect', status: 301, location: here };
      const [content, routes, strings] = await Promise.all([
        held.page(located, tag, left),
        held.routes(tag, left),
        held.strings(lang, left),
      ]);
      if (!content?.isPublic) return content ? null : { kind: 'unavailable' };
      const page = await built({ route, content, strings, routes: routes ?? [], lang }, left);
      const shown = await translated({ ...page, path: here, standIn: { tag, dir } }, route, all, left);
      return { kind: 'page', head: headOf(route, content), page: shown };
    }
    return null;
  }

  /** Adds the page's path in every language. */
  async function translated(page: Page, route: Route, all: Languages, left: Budget): Promise<Page> {
    if (all.length < 2) return page;
    const lists = all.map(async ({ tag }) => [tag, (await held.routes(tag, left)) ?? []] as const);
    return { ...page, translations: translationsOf(page, route, all, new Map(await Promise.all(lists))) };
  }

  /** Finds an editor's redirect of a path without a page. */
  async function elsewhere(path: string, lang: string, left: Budget): Promise<Resolved> {
    const redirects = await held.redirects(lang, left);
    const routes = redirects.size > 0 ? ((await held.routes(lang, left)) ?? []) : [];
    // The page is not public, although its route may still be in the list.
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

  /** The picture that a shared link to the page shows; `null` if the page does not exist. */
  async function shared(
    path: string,
    lang: string,
    left: Budget,
  ): Promise<{ picture: Picture; card: Card | null } | null> {
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

  return { resolve, shared };
}

/** Whether search engines may list the page, and it is not a copy of another. */
const isInItsOwnRight = ({ noindex, canonical }: Route) => !noindex && canonical === null;

/** @param routes By language. */
function translationsOf(
  page: Page,
  route: Route,
  all: Languages,
  routes: ReadonlyMap<string, Route[]>,
): Record<string, Translation> {
  const own = (tag: string) =>
    tag === page.lang && !page.standIn ? route : translationOf(route, routes.get(tag) ?? []);
  const entries = all.map((language): [string, Translation] => {
    const { tag, home } = language;
    if (tag === page.lang) return [tag, { path: page.path, isSame: !page.standIn }];
    const there = own(tag);
    if (there) return [tag, { path: there.path, isSame: isInItsOwnRight(there) }];
    for (const standIn of fallbacksOf(all, language)) {
      const near = own(standIn.tag);
      if (near) return [tag, { path: home + within(standIn, near.path), isSame: false }];
    }
    return [tag, { path: home, isSame: false }];
  });
  return Object.fromEntries(entries);
}
