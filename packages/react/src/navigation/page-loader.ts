import { hasEmbed } from '@pillion/content/embeds.ts';
import type { Page, PageResponse } from '@pillion/content/types.ts';
import { siteFetch } from './site-fetch.ts';

/** Lifetime of a prefetched page, in milliseconds. */
const PREFETCH_LIFETIME_MS = 30_000;
/** Maximum number of prefetched pages, to limit memory on phones. */
const MAX_PREFETCHED = 20;

/**
 * The URL must be loaded as a document: its page is from another build, has a video that this document may not play, or
 * it is no page of this site.
 */
export class NeedsDocument extends Error {}

export interface PageLoader {
  /**
   * @param path Path with query.
   * @throws NeedsDocument, a TypeError without network, an AbortError if a newer navigation replaces this one.
   */
  load(path: string, signal: AbortSignal): Promise<PageResponse>;
  /** Fetches a page in advance, with its code. Without effect if enough pages are prefetched. */
  prefetch(path: string): void;
}

interface Prefetched {
  /** Time of the request, in epoch milliseconds. */
  born: number;
  answer: Promise<PageResponse>;
}

/**
 * Fetches pages as JSON from `/api/page`.
 * @param build Build of the running script. A page from another build is loaded as a document.
 * @param mayEmbed Whether the policy of this document allows videos of other sites.
 * @param prepare Fetches code that the page needs, for prefetched pages too.
 */
export function createPageLoader(
  { page: { lang }, build, mayEmbed }: { page: Pick<Page, 'lang'>; build: string; mayEmbed: boolean },
  prepare: (page: Page) => Promise<unknown>,
): PageLoader {
  const prefetched = new Map<string, Prefetched>();

  const fetchPage = async (path: string, signal: AbortSignal | null): Promise<PageResponse> => {
    const query = new URLSearchParams({ path, lang });
    const response = await siteFetch(`/api/page?${query}`, { signal });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (!isJson || response.headers.get('pillion-build') !== build) throw new NeedsDocument(path);
    const answer = (await response.json()) as PageResponse;
    if ('page' in answer && !mayEmbed && hasEmbed(answer.page)) throw new NeedsDocument(path);
    return answer;
  };

  const removeExpired = () => {
    for (const [path, { born }] of prefetched) if (Date.now() - born >= PREFETCH_LIFETIME_MS) prefetched.delete(path);
  };

  return {
    async load(path, signal) {
      removeExpired();
      const entry = prefetched.get(path);
      // A prefetched page is used once, so that a later visit shows newer content.
      prefetched.delete(path);
      const answer = await entry?.answer.catch(() => null);
      // After a failed prefetch the page is requested again.
      return answer && answer.status < 500 ? answer : fetchPage(path, signal);
    },
    prefetch(path) {
      removeExpired();
      if (prefetched.has(path) || prefetched.size >= MAX_PREFETCHED) return;
      const answer = fetchPage(path, null);
      prefetched.set(path, { born: Date.now(), answer });
      answer.then((result) => 'page' in result && prepare(result.page)).catch(() => prefetched.delete(path));
    },
  };
}
