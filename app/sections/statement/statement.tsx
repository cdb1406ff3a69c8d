import type { StatementSection } from '../../content/types.ts';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Facts } from '../facts.tsx';
import { Kicker } from '../kicker.tsx';
import styles from './statement.module.css';

export function Statement({ section: { kicker, heading, facts, picture } }: { section: StatementSection }) {
  return (
    <section className={styles.statement}>
      {picture && <Picture className={styles.picture} picture={picture} sizes="(min-width: 1024px) 84vw, 100vw" />}
      <Kicker text={kicker} />
      {heading.length > 0 && (
        <h2 className={styles.heading} data-reveal="rise">
          <Inline text={heading} />
        </h2>
      )}
      <Facts className={styles.facts} facts={facts} />
    </section>
  );
}
