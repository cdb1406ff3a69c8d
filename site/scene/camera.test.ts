import { expect, test } from 'vitest';
import { computeView, type Moment } from './camera.ts';
import { dot, type Vec3 } from './maths.ts';
import { AT_REST, type Reaction } from './reaction.ts';
import { bendAt, roadX, roadY, TILE_M } from './road.ts';

const moment = (over: Partial<Moment> = {}): Moment => ({
  seconds: 0,
  intro: 1,
  progress: 0,
  travel: 0,
  pointer: [0, 0],
  lift: 0,
  reaction: AT_REST,
  aspect: 1.6,
  ...over,
});

/** Position of a place on the screen, -1..1 to the right and up. */
function onScreen(matrix: Float32Array, [x, y, z]: Vec3): [number, number] {
  const row = (i: number) =>
    (matrix[i] ?? 0) * x + (matrix[i + 4] ?? 0) * y + (matrix[i + 8] ?? 0) * z + (matrix[i + 12] ?? 0);
  return [row(0) / row(3), row(1) / row(3)];
}

const ASPECTS = [390 / 844, 768 / 1024, 1, 1440 / 900, 1920 / 1080];
const MOMENTS = ASPECTS.flatMap((aspect) =>
  [0, 0.5, 1].flatMap((progress) =>
    Array.from({ length: 24 }, (_, i) => moment({ aspect, progress, travel: i * 64, seconds: i * 5 })),
  ),
);

test('the rider stays in the picture along the whole road, at every hour and on every screen', () => {
  for (const at of MOMENTS) {
    const { viewProjection, rider } = computeView(at);
    const [x, y] = onScreen(viewProjection, rider.place);
    expect(Math.abs(x), JSON.stringify(at)).toBeLessThan(0.98);
    expect(Math.abs(y), JSON.stringify(at)).toBeLessThan(0.9);
  }
});

test('the camera never goes below the road', () => {
  for (const at of MOMENTS) {
    const { eye } = computeView(at);
    expect(eye[1] - roadY(eye[2])).toBeGreaterThan(2);
  }
});

test('the view does not change when the land restarts its tile', () => {
  for (const progress of [0, 1]) {
    const before = computeView(moment({ travel: TILE_M, progress }));
    const after = computeView(moment({ travel: 0, progress }));
    expect(before.eye[0]).toBeCloseTo(after.eye[0], 6);
    expect(before.eye[1]).toBeCloseTo(after.eye[1], 6);
    expect(before.eye[2] - after.eye[2]).toBeCloseTo(TILE_M, 6);
    expect(before.forward).toEqual(after.forward.map((value) => expect.closeTo(value, 6)));
    expect(before.rider.lean).toBeCloseTo(after.rider.lean, 6);
  }
});

test('the camera’s axes are perpendicular', () => {
  for (const at of MOMENTS) {
    const { right, up, forward } = computeView(at);
    for (const [a, b] of [
      [right, up],
      [up, forward],
      [forward, right],
    ] as const)
      expect(dot(a, b)).toBeCloseTo(0, 9);
    for (const axis of [right, up, forward]) expect(dot(axis, axis)).toBeCloseTo(1, 9);
  }
});

test('the rider leans into the bend', () => {
  for (const at of MOMENTS) {
    const { rider } = computeView({ ...at, seconds: 0 });
    // A bend is positive to the right, a lean is positive to the left.
    if (Math.abs(bendAt(rider.place[2])) > 0.002)
      expect(Math.sign(rider.lean)).toBe(-Math.sign(bendAt(rider.place[2])));
    expect(Math.abs(rider.lean)).toBeLessThan(0.6);
  }
});

test('at speed the rider leans deeper and ducks; the pointer moves the rider to its side of the lane', () => {
  for (const at of MOMENTS) {
    const rider = (reaction: Partial<Reaction>) =>
      computeView({ ...at, seconds: 0, reaction: { ...AT_REST, ...reaction } }).rider;
    const rest = rider({});
    expect(rest.tuck).toBe(0);
    const fast = rider({ pace: 1 });
    expect(fast.tuck).toBe(1);
    expect(Math.abs(fast.lean)).toBeGreaterThanOrEqual(Math.abs(rest.lean));
    for (const aside of [-1, 1]) {
      const there = rider({ pace: 1, aside, swerve: aside });
      expect(Math.sign(there.place[0] - rest.place[0])).toBe(aside);
      expect(Math.sign(fast.lean - there.lean)).toBe(aside);
      // The wheels stay between the joint of the lanes and the edge line.
      const across = there.place[0] - roadX(there.place[2]);
      expect(across).toBeGreaterThan(0.4);
      expect(across).toBeLessThan(3.3);
      expect(Math.abs(there.lean)).toBeLessThan(0.75);
    }
  }
});

test('the opening lowers the camera to its riding height, and the sun sets as the page scrolls', () => {
  const height = (intro: number) => computeView(moment({ intro })).eye[1];
  expect(height(0)).toBeGreaterThan(height(0.5));
  expect(height(0.5)).toBeGreaterThan(height(1));
  expect(computeView(moment()).sun[1]).toBeGreaterThan(0);
  expect(computeView(moment({ progress: 1 })).sun[1]).toBeLessThan(0);
  expect(computeView(moment({ progress: 1 })).flare[2]).toBeLessThan(0.1);
});

test('the pointer moves the eye slightly to its side', () => {
  const eye = (x: number, y: number) => computeView(moment({ pointer: [x, y] })).eye;
  expect(eye(1, 0)[0]).toBeGreaterThan(eye(-1, 0)[0]);
  expect(eye(0, 1)[1]).toBeLessThan(eye(0, -1)[1]);
  expect(Math.abs(eye(1, 0)[0] - roadX(eye(1, 0)[2]))).toBeLessThan(3);
});
