import { approach, clamp, mix, smooth } from './maths.ts';

/** How the ride answers the visitor: what she has moved is all there is in it, nought when she moves nothing. */
export interface Answer {
  /** How fast the page moves, 0..1, smoothed. */
  pace: number;
  /** The same, later: what the pace has been. What is over it is lost speed. */
  was: number;
  /** The brake lamp, 0..1. */
  brake: number;
  /** Where in the lane the rider is, -1..1 to the right, and how fast that changes, per second. */
  aside: number;
  swerve: number;
}

export const AT_REST: Answer = { pace: 0, was: 0, brake: 0, aside: 0, swerve: 0 };

/** So many window heights a second are full speed: a fling, not a reader's wheel. */
const FULL_SPEED = 1.6;

/** Rates per second, see `approach`. The lamp comes at once and dies away. */
const PACE_RATE = 9;
const WAS_RATE = 1.8;
const LIT_RATE = 24;
const DIES_RATE = 1.5;

/** The rider's own frequency towards the pointer, radians a second: there in about a second. */
const STEERS = 5;

/** The longest step that is reckoned at once, in seconds: a slow frame is several, so every frame rate shows the same. */
const STEP_S = 1 / 120;

/** Less than this is not seen, and is nought. */
const UNSEEN = 0.002;

/**
 * How much of full speed a movement within one frame is. A jump is not a speed: what moves half a window in one frame (a
 * link, Back, a tab that was hidden) is none.
 * @param moved In window heights, either way.
 * @param seconds In which it moved.
 */
export function paceOf(moved: number, seconds: number): number {
  const way = Math.abs(moved);
  return way < 0.5 ? clamp(way / seconds / FULL_SPEED) : 0;
}

/**
 * @param pace How fast the page has moved meanwhile, 0..1 of full speed.
 * @param pointer Where in the lane she wants the rider, -1..1 to the right.
 * @param seconds Since `answer`.
 */
export function answerAfter(answer: Answer, pace: number, pointer: number, seconds: number): Answer {
  let now = answer;
  const steps = Math.ceil(seconds / STEP_S - 1e-6);
  for (let i = 0; i < steps; i++) now = step(now, pace, pointer, seconds / steps);
  const isStill = [now.pace, now.was, now.brake, now.swerve, now.aside - pointer].every((x) => Math.abs(x) < UNSEEN);
  return isStill && pace === 0 ? { ...AT_REST, aside: pointer } : now;
}

function step({ pace, was, brake, aside, swerve }: Answer, wanted: number, pointer: number, seconds: number): Answer {
  const lost = smooth(0.12, 0.4, was - pace);
  // Critically damped: as fast as it can be without swinging over.
  const off = aside - pointer;
  const drift = (swerve + STEERS * off) * seconds;
  const left = Math.exp(-STEERS * seconds);
  return {
    pace: mix(pace, wanted, approach(PACE_RATE, seconds)),
    was: mix(was, pace, approach(WAS_RATE, seconds)),
    brake: mix(brake, lost, approach(lost > brake ? LIT_RATE : DIES_RATE, seconds)),
    aside: pointer + (off + drift) * left,
    swerve: (swerve - STEERS * drift) * left,
  };
}
