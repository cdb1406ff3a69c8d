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

const doNothing = () => () => {};

/** Creates the mixer of a site without music. */
export const createSilence = (): Mixer => ({
  state: () => UNAVAILABLE,
  subscribe: doNothing,
  load() {},
  toggle() {},
  silence() {},
  start: doNothing,
});
