import type { Act, ActsSection } from '../../content/types.ts';
import { each } from '../../ui/each.tsx';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import styles from './acts.module.css';

/** Cards side by side, each a step lower than the one before. Their heading is for the outline: it is not drawn. */
export function Acts({ section: { heading, items } }: { section: ActsSection }) {
  const hasHeading = heading.length > 0;
  if (items.length === 0) return null;
  return (
    <section className={styles.acts}>
      {hasHeading && (
        <h2 className="visually-hidden">
          <Inline text={heading} />
        </h2>
      )}
      <ul className={styles.list}>
        {each(items, (item) => (
          <Card act={item} heading={hasHeading ? 'h3' : 'h2'} />
        ))}
      </ul>
    </section>
  );
}

function Card({ act: { label, title, text, picture }, heading: Heading }: { act: Act; heading: 'h2' | 'h3' }) {
  return (
    <li className={styles.card} data-reveal="rise">
      {picture && (
        <figure className={styles.figure} data-reveal="drift">
          <Picture picture={picture} sizes="(min-width: 768px) 31vw, 92vw" />
        </figure>
      )}
      <div className={styles.line}>
        <Heading className={styles.title}>{title}</Heading>
        {label !== '' && <p className={styles.label}>{label}</p>}
      </div>
      {text !== '' && <p className={styles.text}>{text}</p>}
    </li>
  );
}
