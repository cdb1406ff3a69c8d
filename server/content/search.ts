import type { ExcerptRun, SearchAnswer, SearchHit } from '../../app/content/types.ts';
import type { Budget } from './budget.ts';
import type { Client } from './client.ts';
import type { ContentOptions } from './content.ts';
import { PREFIXES } from './endpoints.ts';
import { excerptOf, readableText, wordsOf } from './excerpt.ts';
import type { Fallback } from './fallback.ts';
import type { PageContent } from './page-content.ts';
import { patiently } from './patiently.ts';
import { failure, type Result } from './result.ts';
import type { Route } from './routes.ts';
import { check, searchSchema } from './schemas.ts';
import { createTurns } from './turns.ts';

interface SearchOptions {
  /** `null` with bundled content. */
  client: Client | null;
  held: Fallback;
  log: ContentOptions['log'];
}

/** What is looked for, in characters; nobody means more, and a database is not asked for more. */
export const LONGEST_QUERY = 100;

export const HITS_PER_PAGE = 10;

/** As many as WordPress hands out at once. Whoever finds more will say more. */
const MOST_HITS = 100;

/** Left of a page's budget for reading the pages that were found, in milliseconds. */
const READING_MS = 400;

/** Searches WordPress is asked for at once: each reads its whole database, and anybody may ask. */
const PARALLEL_SEARCHES = 3;

/** Pages that are read through where WordPress does not search; one that is no longer fresh is asked for anew. */
const MOST_READ = 200;

interface Found {
  route: Route;
  content: PageContent | null;
}

/**
 * One query as it is looked for: one form of every letter, no control characters, no more space than it needs. The
 * joiners stay: Persian words and emoji are others without them.
 */
export const queryOf = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
    .trim()
    .slice(0, LONGEST_QUERY)
    // Half a character may be left at the end.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();

/** Searches the site: WordPress' own search (R31), or the pages at hand where it does not answer. Never throws. */
export function createSearch({ client, held, log }: SearchOptions) {
  const turns = createTurns(PARALLEL_SEARCHES);

  /** @returns Ids and types in WordPress' order, best first. */
  async function ask(query: string, lang: string, budget: Budget): Promise<Result<{ id: number; subtype: string }[]>> {
    if (!client) return failure('cancelled', 'search: the content is bundled');
    const given = new URLSearchParams({ search: query, per_page: String(MOST_HITS), type: 'post', lang });
    const leftMs = () => Math.round(budget.left() - READING_MS);
    const late = failure('timeout', 'wp/v2/search: too many ask at once');
    const asked = turns.take(async () => {
      const timeoutMs = leftMs();
      // Whose page has been answered without it need not be asked for.
      return timeoutMs > 0 ? client.get(`${PREFIXES.search}?${given}&_fields=id,subtype`, { timeoutMs }) : late;
    });
    const answer = (await patiently(Math.max(0, leftMs()), asked)) ?? late;
    return answer.ok ? check(searchSchema, answer.data, 'wp/v2/search') : answer;
  }

  async function read(route: Route, lang: string, budget: Budget): Promise<Found> {
    const located = await held.locate(route.path, lang, budget);
    return { route, content: located && (await held.page(located, lang, budget)) };
  }

  /** Every page at hand that has all the words; those that have one in their title first. */
  async function readThrough(routes: Route[], words: string[], lang: string, budget: Budget): Promise<Found[]> {
    const pages = await Promise.all(routes.slice(0, MOST_READ).map((route) => read(route, lang, budget)));
    const ranked = pages.flatMap((found) => {
      const title = found.route.title.toLowerCase();
      const text = `${title} ${found.content ? readableText(found.content).toLowerCase() : ''}`;
      if (!found.content?.isPublic || !words.every((word) => text.includes(word))) return [];
      return { found, rank: words.filter((word) => title.includes(word)).length };
    });
    return ranked.toSorted((a, b) => b.rank - a.rank).map(({ found }) => found);
  }

  async function look(query: string, lang: string, budget: Budget): Promise<{ found: Found[]; isPartial: boolean }> {
    const routes = (await held.routes(lang, budget)) ?? [];
    const asked = await ask(query, lang, budget);
    if (!asked.ok) {
      if (client) log('warn', 'content.search-failed', { kind: asked.error.kind });
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
