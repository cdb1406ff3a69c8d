import { useRef } from 'react';
import type { ShellContent, SignUpSection } from '../../content/types.ts';
import { Inline } from '../../ui/inline.tsx';
import { Kicker } from '../kicker.tsx';
import { LazyForm, useFormWhenNear } from './lazy-form.tsx';
import styles from './sign-up.module.css';

interface Props {
  section: SignUpSection;
  shell: ShellContent;
  /** The first of its page carries the ids that join leads to (R5). */
  isTarget: boolean;
}

export function SignUp({ section: { kicker, heading, text, form }, shell, isTarget }: Props) {
  const card = useRef<HTMLDivElement>(null);
  useFormWhenNear(card);
  const target = (id: string) => (isTarget ? { id, tabIndex: -1 } : {});
  return (
    <section className={styles.section} {...target('form')}>
      <div className={styles.words}>
        <Kicker text={kicker} />
        {heading.length > 0 && (
          <h2 className={styles.heading} data-reveal="rise">
            <Inline text={heading} />
          </h2>
        )}
      </div>
      <div className={styles.card} ref={card} {...target('inner-form')}>
        {text !== '' && <p className={styles.text}>{text}</p>}
        {form && <LazyForm form={form} lang={shell.lang} texts={shell.strings.form} />}
      </div>
    </section>
  );
}
