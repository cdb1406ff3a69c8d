import type { Link, Page, ShellContent } from '@pillion/content/types.ts';
import { useEffect } from 'react';
import { addStyles } from '../add-styles.ts';
import button from '../button.module.css';
import { linkProps } from '../link-props.ts';
import styles from './error-page.css?url';

interface Props {
  kind: 'not-found' | 'gone' | 'error';
  texts: { title: string; paragraph: string; link: Link };
  reference?: string | undefined;
}

/** Characters up to which words are painted on the plane, in lines. */
const LONGEST_WORDS = 24;

/** Only a number fills the whole plane: four letters are wider than it. */
const sizeOf = (text: string) =>
  /^\d{1,5}$/.test(text) ? 'number' : text.length <= LONGEST_WORDS ? 'words' : 'sentence';

/** An empty plane with one thing painted on it, and a way on. Its classes are not a module's: see error-page.css. */
export function ErrorPage({ kind, texts: { title, paragraph, link }, reference }: Props) {
  return (
    <section className="error-page" data-kind={kind} data-moves={kind === 'not-found' || undefined}>
      <div className="error-page-sky" />
      <div className="error-page-way">
        <div className="error-page-plane" />
        <div className="error-page-line">
          <i />
        </div>
        <div className="error-page-posts">
          <i />
          <i />
          <i />
          <i />
          <i />
        </div>
        <h1 className="error-page-title" data-size={sizeOf(title)}>
          {title}
        </h1>
      </div>
      <div className="error-page-words">
        <p className="error-page-paragraph" data-size={sizeOf(paragraph)}>
          {paragraph}
        </p>
        <a className={button.button} {...linkProps(link)}>
          {link.title}
        </a>
        {reference && <p className="error-page-reference">{reference}</p>}
      </div>
    </section>
  );
}

/** Also what stands in for a template that threw: its page came without the error page's styles. */
export function ServerErrorPage({ shell, page }: { shell: ShellContent; page?: Page }) {
  useEffect(() => void addStyles(styles), []);
  const { error } = shell.strings;
  const id = page?.reference;
  return <ErrorPage kind="error" texts={error} reference={id && error.reference.replace('{id}', id)} />;
}
