import { useRef } from 'react';
import type { HeroSection } from '../../content/types.ts';
import { useScene } from '../../engines/scene/use-scene.ts';
import { useHeroParts } from '../../engines/stage/use-hero-parts.ts';
import display from '../../ui/display.module.css';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import styles from './hero.module.css';

interface Props {
  section: HeroSection;
  /** What the visitor is asked to do (R19). */
  hint: string;
  title: string;
  /** A page has one title: a second hero's is a heading in it. */
  isFirst: boolean;
}

/** The stage: its picture stands fixed behind the whole page, and the scene takes its place where there is one. */
export function Hero({ section: { heading, picture, portrait }, hint, title, isFirst }: Props) {
  const Heading = isFirst ? 'h1' : 'h2';
  const stage = useRef<HTMLDivElement>(null);
  useHeroParts(stage);
  useScene(stage);
  return (
    <section className={styles.hero} data-tone="dark">
      <div ref={stage} className={styles.stage} data-scene>
        {picture && <Picture className={styles.poster} picture={picture} portrait={portrait} sizes="100vw" isFirst />}
      </div>
      <Heading className={display.display}>{heading.length > 0 ? <Inline text={heading} /> : title}</Heading>
      {isFirst && hint !== '' && <p className={styles.hint}>{hint}</p>}
    </section>
  );
}
