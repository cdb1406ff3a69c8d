import { createEmitter } from '@pillion/lib/browser/emitter.ts';
import { savesData, stored } from '@pillion/lib/browser/visitor.ts';
import { afterPaint } from '../frame/after-paint.ts';
import type { Scroll } from '../scroll/scroll.ts';
import type { Stage } from '../stage/stage.ts';
import type { Player, PlayerOptions } from './player.ts';
import { storedPosition } from './position.ts';
import { type MixerState, nextState, type SoundEvent, type SoundName, STATES } from './sound-state.ts';

export type { MixerState };

export interface Mixer {
  /** Returns the same object until the state changes. */
  state(): MixerState;
  /** The listener runs on every change. @returns A function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Sets the track's URL, `null` for no track. The track is fetched only when the visitor wants to hear it (R35). */
  load(track: string | null): void;
  /** Mutes or unmutes; called within a user gesture. The choice is stored, and other tabs of the site see it. */
  toggle(): void;
  /** Mutes while the visitor listens to something else. Only the toggle starts the music then. Nothing is stored. */
  silence(): void;
  /** Listens for the first click once the hero can play (R33). @returns A function that stops the mixer. */
  start(): () => void;
}

/** Clicks in these elements do not start the music (R33): the visitor answers a question, uses a toggle or plays a video. */
export const IGNORED_CLICKS = '[data-consent], [data-offer], [aria-pressed], [data-embed]';

const TOUCH_ONLY = '(hover: none) and (pointer: coarse)';

/**
 * Storage key of the visitor's choice: `off`, or `on` with a random number. All tabs of the site read it, so that no
 * other tab starts music after a visitor has muted one.
 */
const CHOICE_KEY = 'sound';

/**
 * Manages the state of the music and the visitor's clicks. The player is a separate chunk, fetched when sound is first
 * wanted. Creating the mixer has no side effects, so the server can do it too.
 */
export function createMixer({ stage, scroll }: { stage: Stage; scroll: Scroll }): Mixer {
  const { subscribe, emit } = createEmitter();
  let state: MixerState = STATES.unavailable;
  let track: string | null = null;
  let isHeroPlaying = false;
  /** Whether `silence()` was called since the last toggle. A track that is loaded later then starts muted. */
  let isSilenced = false;

  const setState = (nextName: SoundName) => {
    if (nextName === state.name) return;
    state = STATES[nextName];
    updateClickListener();
    emit();
  };
  const dispatch = (event: SoundEvent) => setState(nextState(state.name, event));
  const onFailed = (error: unknown) => {
    console.warn('There is no sound:', error);
    dispatch('failed');
  };

  const player = createLazyPlayer(
    { scroll, onStarted: () => dispatch('started'), onRefused: () => dispatch('refused'), onFailed },
    () => (!state.muted || state.name === 'blocked' ? track : null),
  );
  const play = () => {
    if (track !== null) player.play(track);
  };

  const toggle = () => {
    isSilenced = false;
    if (!state.isAvailable) return;
    dispatch('toggled');
    storeChoice(state.muted);
    if (state.muted) player.mute();
    else play();
  };

  const muteWithoutStoring = () => {
    dispatch('silenced');
    player.mute();
  };

  /**
   * Clicks by keyboard or script have `detail` 0. Music must not start when a visitor follows a link with Enter or uses
   * a screen reader. They can use the toggle.
   */
  const onClick = ({ detail, target }: MouseEvent) => {
    if (detail > 0 && !(target instanceof Element && target.closest(IGNORED_CLICKS))) toggle();
  };
  // The toggle's handler runs first and removes this listener, so one click never toggles twice.
  const updateClickListener = () => {
    document.removeEventListener('click', onClick);
    if (isHeroPlaying && (state.name === 'waiting' || state.name === 'blocked'))
      document.addEventListener('click', onClick);
  };

  /** Follows a choice made on another page: music plays in one tab at a time, and muting applies to all tabs. */
  const followChoice = (choice: string | null) => {
    if (choice !== null && (!state.muted || choice === 'off')) muteWithoutStoring();
  };
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === CHOICE_KEY) followChoice(newValue);
  };
  // In the back/forward cache a page gets no storage events. Only muting counts: this tab may have resumed the music.
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && storedChoice() === 'off') muteWithoutStoring();
  };

  return {
    state: () => state,
    subscribe,
    load(newTrack) {
      if (newTrack === track) return;
      track = newTrack;
      if (track === null) player.stop();
      // The state stays when one track follows another. The first track, or no track, sets it again.
      if (track === null || !state.isAvailable) {
        setState(initialState(track));
        if (isSilenced) dispatch('silenced');
      } else if (!state.muted) play();
    },
    toggle,
    silence() {
      isSilenced = true;
      muteWithoutStoring();
    },
    start() {
      const unsubscribe = stage.whenPlaying(() => {
        isHeroPlaying = true;
        updateClickListener();
        if (state.name === 'blocked') play();
      });
      addEventListener('storage', onStorage);
      addEventListener('pageshow', onPageShow);
      return () => {
        unsubscribe();
        removeEventListener('storage', onStorage);
        removeEventListener('pageshow', onPageShow);
        isHeroPlaying = false;
        updateClickListener();
        player.stop();
      };
    },
  };
}

function initialState(track: string | null): SoundName {
  if (track === null || !('AudioContext' in window)) return 'unavailable';
  if (storedChoice() === 'off') return 'declined';
  // It played until this page was loaded. It resumes at once, or with the next click if the browser requires one.
  if (storedPosition()) return 'blocked';
  // The music has some hundred kilobytes. Visitors who save data must start it with the toggle.
  return savesData() || matchMedia(TOUCH_ONLY).matches ? 'asking' : 'waiting';
}

const storedChoice = () => stored((storage) => storage.getItem(CHOICE_KEY));

/** Stores the choice. A new value each time: other tabs get an event only if the value changes. */
function storeChoice(isMuted: boolean): void {
  stored((storage) => storage.setItem(CHOICE_KEY, isMuted ? 'off' : `on ${Math.random()}`));
}

/**
 * A player that is fetched at the first `play`.
 * @param trackToPlay The track to play once the player is there; `null` if the visitor has muted by then.
 */
function createLazyPlayer(options: Omit<PlayerOptions, 'context'>, trackToPlay: () => string | null): Player {
  let player: Player | undefined;
  let isLoading = false;
  return {
    play(track) {
      if (player) return player.play(track);
      if (isLoading) return;
      isLoading = true;
      loadPlayer(options)
        .then((loaded) => {
          player = loaded;
          const currentTrack = trackToPlay();
          // A muted player lets its audio context rest.
          if (currentTrack === null) player.mute();
          else player.play(currentTrack);
        })
        .catch((error) => {
          // Another track may try again.
          isLoading = false;
          options.onFailed(error);
        });
    },
    mute: () => player?.mute(),
    stop: () => player?.stop(),
  };
}

/** Creates the player after the next paint. Call this within the visitor's gesture. */
function loadPlayer(options: Omit<PlayerOptions, 'context'>): Promise<Player> {
  // Creating an AudioContext takes 20 to 90 ms in Chromium, so it comes after the paint that responds to the click.
  // Only WebKit requires that the context is created and resumed within the gesture, and only WebKit has an audio
  // session.
  const context = 'audioSession' in navigator ? createResumedContext() : undefined;
  return new Promise((resolve, reject) => {
    afterPaint(() => {
      import('./player.ts').then(({ createPlayer }) => createPlayer({ ...options, context })).then(resolve, reject);
    });
  });
}

function createResumedContext(): AudioContext | undefined {
  try {
    const context = new AudioContext();
    // The player reads `context.state` later.
    context.resume().catch(() => {});
    return context;
  } catch {
    return undefined;
  }
}
