import type { Mixer } from './mixer.ts';
import type { MixerState } from './sound-state.ts';

/** `STATES.unavailable`, without the table of all states. */
const UNAVAILABLE: MixerState = {
  name: 'unavailable',
  isAvailable: false,
  muted: true,
  played: false,
  needsAudioTrigger: false,
};

const nothing = () => () => {};

/** Creates the mixer of a site without music. */
export const createSilence = (): Mixer => ({
  state: () => UNAVAILABLE,
  subscribe: nothing,
  load() {},
  toggle() {},
  silence() {},
  start: nothing,
});
