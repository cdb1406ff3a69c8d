import { useMixer } from '@pillion/motion/hooks/use-mixer.ts';
import { useEffect } from 'react';

interface Props {
  label: string;
  /** Address of the music, `null`: none. */
  track: string | null;
}

/** Mutes and unmutes the music (R7). It goes where the music cannot be had. */
export function SoundToggle({ label, track }: Props) {
  const { state, mixer } = useMixer();
  useEffect(() => mixer.load(track), [mixer, track]);
  if (!state.isAvailable) return null;
  return (
    <button type="button" aria-pressed={!state.muted} data-sound={state.name} onClick={mixer.toggle}>
      <span>{label}</span>
      <i />
      <i />
      <i />
      <i />
    </button>
  );
}
