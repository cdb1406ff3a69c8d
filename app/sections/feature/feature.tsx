import type { FeatureSection } from '../../content/types.ts';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Facts } from '../facts.tsx';
import { Kicker } from '../kicker.tsx';
import styles from './feature.module.css';

export function Feature({ section }: { section: FeatureSection }) {
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
