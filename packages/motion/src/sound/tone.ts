import { isCalm } from '@pillion/lib/browser/visitor.ts';
import type { Scroll } from '../scroll/scroll.ts';

interface Tone {
  /** Cutoff frequency of the low-pass filter, in hertz. */
  hertz: number;
  /** Volume, 0..1: never louder than the original. */
  level: number;
}

/** Cutoff frequencies of the open and the closed filter, in hertz. */
const OPEN_HZ = 18_000;
const CLOSED_HZ = 900;

/** How far the filter is closed by day and at night while the page is at rest, 0..1. */
const DAY_CLOSURE = 0.15;
const NIGHT_CLOSURE = 0.75;

/** Reduction of the volume at night, as a share. */
const NIGHT_REDUCTION = 0.3;

/** Scroll speed at which the filter is fully open, in window heights per second. */
const FULL_SPEED = 1.6;

/** A movement of this many window heights in one frame is a jump (a link, Back) and does not open the filter. */
const JUMP_WINDOWS = 0.5;

/** The scroll velocity is per 60 Hz frame. */
const FRAMES_PER_S = 60;

/** Time constant of a change, in seconds. A change takes about three times this. */
const TIME_CONSTANT_S = 0.35;

/** Delay of a change, in seconds: the browser renders sound a little ahead of the clock that we read. */
const LEAD_S = 0.05;

/**
 * The tone of the music: open at the start of the passage (by day), closed at its end (at night). Scroll speed opens
 * it.
 * @param passed Share of the passage that has passed, 0..1.
 * @param pace 0 at rest to 1 at full speed.
 */
export function toneAt(passed: number, pace: number): Tone {
  const closure = (DAY_CLOSURE + (NIGHT_CLOSURE - DAY_CLOSURE) * passed) * (1 - pace);
  return { hertz: OPEN_HZ * (CLOSED_HZ / OPEN_HZ) ** closure, level: 1 - NIGHT_REDUCTION * passed * (1 - pace) };
}

/** @param velocity CSS pixels per 60 Hz frame. @param height Height of the window, in CSS pixels. @returns 0..1. */
export function paceOf(velocity: number, height: number): number {
  const windows = Math.abs(velocity) / height;
  return windows < JUMP_WINDOWS ? Math.min(1, (windows * FRAMES_PER_S) / FULL_SPEED) : 0;
}

/** Share of the passage that is scrolled past, 0..1; of the whole page if it has no passage. */
function passageProgress(progress: number): number {
  const passage = document.querySelector('[data-passage]')?.getBoundingClientRect();
  if (!passage) return progress;
  return Math.min(1, Math.max(0, -passage.top / Math.max(passage.height - innerHeight, 1)));
}

/**
 * Adapts the music to scroll position and speed, between `input` and `output`. Values change gradually.
 * @returns `input`, the node for the music, and `follow`, which updates the tone.
 */
export function createTone(
  context: AudioContext,
  output: AudioNode,
  scroll: Scroll,
): { input: AudioNode; follow(): void } {
  const currentTone = () => {
    const { progress, velocity } = scroll.state();
    return isCalm() ? toneAt(0, 1) : toneAt(passageProgress(progress), paceOf(velocity, innerHeight));
  };
  let { hertz, level } = currentTone();
  // Critically damped (Q 0.5, here in decibels): the filter makes no frequency and no sample louder.
  const filter = new BiquadFilterNode(context, { frequency: hertz, Q: 20 * Math.log10(0.5) });
  const gain = new GainNode(context, { gain: level });
  filter.connect(gain).connect(output);

  const changeGradually = (param: AudioParam, value: number) =>
    param.setTargetAtTime(value, context.currentTime + LEAD_S, TIME_CONSTANT_S);
  return {
    input: filter,
    follow() {
      const next = currentTone();
      // Skip inaudible changes: one scroll has hundreds of frames.
      if (Math.abs(Math.log(next.hertz / hertz)) < 0.01 && Math.abs(next.level - level) < 0.005) return;
      ({ hertz, level } = next);
      changeGradually(filter.frequency, hertz);
      changeGradually(gain.gain, level);
    },
  };
}
