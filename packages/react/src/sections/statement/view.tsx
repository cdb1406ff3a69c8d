import { Facts } from '../../ui/facts.tsx';
import { Inline } from '../../ui/inline.tsx';
import { Kicker } from '../../ui/kicker.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import { trustedHtml } from '../../ui/trusted-types.ts';
import styles from './view.module.css';

export default function Statement({ section }: SectionProps<'statement'>) {
  const { kicker, heading, facts, picture, drawing } = section;
  return (
    <section className={styles.statement}>
      {(picture || drawing) && (
        <div data-back>
          {picture && <Picture picture={picture} sizes="(min-width: 1024px) 84vw, 100vw" />}
          <Drawing svg={drawing} />
        </div>
      )}
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

/** Hidden from assistive technology, because the picture already has a description. */
function Drawing({ svg }: { svg: string | null }) {
  if (svg === null) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from the server's allow-list.
  return <div className={styles.drawing} aria-hidden="true" dangerouslySetInnerHTML={{ __html: trustedHtml(svg) }} />;
}
