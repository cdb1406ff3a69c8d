import { expect, test } from 'vitest';
import { createFader } from './fader.ts';

const rounded = (value: number) => Number(value.toFixed(6));

test('R34: a fade that is reversed midway goes on from where it is', () => {
  let now = 10;
  const ramps: [value: number, time: number][] = [];
  const volume = {
    value: 0,
    cancelScheduledValues: () => {},
    setValueAtTime: () => {},
    linearRampToValueAtTime: (value: number, time: number) => void ramps.push([rounded(value), rounded(time)]),
  };
  const fader = createFader(volume as unknown as AudioParam, () => now);
  fader.to(1, 0.8);
  expect(ramps).toEqual([
    [0, 10.05],
    [1, 10.85],
  ]);
  now = 10.4;
  expect(fader.isMoving()).toBe(true);
  fader.to(0, 0.8);
  expect(ramps.slice(2)).toEqual([
    [0.5, 10.45],
    [0, 11.25],
  ]);
  now = 11.3;
  expect(fader.isMoving()).toBe(false);
});
