import { createEmitter } from '@pillion/lib/browser/emitter.ts';
import { savesData, stored } from '@pillion/lib/browser/visitor.ts';
import { afterPaint } from '../frame/after-paint.ts';
import type { Scroll } from '../scroll/scroll.ts';
import type { Stage } from '../stage/stage.ts';
import type { Player } from './player.ts';
import { after, type MixerState, type SoundEvent, type SoundName, STATES } from './sound-state.ts';

export type { MixerState };

export interface Mixer {
  /** The same object as long as nothing changes. */
  state(): MixerState;
  /** Called at every change. @returns Ends the subscription. */
  subscribe(listener: () => void): () => void;
  /** Says which track there is, by its address; `null`: none. Fetches nothing before the visitor wants to hear it (R35). */
  load(track: string | null): void;
  /** Mutes or unmutes for the visitor, from within their gesture; remembered, and told to the site's other tabs. */
  toggle(): void;
  /** Listens for the first click once the hero can play (R33). @returns Stops that, and the sound. */
  start(): () => void;
}

/** A click in here does not start the music (R33): the visitor answers another question, or switches one thing. */
export const UNCOUNTED = '[data-consent], [data-offer], [aria-pressed]';

const TOUCH = '(hover: none) and (pointer: coarse)';

/**
 * Where the visitor's choice is kept: `off`, or which tab plays. All tabs of the site see it, so that who has muted one
 * is not met by music in the next.
 */
const CHOICE = 'sound';

/**
 * The music's state, and what the visitor's clicks make of it. What plays it is a chunk of its own, asked for when sound
 * is first wanted. Building the mixer touches nothing, so the server has one too.
 */
export function createMixer({ stage, scroll }: { stage: Stage; scroll: Scroll }): Mixer {
  const { subscribe, emit } = createEmitter();
  let state: MixerState = STATES.unavailable;
  let track: string | null = null;
  let isOpen = false;
  let isComing = false;
  let player: Player | undefined;

  const become = (next: SoundName) => {
    if (next === state.name) return;
    state = STATES[next];
    listen();
    emit();
  };
  const send = (event: SoundEvent) => become(after(state.name, event));
  const fail = (error: unknown) => {
    console.warn('There is no sound:', error);
    send('failed');
  };

  const first = (): SoundName => {
    if (track === null || !('AudioContext' in window)) return 'unavailable';
    if (stored((storage) => storage.getItem(CHOICE)) === 'off') return 'declined';
    // The music is some hundred kilobytes. A visitor who saves data has to ask for it by the toggle.
    return savesData() || matchMedia(TOUCH).matches ? 'asking' : 'waiting';
  };

  const play = () => {
    if (track === null) return;
    if (player) return player.play(track);
    if (isComing) return;
    isComing = true;
    // Making a context waits for the browser's audio service, 20 to 90 ms in Chromium: that comes after the paint that
    // answers the click. Only WebKit wants it made and resumed within the gesture, and only WebKit has an audio session.
    const context = 'audioSession' in navigator ? resumedContext() : undefined;
    afterPaint(() => {
      import('./player.ts')
        .then(({ createPlayer }) => {
          player = createPlayer({
            scroll,
            context,
            onStarted: () => send('started'),
            onRefused: () => send('refused'),
            onFailed: fail,
          });
          if (!state.muted) play();
        })
        .catch(fail)
        .finally(() => {
          isComing = false;
        });
    });
  };

  const toggle = () => {
    if (!state.isAvailable) return;
    send('toggled');
    // A value of its own each time: another tab hears of changes only.
    stored((storage) => storage.setItem(CHOICE, state.muted ? 'off' : `on ${Math.random()}`));
    if (state.muted) player?.mute();
    else play();
  };

  /**
   * A click made with the keyboard, or by a script, has the detail 0: whoever follows a link with Enter, or goes through
   * the page with a screen reader, would have music break into what they hear. The toggle is theirs.
   */
  const onClick = ({ detail, target }: MouseEvent) => {
    if (detail > 0 && !(target instanceof Element && target.closest(UNCOUNTED))) toggle();
  };
  // The toggle's own handler runs first, and then nothing listens here any more: one click never toggles twice.
  const listen = () => {
    const isListening = isOpen && (state.name === 'waiting' || state.name === 'blocked');
    document[isListening ? 'addEventListener' : 'removeEventListener']('click', onClick as EventListener);
  };

  /** What the visitor did in another tab: music plays in one at a time, and a no counts in all. */
  const onChoice = ({ key, newValue }: StorageEvent) => {
    if (key !== CHOICE || newValue === null || (state.muted && newValue !== 'off')) return;
    send('silenced');
    player?.mute();
  };

  return {
    state: () => state,
    subscribe,
    load(next) {
      if (next === track) return;
      track = next;
      if (track === null) player?.stop();
      if (track === null || !state.isAvailable) become(first());
      else if (!state.muted) player?.play(track);
    },
    toggle,
    start() {
      const off = stage.whenPlaying(() => {
        isOpen = true;
        listen();
      });
      addEventListener('storage', onChoice);
      return () => {
        off();
        removeEventListener('storage', onChoice);
        isOpen = false;
        listen();
        player?.stop();
      };
    },
  };
}

function resumedContext(): AudioContext | undefined {
  try {
    const context = new AudioContext();
    // Whether it runs is read from its state.
    context.resume().catch(() => {});
    return context;
  } catch {
    return undefined;
  }
}
