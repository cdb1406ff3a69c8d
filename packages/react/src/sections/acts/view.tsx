import type { Sections } from '@pillion/content/types.ts';
import { each } from '../../ui/each.tsx';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import styles from './view.module.css';

type Act = Sections['acts']['items'][number];

/**
 * One act per screen. Behind them the hero's scene plays from its start to its end (`data-passage`); without a scene
 * each act's own picture fills the screen. The heading is for the document outline and not visible.
 */
export default function Acts({ section: { heading, items } }: SectionProps<'acts'>) {
  const hasHeading = heading.length > 0;
  if (items.length === 0) return null;
  return (
    <section className={styles.acts} data-passage>
      {hasHeading && (
        <h2 className="visually-hidden">
          <Inline text={heading} />
        </h2>
      )}
      <ul>
        {each(items, (item) => (
          <ActItem act={item} heading={hasHeading ? 'h3' : 'h2'} />
        ))}
      </ul>
    </section>
  );
}

function ActItem({
  act: { label, title, text, picture, portrait },
  heading: Heading,
}: {
  act: Act;
  heading: 'h2' | 'h3';
}) {
  return (
    <li className={styles.act}>
      <div className={styles.backdrop}>
        {picture && <Picture picture={picture} portrait={portrait} sizes="100vw" />}
      </div>
      <div className={styles.words}>
        {label !== '' && <p className={styles.label}>{label}</p>}
        {title !== '' && <Heading className={styles.title}>{title}</Heading>}
        {text !== '' && <p className={styles.text}>{text}</p>}
      </div>
    </li>
  );
}
