import type { Sections } from '@pillion/content/types.ts';
import { each } from '../../ui/each.tsx';
import { Inline } from '../../ui/inline.tsx';
import { Kicker } from '../../ui/kicker.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import styles from './view.module.css';

type Question = Sections['questions']['items'][number];

/** Questions as `details` elements, which open without script, and with the browser's find-in-page. */
export default function Questions({ section: { kicker, heading, items } }: SectionProps<'questions'>) {
  const hasHeading = heading.length > 0;
  if (items.length === 0) return null;
  return (
    <section className={styles.questions}>
      {(hasHeading || kicker !== '') && (
        <div>
          <Kicker text={kicker} />
          {hasHeading && (
            <h2 className={styles.heading} data-reveal="rise">
              <Inline text={heading} />
            </h2>
          )}
        </div>
      )}
      <div className={styles.list}>
        {each(items, (item) => (
          <QuestionItem question={item} heading={hasHeading ? 'h3' : 'h2'} />
        ))}
      </div>
    </section>
  );
}

/** The id is on the content of `details`, so that a browser opens the question for a link with its hash. */
function QuestionItem({
  question: { id, question, answer },
  heading: Heading,
}: {
  question: Question;
  heading: 'h2' | 'h3';
}) {
  return (
    <details className={styles.item}>
      <summary className={styles.question}>
        <Heading>{question}</Heading>
      </summary>
      <div className={styles.answer} id={id}>
        {each(answer, (paragraph) => (
          <p>
            <Inline text={paragraph} />
          </p>
        ))}
      </div>
    </details>
  );
}
