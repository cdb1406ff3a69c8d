import { useSyncExternalStore } from 'react';
import type { Mixer, MixerState } from '../sound/mixer.ts';
import { useEngines } from './use-engines.ts';

/**
 * The state of the music (R32) and the mixer that changes it.
 * @throws Outside of `EnginesProvider` (R38).
 */
export function useMixer(): { state: MixerState; mixer: Mixer } {
  const { mixer } = useEngines('useMixer');
  return { mixer, state: useSyncExternalStore(mixer.subscribe, mixer.state, mixer.state) };
}
