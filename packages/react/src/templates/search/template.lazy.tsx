import type { SearchAnswer, SearchHit, Strings } from '@pillion/content/types.ts';
import { useRef } from 'react';
import button from '../../ui/button.module.css';
import { each } from '../../ui/each.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import type { Template, TemplateProps } from '../template.ts';
import { statusText } from './status-text.ts';
import { useCombobox } from './use-combobox.ts';
import { useSearch } from './use-search.ts';

const NO_RESULTS: SearchAnswer = { query: '', total: 0, page: 1, pages: 1, hits: [], isPartial: false };

/**
 * The search page (R31): a form with its results as HTML. With script the results update while the visitor types, and
 * the field is a combobox with the results as its list.
 */
function Search({ page, shell }: TemplateProps) {
  const { strings, home, lang } = shell;
  const basePath = `${home}search`;
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const { answer, trouble, isSearching, onTyped, onSubmitted } = useSearch(basePath, page.search ?? NO_RESULTS, field);
  const { hits } = answer;
  /** @returns Whether the field had a text. */
  const onClear = () => {
    if (!field.current?.value) return false;
    field.current.value = '';
    onTyped('');
    return true;
  };
  const { isExpanded, active, attributes, onKeyDown, open, close } = useCombobox({ items: hits, list, onClear });
  const { title, submit } = strings.search;
  const onInput = (value: string) => {
    open();
    onTyped(value);
  };
  return (
    <article className="reading">
      <PageTitle>{title}</PageTitle>
      <div className="reading-body search-body">
        <search>
          <form
            className="search-form"
            action={basePath}
            onSubmit={(event) => {
              event.preventDefault();
              close();
              onSubmitted(field.current?.value ?? '');
            }}
          >
            <input
              className="search-field"
              ref={field}
              aria-label={title}
              name="q"
              // Not `search`: HTML allows no combobox there, and each browser adds its own clear button.
              type="text"
              defaultValue={answer.query}
              // Ignores unfinished input of an input method.
              onInput={({ currentTarget, nativeEvent }) => {
                if (!(nativeEvent as InputEvent).isComposing) onInput(currentTarget.value);
              }}
              onCompositionEnd={({ currentTarget }) => onInput(currentTarget.value)}
              onKeyDown={onKeyDown}
              onBlur={close}
              maxLength={100}
              autoComplete="off"
              enterKeyHint="search"
              {...attributes('hit-', 'hits')}
            />
            <button className={button.button} type="submit">
              {submit}
            </button>
          </form>
        </search>
        <p className="search-said" role="status">
          {trouble && <span>{strings.search[trouble]} </span>}
          {/* A separate element: a browser that translates the page replaces the text node. */}
          <span>{statusText(answer, strings, lang)}</span>
        </p>
        {/* The key replaces all results of another search, so that React does not move old ones. */}
        <div
          className="search-results"
          key={`${answer.page} ${answer.query}`}
          data-asking={isSearching ? '' : undefined}
        >
          {hits.length > 0 && (
            <ol
              className="search-hits"
              ref={list}
              id="hits"
              {...(isExpanded ? { role: 'listbox', 'aria-label': title } : {})}
            >
              {hits.map((hit, at) => (
                <Hit key={hit.path} id={`hit-${at}`} hit={hit} isOption={isExpanded} isActive={active === at} />
              ))}
            </ol>
          )}
          <Paging basePath={basePath} answer={answer} strings={strings} />
        </div>
      </div>
    </article>
  );
}

interface HitProps {
  id: string;
  hit: SearchHit;
  /** Whether it is an option of the open combobox; otherwise it is a link for assistive technology. */
  isOption: boolean;
  isActive: boolean;
}

function Hit({ id, hit: { path, title, excerpt }, isOption, isActive }: HitProps) {
  const hasExcerpt = excerpt.length > 0;
  return (
    <li className="search-hit" {...(isOption ? { role: 'presentation' } : {})}>
      <a
        className="search-link"
        id={id}
        href={path}
        {...(hasExcerpt ? { 'aria-describedby': `${id}-excerpt` } : {})}
        {...(isOption ? { role: 'option', 'aria-selected': isActive } : {})}
      >
        {title}
      </a>
      {hasExcerpt && (
        // A listbox may contain only options. The excerpt is the option's description.
        <p className="search-excerpt" id={`${id}-excerpt`} {...(isOption ? { 'aria-hidden': true } : {})}>
          {each(excerpt, ({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}
        </p>
      )}
    </li>
  );
}

const resultsPath = (basePath: string, query: string, page: number) =>
  `${basePath}?${new URLSearchParams({ q: query, page: String(page) })}`;

interface PagingProps {
  /** Path of the search page. */
  basePath: string;
  answer: SearchAnswer;
  strings: Strings;
}

function Paging({ basePath, answer: { query, page, pages }, strings: { search } }: PagingProps) {
  if (pages < 2) return null;
  return (
    <nav className="search-paging" aria-label={search.title}>
      {page > 1 && (
        <a href={resultsPath(basePath, query, page - 1)} rel="prev">
          {search.previous}
        </a>
      )}
      <span dir="ltr">
        {page} / {pages}
      </span>
      {page < pages && (
        <a href={resultsPath(basePath, query, page + 1)} rel="next">
          {search.next}
        </a>
      )}
    </nav>
  );
}

const template: Template = { Component: Search };
export default template;
