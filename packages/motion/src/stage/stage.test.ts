import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStage } from './stage.ts';

const FRAME_MS = 16;

/** A tab that can be hidden. */
const tab = Object.assign(new EventTarget(), { hidden: false });

function hide(hidden: boolean): void {
  tab.hidden = hidden;
  tab.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  tab.hidden = false;
  vi.stubGlobal('document', tab);
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setTimeout(callback, FRAME_MS));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const nextFrame = () => vi.advanceTimersByTime(FRAME_MS);

test('R9, R40: the hero cannot play before the start, and a stage without parts opens at once', () => {
  const stage = createStage();
  expect(stage.heroCanPlay()).toBe(false);
  stage.start();
  expect(stage.heroCanPlay()).toBe(true);
});

test('R9: the stage opens a frame after the last part is ready, and reports its progress until then', () => {
  const stage = createStage();
  const type = stage.register('type');
  const scene = stage.register('scene');
  stage.start();
  expect(stage.progress()).toBe(0);
  type.ready();
  nextFrame();
  expect([stage.progress(), stage.heroCanPlay()]).toEqual([0.5, false]);
  scene.ready();
  expect([stage.progress(), stage.heroCanPlay()]).toEqual([1, false]);
  nextFrame();
  expect(stage.heroCanPlay()).toBe(true);
});

test('the stage does not open before start(), even if all registered parts are ready', () => {
  const stage = createStage();
  stage.register('type').ready();
  nextFrame();
  expect(stage.heroCanPlay()).toBe(false);
  const scene = stage.register('scene');
  stage.start();
  nextFrame();
  expect(stage.heroCanPlay()).toBe(false);
  scene.ready();
  nextFrame();
  expect(stage.heroCanPlay()).toBe(true);
});

test('only the first report of a part counts', () => {
  const stage = createStage();
  const part = stage.register('scene');
  part.ready();
  part.fail();
  expect(stage.parts().get('scene')).toBe('ready');
});

test('R9: time in a hidden tab does not count towards the deadline', () => {
  const stage = createStage();
  stage.register('scene');
  stage.start();
  vi.advanceTimersByTime(3_000);
  hide(true);
  vi.advanceTimersByTime(60_000);
  expect(stage.heroCanPlay()).toBe(false);
  hide(false);
  vi.advanceTimersByTime(900);
  expect(stage.heroCanPlay()).toBe(false);
  vi.advanceTimersByTime(200);
  expect(stage.heroCanPlay()).toBe(true);
});

test('the stage opens once: subscribers are notified once, and late ones at once', () => {
  const stage = createStage();
  const part = stage.register('scene');
  const early = vi.fn();
  stage.whenPlaying(early);
  stage.start();
  part.ready();
  nextFrame();
  const changed = vi.fn();
  stage.subscribe(changed);
  vi.advanceTimersByTime(10_000);
  const late = vi.fn();
  stage.whenPlaying(late);
  expect([early.mock.calls.length, late.mock.calls.length, changed.mock.calls.length]).toEqual([1, 1, 0]);
});

test('cancelled work does not run', () => {
  const stage = createStage();
  const work = vi.fn();
  stage.whenPlaying(work)();
  stage.start();
  expect(work).not.toHaveBeenCalled();
});
