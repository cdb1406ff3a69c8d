import type { PreviewState } from '@pillion/content/types.ts';
import { expect, test } from 'vitest';
import { describeState } from './state-words.ts';

const NOW = new Date('2026-11-22T22:30:00Z');

/** The text for a draft that was saved today at 00:02 local time, unless changed. */
const textOf = (changes: Partial<PreviewState>) =>
  describeState(
    {
      status: 'draft',
      saved: '2026-11-23T00:02:00+02:00',
      clock: '00:02',
      date: null,
      kind: 'saved',
      title: 'T',
      ...changes,
    },
    NOW,
  );

test('a draft saved today shows the time in the editor’s time zone', () => {
  expect(textOf({})).toBe('Draft, saved 00:02');
  expect(textOf({ kind: 'autosave' })).toBe('Draft, autosaved 00:02');
});

test('a draft saved on another day shows the date, and the year if it is not the current one', () => {
  expect(textOf({ saved: '2026-11-22T23:59:00+02:00' })).toBe('Draft, saved 22 Nov, 23:59');
  expect(textOf({ saved: '2025-02-03T09:05:00+00:00' })).toBe('Draft, saved 3 Feb 2025, 09:05');
});

test.each([
  [{ status: 'pending' }, 'Waiting for review, saved 00:02'],
  [{ status: 'private' }, 'Private, saved 00:02'],
  [{ status: 'trash' }, 'In the trash, saved 00:02'],
  [{ status: 'publish', kind: 'autosave' as const }, 'Changes not published, autosaved 00:02'],
  [{ status: 'publish', kind: 'unchanged' as const }, 'As it is live'],
  [{ status: 'future', date: '2026-11-24T14:00:00+02:00' }, 'Scheduled for 24 Nov, 14:00'],
  [{ status: 'in-progress' }, 'in-progress, saved 00:02'],
])('the state %o gives the text "%s"', (state, words) => {
  expect(textOf(state)).toBe(words);
});

test('an invalid time is left out', () => {
  expect(textOf({ saved: '' })).toBe('Draft');
});
