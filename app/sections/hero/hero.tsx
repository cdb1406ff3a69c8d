import type { HeroSection } from '../../content/types.ts';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import styles from './hero.module.css';

interface Props {
  section: HeroSection;
  /** What the visitor is asked to do (R19). */
  hint: string;
  title: string;
}

/** The stage: its picture stands fixed behind the whole page, and the scene takes its place where there is one. */
export function Hero({ section: { heading, picture, portrait }, hint, title }: Props) {
  return (
    <section className={styles.hero} data-tone="dark">
      <div className={styles.stage} data-scene>
        {picture && <Picture className={styles.poster} picture={picture} portrait={portrait} sizes="100vw" isFirst />}
      </div>
      <h1 className={styles.heading}>{heading.length > 0 ? <Inline text={heading} /> : title}</h1>
      {hint !== '' && <p className={styles.hint}>{hint}</p>}
    </section>
  );
}
