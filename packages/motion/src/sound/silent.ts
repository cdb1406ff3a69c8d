import type { Mixer } from './mixer.ts';
import { STATES } from './sound-state.ts';

const nothing = () => () => {};

/** Creates the mixer of a site without music. */
export const createSilence = (): Mixer => ({
  state: () => STATES.unavailable,
  subscribe: nothing,
  load() {},
  toggle() {},
  start: nothing,
});
