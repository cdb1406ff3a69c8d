import { useEffect } from 'react';
import { useMixer } from '../../engines/sound/use-mixer.ts';
import styles from './sound-toggle.module.css';

interface Props {
  label: string;
  /** Address of the music, `null`: none. */
  track: string | null;
  className?: string | undefined;
}

/**
 * Mutes and unmutes the music (R7). Pressed means heard; its name stays the same. Only script can play, so it comes with
 * script, and it goes where the music cannot be had.
 */
export function SoundToggle({ label, track, className }: Props) {
  const { state, mixer } = useMixer();
  useEffect(() => mixer.load(track), [mixer, track]);
  if (!state.isAvailable) return null;
  return (
    <button
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
