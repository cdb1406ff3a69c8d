import { SoundToggle } from 'virtual:pillion/sound-controls';
import type { Page, Strings } from '@pillion/content/types.ts';
import { useEffect, useRef } from 'react';
import { hasHero } from '../../registry/kind-of-page.ts';
import { AT_TOGGLES, watchTone } from '../tone/watch-tone.ts';
import styles from './toggles.module.css';

interface Props {
  strings: Strings;
  page: Page;
  className: string | undefined;
}

/**
 * Toggles for motion and sound (R7). Their names do not change; pressed means on. attach-toggles.ts shows them: without
 * script there is no sound and no motion.
 */
export function Toggles({ strings: { labels }, page, className }: Props) {
  const toggles = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (toggles.current && hasHero(page)) return watchTone(toggles.current, AT_TOGGLES);
  }, [page]);
  return (
    <div ref={toggles} className={`${styles.toggles} ${className}`} data-toggles data-entry="5">
      <button type="button" hidden>
        <span>{labels.motion}</span>
        <i />
        <i />
        <i />
      </button>
      <SoundToggle label={labels.sound} />
    </div>
  );
}
