import { currentForm } from './forms/current-form.ts';
import { headOf, type PageParts, pageOf, shareOf } from './pages/page.ts';
import type { PageHead } from './pages/page-head.ts';
import { followRedirects } from './pages/redirects.ts';
import { findRoute, type Route, translationOf } from './pages/routes.ts';
import type { Card } from './pages/share-card.ts';
import type { Fallback } from './sources/fallback.ts';
import type { Page, Picture, Translation } from './types.ts';
import type { Budget } from './wordpress/budget.ts';
import { fallbacksOf, type Languages, languageNamed, mayHaveLanguage, pathWithin } from './wordpress/languages.ts';
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
  sources: Fallback;
  warn: Warn;
  languages: (budget: Budget) => Promise<Languages>;
  /** The languages as last read; `null` until a source has returned the list. */
  lastLanguages: () => Languages | null;
}

/** Finds the content of a path. */
export function createResolver({ sources, warn, languages, lastLanguages }: ResolverOptions) {
  /** @param path Pathname as requested, percent-encoded, without a query. */
  async function resolve(path: string, lang: string, budget: Budget): Promise<Resolved> {
    const [located, strings, routes, all] = await Promise.all([
      sources.locate(path, lang, budget),
      sources.strings(lang, budget),
      sources.routes(lang, budget),
      languages(budget),
    ]);
    if (!located && routes === null) return { kind: 'unavailable' };
    if (!located) return resolveWithoutPage(path, lang, all, budget);
    const { route } = located;
    if (path !== route.path) return { kind: 'redirect', status: 301, location: route.path };
    const content = await sources.page(located, lang, budget);
    if (!content) return { kind: 'unavailable' };
    if (!content.isPublic) return resolveRedirect(path, lang, budget);
    const page = await buildPage({ route, content, strings, routes: routes ?? [], lang }, budget);
    return { kind: 'page', head: headOf(route, content), page: await withTranslations(page, route, all, budget) };
  }

  async function resolveWithoutPage(path: string, lang: string, all: Languages, budget: Budget): Promise<Resolved> {
    const redirect = await resolveRedirect(path, lang, budget);
    if (redirect.kind !== 'missing') return redirect;
    const standIn = await findStandIn(path, lang, all, budget);
    if (standIn) return standIn;
    // A slow WordPress may not have reported a new page or language. 404 is only for paths that are known to have no
    // page.
    const isLanguageUnknown = lastLanguages() === null && mayHaveLanguage(path);
    const isMissing = !isLanguageUnknown && (await sources.isKnownMissing(path, lang));
    return { kind: isMissing ? 'missing' : 'unavailable' };
  }

  /** Builds the page from the read content, with its forms in the visitor's language. */
  function buildPage(read: Omit<PageParts, 'form' | 'warn'>, budget: Budget): Promise<Page> {
    const form = async (id: number) =>
      currentForm(await sources.form(id || read.strings.form.form_id, read.lang, budget));
    return pageOf({ ...read, form, warn });
  }

  /** Finds the page in another language that replaces a missing translation (decision 045). */
  async function findStandIn(path: string, lang: string, all: Languages, budget: Budget): Promise<Resolved | null> {
    const language = languageNamed(all, lang);
    for (const fallback of fallbacksOf(all, language)) {
      const { tag, dir, home } = fallback;
      const located = await sources.locate(home + pathWithin(language, path), tag, budget);
      if (!located) continue;
      const { route } = located;
      const translation = translationOf(route, (await sources.routes(lang, budget)) ?? []);
      if (translation) return { kind: 'redirect', status: 302, location: translation.path };
      const standInPath = language.home + pathWithin(fallback, route.path);
      if (path !== standInPath) return { kind: 'redirect', status: 301, location: standInPath };
      const [content, routes, strings] = await Promise.all([
        sources.page(located, tag, budget),
        sources.routes(tag, budget),
        sources.strings(lang, budget),
      ]);
      if (!content?.isPublic) return content ? null : { kind: 'unavailable' };
      const page = await buildPage({ route, content, strings, routes: routes ?? [], lang }, budget);
      const standIn = { ...page, path: standInPath, standIn: { tag, dir } };
      const head = headOf(route, content);
      return { kind: 'page', head, page: await withTranslations(standIn, route, all, budget) };
    }
    return null;
  }

  /** Adds the page's paths in every language. */
  async function withTranslations(page: Page, route: Route, all: Languages, budget: Budget): Promise<Page> {
    if (all.length < 2) return page;
    const lists = all.map(async ({ tag }) => [tag, (await sources.routes(tag, budget)) ?? []] as const);
    return { ...page, translations: translationsOf(page, route, all, new Map(await Promise.all(lists))) };
  }

  /** Finds an editor's redirect of a path without a public page. */
  async function resolveRedirect(path: string, lang: string, budget: Budget): Promise<Resolved> {
    const redirects = await sources.redirects(lang, budget);
    const routes = redirects.size > 0 ? ((await sources.routes(lang, budget)) ?? []) : [];
    // The route of the path itself, if it is in the list, leads to no public page, so it is no target.
    const hiddenRoute = findRoute(routes, path);
    const followed = followRedirects(redirects, path, (next) => {
      const route = findRoute(routes, next);
      return route && route !== hiddenRoute ? route.path : null;
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

  /**
   * The picture that a shared link to the page shows; `null` if the page does not exist or is not public.
   * `card`: what to draw it from; `null`: the editor's own picture is used unchanged.
   */
  async function sharePicture(
    path: string,
    lang: string,
    budget: Budget,
  ): Promise<{ picture: Picture; card: Card | null } | null> {
    const [located, strings, routes] = await Promise.all([
      sources.locate(path, lang, budget),
      sources.strings(lang, budget),
      sources.routes(lang, budget),
    ]);
    const content = located && (await sources.page(located, lang, budget));
    return located && content?.isPublic
      ? shareOf({ route: located.route, content, strings, routes: routes ?? [] })
      : null;
  }

  return { resolve, sharePicture };
}

/** Whether search engines may list the page, and it is not a copy of another. */
const isIndexable = ({ noindex, canonical }: Route) => !noindex && canonical === null;

/** The page in each language, by tag: itself, its translation, a page that replaces it, or the front page. */
function translationsOf(
  page: Page,
  route: Route,
  all: Languages,
  routesByLang: ReadonlyMap<string, Route[]>,
): Record<string, Translation> {
  const routeLang = page.standIn?.tag ?? page.lang;
  const routeIn = (tag: string) => (tag === routeLang ? route : translationOf(route, routesByLang.get(tag) ?? []));
  const translationIn = (language: Languages[number]): Translation => {
    const { tag, home } = language;
    if (tag === page.lang) return { path: page.path, isSame: !page.standIn };
    const translation = routeIn(tag);
    // `hreflang` must not name a page that search engines may not list.
    if (translation) return { path: translation.path, isSame: isIndexable(translation) };
    for (const fallback of fallbacksOf(all, language)) {
      const replacement = routeIn(fallback.tag);
      // The site shows the page of the fallback language under this language's prefix.
      if (replacement) return { path: home + pathWithin(fallback, replacement.path), isSame: false };
    }
    return { path: home, isSame: false };
  };
  return Object.fromEntries(all.map((language) => [language.tag, translationIn(language)]));
}
