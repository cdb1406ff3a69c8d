import { eyeZAt } from './camera.ts';
import { type Convoy, nextPassFootZ } from './convoy.ts';
import type { Joining } from './joining.ts';
import { approach, clamp, mix } from './maths.ts';
import { AT_REST, advanceReaction, paceOf } from './reaction.ts';
import { TILE_M } from './road.ts';

/** Length of the opening, in milliseconds. */
const INTRO_MS = 3200;

/** Metres a second. */
export const SPEED_M_PER_S = 13;

/** Before a light joins, the view flies to this distance from the pass and stays there. In metres. */
const PASS_STOP_M = 260;
const MIN_FLIGHT_DISTANCE_M = 250;

/** The visitor's own lamp at rest: slightly brighter than the others. */
export const SETTLED_LAMP = { climbed: 1, flare: 2.2 };

/** The values of the joining sequence by milliseconds, `null` at its end. */
export type JoiningAt = (ms: number) => Joining | null;

/**
 * What moves in the ride: time, position, opening, and what follows the visitor's input.
 * @param lamps Number of riders with a lamp on the pass.
 * @param hasOwn Whether the visitor is one of them.
 */
export function createMovement(lamps: number, hasOwn: boolean) {
  const state = {
    seconds: 0,
    introMs: 0,
    travel: 0,
    speed: 0,
    progress: 0,
    pointer: [0, 0] as [number, number],
    lift: 0,
    reaction: AT_REST,
    convoy: { lamps, own: hasOwn ? { ...SETTLED_LAMP, since: 0 } : null } as Convoy,
  };
  /** The joining sequence, if it runs: `ms` since its beginning, `metres` to fly, and the share already flown. */
  let joining: { at: JoiningAt; ms: number; metres: number; flown: number } | null = null;
  /** The visitor's input. `moved` in window heights since the last frame. */
  const input = { moved: 0, progress: 0, pointer: [0, 0] as [number, number] };

  const settleJoining = () => {
    if (!joining) return;
    state.lift = 0;
    state.convoy = { lamps, own: { ...SETTLED_LAMP, since: state.seconds } };
    joining = null;
  };
  const advanceJoining = (ms: number) => {
    if (!joining) return;
    joining.ms += ms;
    const now = joining.at(joining.ms);
    if (!now) return settleJoining();
    state.travel += joining.metres * (now.flown - joining.flown);
    joining.flown = now.flown;
    state.lift = now.lift;
    state.convoy = { lamps, own: { ...now, since: state.seconds } };
  };

  return {
    /** The values that a frame is drawn with. */
    now: () => ({ ...state, intro: clamp(state.introMs / INTRO_MS) }),
    /** Moves on by `ms` milliseconds. */
    advance(ms: number) {
      const seconds = ms / 1000;
      state.seconds += seconds;
      state.introMs += ms;
      state.speed = mix(state.speed, SPEED_M_PER_S, approach(0.9, seconds));
      advanceJoining(ms);
      // The land repeats, so the position restarts. Large numbers would cause jitter after an hour.
      state.travel = (state.travel + state.speed * seconds) % TILE_M;
      state.progress = mix(state.progress, input.progress, approach(5, seconds));
      const pointerShare = approach(5, seconds) * 0.6;
      state.pointer[0] = mix(state.pointer[0], input.pointer[0], pointerShare);
      state.pointer[1] = mix(state.pointer[1], input.pointer[1], pointerShare);
      state.reaction = advanceReaction(state.reaction, paceOf(input.moved, seconds), input.pointer[0], seconds);
      input.moved = 0;
    },
    /** Distance that the page has moved. @param windows In window heights. */
    add(windows: number) {
      input.moved += windows;
    },
    rest() {
      state.reaction = AT_REST;
    },
    /** Shows the moment `seconds` of the ride at rest, with the opening at `opened` (0..1) and without easing. */
    jumpTo(seconds: number, opened: number) {
      Object.assign(state, {
        seconds,
        travel: (seconds * SPEED_M_PER_S) % TILE_M,
        introMs: opened * INTRO_MS,
        reaction: AT_REST,
        progress: input.progress,
        pointer: [...input.pointer],
      });
    },
    /** The part of the ride's interface that only changes the movement (`Ride`). */
    controls: {
      skipIntro() {
        state.introMs = INTRO_MS;
      },
      setProgress(progress: number, isAtOnce = false) {
        input.progress = clamp(progress);
        if (isAtOnce) state.progress = input.progress;
      },
      setPointer(x: number, y: number) {
        input.pointer = [clamp(x, -1, 1), clamp(y, -1, 1)];
      },
      reaction: () => state.reaction,
      join(at: JoiningAt) {
        const eyeZ = eyeZAt(state.travel, state.progress);
        const distance = nextPassFootZ(eyeZ) - eyeZ;
        const metres =
          nextPassFootZ(distance < MIN_FLIGHT_DISTANCE_M ? eyeZ + MIN_FLIGHT_DISTANCE_M : eyeZ) - eyeZ - PASS_STOP_M;
        joining = { at, ms: 0, metres: Math.max(0, metres), flown: 0 };
      },
      /** Sets the final state, at the end or when the canvas is no longer visible. */
      settle: settleJoining,
    },
  };
}
