import type { Page, PageResponse, SearchAnswer } from '@pillion/content/types.ts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { applyHead } from '../../navigation/head.ts';
import { siteFetch } from '../../navigation/site-fetch.ts';

/** Pause in typing before a search starts, in milliseconds. */
const PAUSE_MS = 200;
/** Timeout in milliseconds. The server responds within 2 s. */
const LONGEST_MS = 10_000;

/** Why a search failed: the visitor is offline, or the server's response is invalid. */
export type Trouble = 'offline' | 'failed';

interface Shown {
  /** The server's result for the page at the time of this search. */
  to: SearchAnswer;
  answer: SearchAnswer;
  trouble: Trouble | null;
}

type SearchPage = Page & { search: SearchAnswer };

const searchPath = (here: string, query: string) => (query ? `${here}?${new URLSearchParams({ q: query })}` : here);

const address = () => location.pathname + location.search;

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws If the request fails, times out, or returns anything but a search page. */
async function ask(here: string, query: string, signal: AbortSignal): Promise<SearchPage> {
  const asked = new URLSearchParams({ path: searchPath(here, query), lang: document.documentElement.lang });
  const response = await siteFetch(`/api/page?${asked}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
  });
  const { page } = (await response.json()) as Extract<PageResponse, { page: Page }>;
  if (!page.search) throw new Error(`the search answered ${response.status}`);
  return page as SearchPage;
}

/**
 * Searches while the visitor types. A new search aborts the last one. After a failure the last result stays.
 * @param here Path of the search page.
 * @param given The server's result for the page's address.
 */
export function useSearch(here: string, given: SearchAnswer, field: RefObject<HTMLInputElement | null>) {
  const [own, setOwn] = useState<Shown | null>(null);
  const [isAsking, setAsking] = useState(false);
  const latest = useRef<AbortController | null>(null);
  // A navigation within the search page brings a newer result from the server.
  const shown = own?.to === given ? own : { to: given, answer: given, trouble: null };

  /** @param pauseMs Waits for further typing before the request. */
  async function look(query: string, pauseMs: number) {
    latest.current?.abort();
    const asking = new AbortController();
    latest.current = asking;
    const from = address();
    // The visitor has followed a link: another change of the address would abort that navigation.
    const isOutdated = () => asking.signal.aborted || address() !== from;
    setAsking(true);
    await rest(pauseMs);
    if (isOutdated()) return;
    const page = await ask(here, query, asking.signal).catch(() => null);
    if (isOutdated()) return;
    setAsking(false);
    const trouble = page ? null : navigator.onLine ? 'failed' : 'offline';
    setOwn((last) => ({ to: given, answer: page?.search ?? (last?.to === given ? last.answer : given), trouble }));
    if (page) keepTrue(page);
  }

  /** Does not repeat the search that is already shown. */
  function onTyped(query: string) {
    if (query.trim() !== shown.answer.query || shown.answer.page > 1) return void look(query, PAUSE_MS);
    latest.current?.abort();
    setAsking(false);
    setOwn({ ...shown, trouble: null });
  }

  const isNew = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only `given` shows that the page has changed.
  useEffect(() => {
    const input = field.current;
    // The visitor may have typed before the script was loaded.
    if (input && isNew.current && input.value.trim() !== given.query) void look(input.value, 0);
    else if (input) input.value = given.query;
    isNew.current = false;
    return () => {
      latest.current?.abort();
      setAsking(false);
    };
  }, [given]);

  const isOffline = shown.trouble === 'offline';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search reads the field when the network is back.
  useEffect(() => {
    if (!isOffline) return;
    const onOnline = () => void look(field.current?.value ?? '', 0);
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [isOffline]);

  return { ...shown, isAsking, onTyped, onAsked: (query: string) => void look(query, 0) };
}

/** Updates the address, so that visitors can reload or share the result and find it in the history. */
function keepTrue(page: SearchPage): void {
  history.replaceState(history.state, '', searchPath(page.path, page.search.query));
  applyHead(page);
}
