import { eyeAt } from './camera.ts';
import { type Convoy, footAhead } from './convoy.ts';
import type { Joining } from './joining.ts';
import { approach, clamp, mix } from './maths.ts';
import { AT_REST, paceOf, reactionAfter } from './reaction.ts';
import { TILE_M } from './road.ts';

/** Length of the opening, in milliseconds. */
const INTRO_MS = 3200;

/** Metres a second. */
export const SPEED = 13;

/** Before a light joins, the view flies to this distance from the pass and stays there. In metres. */
const PASS_AT_M = 260;
const PASS_LEAST_M = 250;

/** The visitor's own lamp at rest: slightly brighter than the others. */
const OWN = { climbed: 1, flare: 2.2 };

/** The values of the joining sequence by milliseconds, `null` at its end. */
export type JoiningAt = (ms: number) => Joining | null;

/** What moves in the ride: time, position, opening, and what follows the visitor's input. */
export class Movement {
  readonly #lamps: number;
  #seconds = 0;
  #introMs = 0;
  #travel = 0;
  #speed = 0;
  #progress = 0;
  #pointer: [number, number] = [0, 0];
  #lift = 0;
  #reaction = AT_REST;
  #convoy: Convoy;
  /** `ms` since the beginning, `metres` to fly, and the share already flown. */
  #joining: { at: JoiningAt; ms: number; metres: number; flown: number } | null = null;
  /** The visitor's input. `moved` in window heights since the last frame. */
  #wanted = { moved: 0, progress: 0, pointer: [0, 0] as [number, number] };

  /** @param lamps Number of riders with a lamp on the pass. @param hasOwn Whether the visitor is one of them. */
  constructor(lamps: number, hasOwn: boolean) {
    this.#lamps = lamps;
    this.#convoy = { lamps, own: hasOwn ? { ...OWN, since: 0 } : null };
  }

  get reaction() {
    return this.#reaction;
  }

  /** The values that a frame is drawn with. */
  now() {
    return {
      seconds: this.#seconds,
      intro: clamp(this.#introMs / INTRO_MS),
      travel: this.#travel,
      progress: this.#progress,
      pointer: this.#pointer,
      lift: this.#lift,
      reaction: this.#reaction,
      convoy: this.#convoy,
    };
  }

  /** Moves on by `ms` milliseconds. */
  advance(ms: number) {
    const seconds = ms / 1000;
    this.#seconds += seconds;
    this.#introMs += ms;
    this.#speed = mix(this.#speed, SPEED, approach(0.9, seconds));
    this.#advanceJoining(ms);
    // The land repeats, so the position restarts. Large numbers would cause jitter after an hour.
    this.#travel = (this.#travel + this.#speed * seconds) % TILE_M;
    const { moved, progress, pointer } = this.#wanted;
    this.#progress = mix(this.#progress, progress, approach(5, seconds));
    const follow = approach(5, seconds) * 0.6;
    const [x, y] = this.#pointer;
    this.#pointer = [mix(x, pointer[0], follow), mix(y, pointer[1], follow)];
    this.#reaction = reactionAfter(this.#reaction, paceOf(moved, seconds), pointer[0], seconds);
    this.#wanted.moved = 0;
  }

  /** Shows the moment `seconds` of the ride at rest, with the opening at `opened` (0..1) and without easing. */
  jumpTo(seconds: number, opened: number) {
    this.#seconds = seconds;
    this.#travel = (seconds * SPEED) % TILE_M;
    this.#introMs = opened * INTRO_MS;
    this.#reaction = AT_REST;
    this.#progress = this.#wanted.progress;
    this.#pointer = [...this.#wanted.pointer];
  }

  rest() {
    this.#reaction = AT_REST;
  }

  skipIntro() {
    this.#introMs = INTRO_MS;
  }

  /** @param progress 0..1. @param isAtOnce Without easing. */
  setProgress(progress: number, isAtOnce: boolean) {
    this.#wanted.progress = clamp(progress);
    if (isAtOnce) this.#progress = this.#wanted.progress;
  }

  /** @param x -1..1 to the right. @param y -1..1 down. */
  setPointer(x: number, y: number) {
    this.#wanted.pointer = [clamp(x, -1, 1), clamp(y, -1, 1)];
  }

  /** @param windows Distance that the page has moved, in window heights. */
  moved(windows: number) {
    this.#wanted.moved += windows;
  }

  /** The visitor's light joins the others. */
  join(at: JoiningAt) {
    const eyeZ = eyeAt(this.#travel, this.#progress);
    const gap = footAhead(eyeZ) - eyeZ;
    const metres = footAhead(gap < PASS_LEAST_M ? eyeZ + PASS_LEAST_M : eyeZ) - eyeZ - PASS_AT_M;
    this.#joining = { at, ms: 0, metres: Math.max(0, metres), flown: 0 };
  }

  /** Sets the final state of the joining, at its end or when the canvas is no longer visible. */
  settle() {
    if (!this.#joining) return;
    this.#lift = 0;
    this.#convoy = { lamps: this.#lamps, own: { ...OWN, since: this.#seconds } };
    this.#joining = null;
  }

  #advanceJoining(ms: number) {
    const joining = this.#joining;
    if (!joining) return;
    joining.ms += ms;
    const now = joining.at(joining.ms);
    if (!now) {
      this.settle();
      return;
    }
    this.#travel += joining.metres * (now.flown - joining.flown);
    joining.flown = now.flown;
    this.#lift = now.lift;
    this.#convoy = { lamps: this.#lamps, own: { ...now, since: this.#seconds } };
  }
}
