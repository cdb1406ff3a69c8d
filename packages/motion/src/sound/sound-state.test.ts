import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextState, type SoundEvent, type SoundName, STATES } from './sound-state.ts';

const names = Object.keys(STATES) as SoundName[];
const EVENTS: SoundEvent[] = ['toggled', 'started', 'refused', 'failed'];
const FIRST: SoundName[] = ['unavailable', 'waiting', 'asking', 'declined'];

/** All states of one visit, in order. */
const visit = fc
  .tuple(fc.constantFrom(...FIRST), fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }))
  .map(([first, events]) => {
    const names = [first];
    for (const event of events) names.push(nextState(names.at(-1) ?? first, event));
    return names;
  });

test('R32: any sequence of events leads to a valid state', () => {
  fc.assert(
    fc.property(visit, (names) => {
      for (const name of names) {
        const { isAvailable, muted, needsAudioTrigger } = STATES[name];
        if (!muted) expect([isAvailable, needsAudioTrigger]).toEqual([true, false]);
        if (needsAudioTrigger) expect([isAvailable, muted]).toEqual([true, true]);
        if (!isAvailable) expect(muted).toBe(true);
        expect(STATES[name].name).toBe(name);
      }
    }),
  );
});

test('R32: `played` stays true as long as there is a track', () => {
  fc.assert(
    fc.property(visit, (names) => {
      names.reduce((before, name) => {
        if (STATES[before].played && STATES[name].isAvailable) expect(STATES[name].played).toBe(true);
        return name;
      });
    }),
  );
});

test('R33: a toggle reverses `muted` in every state except `unavailable`', () => {
  for (const name of names) {
    const turned = STATES[nextState(name, 'toggled')].muted;
    expect(turned, name).toBe(STATES[name].isAvailable ? !STATES[name].muted : true);
  }
});

test('R33: after the visitor has muted, only their toggle unmutes', () => {
  for (const name of ['muted', 'declined'] as const)
    for (const event of ['started', 'refused'] as const) expect(nextState(name, event)).toBe(name);
});

test('a track that cannot be loaded makes the sound unavailable in every state with a player', () => {
  for (const name of names) if (name !== 'waiting') expect(nextState(name, 'failed'), name).toBe('unavailable');
  for (const event of EVENTS) expect(nextState('unavailable', event)).toBe('unavailable');
});
