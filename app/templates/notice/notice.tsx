import type { Link, ShellContent } from '../../content/types.ts';
import button from '../../ui/button.module.css';
import { linkProps } from '../../ui/link-props.ts';
import type { Template, TemplateProps } from '../template.ts';
import styles from './notice.module.css';

/** Characters of a title that still fit the width of a page in the largest type. */
const LONGEST_LARGE = 5;

/** One thing said large, with a way on. */
function Notice({ title, paragraph, link }: { title: string; paragraph: string; link: Link }) {
  return (
    <section className={styles.notice}>
      <h1 className={styles.title} data-is-long={title.length > LONGEST_LARGE || undefined}>
        {title}
      </h1>
      <div className={styles.words}>
        <p className={styles.paragraph}>{paragraph}</p>
        <a className={button.button} {...linkProps(link)}>
          {link.title}
        </a>
      </div>
    </section>
  );
}

const NotFound = ({ shell }: TemplateProps) => <Notice {...shell.strings.fourohfour} />;

/** Also what stands in for a template that threw. */
export const ErrorNotice = ({ shell }: { shell: ShellContent }) => <Notice {...shell.strings.error} />;

export const notFound: Template = { Component: NotFound, hasHero: false };
export const error: Template = { Component: ErrorNotice, hasHero: false };
