import type { Page, PageResponse } from '@pillion/content/types.ts';
import { siteFetch } from '@pillion/lib/browser/site-fetch.ts';

/** How long a prefetched page may stand in for a fresh one, in milliseconds. */
const PREFETCH_MS = 30_000;
/** Prefetched pages kept at most: a long list of links must not fill the memory of a phone. */
const PREFETCH_COUNT = 20;

/** Thrown when only a whole page load can answer: another build's page, or something that is no page of ours. */
export class NeedsDocument extends Error {}

export interface PageLoader {
  /**
   * @param path Path with its query, as in the address.
   * @throws NeedsDocument, a TypeError without network, an AbortError when outrun.
   */
  load(path: string, signal: AbortSignal): Promise<PageResponse>;
  prefetch(path: string): void;
}

interface Prefetched {
  born: number;
  answer: Promise<PageResponse>;
}

/**
 * Fetches pages as JSON from `/api/page`.
 * @param build The build of the running script; a page from another one is loaded as a document.
 * @param prepare Fetches all the code a page needs to be shown whole; a prefetched page has its own at hand too.
 */
export function createPageLoader(lang: string, build: string, prepare: (page: Page) => Promise<unknown>): PageLoader {
  const prefetched = new Map<string, Prefetched>();

  const fetchPage = async (path: string, signal?: AbortSignal): Promise<PageResponse> => {
    const query = new URLSearchParams({ path, lang });
    const response = await siteFetch(`/api/page?${query}`, { ...(signal && { signal }) });
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (!isJson || response.headers.get('pillion-build') !== build) throw new NeedsDocument(path);
    return (await response.json()) as PageResponse;
  };

  const dropOld = () => {
    for (const [path, { born }] of prefetched) if (Date.now() - born >= PREFETCH_MS) prefetched.delete(path);
  };

  const takePrefetched = (path: string) => {
    dropOld();
    const kept = prefetched.get(path);
    prefetched.delete(path);
    return kept?.answer;
  };

  return {
    // A prefetch that failed or is outrun costs nothing: the page is asked for again.
    load: async (path, signal) => (await takePrefetched(path)?.catch(() => null)) ?? fetchPage(path, signal),
    prefetch(path) {
      dropOld();
      if (prefetched.has(path) || prefetched.size >= PREFETCH_COUNT) return;
      const answer = fetchPage(path);
      prefetched.set(path, { born: Date.now(), answer });
      answer.then((answered) => 'page' in answered && prepare(answered.page)).catch(() => prefetched.delete(path));
    },
  };
}
