import type { Page, PageResponse, SearchAnswer } from '@pillion/content/types.ts';
import { siteFetch } from '@pillion/lib/browser/site-fetch.ts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { applyHead } from '../../navigation/head.ts';

/** Typing rests this long before it is taken for a word, in milliseconds. */
const PAUSE_MS = 200;
/** The server answers within 2 s; what takes longer than this is lost on its way, in milliseconds. */
const LONGEST_MS = 10_000;

/** Why what was typed has no answer: the visitor has no network, or the site does not answer as it should. */
export type Trouble = 'offline' | 'failed';

interface Shown {
  /** The page's own answer that this one came after. */
  to: SearchAnswer;
  answer: SearchAnswer;
  trouble: Trouble | null;
}

type SearchPage = Page & { search: SearchAnswer };

const addressOf = (here: string, query: string) => (query ? `${here}?${new URLSearchParams({ q: query })}` : here);

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws Whatever keeps the answer from being one: no network, no time, an error page, HTML. */
async function ask(here: string, query: string, signal: AbortSignal): Promise<SearchPage> {
  const asked = new URLSearchParams({ path: addressOf(here, query), lang: document.documentElement.lang });
  const response = await siteFetch(`/api/page?${asked}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
  });
  const { page } = (await response.json()) as Extract<PageResponse, { page: Page }>;
  if (!page.search) throw new Error(`the search answered ${response.status}`);
  return page as SearchPage;
}

/**
 * Searches while one types. What was typed last counts: an answer that is outrun is not even waited for, and where none
 * comes the last one stays.
 * @param here Path of the search page.
 * @param given What the server answered for the page's address.
 */
export function useSearch(here: string, given: SearchAnswer, field: RefObject<HTMLInputElement | null>) {
  const [own, setOwn] = useState<Shown | null>(null);
  const [isAsking, setAsking] = useState(false);
  const latest = useRef<AbortController | null>(null);
  // Another page of results, Back: the server's answer for that address is the newer one.
  const shown = own?.to === given ? own : { to: given, answer: given, trouble: null };

  /** @param pauseMs To wait for more that may be typed. */
  async function look(query: string, pauseMs: number) {
    latest.current?.abort();
    const asking = new AbortController();
    const { signal } = asking;
    latest.current = asking;
    setAsking(true);
    await rest(pauseMs);
    const page = signal.aborted ? null : await ask(here, query, signal).catch(() => null);
    if (signal.aborted) return;
    setAsking(false);
    const trouble = page ? null : navigator.onLine ? 'failed' : 'offline';
    setOwn((last) => ({ to: given, answer: page?.search ?? (last?.to === given ? last.answer : given), trouble }));
    if (page) keepTrue(page);
  }

  /** What is in the field already is not asked for again. */
  function onTyped(query: string) {
    if (query.trim() !== shown.answer.query || shown.answer.page > 1) return void look(query, PAUSE_MS);
    latest.current?.abort();
    setAsking(false);
    setOwn({ ...shown, trouble: null });
  }

  const isNew = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the page's own answer says that there is another page.
  useEffect(() => {
    const input = field.current;
    // Before the script came the visitor may have begun to type.
    if (input && isNew.current && input.value.trim() !== given.query) void look(input.value, 0);
    else if (input) input.value = given.query;
    isNew.current = false;
    return () => latest.current?.abort();
  }, [given]);

  const isOffline = shown.trouble === 'offline';
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in the field when the network is back is what counts.
  useEffect(() => {
    if (!isOffline) return;
    const onOnline = () => void look(field.current?.value ?? '', 0);
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [isOffline]);

  return { ...shown, isAsking, onTyped, onAsked: (query: string) => void look(query, 0) };
}

/** What is seen can be reloaded, sent on and found again in the history. */
function keepTrue(page: SearchPage): void {
  history.replaceState(history.state, '', addressOf(page.path, page.search.query));
  applyHead(page);
}
