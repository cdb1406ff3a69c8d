import { expect, test } from 'vitest';
import { parseEditorMessage } from './drafts.ts';

test('the messages of the editor are accepted', () => {
  for (const message of [
    { pillion: 'draft', n: 3, draft: { page: {} } },
    { pillion: 'select', block: 0 },
    { pillion: 'look', theme: null, calm: true },
    { pillion: 'look', theme: 'light', calm: false },
    { pillion: 'colours', look: { 'color.dark.accent': '#123456' } },
  ])
    expect(parseEditorMessage(message)).toEqual(message);
});

test('other and malformed messages give `null`', () => {
  for (const data of [
    null,
    'draft',
    [],
    {},
    { pillion: 'draft', n: '3', draft: {} },
    { pillion: 'draft', n: 3, draft: null },
    { pillion: 'draft', n: -1, draft: {} },
    { pillion: 'select', block: 1.5 },
    { pillion: 'look', theme: 'blue', calm: false },
    { pillion: 'look', theme: null },
    { pillion: 'colours', look: 'red' },
    { pillion: 'shown', n: 3 },
  ])
    expect(parseEditorMessage(data)).toBeNull();
});
