import { createLimit } from '@pillion/lib/limit.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import type { z } from 'zod';
import { excerptOf, readableText, wordsOf } from './pages/excerpt.ts';
import type { PageContent } from './pages/page-content.ts';
import type { Route } from './pages/routes.ts';
import type { Fallback } from './sources/fallback.ts';
import type { SearchAnswer, SearchHit } from './types.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';
import type { Client } from './wordpress/client.ts';
import { PREFIXES } from './wordpress/endpoints.ts';
import { failure, type Result } from './wordpress/result.ts';
import { searchSchema, validate } from './wordpress/schemas.ts';

interface SearchOptions {
  /** `null` with bundled content. */
  client: Client | null;
  sources: Fallback;
  log: Log;
}

/** Longest query, in characters; longer ones are cut. */
export const MAX_QUERY_LENGTH = 100;

const HITS_PER_PAGE = 10;

/** Largest number of results: the limit of one WordPress response. */
const MAX_HITS = 100;

/** Part of the budget reserved for reading the pages of the results, in milliseconds. */
const READING_RESERVE_MS = 400;

/** Largest number of concurrent searches in WordPress: each reads its whole database, and any client can start one. */
const CONCURRENCY = 3;

/** Largest number of waiting searches. Further ones use only cached pages. */
const MAX_QUEUE_SIZE = 20;

/** Pause after a search timed out in WordPress, in milliseconds. */
const RETRY_PAUSE_MS = 5_000;

/** Largest number of pages that are searched if WordPress does not respond. */
const MAX_SEARCHED_PAGES = 200;

type WordpressHit = z.output<typeof searchSchema>[number];

/** A found page. WordPress' search returns no content. */
interface Match {
  route: Route;
  content: PageContent | null;
}

/**
 * Cleans a query: composes letters, removes control characters, collapses spaces. Joiners stay, because Persian words
 * and emoji need them.
 */
export const normalizeQuery = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
    .trim()
    .slice(0, MAX_QUERY_LENGTH)
    // Removes half a surrogate pair at the end.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();

/** Cached per page, since each search reads up to 200 pages. */
const lowercaseTexts = new WeakMap<PageContent, string>();
function lowercaseText(content: PageContent): string {
  const known = lowercaseTexts.get(content);
  if (known !== undefined) return known;
  const text = readableText(content).toLowerCase();
  lowercaseTexts.set(content, text);
  return text;
}

/** Searches the site with WordPress' search (R31), or in the cached pages if it does not respond. Never throws. */
export function createSearch({ client, sources, log }: SearchOptions) {
  const sparseLog = sparsely(log, (_, { kind }) => String(kind));
  const limit = createLimit(CONCURRENCY, [{ concurrency: CONCURRENCY, queueSize: MAX_QUEUE_SIZE }]);
  /** WordPress is not asked before this time, because a search timed out. As `performance.now()`. */
  let retryAt = Number.NEGATIVE_INFINITY;

  /** @returns Ids and types in WordPress' order, best first. */
  async function searchWordpress(query: string, lang: string, budget: Budget): Promise<Result<WordpressHit[]>> {
    if (!client) return failure('cancelled', 'search: the content is bundled');
    if (performance.now() < retryAt) return failure('timeout', 'wp/v2/search: did not respond recently');
    const parameters = new URLSearchParams({ search: query, per_page: String(MAX_HITS), type: 'post', lang });
    const leftMs = () => Math.round(budget.remainingMs() - READING_RESERVE_MS);
    const timedOut = failure('timeout', 'wp/v2/search: too many concurrent searches');
    const pending = limit.run(async () => {
      const timeoutMs = leftMs();
      // If no time is left, the visitor already has a response.
      return timeoutMs > 0
        ? client.get(`${PREFIXES.search}?${parameters}&_fields=id,subtype`, { timeoutMs })
        : timedOut;
    });
    // `null` if no time is left, or if the queue is full.
    const response = (await valueWithin(Math.max(0, leftMs()), pending)) ?? timedOut;
    if (!response.ok && response.error.kind === 'timeout') retryAt = performance.now() + RETRY_PAUSE_MS;
    return response.ok ? validate(searchSchema, response.data, 'wp/v2/search') : response;
  }

  async function readPage(route: Route, lang: string, budget: Budget): Promise<Match> {
    const located = await sources.locate(route.path, lang, budget);
    return { route, content: located && (await sources.page(located, lang, budget)) };
  }

  /** Finds the cached pages that contain all words; those with more of them in the title first. */
  async function searchCachedPages(routes: Route[], words: string[], lang: string, budget: Budget): Promise<Match[]> {
    // Other pages are read in the background, a few at a time, so that one search does not cause a hundred calls.
    const background = createBudget(budget.remainingMs(), 'background');
    const searched = routes.slice(0, MAX_SEARCHED_PAGES);
    const pages = await Promise.all(searched.map((route) => readPage(route, lang, background)));
    const ranked = pages.flatMap(({ route, content }) => {
      if (!content?.isPublic) return [];
      const title = route.title.toLowerCase();
      const text = `${title} ${lowercaseText(content)}`;
      if (!words.every((word) => text.includes(word))) return [];
      return { match: { route, content }, wordsInTitle: words.filter((word) => title.includes(word)).length };
    });
    return ranked.toSorted((a, b) => b.wordsInTitle - a.wordsInTitle).map(({ match }) => match);
  }

  /** @returns `isPartial`: WordPress did not respond, so only cached pages were searched. */
  async function findMatches(query: string, words: string[], lang: string, budget: Budget) {
    const routes = (await sources.routes(lang, budget)) ?? [];
    const response = await searchWordpress(query, lang, budget);
    if (!response.ok) {
      if (client) sparseLog('warn', 'content.search-failed', { kind: response.error.kind });
      return { matches: await searchCachedPages(routes, words, lang, budget), isPartial: client !== null };
    }
    const byId = new Map(routes.map((route) => [`${route.type} ${route.id}`, route]));
    const found = response.data.flatMap(({ id, subtype }) => byId.get(`${subtype} ${id}`) ?? []);
    return { matches: found.map((route) => ({ route, content: null })), isPartial: false };
  }

  /** Describes a found page. Without an excerpt if the page cannot be read in time. */
  async function hitOf(match: Match, words: string[], lang: string, budget: Budget): Promise<SearchHit> {
    const { route, content } = match.content ? match : await readPage(match.route, lang, budget);
    return { path: route.path, title: route.title, excerpt: content ? excerptOf(content, words) : [] };
  }

  return async (text: string, page: number, lang: string, budget: Budget): Promise<SearchAnswer> => {
    const query = normalizeQuery(text);
    const noResults = { query, total: 0, page: 1, pages: 1, hits: [], isPartial: false };
    const words = wordsOf(query);
    if (words.length === 0) return noResults;
    try {
      const { matches, isPartial } = await findMatches(query, words, lang, budget);
      const pages = Math.max(1, Math.ceil(matches.length / HITS_PER_PAGE));
      const currentPage = Math.min(Math.max(1, page), pages);
      const onPage = matches.slice((currentPage - 1) * HITS_PER_PAGE, currentPage * HITS_PER_PAGE);
      const hits = await Promise.all(onPage.map((match) => hitOf(match, words, lang, budget)));
      return { query, total: matches.length, page: currentPage, pages, hits, isPartial };
    } catch (error) {
      log('error', 'content.search-broke', { error: String(error) });
      return { ...noResults, isPartial: true };
    }
  };
}
