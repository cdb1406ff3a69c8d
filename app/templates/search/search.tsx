import { useRef } from 'react';
import type { SearchAnswer, SearchHit, Strings } from '../../content/types.ts';
import button from '../../ui/button.module.css';
import { each } from '../../ui/each.tsx';
import { PageTitle } from '../page-title.tsx';
import type { Template, TemplateProps } from '../template.ts';
import { useSearch } from './use-search.ts';

const NOTHING: SearchAnswer = { query: '', total: 0, page: 1, pages: 1, hits: [], isPartial: false };

/** The search page (R31): a form and its answer as HTML; where there is script, the answer comes while one types. */
function Search({ page, shell: { strings } }: TemplateProps) {
  const { answer, onInput, onSubmit } = useSearch(page.search ?? NOTHING);
  const list = useRef<HTMLOListElement>(null);
  const { title, submit } = strings.search;
  return (
    <article className="reading">
      <PageTitle>{title}</PageTitle>
      <div className="reading-body">
        <search>
          {/* Anything below the field is reached with the arrow key too, as in any list of suggestions. */}
          <form
            className="search-form"
            action="/search"
            onSubmit={onSubmit}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown') return;
              event.preventDefault();
              list.current?.querySelector('a')?.focus();
            }}
          >
            <label className="visually-hidden" htmlFor="q">
              {title}
            </label>
            <input
              className="search-field"
              id="q"
              name="q"
              type="search"
              defaultValue={answer.query}
              onChange={onInput}
              maxLength={100}
              autoComplete="off"
              enterKeyHint="search"
            />
            <button className={button.button} type="submit">
              {submit}
            </button>
          </form>
        </search>
        <p className="search-said" role="status">
          {said(answer, strings)}
        </p>
        <ol className="search-hits" ref={list} start={1}>
          {each(answer.hits, (hit) => (
            <Hit hit={hit} />
          ))}
        </ol>
        <Paging answer={answer} strings={strings} />
      </div>
    </article>
  );
}

function said({ query, total, isPartial }: SearchAnswer, { search }: Strings): string {
  if (query === '') return '';
  const found = total === 0 ? search.none : total === 1 ? search.one : search.many;
  const filled = found.replace('{count}', String(total)).replace('{query}', () => query);
  return isPartial ? `${filled} ${search.partial}` : filled;
}

const Hit = ({ hit: { path, title, excerpt } }: { hit: SearchHit }) => (
  <li className="search-hit">
    <a className="search-link" href={path}>
      {title}
    </a>
    {excerpt.length > 0 && (
      <p className="search-excerpt">{each(excerpt, ({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</p>
    )}
  </li>
);

const addressOf = (query: string, page: number) => `/search?${new URLSearchParams({ q: query, page: String(page) })}`;

function Paging({ answer: { query, page, pages }, strings: { search } }: { answer: SearchAnswer; strings: Strings }) {
  if (pages < 2) return null;
  return (
    <nav className="search-paging" aria-label={search.title}>
      {page > 1 && (
        <a href={addressOf(query, page - 1)} rel="prev">
          {search.previous}
        </a>
      )}
      <span>
        {page} / {pages}
      </span>
      {page < pages && (
        <a href={addressOf(query, page + 1)} rel="next">
          {search.next}
        </a>
      )}
    </nav>
  );
}

export const search: Template = { Component: Search, hasHero: false };
