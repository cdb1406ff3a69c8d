import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { siteFetch } from '../../content/site-client.ts';
import type { PageAnswer, SearchAnswer } from '../../content/types.ts';

/** Typing rests this long before it is taken for a word, in milliseconds. */
const PAUSE_MS = 200;

/**
 * Searches while one types. What was typed last counts: an answer that is outrun is not even waited for.
 * @param given What the server answered for the page's address.
 */
export function useSearch(given: SearchAnswer) {
  const [own, setOwn] = useState<{ to: SearchAnswer; answer: SearchAnswer } | null>(null);
  const latest = useRef<AbortController | null>(null);
  useEffect(() => () => latest.current?.abort(), []);
  // Another page of results, Back: the server's answer for that address is the newer one.
  const answer = own?.to === given ? own.answer : given;

  /** @param pauseMs To wait for more; 0: the visitor has asked for it, and gets the browser's own answer where ours fails. */
  async function look(query: string, pauseMs: number) {
    latest.current?.abort();
    const asking = new AbortController();
    const { signal } = asking;
    latest.current = asking;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (signal.aborted) return;
    const address = `/search?${new URLSearchParams({ q: query })}`;
    try {
      const response = await siteFetch(`/api/page?${new URLSearchParams({ path: address })}`, { signal });
      const said = (await response.json()) as PageAnswer;
      if (signal.aborted || !('page' in said) || !said.page.search) return;
      setOwn({ to: given, answer: said.page.search });
      // What is seen can be reloaded and sent on.
      history.replaceState(history.state, '', address);
    } catch {
      if (pauseMs === 0 && !signal.aborted) location.assign(address);
    }
  }

  return {
    answer,
    onInput: ({ target }: ChangeEvent<HTMLInputElement>) => void look(target.value, PAUSE_MS),
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      void look(String(new FormData(event.currentTarget).get('q') ?? ''), 0);
    },
  };
}
