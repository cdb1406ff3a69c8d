import { isCalm } from '@pillion/lib/browser/visitor.ts';
import type { Scroll } from '../scroll/scroll.ts';

interface Tone {
  /** Above this frequency the music fades out, in hertz. */
  hertz: number;
  /** Its volume, 0..1: quieter than it was made, never louder. */
  level: number;
}

/** From wide open to a closed door, in hertz. */
const OPEN_HZ = 18_000;
const CLOSED_HZ = 900;

/** How far the door is closed in the day and at night, while the page rests. */
const SHUT_BY_DAY = 0.15;
const SHUT_AT_NIGHT = 0.75;

/** At night the music is so much quieter, as a share. */
const HUSHED = 0.3;

/** Speed at which the filter is wide open, in window heights per second. */
const FULL_SPEED = 1.6;

/** A movement of this many window heights within one frame is a jump (a link, Back), which opens nothing. */
const JUMP = 0.5;

/** The velocity is told per frame of 60 Hz. */
const FRAMES_PER_S = 60;

/** A change takes about three times as long, in seconds. */
const SLUR_S = 0.35;

/** Later than asked by so much, in seconds: the browser renders sound a little ahead of the clock that we read. */
const LEAD_S = 0.05;

/**
 * How the music sounds: open where the passage begins (by day), closed where it ends (at night); speed opens it.
 * @param passed How far the passage has run, 0..1.
 * @param pace 0 at rest to 1 at full speed.
 */
export function toneAt(passed: number, pace: number): Tone {
  const shut = (SHUT_BY_DAY + (SHUT_AT_NIGHT - SHUT_BY_DAY) * passed) * (1 - pace);
  return { hertz: OPEN_HZ * (CLOSED_HZ / OPEN_HZ) ** shut, level: 1 - HUSHED * passed * (1 - pace) };
}

/** @param velocity CSS pixels per 60 Hz frame. @param height Of the window, in CSS pixels. @returns 0..1. */
export function paceOf(velocity: number, height: number): number {
  const windows = Math.abs(velocity) / height;
  return windows < JUMP ? Math.min(1, (windows * FRAMES_PER_S) / FULL_SPEED) : 0;
}

/** Share of the passage that has been scrolled through, 0..1; of the whole page if it has no passage. */
function passedNow(progress: number): number {
  const passage = document.querySelector('[data-passage]')?.getBoundingClientRect();
  if (!passage) return progress;
  return Math.min(1, Math.max(0, -passage.top / Math.max(passage.height - innerHeight, 1)));
}

/**
 * Lets the music follow the visit, on its way to `output`. Values change by curves only, except before anything plays.
 * @returns `input`, where the music goes in, and `follow`, which brings it in line with passage and speed.
 */
export function createTone(
  context: AudioContext,
  output: AudioNode,
  scroll: Scroll,
): { input: AudioNode; follow(): void } {
  const wanted = () => {
    const { progress, velocity } = scroll.state();
    return isCalm() ? toneAt(0, 1) : toneAt(passedNow(progress), paceOf(velocity, innerHeight));
  };
  let { hertz, level } = wanted();
  // Below 0 dB at the edge, and critically damped (Q 0.5, in decibels here): no frequency and no sample is made louder.
  const filter = new BiquadFilterNode(context, { frequency: hertz, Q: 20 * Math.log10(0.5) });
  const gain = new GainNode(context, { gain: level });
  filter.connect(gain).connect(output);

  const slur = (param: AudioParam, value: number) => param.setTargetAtTime(value, context.currentTime + LEAD_S, SLUR_S);
  return {
    input: filter,
    follow() {
      const next = wanted();
      // What is not heard is not asked for: a scroll is hundreds of frames.
      if (Math.abs(Math.log(next.hertz / hertz)) < 0.01 && Math.abs(next.level - level) < 0.005) return;
      ({ hertz, level } = next);
      slur(filter.frequency, hertz);
      slur(gain.gain, level);
    },
  };
}
