import type { Stage } from '../stage/stage.ts';

/** The music's state (R32). */
export interface MixerState {
  muted: boolean;
  played: boolean;
  needsAudioTrigger: boolean;
  isAvailable: boolean;
}

export interface Mixer {
  state(): MixerState;
  subscribe(listener: () => void): () => void;
  toggle(): void;
}

export function createMixer(_: { stage: Stage }): Mixer {
  const state: MixerState = { muted: true, played: false, needsAudioTrigger: false, isAvailable: false };
  return { state: () => state, subscribe: () => () => {}, toggle() {} };
}
