import type { StatementSection } from '../../content/types.ts';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import { trustedHtml } from '../../ui/trusted-types.ts';
import { Facts } from '../facts.tsx';
import { Kicker } from '../kicker.tsx';
import styles from './statement.module.css';

export function Statement({ section: { kicker, heading, facts, picture, drawing } }: { section: StatementSection }) {
  return (
    <section className={styles.statement}>
      {(picture || drawing) && (
        <div className={styles.back}>
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

/** Says nothing that the picture's description would not. */
function Drawing({ svg }: { svg: string | null }) {
  if (svg === null) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from the server's allow-list.
  return <div className={styles.drawing} aria-hidden="true" dangerouslySetInnerHTML={{ __html: trustedHtml(svg) }} />;
}
