import { expect, test } from 'vitest';
import { sparsely } from './log.ts';

test('a flood of one kind is logged once a minute, with the number of lines left out', () => {
  const lines: unknown[] = [];
  let clock = 0;
  const log = sparsely(
    (_, event, details) => lines.push([event, details]),
    (_, { reason }) => String(reason),
    () => clock,
  );
  for (let at = 0; at < 1_000; at++) log('warn', 'refused', { reason: 'unsigned' });
  log('warn', 'refused', { reason: 'too old' });
  clock += 60_000;
  log('warn', 'refused', { reason: 'unsigned' });
  expect(lines).toEqual([
    ['refused', { reason: 'unsigned' }],
    ['refused', { reason: 'too old' }],
    ['refused', { reason: 'unsigned', suppressed: 999 }],
  ]);
});
