/**
 * All states of the sound (R32). `muted` is what the visitor wants; the track is audible if it is not muted and has
 * played.
 */
export const STATES = {
  /** No track, no Web Audio, or the track could not be loaded. */
  unavailable: { name: 'unavailable', isAvailable: false, muted: true, played: false, needsAudioTrigger: false },
  /** The first click anywhere starts it (R33). */
  waiting: { name: 'waiting', isAvailable: true, muted: true, played: false, needsAudioTrigger: false },
  /** Only the toggle starts it: on a touch screen, with Save-Data, or after the browser refused playback. */
  asking: { name: 'asking', isAvailable: true, muted: true, played: false, needsAudioTrigger: true },
  /** The visitor declined before anything was heard: the site does not ask again. */
  declined: { name: 'declined', isAvailable: true, muted: true, played: false, needsAudioTrigger: false },
  /** The track is loading. */
  starting: { name: 'starting', isAvailable: true, muted: false, played: false, needsAudioTrigger: false },
  playing: { name: 'playing', isAvailable: true, muted: false, played: true, needsAudioTrigger: false },
  /** The visitor has muted it. */
  muted: { name: 'muted', isAvailable: true, muted: true, played: true, needsAudioTrigger: false },
  /** The browser stopped it, for example for a phone call, and requires a gesture to resume. */
  blocked: { name: 'blocked', isAvailable: true, muted: true, played: true, needsAudioTrigger: true },
} as const;

export type SoundName = keyof typeof STATES;
/** Discriminated by `name`. */
export type MixerState = (typeof STATES)[SoundName];

/** The visitor toggled, in this tab or (`silenced`) in another; or an event of the player. */
export type SoundEvent = 'toggled' | 'silenced' | 'started' | 'refused' | 'failed';

const TRANSITIONS: Record<SoundName, Partial<Record<SoundEvent, SoundName>>> = {
  unavailable: {},
  waiting: { toggled: 'starting', silenced: 'declined' },
  asking: { toggled: 'starting', silenced: 'declined', started: 'playing', failed: 'unavailable' },
  declined: { toggled: 'starting', failed: 'unavailable' },
  starting: { toggled: 'declined', silenced: 'declined', started: 'playing', refused: 'asking', failed: 'unavailable' },
  playing: { toggled: 'muted', silenced: 'muted', refused: 'blocked', failed: 'unavailable' },
  muted: { toggled: 'playing', failed: 'unavailable' },
  blocked: { toggled: 'playing', silenced: 'muted', started: 'playing', failed: 'unavailable' },
};

/** @returns The next state. An event without meaning in this state, such as a late one, changes nothing. */
export const nextState = (name: SoundName, event: SoundEvent): SoundName => TRANSITIONS[name][event] ?? name;
