import { useEffect, useRef } from 'react';
import type { Page } from '../../../shared/content.ts';
import { useMixer } from '../../engines/hooks/use-mixer.ts';
import { hasHero } from '../../lib/kind-of-page.ts';
import { AT_SOUND, watchTone } from '../tone/watch-tone.ts';
import styles from './sound-toggle.module.css';

interface Props {
  label: string;
  /** Address of the music, `null`: none. */
  track: string | null;
  className?: string | undefined;
  page: Page;
}

/**
 * Mutes and unmutes the music (R7). Pressed means heard; its name stays the same. Only script can play, so it comes with
 * script, and it goes where the music cannot be had.
 */
export function SoundToggle({ label, track, className, page }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const { state, mixer } = useMixer();
  useEffect(() => mixer.load(track), [mixer, track]);
  const { isAvailable } = state;
  useEffect(() => {
    if (isAvailable && button.current && hasHero(page)) return watchTone(button.current, AT_SOUND);
  }, [page, isAvailable]);
  if (!isAvailable) return null;
  return (
    <button
      ref={button}
      type="button"
      className={`${styles.toggle} ${className}`}
      aria-pressed={!state.muted}
      data-sound={state.name}
      data-entry="5"
      onClick={mixer.toggle}
    >
      <span>{label}</span>
      <i />
      <i />
      <i />
      <i />
    </button>
  );
}
