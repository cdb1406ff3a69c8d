import { useMixer } from '@pillion/motion/hooks/use-mixer.ts';
import { useEffect } from 'react';

interface Props {
  label: string;
  /** URL of the music; `null`: no music. */
  track: string | null;
}

/** Mutes and unmutes the music (R7). Not rendered if the music is unavailable. */
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
