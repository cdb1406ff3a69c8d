import type { Page, Section, ShellContent } from '../content/types.ts';
import { RichText } from '../ui/rich-text.tsx';
import { Acts } from './acts/acts.tsx';
import { Feature } from './feature/feature.tsx';
import { Gallery } from './gallery/gallery.tsx';
import { Hero } from './hero/hero.tsx';
import { Questions } from './questions/questions.tsx';
import { Quote } from './quote/quote.tsx';
import { SignUp } from './sign-up/sign-up.tsx';
import { Statement } from './statement/statement.tsx';
import styles from './text.module.css';
import { Wordmark } from './wordmark/wordmark.tsx';

interface Props {
  section: Section;
  page: Page;
  shell: ShellContent;
}

/** Whether it is its page's first of its kind. */
const isFirst = (section: Section, { sections }: Page) =>
  sections.find(({ type }) => type === section.type) === section;

/** One section of a page, by its type. */
export function SectionView({ section, page, shell }: Props) {
  switch (section.type) {
    case 'hero': {
      const { scroll } = shell.strings.labels;
      return <Hero section={section} title={page.title} hint={scroll} isFirst={isFirst(section, page)} />;
    }
    case 'statement':
      return <Statement section={section} />;
    case 'acts':
      return <Acts section={section} />;
    case 'feature':
      return <Feature section={section} />;
    case 'gallery':
      return <Gallery section={section} title={page.title} />;
    case 'quote':
      return <Quote section={section} />;
    case 'questions':
      return <Questions section={section} />;
    case 'sign-up':
      return <SignUp section={section} shell={shell} isTarget={isFirst(section, page)} />;
    case 'wordmark':
      return <Wordmark strings={shell.strings} />;
    case 'rich-text':
      return <RichText className={styles.text} html={section.html} />;
  }
}
