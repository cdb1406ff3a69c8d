import type { Scroll } from '../scroll/scroll.ts';
import { createFader } from './fader.ts';
import { findLoop } from './loop.ts';
import { createTone } from './tone.ts';

export interface Player {
  /** Fades in the track at this address; the one that plays goes on until another one is there. */
  play(track: string): void;
  mute(): void;
  /** Silence at once, and nothing left to play. */
  stop(): void;
}

interface PlayerOptions {
  scroll: Scroll;
  /** One that was made within the visitor's gesture, where there is one. */
  context: AudioContext | undefined;
  /** The track is heard, or on its way in. */
  onStarted(): void;
  /** The browser does not let it be heard. It may change its mind: `onStarted` then follows. */
  onRefused(): void;
  onFailed(error: unknown): void;
}

/** R34. */
const FADE_S = 0.8;

/** R37: back as soon as the tab is, without a click in the loudspeaker. */
const RETURN_S = 0.1;

/** How long a browser may take to let the sound run before it counts as refused, in milliseconds. */
const PATIENCE_MS = 2_000;

/** A muted context runs on for this long, in milliseconds, then it rests: it would keep the sound card awake. */
const REST_MS = 1_000;

/** The site's own music stays as it was made (`audio.tone` of the texts, on `<html>`). */
const isPlain = () => document.documentElement.dataset.music === 'plain';

/** Plays one looping track: source → tone → gain → loudspeaker. @throws Where the browser makes no audio context. */
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
  let source: AudioBufferSourceNode | undefined;
  let wanted: string | null = null;
  let isMuted = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isHeard = () => source !== undefined && !isMuted && !document.hidden;

  const wake = () => {
    clearTimeout(timer);
    if (context.state === 'running') return onStarted();
    timer = setTimeout(onRefused, PATIENCE_MS);
    // What counts is the state that follows.
    context.resume().catch(() => {});
  };
  const rest = () => {
    if (fader.isMoving() && context.state === 'running') timer = setTimeout(rest, REST_MS);
    else context.suspend().catch(() => {});
  };
  /** Brings volume and context in line with what is wanted now. */
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
    const { start, end } = findLoop(buffer.getChannelData(0), buffer.sampleRate);
    drop();
    source = new AudioBufferSourceNode(context, { buffer, loop: true, loopStart: start, loopEnd: end });
    source.connect(tone?.input ?? gain);
    source.start(0, start);
    settle(FADE_S);
  };
  const drop = () => {
    source?.stop();
    source?.disconnect();
    source = undefined;
  };
  const load = async (track: string) => {
    try {
      const answer = await fetch(track);
      if (!answer.ok) throw new Error(`${track} answered ${answer.status}`);
      const buffer = await context.decodeAudioData(await answer.arrayBuffer());
      // Another track, or none, may be wanted by now.
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
    drop();
    fader.hush();
    settle(0);
  };

  // An interruption that we did not ask for, a phone call on iOS say: it goes on as soon as it may.
  context.addEventListener('statechange', () => {
    if (isHeard()) wake();
  });
  scroll.subscribe(() => {
    if (isHeard()) tone?.follow();
  });
  const onVisibility = () => settle(RETURN_S);
  document.addEventListener('visibilitychange', onVisibility);
  // Back from the back/forward cache.
  window.addEventListener('pageshow', onVisibility);

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
