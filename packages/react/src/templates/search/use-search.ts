import type { Page, PageResponse, SearchAnswer } from '@pillion/content/types.ts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { applyHead } from '../../navigation/head.ts';
import { siteFetch } from '../../navigation/site-fetch.ts';

/** Pause in typing before a search starts, in milliseconds. */
const TYPING_PAUSE_MS = 200;
/** Timeout in milliseconds. The server responds within 2 s. */
const TIMEOUT_MS = 10_000;

/** Why a search failed: the visitor is offline, or the server's response is missing or invalid. Names a text. */
export type Trouble = 'offline' | 'failed';

/** The result of a search on this page. */
interface SearchState {
  /** The server's result for the page's address when this search began. With another address the search is outdated. */
  to: SearchAnswer;
  /** The shown result; after a failure the last one. */
  answer: SearchAnswer;
  /** Why the last search failed; `null` if it did not. */
  trouble: Trouble | null;
}

type SearchPage = Page & { search: SearchAnswer };

/** Path of the first page of results; that of the empty search page without a query. */
const searchPath = (basePath: string, query: string) =>
  query ? `${basePath}?${new URLSearchParams({ q: query })}` : basePath;

const currentPath = () => location.pathname + location.search;

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws If the request fails, times out, or returns anything but a search page. */
async function fetchSearchPage(basePath: string, query: string, signal: AbortSignal): Promise<SearchPage> {
  const parameters = new URLSearchParams({
    path: searchPath(basePath, query),
    lang: document.documentElement.lang,
  });
  const response = await siteFetch(`/api/page?${parameters}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const { page } = (await response.json()) as Extract<PageResponse, { page: Page }>;
  if (!page.search) throw new Error(`the search answered ${response.status}`);
  return page as SearchPage;
}

/**
 * Searches while the visitor types. A new search aborts the last one. After a failure the last result stays.
 * @param basePath Path of the search page.
 * @param serverAnswer The server's result for the page's address.
 */
export function useSearch(basePath: string, serverAnswer: SearchAnswer, field: RefObject<HTMLInputElement | null>) {
  const [ownResult, setOwnResult] = useState<SearchState | null>(null);
  const [isSearching, setSearching] = useState(false);
  const latestController = useRef<AbortController | null>(null);
  // A navigation within the search page brings a newer result from the server.
  const shown = ownResult?.to === serverAnswer ? ownResult : { to: serverAnswer, answer: serverAnswer, trouble: null };

  /** @param pauseMs Pause before the request, for further typing. */
  async function search(query: string, pauseMs: number) {
    latestController.current?.abort();
    const controller = new AbortController();
    latestController.current = controller;
    const startPath = currentPath();
    // The visitor has followed a link: another change of the address would abort that navigation.
    const isOutdated = () => controller.signal.aborted || currentPath() !== startPath;
    setSearching(true);
    await delay(pauseMs);
    if (isOutdated()) return;
    const page = await fetchSearchPage(basePath, query, controller.signal).catch(() => null);
    if (isOutdated()) return;
    setSearching(false);
    const trouble = page ? null : navigator.onLine ? 'failed' : 'offline';
    setOwnResult((last) => ({
      to: serverAnswer,
      answer: page?.search ?? (last?.to === serverAnswer ? last.answer : serverAnswer),
      trouble,
    }));
    if (page) updateAddress(page);
  }

  /** Searches after a pause in typing. If the result of `query` is shown already, only ends the running search. */
  function onTyped(query: string) {
    if (query.trim() !== shown.answer.query || shown.answer.page > 1) return void search(query, TYPING_PAUSE_MS);
    latestController.current?.abort();
    setSearching(false);
    setOwnResult({ ...shown, trouble: null });
  }

  const isFirstRender = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only `serverAnswer` shows that the page has changed.
  useEffect(() => {
    const input = field.current;
    // The visitor may have typed before the script was loaded.
    if (input && isFirstRender.current && input.value.trim() !== serverAnswer.query) void search(input.value, 0);
    else if (input) input.value = serverAnswer.query;
    isFirstRender.current = false;
    return () => {
      latestController.current?.abort();
      setSearching(false);
    };
  }, [serverAnswer]);

  const isOffline = shown.trouble === 'offline';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search reads the field when the network is back.
  useEffect(() => {
    if (!isOffline) return;
    const onOnline = () => void search(field.current?.value ?? '', 0);
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [isOffline]);

  return { ...shown, isSearching, onTyped, onSubmitted: (query: string) => void search(query, 0) };
}

/** Updates the address, so that visitors can reload or share the result and find it in the history. */
function updateAddress(page: SearchPage): void {
  history.replaceState(history.state, '', searchPath(page.path, page.search.query));
  applyHead(page);
}
