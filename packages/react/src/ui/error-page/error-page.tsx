import { Art } from 'virtual:pillion/error-art';
import type { Link, Page, ShellContent } from '@pillion/content/types.ts';
import { type ReactNode, useEffect } from 'react';
import { addStyles } from '../add-styles.ts';
import button from '../button.module.css';
import { linkProps } from '../link-props.ts';
import styles from './error-page.css?url';

type Kind = 'not-found' | 'gone' | 'error';

/** A picture around the title of an error page, its `children`. A part that moves by itself has `data-moves`. */
export type ErrorArt = (props: { kind: Kind; children: ReactNode }) => ReactNode;

interface Props {
  kind: Kind;
  texts: { title: string; paragraph: string; link: Link };
  reference?: string | undefined;
}

/** Maximum number of characters for words; longer text is set as a sentence. */
const MAX_WORDS_LENGTH = 24;

/** Only a number gets the largest size: four letters would be wider. */
const textSize = (text: string) =>
  /^\d{1,5}$/.test(text) ? 'number' : text.length <= MAX_WORDS_LENGTH ? 'words' : 'sentence';

/** A title, inside the site's picture if it has one, and a link. Its class names are global: see error-page.css. */
export function ErrorPage({ kind, texts: { title, paragraph, link }, reference }: Props) {
  return (
    <section className="error-page" data-kind={kind}>
      <Art kind={kind}>
        <h1 className="error-page-title" data-size={textSize(title)}>
          {title}
        </h1>
      </Art>
      <div className="error-page-words">
        <p className="error-page-paragraph" data-size={textSize(paragraph)}>
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

/** Also replaces a template that threw. Its document may not include the styles, so they are loaded here. */
export function ServerErrorPage({ shell, page }: { shell: ShellContent; page?: Page }) {
  useEffect(() => void addStyles(styles), []);
  const { error } = shell.strings;
  const id = page?.reference;
  return <ErrorPage kind="error" texts={error} reference={id && error.reference.replace('{id}', id)} />;
}
