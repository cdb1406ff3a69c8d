import fc from 'fast-check';
import { expect, test } from 'vitest';
import { after, type SoundEvent, type SoundName, STATES } from './sound-state.ts';

const names = Object.keys(STATES) as SoundName[];
const EVENTS: SoundEvent[] = ['toggled', 'started', 'refused', 'failed'];
const FIRST: SoundName[] = ['unavailable', 'waiting', 'asking', 'declined'];

/** Every state that one visit comes to, in order. */
const visit = fc
  .tuple(fc.constantFrom(...FIRST), fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }))
  .map(([first, events]) => {
    const names = [first];
    for (const event of events) names.push(after(names.at(-1) ?? first, event));
    return names;
  });

test('R32: a visit begins muted, nothing played', () => {
  expect(STATES.waiting).toMatchObject({ muted: true, played: false, needsAudioTrigger: false });
  for (const name of FIRST) expect(STATES[name]).toMatchObject({ muted: true, played: false });
});

test('R32: whatever happens in whatever order, the state is one that can be', () => {
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

test('R32: what has played has played, as long as there is a track', () => {
  fc.assert(
    fc.property(visit, (names) => {
      names.reduce((before, name) => {
        if (STATES[before].played && STATES[name].isAvailable) expect(STATES[name].played).toBe(true);
        return name;
      });
    }),
  );
});

test('R33: a toggle turns the visitor’s will round in every state but the one without sound', () => {
  for (const name of names) {
    const turned = STATES[after(name, 'toggled')].muted;
    expect(turned, name).toBe(STATES[name].isAvailable ? !STATES[name].muted : true);
  }
});

test('R33: nothing but the visitor’s toggle unmutes, where the visitor has muted', () => {
  for (const name of ['muted', 'declined'] as const)
    for (const event of ['started', 'refused'] as const) expect(after(name, event)).toBe(name);
});

test('a track that cannot be had ends it from wherever its player may be', () => {
  for (const name of names) if (name !== 'waiting') expect(after(name, 'failed'), name).toBe('unavailable');
  for (const event of EVENTS) expect(after('unavailable', event)).toBe('unavailable');
});
