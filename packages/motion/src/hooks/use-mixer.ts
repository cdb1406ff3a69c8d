import { useSyncExternalStore } from 'react';
import type { Mixer, MixerState } from '../sound/mixer.ts';
import { useEngines } from './use-engines.ts';

/**
 * The music's state (R32) and the mixer that changes it.
 * @throws Outside the engines' provider (R38).
 */
export function useMixer(): { state: MixerState; mixer: Mixer } {
  const { mixer } = useEngines('useMixer');
  return { mixer, state: useSyncExternalStore(mixer.subscribe, mixer.state, mixer.state) };
}
