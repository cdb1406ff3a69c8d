import { afterEach, expect, test, vi } from 'vitest';
import type { Scroll } from '../scroll/scroll.ts';
import { createStage } from '../stage/stage.ts';
import { createMixer } from './mixer.ts';

/** The browser APIs that the mixer reads before the first click. */
function browser({ isTouch = false, saveData = false } = {}) {
  const document = new EventTarget();
  vi.stubGlobal('window', { AudioContext: class {} });
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', { connection: { saveData } });
  const storage = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  });
  const heard = new EventTarget();
  vi.stubGlobal('addEventListener', heard.addEventListener.bind(heard));
  vi.stubGlobal('removeEventListener', heard.removeEventListener.bind(heard));
  vi.stubGlobal('matchMedia', () => ({ matches: isTouch }));
  vi.stubGlobal('requestAnimationFrame', () => 0);
  vi.stubGlobal('Element', class {});
  return {
    clickAnywhere: () => document.dispatchEvent(Object.defineProperty(new Event('click'), 'detail', { value: 1 })),
    choice: () => storage.get('sound'),
    choose: (choice: string) => storage.set('sound', choice),
    /** Dispatches the event for a choice that another tab has stored. */
    chosenElsewhere: (newValue: string | null, key = 'sound') =>
      heard.dispatchEvent(Object.assign(new Event('storage'), { key, newValue })),
    /** Dispatches the event for a page that is shown, also from the back/forward cache. */
    show: (persisted: boolean) => heard.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })),
  };
}

/** Not used: only the player reads the scroll state. */
const scroll = {} as Scroll;

/** A started mixer with a track, in such a browser. */
function openMixer(kind?: Parameters<typeof browser>[0]) {
  const tab = browser(kind);
  const stage = createStage();
  const mixer = createMixer({ stage, scroll });
  mixer.load('/music.mp3');
  return { ...tab, stage, mixer, stop: mixer.start() };
}

afterEach(() => vi.unstubAllGlobals());

test('the choice is stored, and a page that is opened after a mute does not start the music', () => {
  const { clickAnywhere, choice, stage, mixer } = openMixer();
  const names: string[] = [];
  mixer.subscribe(() => names.push(mixer.state().name));
  stage.start();
  clickAnywhere();
  expect(choice()).toMatch(/^on 0\.\d+$/);
  mixer.load('/music.mp3');
  mixer.toggle();
  expect([choice(), names]).toEqual(['off', ['starting', 'declined']]);
  const next = createMixer({ stage, scroll });
  next.load('/music.mp3');
  expect(next.state().name).toBe('declined');
});

test.each([{ isTouch: true }, { saveData: true }])(
  'R32, R33: on touch screens and with Save-Data only the toggle starts the music: %o',
  (kind) => {
    const { clickAnywhere, stage, mixer } = openMixer(kind);
    stage.start();
    clickAnywhere();
    expect(mixer.state()).toMatchObject({ muted: true, needsAudioTrigger: true });
    mixer.toggle();
    expect(mixer.state().muted).toBe(false);
  },
);

test('after `silence` only the toggle starts the music, also if its track is loaded later', () => {
  const { clickAnywhere } = browser();
  const stage = createStage();
  const mixer = createMixer({ stage, scroll });
  mixer.start();
  stage.start();
  mixer.silence();
  mixer.load('/music.mp3');
  clickAnywhere();
  expect(mixer.state()).toMatchObject({ isAvailable: true, muted: true });
  mixer.toggle();
  mixer.silence();
  clickAnywhere();
  expect(mixer.state().muted).toBe(true);
});

test('after the mixer is stopped, clicks have no effect', () => {
  const { clickAnywhere, stage, mixer, stop } = openMixer();
  stage.start();
  stop();
  clickAnywhere();
  expect(mixer.state().name).toBe('waiting');
});

test('R33: after a visitor mutes one tab, the first click in another tab starts no music', () => {
  const { clickAnywhere, chosenElsewhere, stage, mixer } = openMixer();
  stage.start();
  chosenElsewhere('off');
  clickAnywhere();
  expect(mixer.state()).toMatchObject({ name: 'declined', muted: true });
});

test('R33: music plays in one tab at a time', () => {
  const { clickAnywhere, chosenElsewhere, stage, mixer } = openMixer();
  stage.start();
  clickAnywhere();
  // Another setting, and a cleared storage.
  chosenElsewhere('off', 'theme');
  chosenElsewhere(null);
  expect(mixer.state().muted).toBe(false);
  chosenElsewhere('on 0.5');
  expect(mixer.state().muted).toBe(true);
});

test('R33: music in another tab does not change the state of a tab that has not played', () => {
  const { clickAnywhere, chosenElsewhere, stage, mixer } = openMixer();
  stage.start();
  chosenElsewhere('on 0.5');
  clickAnywhere();
  expect(mixer.state().muted).toBe(false);
});

test('R33: a page from the back/forward cache is silent if another page has muted the sound meanwhile', () => {
  const { clickAnywhere, choose, show, stage, mixer } = openMixer();
  stage.start();
  clickAnywhere();
  show(true);
  expect(mixer.state().muted).toBe(false);
  choose('off');
  show(false);
  expect(mixer.state().muted).toBe(false);
  show(true);
  expect(mixer.state().muted).toBe(true);
});

test('R33: Back to a page goes on playing after another page of the tab has resumed the music', () => {
  const { clickAnywhere, choose, show, stage, mixer } = openMixer();
  stage.start();
  clickAnywhere();
  choose('on 0.5');
  show(true);
  expect(mixer.state().muted).toBe(false);
});

test('a player that arrives after a mute is muted, so that its audio context rests, and then plays', async () => {
  const player = { play: vi.fn(), mute: vi.fn(), stop: vi.fn() };
  vi.doMock('./player.ts', () => ({ createPlayer: () => player }));
  const { clickAnywhere, stage, mixer } = openMixer();
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => work());
  stage.start();
  clickAnywhere();
  mixer.toggle();
  await vi.waitFor(() => expect(player.mute).toHaveBeenCalled());
  expect(player.play).not.toHaveBeenCalled();
  mixer.toggle();
  expect(player.play).toHaveBeenCalledWith('/music.mp3');
});
