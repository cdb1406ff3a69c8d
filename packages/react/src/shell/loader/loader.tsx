import type { Page, ShellContent } from '@pillion/content/types.ts';
import { useHeroCanPlay, useStageProgress } from '@pillion/motion/hooks/use-stage.ts';
import { useEffect, useRef, useState } from 'react';
import { heroOf } from '../../registry/kind-of-page.ts';
import { Brand } from '../../ui/brand.tsx';
import display from '../../ui/display.module.css';
import { Inline } from '../../ui/inline.tsx';
import styles from './loader.module.css';

/** How long it takes to fade, in milliseconds (R9). */
const FADE_MS = 1_000;
/** Most of the page is seen in the first half of it: Lighthouse's Speed Index is 1.27 s in place of 1.38 at an even pace. */
const FADE_EASING = 'cubic-bezier(0.1, 0.4, 0.5, 1)';

/**
 * Lies over the first page until its hero can play, fades and leaves for good (R9): no later page and no return to this
 * one brings it back. The site's stylesheet draws `[data-progress]` from `--progress`, 0 to 1. It repeats what the page under
 * it says, so it is hidden from assistive technology.
 */
export function Loader({ shell: { strings }, page }: { shell: ShellContent; page: Page }) {
  const hero = heroOf(page);
  const [isGone, setGone] = useState(!hero);
  const element = useRef<HTMLDivElement>(null);
  const heroCanPlay = useHeroCanPlay();
  const progress = useStageProgress();
  useEffect(() => element.current?.style.setProperty('--progress', String(progress)), [progress]);
  useEffect(() => {
    if (!heroCanPlay || !element.current) return;
    // Not a style: should this script come late, the stylesheet has let the visitor in already and the fade is none.
    const fade = element.current.animate({ opacity: 0 }, { duration: FADE_MS, easing: FADE_EASING, fill: 'forwards' });
    fade.onfinish = () => setGone(true);
    return () => fade.cancel();
  }, [heroCanPlay]);
  if (isGone || !hero) return null;
  return (
    <div ref={element} className={styles.loader} data-loader data-tone="dark" aria-hidden="true">
      <p className={display.display}>{hero.heading.length > 0 ? <Inline text={hero.heading} /> : page.title}</p>
      <div data-progress />
      <div className={styles.brand}>
        <Brand strings={strings} />
      </div>
    </div>
  );
}
