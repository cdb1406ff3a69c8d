import { valueWithin } from '@pillion/lib/timeout.ts';
import { LRUCache } from 'lru-cache';
import type { PageContent } from './pages/page-content.ts';
import type { Route } from './pages/routes.ts';
import type { Fallback } from './sources/fallback.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';

/** Largest number of pages whose forms are remembered: more than one sitemap has. */
const MAX_PAGES = 60_000;

/** Longest time to read one page, in milliseconds. A slower page ends the reading. */
const PAGE_TIMEOUT_MS = 5_000;

/** Pause after pages could not be read, in milliseconds. */
const RETRY_PAUSE_MS = 5_000;

interface PageForms {
  /** `Route.modified` of the page when it was read. */
  version: string;
  forms: number[];
}

interface Unread {
  lang: string;
  route: Route;
}

interface KnownForms {
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
export function createShownForms(sources: Fallback, langs: () => string[]) {
  const formsByPage = new LRUCache<string, PageForms>({ max: MAX_PAGES });
  let reading: Promise<boolean> | null = null;
  let retryAt = Number.NEGATIVE_INFINITY;

  /** Incremented when a page's forms change, so that `collectForms` can cache its result. */
  let formsVersion = 0;
  let lastResult: { inputs: readonly unknown[]; known: KnownForms } | null = null;

  function recordForms(lang: string, route: Route, content: PageContent): void {
    const forms = formsIn(content);
    const before = formsByPage.get(keyOf(lang, route));
    if (before?.version === route.modified && before.forms.join() === forms.join()) return;
    formsByPage.set(keyOf(lang, route), { version: route.modified, forms });
    formsVersion += 1;
  }

  /** Returns the forms of all read pages that still exist, and the site's own form. */
  async function readKnownForms(budget: Budget): Promise<KnownForms & { isListCurrent: boolean }> {
    // Checked before reading, so that the content is not older than the result.
    const isListCurrent = langs().every((lang) => sources.knowsForms(lang));
    return { ...(await collectForms(budget)), isListCurrent };
  }

  /** Cached while the forms of pages and the responses of WordPress are the same. */
  async function collectForms(budget: Budget): Promise<KnownForms> {
    const languages = await Promise.all(
      langs().map(async (lang) => ({
        lang,
        own: (await sources.strings(lang, budget)).form.form_id,
        routes: (await sources.routes(lang, budget)) ?? [],
      })),
    );
    const inputs = [formsVersion, ...languages.flatMap(({ own, routes }) => [own, routes])];
    if (lastResult && inputs.every((input, i) => input === lastResult?.inputs[i])) return lastResult.known;
    const known: KnownForms = { forms: new Set(languages.map(({ own }) => own)), unread: [] };
    for (const { lang, routes } of languages)
      for (const route of routes) {
        const page = formsByPage.peek(keyOf(lang, route));
        for (const form of page?.forms ?? []) known.forms.add(form);
        if (page?.version !== route.modified) known.unread.push({ lang, route });
      }
    lastResult = { inputs, known };
    return known;
  }

  /** @returns Whether every page could be read. */
  async function readPages(unread: Unread[]): Promise<boolean> {
    for (const { lang, route } of unread) {
      const budget = createBudget(PAGE_TIMEOUT_MS, 'background');
      const located = await sources.locate(route.path, lang, budget);
      const content = located && (await sources.page(located, lang, budget));
      if (content) recordForms(lang, route, content);
      else if (located) return false;
    }
    return true;
  }

  /** Reads once for all concurrent callers. */
  function readPagesOnce(unread: Unread[]): Promise<boolean> {
    if (performance.now() < retryAt) return Promise.resolve(false);
    reading ??= readPages(unread)
      .catch(() => false)
      .then((isComplete) => {
        if (!isComplete) retryAt = performance.now() + RETRY_PAUSE_MS;
        return isComplete;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  }

  return {
    recordForms,
    /**
     * Whether a page shows the form. Unread pages are read one after the other, after all other calls.
     * @param waitMs Longest wait for them, in milliseconds; reading continues afterwards.
     * @returns `null` if unknown: a page could not be read, or WordPress has not returned the list of pages.
     */
    async isShown(id: number, waitMs: number): Promise<boolean | null> {
      const budget = createBudget(waitMs);
      const { forms, unread, isListCurrent } = await readKnownForms(budget);
      if (forms.has(id)) return true;
      if (isListCurrent && unread.length === 0) return false;
      const isComplete = unread.length === 0 || (await valueWithin(budget.remainingMs(), readPagesOnce(unread)));
      const after = await readKnownForms(createBudget(0));
      if (after.forms.has(id)) return true;
      if (!isComplete || !after.isListCurrent) return null;
      // A list that became current only meanwhile may have pages that were not read.
      return isListCurrent || after.unread.length === 0 ? false : null;
    },
  };
}
