import { mountHero } from 'virtual:pillion/hero';
import { savesData } from '@pillion/lib/browser/visitor.ts';
import type { Engines } from '@pillion/motion/engines.ts';
import { useEngines } from '@pillion/motion/hooks/use-engines.ts';
import { useHeroReadiness } from '@pillion/motion/hooks/use-hero-readiness.ts';
import { type RefObject, useEffect, useRef } from 'react';
import display from '../../ui/display.module.css';
import { Inline } from '../../ui/inline.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { SectionProps } from '../../ui/section-props.ts';
import styles from './view.module.css';

/** Shows a film or the site's scene over the picture in `backdrop`. Without their code the picture stays. */
function useBackdrop(engines: Engines, backdrop: RefObject<HTMLElement | null>, filmUrl: string | undefined): void {
  useEffect(() => {
    const container = backdrop.current;
    if (!container) return;
    if (!filmUrl) return mountHero?.(container, engines);
    const controller = new AbortController();
    const show = async () =>
      (await import('./film.ts')).showFilm(container, filmUrl, `${styles.poster}`, controller.signal);
    if (!savesData()) engines.stage.whenPlaying(() => show().catch(() => {}));
    return () => controller.abort();
  }, [engines, backdrop, filmUrl]);
}

/** The hero. Its picture is fixed behind the whole page. A film replaces it, or else the site's scene, if there is one. */
export default function Hero({ section, page, shell, isFirst }: SectionProps<'hero'>) {
  const { heading, picture, portrait, film } = section;
  // The hint to scroll (R19).
  const hint = shell.strings.labels.scroll;
  // A page has one `h1`, so a second hero has an `h2`.
  const Heading = isFirst ? 'h1' : 'h2';
  const backdrop = useRef<HTMLDivElement>(null);
  const engines = useEngines('Hero');
  useHeroReadiness(engines.stage, backdrop);
  useBackdrop(engines, backdrop, film?.src);
  return (
    <section className={styles.hero} data-tone="dark">
      <div ref={backdrop} className={styles.backdrop} data-scene>
        {picture && <Picture className={styles.poster} picture={picture} portrait={portrait} sizes="100vw" isFirst />}
        {film && <div data-film />}
      </div>
      <Heading className={display.display}>{heading.length > 0 ? <Inline text={heading} /> : page.title}</Heading>
      {isFirst && hint !== '' && <p className={styles.hint}>{hint}</p>}
    </section>
  );
}
