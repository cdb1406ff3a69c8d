import { SoundToggle } from 'virtual:pillion/sound-controls';
import type { Page, Strings } from '@pillion/content/types.ts';
import { AT_TOGGLES, useTone } from '../tone/watch-tone.ts';
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
  const tone = useTone<HTMLDivElement>(page, AT_TOGGLES);
  return (
    <div {...tone} className={`${styles.toggles} ${className}`} data-toggles data-entry="5">
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
