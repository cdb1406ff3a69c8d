import type { Scroll } from '../scroll/scroll.ts';
import { createFader } from './fader.ts';
import { findLoop } from './loop.ts';
import { storedPosition, storePosition } from './position.ts';
import { createTone } from './tone.ts';

export interface Player {
  /** Fades in the track at this URL. The current track plays until the new one is loaded. */
  play(track: string): void;
  mute(): void;
  /** Silences and removes the track at once. */
  stop(): void;
}

export interface PlayerOptions {
  scroll: Scroll;
  /** A context that was created within the visitor's gesture, if there is one. */
  context: AudioContext | undefined;
  /** The track is playing or fading in. */
  onStarted(): void;
  /** The browser does not allow playback. If it allows it later, `onStarted` follows. */
  onRefused(): void;
  onFailed(error: unknown): void;
}

/** Duration of a fade, in seconds (R34). */
const FADE_S = 0.8;

/** Fade when the tab is visible again, in seconds (R37): short, but without an audible click. */
const RETURN_S = 0.1;

/** Time in which the browser must start the sound before it counts as refused, in milliseconds. */
const PATIENCE_MS = 2_000;

/** Delay before a muted context is suspended, in milliseconds. A running one keeps the sound card awake. */
const REST_MS = 1_000;

/** Whether the site turned off the tone filter (`audio.tone` of the texts, as `data-music` on `<html>`). */
const isPlain = () => document.documentElement.dataset.music === 'plain';

/** Plays one looping track: source → tone → gain → output. @throws If the browser cannot create an AudioContext. */
export function createPlayer({
  scroll,
  context = new AudioContext(),
  onStarted,
  onRefused,
  onFailed,
}: PlayerOptions): Player {
  const gain = context.createGain();
  gain.connect(context.destination);
  const tone = isPlain() ? null : createTone(context, gain, scroll);
  const fader = createFader(gain.gain, () => context.currentTime);
  let loop: Loop | undefined;
  let wanted: string | null = null;
  let isMuted = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isHeard = () => loop !== undefined && !isMuted && !document.hidden;

  const wake = () => {
    clearTimeout(timer);
    if (context.state === 'running') return onStarted();
    timer = setTimeout(onRefused, PATIENCE_MS);
    // `statechange` reports the result.
    context.resume().catch(() => {});
  };
  const rest = () => {
    if (fader.isMoving() && context.state === 'running') timer = setTimeout(rest, REST_MS);
    else context.suspend().catch(() => {});
  };
  /** Applies the wanted state to volume and context. */
  const settle = (seconds: number) => {
    clearTimeout(timer);
    if (isHeard()) {
      tone?.follow();
      fader.to(1, seconds);
      wake();
    } else {
      if (document.hidden) fader.hush();
      else fader.to(0, seconds);
      timer = setTimeout(rest, REST_MS);
    }
  };

  const put = (buffer: AudioBuffer) => {
    loop?.end();
    loop = startLoop(context, buffer, tone?.input ?? gain);
    settle(FADE_S);
  };
  const load = async (track: string) => {
    try {
      const buffer = await decoded(context, track);
      // The wanted track may have changed during the fetch.
      if (track === wanted) put(buffer);
    } catch (error) {
      if (track !== wanted) return;
      stop();
      onFailed(error);
    }
  };
  const stop = () => {
    wanted = null;
    isMuted = true;
    loop?.end();
    loop = undefined;
    fader.hush();
    settle(0);
  };

  // After an interruption by the system, such as a phone call on iOS, playback resumes as soon as allowed.
  context.addEventListener('statechange', () => {
    if (isHeard()) wake();
  });
  scroll.subscribe(() => {
    if (isHeard()) tone?.follow();
  });
  onVisibility(() => settle(RETURN_S));
  window.addEventListener('pagehide', () => {
    if (isMuted) storePosition(null);
    else if (loop) storePosition(loop.position());
  });

  return {
    play(track) {
      isMuted = false;
      if (track !== wanted) {
        wanted = track;
        void load(track);
      }
      settle(FADE_S);
    },
    mute() {
      isMuted = true;
      settle(FADE_S);
    },
    stop,
  };
}

/** A track that plays in a loop. */
interface Loop {
  /** Position in the track, in seconds. */
  position(): number;
  end(): void;
}

/** Starts a track, at the position that an earlier page stored. */
function startLoop(context: AudioContext, buffer: AudioBuffer, output: AudioNode): Loop {
  const { start, end } = findLoop(buffer.getChannelData(0), buffer.sampleRate);
  const source = new AudioBufferSourceNode(context, { buffer, loop: true, loopStart: start, loopEnd: end });
  source.connect(output);
  const offset = Math.abs(Number(storedPosition() ?? start) - start) % (end - start);
  source.start(0, start + offset);
  const startedAt = context.currentTime - offset;
  return {
    position: () => start + ((context.currentTime - startedAt) % (end - start)),
    end() {
      source.stop();
      source.disconnect();
    },
  };
}

async function decoded(context: AudioContext, track: string): Promise<AudioBuffer> {
  const answer = await fetch(track);
  if (!answer.ok) throw new Error(`${track} answered ${answer.status}`);
  return context.decodeAudioData(await answer.arrayBuffer());
}

function onVisibility(listener: () => void): void {
  document.addEventListener('visibilitychange', listener);
  // Back from the back/forward cache.
  window.addEventListener('pageshow', listener);
}
