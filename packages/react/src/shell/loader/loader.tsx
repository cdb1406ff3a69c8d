import type { Page, ShellContent } from '@pillion/content/types.ts';
import { useHeroCanPlay, useStageProgress } from '@pillion/motion/hooks/use-stage.ts';
import { useEffect, useRef, useState } from 'react';
import { heroOf } from '../../registry/kind-of-page.ts';
import { Brand } from '../../ui/brand.tsx';
import display from '../../ui/display.module.css';
import { Inline } from '../../ui/inline.tsx';
import styles from './loader.module.css';

/** Duration of the fade, in milliseconds (R9). */
const FADE_MS = 1_000;
/** It shows most of the page in its first half: Lighthouse's Speed Index is 1.27 s, and 1.38 s with a linear fade. */
const FADE_EASING = 'cubic-bezier(0.1, 0.4, 0.5, 1)';

/**
 * Covers the first page until its hero can play, then fades and never returns (R9). The site's stylesheet draws
 * `[data-progress]` from `--progress`, 0 to 1. Its text is also on the page below, so it is hidden from assistive
 * technology.
 */
export function Loader({ shell: { strings }, page }: { shell: ShellContent; page: Page }) {
  const hero = heroOf(page);
  const [isGone, setGone] = useState(!hero);
  const loader = useRef<HTMLDivElement>(null);
  const heroCanPlay = useHeroCanPlay();
  const progress = useStageProgress();
  useEffect(() => loader.current?.style.setProperty('--progress', String(progress)), [progress]);
  useEffect(() => {
    if (!heroCanPlay || !loader.current) return;
    // Starts at the current opacity: if this script runs late, the stylesheet has already hidden the loader.
    const fade = loader.current.animate({ opacity: 0 }, { duration: FADE_MS, easing: FADE_EASING, fill: 'forwards' });
    fade.onfinish = () => setGone(true);
    return () => fade.cancel();
  }, [heroCanPlay]);
  // The visitor may leave the page before its hero can play.
  if (!hero && !isGone) setGone(true);
  if (isGone || !hero) return null;
  return (
    <div ref={loader} className={styles.loader} data-loader data-tone="dark" aria-hidden="true">
      <p className={display.display}>{hero.heading.length > 0 ? <Inline text={hero.heading} /> : page.title}</p>
      <div data-progress />
      <div className={styles.brand}>
        <Brand strings={strings} />
      </div>
    </div>
  );
}
