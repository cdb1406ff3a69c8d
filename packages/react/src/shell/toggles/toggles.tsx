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
 * Toggles for motion and sound. Their names do not change; pressed means on. Both are rendered by script only, because
 * without script there is no sound and no motion.
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
