import { approach, clamp, mix, smoothstep } from './maths.ts';

/** How the ride reacts to the visitor's input. All values are 0 without input. */
export interface Reaction {
  /** Speed of the page, 0..1, smoothed. */
  pace: number;
  /** The same value with a delay. Its excess over `pace` is lost speed. */
  was: number;
  /** Brightness of the brake lamp, 0..1. */
  brake: number;
  /** The rider's position in the lane, -1..1 to the right, and its change per second. */
  aside: number;
  swerve: number;
}

export const AT_REST: Reaction = { pace: 0, was: 0, brake: 0, aside: 0, swerve: 0 };

/** Window heights per second at full speed: a fast scroll, more than reading with a wheel. */
const FULL_SPEED = 1.6;

/** Rates per second, see `approach`. The lamp lights up fast and fades slowly. */
const PACE_RATE = 9;
const DELAY_RATE = 1.8;
const BRAKE_ON_RATE = 24;
const BRAKE_FADE_RATE = 1.5;

/** Frequency of the rider's movement to the pointer, in radians per second: it takes about a second. */
const STEER_RATE = 5;

/**
 * Longest step of the calculation, in seconds. A slow frame has several steps, so that every frame rate shows the same.
 */
const MAX_STEP_S = 1 / 120;

/** Smaller values are invisible and become 0. */
const INVISIBLE = 0.002;

/**
 * The share of full speed of a movement within one frame. A jump of half a window or more in one frame (a link, Back, a
 * hidden tab) counts as 0.
 * @param moved In window heights, in either direction.
 * @param seconds Duration of the movement.
 */
export function paceOf(moved: number, seconds: number): number {
  const distance = Math.abs(moved);
  return distance < 0.5 ? clamp(distance / seconds / FULL_SPEED) : 0;
}

/**
 * @param pace Speed of the page since `reaction`, 0..1 of full speed.
 * @param pointer Wanted position of the rider in the lane, -1..1 to the right.
 * @param seconds Time since `reaction`.
 */
export function advanceReaction(reaction: Reaction, pace: number, pointer: number, seconds: number): Reaction {
  let now = reaction;
  const steps = Math.ceil(seconds / MAX_STEP_S - 1e-6);
  for (let i = 0; i < steps; i++) now = advanceStep(now, pace, pointer, seconds / steps);
  const isStill = [now.pace, now.was, now.brake, now.swerve, now.aside - pointer].every((x) => Math.abs(x) < INVISIBLE);
  return isStill && pace === 0 ? { ...AT_REST, aside: pointer } : now;
}

function advanceStep(
  { pace, was, brake, aside, swerve }: Reaction,
  targetPace: number,
  pointer: number,
  seconds: number,
): Reaction {
  const lostSpeed = smoothstep(0.12, 0.4, was - pace);
  // Critically damped: the fastest movement without overshoot.
  const offset = aside - pointer;
  const drift = (swerve + STEER_RATE * offset) * seconds;
  const decay = Math.exp(-STEER_RATE * seconds);
  return {
    pace: mix(pace, targetPace, approach(PACE_RATE, seconds)),
    was: mix(was, pace, approach(DELAY_RATE, seconds)),
    brake: mix(brake, lostSpeed, approach(lostSpeed > brake ? BRAKE_ON_RATE : BRAKE_FADE_RATE, seconds)),
    aside: pointer + (offset + drift) * decay,
    swerve: (swerve - STEER_RATE * drift) * decay,
  };
}
