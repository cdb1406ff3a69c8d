import { afterPaint } from '../frame/after-paint.ts';
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
  /** Mutes or unmutes for the visitor, from within their gesture, and remembers it for the visit. */
  toggle(): void;
  /** Listens for the first click once the hero can play (R33). @returns Stops that, and the sound. */
  start(): () => void;
}

/** R33: what is clicked in here is no answer to the music. */
export const UNCOUNTED = '[data-consent], #cc-main';

const TOUCH = '(hover: none) and (pointer: coarse)';

/** Where the visitor's choice is kept for the visit: in this tab, through reloads. */
const CHOICE = 'sound';

/** Storage throws where the visitor has forbidden it: their choice then lasts until the page is left. */
function stored<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

/**
 * The music's state, and what the visitor's clicks make of it. What plays it is a chunk of its own, asked for when sound
 * is first wanted. Building the mixer touches nothing, so the server has one too.
 */
export function createMixer({ stage }: { stage: Stage }): Mixer {
  const listeners = new Set<() => void>();
  let state: MixerState = STATES.unavailable;
  let track: string | null = null;
  let isOpen = false;
  let isComing = false;
  let player: Player | undefined;

  const become = (next: SoundName) => {
    if (next === state.name) return;
    state = STATES[next];
    listen();
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        reportError(error);
      }
    }
  };
  const send = (event: SoundEvent) => become(after(state.name, event));
  const fail = (error: unknown) => {
    console.warn('There is no sound:', error);
    send('failed');
  };

  const first = (): SoundName => {
    if (track === null || !('AudioContext' in window)) return 'unavailable';
    if (stored((storage) => storage.getItem(CHOICE)) === 'off') return 'declined';
    // Who saves data is asked before some hundred kilobytes of music are fetched for a click that meant something else.
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    return connection?.saveData || matchMedia(TOUCH).matches ? 'asking' : 'waiting';
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
    stored((storage) => storage.setItem(CHOICE, state.muted ? 'off' : 'on'));
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
  // The toggle's own handler lies nearer to the click: by the time one on it comes here, nobody listens any more.
  const listen = () => {
    const isListening = isOpen && (state.name === 'waiting' || state.name === 'blocked');
    document[isListening ? 'addEventListener' : 'removeEventListener']('click', onClick as EventListener);
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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
      return () => {
        off();
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
