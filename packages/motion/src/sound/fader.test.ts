import { expect, test } from 'vitest';
import { createFader } from './fader.ts';

const rounded = (value: number) => Number(value.toFixed(6));

test('R34: a fade that is reversed midway goes on from where it is', () => {
  let now = 10;
  const calls: string[] = [];
  const noted =
    (name: string) =>
    (...values: number[]) =>
      void calls.push([name, ...values.map(rounded)].join(' '));
  const volume = {
    ...{ value: 1, cancelScheduledValues: noted('cancel') },
    ...{ setValueAtTime: noted('set'), linearRampToValueAtTime: noted('ramp') },
  };
  const fader = createFader(volume as unknown as AudioParam, () => now);
  expect(fader.isMoving()).toBe(false);
  fader.to(1, 0.8);
  expect(calls.splice(0)).toEqual(['cancel 0', 'set 0 10', 'ramp 0 10.05', 'ramp 1 10.85']);
  now = 10.4;
  expect(fader.isMoving()).toBe(true);
  fader.to(1, 0.8);
  fader.to(0.2, 0.8);
  expect(calls.splice(0)).toEqual(['cancel 10.85', 'ramp 0.5 10.45', 'ramp 0.2 11.25']);
  now = 11.3;
  expect(fader.isMoving()).toBe(false);
  fader.to(1, 0.8);
  expect(calls.splice(0)).toEqual(['ramp 0.2 11.35', 'ramp 1 12.15']);
  fader.silence();
  expect([fader.isMoving(), volume.value, ...calls]).toEqual([false, 0, 'cancel 0', 'set 0 11.3']);
});
