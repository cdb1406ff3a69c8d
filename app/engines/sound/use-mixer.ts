import { useSyncExternalStore } from 'react';
import { useEngines } from '../use-engines.ts';
import type { Mixer, MixerState } from './mixer.ts';

/**
 * The music's state (R32) and the mixer that changes it.
 * @throws Outside the engines' provider (R38).
 */
export function useMixer(): { state: MixerState; mixer: Mixer } {
  const { mixer } = useEngines('useMixer');
  return { mixer, state: useSyncExternalStore(mixer.subscribe, mixer.state, mixer.state) };
}
