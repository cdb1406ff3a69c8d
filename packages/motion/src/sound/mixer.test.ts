import { afterEach, expect, test, vi } from 'vitest';
import type { Scroll } from '../scroll/scroll.ts';
import { createStage } from '../stage/stage.ts';
import { createMixer } from './mixer.ts';

/** What of a browser the mixer looks at before anybody has clicked. */
function browser({ isTouch = false, saveData = false } = {}) {
  const document = new EventTarget();
  const problems: unknown[] = [];
  vi.stubGlobal('window', { AudioContext: class {} });
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', { connection: { saveData } });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem() {} });
  const heard = new EventTarget();
  vi.stubGlobal('addEventListener', heard.addEventListener.bind(heard));
  vi.stubGlobal('removeEventListener', heard.removeEventListener.bind(heard));
  vi.stubGlobal('matchMedia', () => ({ matches: isTouch }));
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('reportError', (error: unknown) => problems.push(error));
  vi.stubGlobal('Element', class {});
  return {
    clickAnywhere: () => document.dispatchEvent(Object.assign(new Event('click'), { detail: 1 })),
    /** What the browser tells this tab of a choice that was stored by another. */
    chosenElsewhere: (newValue: string) =>
      heard.dispatchEvent(Object.assign(new Event('storage'), { key: 'sound', newValue })),
    problems,
  };
}

function openMixer() {
  const stage = createStage();
  const mixer = createMixer({ stage, scroll });
  mixer.load('/music.mp3');
  const stop = mixer.start();
  return { stage, mixer, stop };
}

/** Nothing scrolls here: only what plays asks it. */
const scroll = {} as Scroll;

afterEach(() => vi.unstubAllGlobals());

test('building a mixer touches nothing: the server has one', () => {
  expect(createMixer({ stage: createStage(), scroll }).state().isAvailable).toBe(false);
});

test('R33: the first click counts from when the hero can play, once', () => {
  const { clickAnywhere } = browser();
  const { stage, mixer } = openMixer();
  clickAnywhere();
  expect(mixer.state().name).toBe('waiting');
  stage.start();
  clickAnywhere();
  expect(mixer.state().name).toBe('starting');
  clickAnywhere();
  expect(mixer.state().name).toBe('starting');
});

test.each([{ isTouch: true }, { saveData: true }])(
  'R32, R33: the toggle asks where no click elsewhere counts: %o',
  (kind) => {
    const { clickAnywhere } = browser(kind);
    const { stage, mixer } = openMixer();
    stage.start();
    clickAnywhere();
    expect(mixer.state()).toMatchObject({ muted: true, needsAudioTrigger: true });
    mixer.toggle();
    expect(mixer.state().muted).toBe(false);
  },
);

test('what was started can be stopped: no click counts any more', () => {
  const { clickAnywhere } = browser();
  const { stage, mixer, stop } = openMixer();
  stage.start();
  stop();
  clickAnywhere();
  expect(mixer.state().name).toBe('waiting');
});

test('a subscriber that throws is reported, and keeps the others from nothing', () => {
  const { problems } = browser();
  const { mixer } = openMixer();
  const heard: string[] = [];
  mixer.subscribe(() => {
    throw new Error('not me');
  });
  const off = mixer.subscribe(() => heard.push(mixer.state().name));
  mixer.toggle();
  expect(heard).toEqual(['starting']);
  expect(problems).toHaveLength(1);
  off();
  mixer.toggle();
  expect(heard).toEqual(['starting']);
});

test('without a track there is nothing to toggle, and with one again there is', () => {
  browser();
  const { mixer } = openMixer();
  mixer.load(null);
  mixer.toggle();
  expect(mixer.state()).toMatchObject({ isAvailable: false, muted: true });
  mixer.load('/other.mp3');
  expect(mixer.state().isAvailable).toBe(true);
});

test('R33: who mutes one tab is not met by music at the first click in another', () => {
  const { clickAnywhere, chosenElsewhere } = browser();
  const { stage, mixer } = openMixer();
  stage.start();
  chosenElsewhere('off');
  clickAnywhere();
  expect(mixer.state()).toMatchObject({ name: 'declined', muted: true });
});

test('R33: music plays in one tab at a time', () => {
  const { clickAnywhere, chosenElsewhere } = browser();
  const { stage, mixer } = openMixer();
  stage.start();
  clickAnywhere();
  expect(mixer.state().muted).toBe(false);
  chosenElsewhere('on 0.5');
  expect(mixer.state().muted).toBe(true);
});

test('R33: music in another tab takes nothing from a tab that has not played', () => {
  const { clickAnywhere, chosenElsewhere } = browser();
  const { stage, mixer } = openMixer();
  stage.start();
  chosenElsewhere('on 0.5');
  clickAnywhere();
  expect(mixer.state().muted).toBe(false);
});
