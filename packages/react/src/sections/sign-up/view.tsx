import { useRef } from 'react';
import { Inline } from '../../ui/inline.tsx';
import { Kicker } from '../../ui/kicker.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import { LazyForm, useFormWhenNear } from './lazy-form.tsx';
import styles from './view.module.css';

export default function SignUp({ section, shell, isFirst }: SectionProps<'sign-up'>) {
  const { kicker, heading, text, form } = section;
  const { strings } = shell;
  const card = useRef<HTMLDivElement>(null);
  useFormWhenNear(card);
  // The first one on the page has the ids that the join button links to (R5).
  const linkTarget = (id: string) => (isFirst ? { id, tabIndex: -1 } : {});
  return (
    <section className={styles.section} {...linkTarget('form')}>
      <div>
        <Kicker text={kicker} />
        {heading.length > 0 && (
          <h2 className={styles.heading} data-reveal="rise">
            <Inline text={heading} />
          </h2>
        )}
      </div>
      <div className={styles.card} ref={card} {...linkTarget('inner-form')}>
        {text !== '' && <p className={styles.text}>{text}</p>}
        {form && <LazyForm form={form} lang={shell.lang} texts={strings.form} terms={strings.links.terms} />}
      </div>
    </section>
  );
}
