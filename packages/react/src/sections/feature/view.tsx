import { Facts } from '../../ui/facts.tsx';
import { Inline } from '../../ui/inline.tsx';
import { Kicker } from '../../ui/kicker.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import styles from './view.module.css';

export default function Feature({ section }: SectionProps<'feature'>) {
  const { kicker, heading, text, figures, picture, detail } = section;
  return (
    <section className={styles.feature}>
      {picture && (
        <figure className={styles.picture} data-reveal="drift">
          <Picture picture={picture} sizes="(min-width: 1024px) 54vw, 100vw" />
        </figure>
      )}
      <div className={styles.body}>
        <Kicker text={kicker} />
        {heading.length > 0 && (
          <h2 className={styles.heading} data-reveal="rise">
            <Inline text={heading} />
          </h2>
        )}
        {text !== '' && <p className={styles.text}>{text}</p>}
        <Facts className={styles.figures} facts={figures} />
        {detail && (
          <figure className={styles.detail} data-reveal="drift">
            <Picture picture={detail} sizes="(min-width: 1024px) 20vw, 46vw" />
          </figure>
        )}
      </div>
    </section>
  );
}
