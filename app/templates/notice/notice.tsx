import { useEffect } from 'react';
import type { Link, Page, ShellContent } from '../../content/types.ts';
import button from '../../ui/button.module.css';
import { linkProps } from '../../ui/link-props.ts';
import { preparePageStyles } from '../../ui/page-styles.ts';
import type { Template, TemplateProps } from '../template.ts';

interface Props {
  kind: 'not-found' | 'gone' | 'error';
  texts: { title: string; paragraph: string; link: Link };
  reference?: string | undefined;
}

/** Characters up to which words are painted on the road, in lines. */
const LONGEST_WORDS = 24;

/** Only a number fills the whole road: four letters are wider than it. */
const sizeOf = (text: string) =>
  /^\d{1,5}$/.test(text) ? 'number' : text.length <= LONGEST_WORDS ? 'words' : 'sentence';

/** An empty road with one thing painted on it, and a way on. Its classes are not a module's: see notice.css. */
function Notice({ kind, texts: { title, paragraph, link }, reference }: Props) {
  return (
    <section className="notice" data-kind={kind}>
      <div className="notice-sky" />
      <div className="notice-way">
        <div className="notice-road" />
        <div className="notice-line">
          <i />
        </div>
        <div className="notice-posts">
          <i />
          <i />
          <i />
          <i />
          <i />
        </div>
        <h1 className="notice-title" data-size={sizeOf(title)}>
          {title}
        </h1>
      </div>
      <div className="notice-words">
        <p className="notice-paragraph" data-size={sizeOf(paragraph)}>
          {paragraph}
        </p>
        <a className={button.button} {...linkProps(link)}>
          {link.title}
        </a>
        {reference && <p className="notice-reference">{reference}</p>}
      </div>
    </section>
  );
}

const NotFound = ({ shell }: TemplateProps) => <Notice kind="not-found" texts={shell.strings.fourohfour} />;

const Gone = ({ shell }: TemplateProps) => <Notice kind="gone" texts={shell.strings.gone} />;

/** Also what stands in for a template that threw: its page came without the notice's styles. */
export function ErrorNotice({ shell, page }: { shell: ShellContent; page?: Page }) {
  useEffect(() => void preparePageStyles({ template: 'error', sections: [] }), []);
  const { error } = shell.strings;
  const id = page?.reference;
  return <Notice kind="error" texts={error} reference={id && error.reference.replace('{id}', id)} />;
}

export const notFound: Template = { Component: NotFound, hasHero: false };
export const gone: Template = { Component: Gone, hasHero: false };
export const error: Template = { Component: ErrorNotice, hasHero: false };
