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
const RETURN_FADE_S = 0.1;

/** Time in which the browser must start the sound before it counts as refused, in milliseconds. */
const START_TIMEOUT_MS = 2_000;

/** Delay before a muted context is suspended, in milliseconds. A running one keeps the sound card awake. */
const SUSPEND_DELAY_MS = 1_000;

/** Whether the site turned off the tone filter (`audio.tone` of the texts, as `data-music` on `<html>`). */
const isToneOff = () => document.documentElement.dataset.music === 'plain';

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
  const tone = isToneOff() ? null : createTone(context, gain, scroll);
  const fader = createFader(gain.gain, () => context.currentTime);
  let playing: LoopingTrack | undefined;
  let wantedTrack: string | null = null;
  let isMuted = true;
  /** While audible: the timeout of the start. Otherwise the delay before the context is suspended. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isAudible = () => playing !== undefined && !isMuted && !document.hidden;

  const resumeContext = () => {
    clearTimeout(timer);
    if (context.state === 'running') return onStarted();
    timer = setTimeout(onRefused, START_TIMEOUT_MS);
    // `statechange` reports the result.
    context.resume().catch(() => {});
  };
  const suspendContext = () => {
    if (fader.isMoving() && context.state === 'running') timer = setTimeout(suspendContext, SUSPEND_DELAY_MS);
    else context.suspend().catch(() => {});
  };
  /**
   * Applies the wanted state to volume and context.
   * @param fadeSeconds Not for a hidden tab, which is silenced at once (R37).
   */
  const applyState = (fadeSeconds: number) => {
    clearTimeout(timer);
    if (isAudible()) {
      tone?.follow();
      fader.to(1, fadeSeconds);
      resumeContext();
    } else {
      if (document.hidden) fader.silence();
      else fader.to(0, fadeSeconds);
      timer = setTimeout(suspendContext, SUSPEND_DELAY_MS);
    }
  };

  const startTrack = (buffer: AudioBuffer) => {
    playing?.end();
    playing = startLoop(context, buffer, tone?.input ?? gain);
    applyState(FADE_S);
  };
  const loadTrack = async (track: string) => {
    try {
      const buffer = await fetchAudio(context, track);
      // The wanted track may have changed during the fetch.
      if (track === wantedTrack) startTrack(buffer);
    } catch (error) {
      if (track !== wantedTrack) return;
      stop();
      onFailed(error);
    }
  };
  const stop = () => {
    wantedTrack = null;
    isMuted = true;
    playing?.end();
    playing = undefined;
    fader.silence();
    applyState(0);
  };

  // After an interruption by the system, such as a phone call on iOS, playback resumes as soon as allowed.
  context.addEventListener('statechange', () => {
    if (isAudible()) resumeContext();
  });
  scroll.subscribe(() => {
    if (isAudible()) tone?.follow();
  });
  onVisibilityChange(() => applyState(RETURN_FADE_S));
  window.addEventListener('pagehide', () => {
    if (isMuted) storePosition(null);
    else if (playing) storePosition(playing.position());
  });

  return {
    play(track) {
      isMuted = false;
      if (track !== wantedTrack) {
        wantedTrack = track;
        void loadTrack(track);
      }
      applyState(FADE_S);
    },
    mute() {
      isMuted = true;
      applyState(FADE_S);
    },
    stop,
  };
}

/** A track that plays in a loop. */
interface LoopingTrack {
  /** Position in the track, in seconds. */
  position(): number;
  end(): void;
}

/** Starts a track, at the position that an earlier page stored. */
function startLoop(context: AudioContext, buffer: AudioBuffer, output: AudioNode): LoopingTrack {
  const { start, end } = findLoop(buffer.getChannelData(0), buffer.sampleRate);
  const source = new AudioBufferSourceNode(context, { buffer, loop: true, loopStart: start, loopEnd: end });
  source.connect(output);
  // The stored position may be before this loop, because the last page had another track.
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

async function fetchAudio(context: AudioContext, track: string): Promise<AudioBuffer> {
  const response = await fetch(track);
  if (!response.ok) throw new Error(`${track} answered ${response.status}`);
  return context.decodeAudioData(await response.arrayBuffer());
}

function onVisibilityChange(listener: () => void): void {
  document.addEventListener('visibilitychange', listener);
  // Back from the back/forward cache.
  window.addEventListener('pageshow', listener);
}
