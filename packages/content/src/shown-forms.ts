import { valueWithin } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';
import type { PageContent } from './pages/page-content.ts';
import type { Route } from './pages/routes.ts';
import type { Fallback } from './sources/fallback.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';

/** Largest number of pages whose forms are remembered: more than one sitemap has. */
const PAGES_KEPT = 60_000;

/** Longest time to read one page, in milliseconds. A slower page ends the search without a result. */
const PAGE_MS = 5_000;

/** Pause after a search without a result, in milliseconds. */
const REST_MS = 5_000;

interface Noted {
  version: string;
  forms: number[];
}

interface Unread {
  lang: string;
  route: Route;
}

interface Known {
  forms: Set<number>;
  unread: Unread[];
}

const formsIn = ({ sections, isPublic }: PageContent): number[] =>
  isPublic ? sections.flatMap((section) => (section.type === 'sign-up' ? [section.form_id] : [])) : [];

const keyOf = (lang: string, { path }: Route) => `${lang} ${path}`;

export type ShownForms = ReturnType<typeof createShownForms>;

/**
 * Knows which forms the site's pages show. Visitors can send any form number; WordPress is requested only for forms
 * that an editor has put on a page.
 * @param langs Tags of the site's languages.
 */
export function createShownForms(held: Fallback, langs: () => string[]) {
  const noted = new LRUCache<string, Noted>({ max: PAGES_KEPT });
  let searching: Promise<boolean> | null = null;
  let restUntil = Number.NEGATIVE_INFINITY;

  /** Incremented when a page's forms change, so that `lookAt` can cache its result. */
  let learnt = 0;
  let last: { of: readonly unknown[]; known: Known } | null = null;

  function note(lang: string, route: Route, content: PageContent): void {
    const forms = formsIn(content);
    const before = noted.get(keyOf(lang, route));
    if (before?.version === route.modified && before.forms.join() === forms.join()) return;
    noted.set(keyOf(lang, route), { version: route.modified, forms });
    learnt += 1;
  }

  /** Returns the forms of all read pages that still exist, and the site's own form. */
  async function look(budget: Budget): Promise<Known & { isSure: boolean }> {
    // Checked before reading, so that the content is not older than the result.
    const isSure = langs().every((lang) => held.knowsForms(lang));
    return { ...(await lookAt(budget)), isSure };
  }

  async function lookAt(budget: Budget): Promise<Known> {
    const sites = await Promise.all(
      langs().map(async (lang) => ({
        lang,
        own: (await held.strings(lang, budget)).form.form_id,
        routes: (await held.routes(lang, budget)) ?? [],
      })),
    );
    const of = [learnt, ...sites.flatMap(({ own, routes }) => [own, routes])];
    if (last && of.every((one, at) => one === last?.of[at])) return last.known;
    const known: Known = { forms: new Set(sites.map(({ own }) => own)), unread: [] };
    for (const { lang, routes } of sites)
      for (const route of routes) {
        const page = noted.peek(keyOf(lang, route));
        for (const form of page?.forms ?? []) known.forms.add(form);
        if (page?.version !== route.modified) known.unread.push({ lang, route });
      }
    last = { of, known };
    return known;
  }

  /** @returns Whether every page could be read. */
  async function search(unread: Unread[]): Promise<boolean> {
    for (const { lang, route } of unread) {
      const budget = createBudget(PAGE_MS, 'background');
      const located = await held.locate(route.path, lang, budget);
      const content = located && (await held.page(located, lang, budget));
      if (content) note(lang, route, content);
      else if (located) return false;
    }
    return true;
  }

  /** Runs one search for all concurrent callers. */
  function searchOnce(unread: Unread[]): Promise<boolean> {
    if (performance.now() < restUntil) return Promise.resolve(false);
    searching ??= search(unread)
      .catch(() => false)
      .then((isWhole) => {
        if (!isWhole) restUntil = performance.now() + REST_MS;
        return isWhole;
      })
      .finally(() => {
        searching = null;
      });
    return searching;
  }

  return {
    note,
    /**
     * Whether a page shows the form. Unread pages are read one after the other, after all other calls.
     * @param waitMs Longest wait for them, in milliseconds; reading continues afterwards.
     * @returns `null` if unknown: a page could not be read, or WordPress has not returned the list of pages.
     */
    async isShown(id: number, waitMs: number): Promise<boolean | null> {
      const budget = createBudget(waitMs);
      const { forms, unread, isSure } = await look(budget);
      if (forms.has(id)) return true;
      if (isSure && unread.length === 0) return false;
      const isWhole = unread.length === 0 || (await valueWithin(budget.left(), searchOnce(unread)));
      const then = await look(createBudget(0));
      if (then.forms.has(id)) return true;
      if (!isWhole || !then.isSure) return null;
      return isSure || then.unread.length === 0 ? false : null;
    },
  };
}
