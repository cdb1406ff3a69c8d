import { SoundToggle } from 'virtual:pillion/music';
import type { Page, Strings } from '@pillion/content/types.ts';
import { useEffect, useRef } from 'react';
import { hasHero } from '../../registry/kind-of-page.ts';
import { AT_TOGGLES, watchTone } from '../tone/watch-tone.ts';
import { MotionToggle } from './motion-toggle.tsx';
import styles from './toggles.module.css';

interface Props {
  strings: Strings;
  page: Page;
  className: string | undefined;
}

/**
 * What the visitor switches on and off. The names stay the same; pressed means on. Both buttons come with script: without
 * it nothing sounds, and nothing moves by itself.
 */
export function Toggles({ strings: { labels, audio }, page, className }: Props) {
  const toggles = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (toggles.current && hasHero(page)) return watchTone(toggles.current, AT_TOGGLES);
  }, [page]);
  return (
    <div ref={toggles} className={`${styles.toggles} ${className}`} data-entry="5">
      <MotionToggle label={labels.motion} />
      <SoundToggle label={labels.sound} track={audio.url} />
    </div>
  );
}
