/**
 * Every state the sound can be in (R32): what is not in this table cannot be. `muted` is the visitor's will; the track
 * is heard where it is not muted and has played.
 */
export const STATES = {
  /** No track, no Web Audio, or the track could not be had. */
  unavailable: { name: 'unavailable', isAvailable: false, muted: true, played: false, needsAudioTrigger: false },
  /** The first click anywhere starts it (R33). */
  waiting: { name: 'waiting', isAvailable: true, muted: true, played: false, needsAudioTrigger: false },
  /** Only the toggle starts it: on a touch screen, for a visitor who saves data, or where the browser refused. */
  asking: { name: 'asking', isAvailable: true, muted: true, played: false, needsAudioTrigger: true },
  /** The visitor has said no before anything was heard: nobody asks again. */
  declined: { name: 'declined', isAvailable: true, muted: true, played: false, needsAudioTrigger: false },
  /** Wanted; the track is on its way. */
  starting: { name: 'starting', isAvailable: true, muted: false, played: false, needsAudioTrigger: false },
  playing: { name: 'playing', isAvailable: true, muted: false, played: true, needsAudioTrigger: false },
  /** The visitor has muted it. */
  muted: { name: 'muted', isAvailable: true, muted: true, played: true, needsAudioTrigger: false },
  /** It played, and the browser has stopped it and wants a gesture: after a phone call, say. */
  blocked: { name: 'blocked', isAvailable: true, muted: true, played: true, needsAudioTrigger: true },
} as const;

export type SoundName = keyof typeof STATES;
/** Told apart by its `name`. */
export type MixerState = (typeof STATES)[SoundName];

/** The visitor toggled, here or (`silenced`) in another tab, or what the player has to say. */
export type SoundEvent = 'toggled' | 'silenced' | 'started' | 'refused' | 'failed';

const NEXT: Record<SoundName, Partial<Record<SoundEvent, SoundName>>> = {
  unavailable: {},
  waiting: { toggled: 'starting', silenced: 'declined' },
  asking: { toggled: 'starting', silenced: 'declined', started: 'playing', failed: 'unavailable' },
  declined: { toggled: 'starting', failed: 'unavailable' },
  starting: { toggled: 'declined', silenced: 'declined', started: 'playing', refused: 'asking', failed: 'unavailable' },
  playing: { toggled: 'muted', silenced: 'muted', refused: 'blocked', failed: 'unavailable' },
  muted: { toggled: 'playing', failed: 'unavailable' },
  blocked: { toggled: 'playing', silenced: 'muted', started: 'playing', failed: 'unavailable' },
};

/** @returns Where `event` leads; an event that means nothing now, a late one say, leads nowhere. */
export const after = (name: SoundName, event: SoundEvent): SoundName => NEXT[name][event] ?? name;
