export type Vec3 = readonly [number, number, number];

export const clamp = (x: number, low = 0, high = 1): number => Math.min(high, Math.max(low, x));
export const mix = (a: number, b: number, share: number): number => a + (b - a) * share;

/** 0 at `a`, 1 at `b`, with smooth ends. `a` may be larger than `b`. */
export function smoothstep(a: number, b: number, x: number): number {
  const t = clamp((x - a) / (b - a));
  return t * t * (3 - 2 * t);
}

export const easeOutCubic = (t: number): number => 1 - (1 - t) ** 3;

/**
 * Share of the remaining way covered within `seconds`, the same at 60 Hz and at 120 Hz.
 * @param rate Per second: at 5 about two thirds are covered in 0.2 s.
 */
export const approach = (rate: number, seconds: number): number => 1 - Math.exp(-rate * seconds);

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function normalize([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Direction to a light. @param elevation Radians above the horizon. @param azimuth Radians to the right of the road. */
export const direction = (elevation: number, azimuth: number): Vec3 => [
  Math.sin(azimuth) * Math.cos(elevation),
  Math.sin(elevation),
  Math.cos(azimuth) * Math.cos(elevation),
];
