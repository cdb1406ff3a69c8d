import { nextPassFootZ } from './convoy.ts';
import { clamp, cross, direction, dot, easeOutCubic, mix, normalize, smoothstep, type Vec3 } from './maths.ts';
import type { Reaction } from './reaction.ts';
import { bendAt, roadX, roadY } from './road.ts';

/** Everything that determines a frame. */
export interface Moment {
  /** Seconds since the scene started, for clouds, stars and sway. */
  seconds: number;
  /** Progress of the opening, 0..1. */
  intro: number;
  /** The page's scroll progress, 0..1. */
  progress: number;
  /** Metres ridden. */
  travel: number;
  /** Pointer, -1..1 to the right and down. */
  pointer: readonly [number, number];
  /** How far the view has risen to look up the pass, 0..1. */
  lift: number;
  /** The ride's reaction to the visitor's input. */
  reaction: Reaction;
  /** Width over height. */
  aspect: number;
}

export interface View {
  eye: Vec3;
  right: Vec3;
  up: Vec3;
  forward: Vec3;
  /** Tangents of half the field of view, across and up. */
  tan: readonly [number, number];
  /** Column-major, for clip space. */
  viewProjection: Float32Array;
  sun: Vec3;
  /** The sun on the screen, in screen heights from the middle, and its share above the horizon. */
  flare: Vec3;
  /** `lean` in radians, positive to the left; `spin` of the wheels in radians; `tuck` 0..1: how far the rider ducks. */
  rider: { place: Vec3; lean: number; spin: number; tuck: number };
}

/** Start of the ride on the tile: a bend to the left under the peaks. */
const START_M = 256;

/** How far the camera moves along the road while the page scrolls from top to end, in metres. */
const SCROLLED_M = 130;

/** How far the view rises when a light joins, and distance from a pass' foot to its middle. In metres. */
const RISE_M = 30;
const PASS_MIDDLE_M = [-70, 85] as const;

const WHEEL_RADIUS_M = 0.34;
const SUN_AZIMUTH = 0.085;
const NEAR_M = 0.6;
const FAR_M = 2600;

/** Radians of lean per 1/metre of bend: more than twice the physical value at 13 m/s, so that it is visible. */
const LEAN_PER_BEND = 40;

/** Additional share of lean at full speed. */
const LEAN_AT_SPEED = 0.3;

/** How far the pointer moves the rider to the side, in metres. The wheels stay in their lane. */
const MAX_ASIDE_M = 0.7;

/** Lean in radians for the position in the lane, and for its change per second. */
const LEAN_ASIDE = 0.09;
const LEAN_PER_SWERVE = 0.06;

/** Position of the eye along the road after the opening, in metres. */
export const eyeZAt = (travel: number, progress: number): number => START_M + travel + progress * SCROLLED_M;

/**
 * The camera, the sun and the rider at a moment. The camera is low and close at gold, high and far at night. Numbers
 * without a name are radians or metres, chosen by eye.
 */
export function computeView({
  seconds,
  intro,
  progress,
  travel,
  pointer: [px, py],
  lift,
  reaction,
  aspect,
}: Moment): View {
  // 0 on a wide screen, 1 on a portrait one.
  const portrait = smoothstep(1.1, 0.6, aspect);
  // How much of the opening has passed and how much remains, both eased.
  const openness = easeOutCubic(clamp(intro));
  const remaining = 1 - openness;

  const fov = mix(mix(0.56, 0.74, portrait), mix(0.6, 0.8, portrait), progress) + remaining * 0.05;
  const tanY = Math.tan(fov / 2);
  const tanX = tanY * aspect;

  const eyeZ = eyeZAt(travel, progress) - remaining * 26;
  const bob = Math.sin(seconds * 2.1) * 0.02 + Math.sin(seconds * 3.7) * 0.012;
  const eyeHeight = mix(2.5, 12, smoothstep(0.1, 1, progress)) + remaining * 5 + bob - py * 0.35 + lift * RISE_M;
  const eye: Vec3 = [roadX(eyeZ) + 1.1 + px * 0.9, roadY(eyeZ) + eyeHeight, eyeZ];

  // Once the view has risen, the camera has passed the rider.
  const riderZ = eyeZ + mix(mix(27, 62, progress) + remaining * 30, -60, lift);
  // 1.35 m to the right of the road's middle, in the right lane, with some sway.
  const riderX = roadX(riderZ) + 1.35 + Math.sin(seconds * 0.6) * 0.15 + reaction.aside * MAX_ASIDE_M;
  const toRider = Math.atan2(riderX - eye[0], riderZ - eye[2]);
  const toRoad = Math.atan2(roadX(eyeZ + 64) - eye[0], 64) * 0.5;

  // A portrait screen is narrow, so the camera follows the rider. On a wide screen it looks along the road.
  const onRoad = mix(toRoad + 0.03, toRider * mix(0.7, 0.95, progress) + 0.035 * (1 - progress), portrait) + px * 0.012;
  const foot = nextPassFootZ(eyeZ);
  const toPass = Math.atan2(roadX(foot) + PASS_MIDDLE_M[0] - eye[0], foot + PASS_MIDDLE_M[1] - eyeZ);
  const yaw = mix(onRoad, toPass + mix(0.16, 0, portrait), lift);
  const pitch = mix(mix(0.046, -0.035, progress) + 0.02 * portrait, -0.05, lift) + remaining * 0.1 + py * 0.008;
  // The camera rolls with the bend ahead: the change of the road's slope over 15 m.
  const roll = (roadX(eyeZ + 30) - 2 * roadX(eyeZ + 15) + roadX(eyeZ)) * 0.004;

  const forward: Vec3 = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  const right = normalize(cross([Math.sin(roll), Math.cos(roll), 0], forward));
  const up = cross(forward, right);

  const sun = direction(mix(0.074, -0.055, smoothstep(0, 0.85, progress)) - remaining * 0.03, SUN_AZIMUTH);
  // Projects the sun to the screen. Once it is below the horizon, its flare stays there.
  const depth = dot(sun, forward);
  const horizon = (-Math.tan(pitch) / tanY) * 0.5 + 0.01;
  const flare: Vec3 = [
    (dot(sun, right) / depth / tanY) * 0.5,
    Math.max((dot(sun, up) / depth / tanY) * 0.5, horizon),
    depth > 0 ? smoothstep(-0.06, 0.03, sun[1]) : 0,
  ];

  return {
    eye,
    right,
    up,
    forward,
    tan: [tanX, tanY],
    viewProjection: projectionMatrix(eye, right, up, forward, tanX, tanY),
    sun,
    flare,
    rider: {
      place: [riderX, roadY(riderZ), riderZ],
      lean:
        -bendAt(riderZ) * LEAN_PER_BEND * (1 + LEAN_AT_SPEED * reaction.pace) +
        Math.sin(seconds * 0.6) * 0.02 -
        reaction.aside * LEAN_ASIDE -
        reaction.swerve * LEAN_PER_SWERVE,
      spin: travel / WHEEL_RADIUS_M,
      tuck: reaction.pace,
    },
  };
}

/**
 * View and projection in one matrix. Depth is -1 at `NEAR_M` and 1 at `FAR_M`.
 * @param r, u, f The camera's axes: right, up, forward.
 */
function projectionMatrix(eye: Vec3, r: Vec3, u: Vec3, f: Vec3, tanX: number, tanY: number): Float32Array {
  const a = (FAR_M + NEAR_M) / (FAR_M - NEAR_M);
  const b = (-2 * FAR_M * NEAR_M) / (FAR_M - NEAR_M);
  const column = (i: 0 | 1 | 2) => [r[i] / tanX, u[i] / tanY, f[i] * a, f[i]];
  const last = [-dot(r, eye) / tanX, -dot(u, eye) / tanY, -dot(f, eye) * a + b, -dot(f, eye)];
  return new Float32Array([...column(0), ...column(1), ...column(2), ...last]);
}
