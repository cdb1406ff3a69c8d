import { createLimit } from '@pillion/lib/limit.ts';
import { type Log, sparsely } from '@pillion/lib/log.ts';
import { valueWithin } from '@pillion/lib/timeout.ts';
import { excerptOf, readableText, wordsOf } from './pages/excerpt.ts';
import type { PageContent } from './pages/page-content.ts';
import type { Route } from './pages/routes.ts';
import type { Fallback } from './sources/fallback.ts';
import type { ExcerptRun, SearchAnswer, SearchHit } from './types.ts';
import { type Budget, createBudget } from './wordpress/budget.ts';
import type { Client } from './wordpress/client.ts';
import { PREFIXES } from './wordpress/endpoints.ts';
import { failure, type Result } from './wordpress/result.ts';
import { check, searchSchema } from './wordpress/schemas.ts';

interface SearchOptions {
  /** `null` with bundled content. */
  client: Client | null;
  held: Fallback;
  log: Log;
}

/** Longest query, in characters; longer ones are cut. */
export const LONGEST_QUERY = 100;

const HITS_PER_PAGE = 10;

/** Largest number of results: the limit of one WordPress response. */
const MOST_HITS = 100;

/** Part of the budget reserved for reading the pages of the results, in milliseconds. */
const READING_MS = 400;

/** Largest number of concurrent searches in WordPress: each reads its whole database, and any client can start one. */
const PARALLEL_SEARCHES = 3;

/** Largest number of waiting searches. Further ones use only cached pages. */
const MOST_WAITING = 20;

/** Pause after a search timed out in WordPress, in milliseconds. */
const REST_MS = 5_000;

/** Largest number of pages that are searched if WordPress does not respond. */
const MOST_READ = 200;

interface Found {
  route: Route;
  content: PageContent | null;
}

/**
 * Cleans a query: composes letters, removes control characters, collapses spaces. Joiners stay, because Persian words
 * and emoji need them.
 */
export const queryOf = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
    .trim()
    .slice(0, LONGEST_QUERY)
    // Removes half a surrogate pair at the end.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();

/** Cached per page, since each search reads up to 200 pages. */
const lowered = new WeakMap<PageContent, string>();
function loweredText(content: PageContent): string {
  const known = lowered.get(content);
  if (known !== undefined) return known;
  const text = readableText(content).toLowerCase();
  lowered.set(content, text);
  return text;
}

/** Searches the site with WordPress' search (R31), or in the cached pages if it does not respond. Never throws. */
export function createSearch({ client, held, log }: SearchOptions) {
  const sparseLog = sparsely(log, (_, { kind }) => String(kind));
  const limit = createLimit(PARALLEL_SEARCHES, [{ concurrency: PARALLEL_SEARCHES, queueSize: MOST_WAITING }]);
  let restUntil = Number.NEGATIVE_INFINITY;

  /** @returns Ids and types in WordPress' order, best first. */
  async function ask(query: string, lang: string, budget: Budget): Promise<Result<{ id: number; subtype: string }[]>> {
    if (!client) return failure('cancelled', 'search: the content is bundled');
    const given = new URLSearchParams({ search: query, per_page: String(MOST_HITS), type: 'post', lang });
    const leftMs = () => Math.round(budget.left() - READING_MS);
    if (performance.now() < restUntil) return failure('timeout', 'wp/v2/search: did not respond recently');
    const late = failure('timeout', 'wp/v2/search: too many concurrent searches');
    const asked = limit.run(async () => {
      const timeoutMs = leftMs();
      // If no time is left, the visitor already has a response.
      return timeoutMs > 0 ? client.get(`${PREFIXES.search}?${given}&_fields=id,subtype`, { timeoutMs }) : late;
    });
    const answer = (await valueWithin(Math.max(0, leftMs()), asked)) ?? late;
    if (!answer.ok && answer.error.kind === 'timeout') restUntil = performance.now() + REST_MS;
    return answer.ok ? check(searchSchema, answer.data, 'wp/v2/search') : answer;
  }

  async function read(route: Route, lang: string, budget: Budget): Promise<Found> {
    const located = await held.locate(route.path, lang, budget);
    return { route, content: located && (await held.page(located, lang, budget)) };
  }

  /** Finds the cached pages that contain all words; those with more of them in the title first. */
  async function readThrough(routes: Route[], words: string[], lang: string, budget: Budget): Promise<Found[]> {
    // Other pages are read in the background, a few at a time, so that one search does not cause a hundred calls.
    const behind = createBudget(budget.left(), 'background');
    const pages = await Promise.all(routes.slice(0, MOST_READ).map((route) => read(route, lang, behind)));
    const ranked = pages.flatMap((found) => {
      const title = found.route.title.toLowerCase();
      const text = `${title} ${found.content ? loweredText(found.content) : ''}`;
      if (!found.content?.isPublic || !words.every((word) => text.includes(word))) return [];
      return { found, rank: words.filter((word) => title.includes(word)).length };
    });
    return ranked.toSorted((a, b) => b.rank - a.rank).map(({ found }) => found);
  }

  async function look(query: string, lang: string, budget: Budget): Promise<{ found: Found[]; isPartial: boolean }> {
    const routes = (await held.routes(lang, budget)) ?? [];
    const asked = await ask(query, lang, budget);
    if (!asked.ok) {
      if (client) sparseLog('warn', 'content.search-failed', { kind: asked.error.kind });
      return { found: await readThrough(routes, wordsOf(query), lang, budget), isPartial: client !== null };
    }
    const byId = new Map(routes.map((route) => [`${route.type} ${route.id}`, route]));
    const found = asked.data.flatMap(({ id, subtype }) => byId.get(`${subtype} ${id}`) ?? []);
    return { found: found.map((route) => ({ route, content: null })), isPartial: false };
  }

  async function hitOf({ route, content }: Found, words: string[], lang: string, budget: Budget): Promise<SearchHit> {
    const known = content ?? (await read(route, lang, budget)).content;
    const excerpt: ExcerptRun[] = known ? excerptOf(known, words) : [];
    return { path: route.path, title: route.title, excerpt };
  }

  return async (asked: string, page: number, lang: string, budget: Budget): Promise<SearchAnswer> => {
    const query = queryOf(asked);
    const nothing = { query, total: 0, page: 1, pages: 1, hits: [], isPartial: false };
    const words = wordsOf(query);
    if (words.length === 0) return nothing;
    try {
      const { found, isPartial } = await look(query, lang, budget);
      const pages = Math.max(1, Math.ceil(found.length / HITS_PER_PAGE));
      const shown = Math.min(Math.max(1, page), pages);
      const onPage = found.slice((shown - 1) * HITS_PER_PAGE, shown * HITS_PER_PAGE);
      const hits = await Promise.all(onPage.map((one) => hitOf(one, words, lang, budget)));
      return { query, total: found.length, page: shown, pages, hits, isPartial };
    } catch (error) {
      log('error', 'content.search-broke', { error: String(error) });
      return { ...nothing, isPartial: true };
    }
  };
}
