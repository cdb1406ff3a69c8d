import { expect, test } from 'vitest';
import type { Log } from '../lib/log.ts';
import { createRefusals } from './refusals.ts';

test('a flood of unsigned messages writes one line a minute, with how many there were; another kind is not hidden by it', () => {
  const lines: object[] = [];
  const log: Log = (_level, _event, details) => void lines.push(details ?? {});
  let now = 0;
  const refuse = createRefusals(log, 'revalidate.refused', () => now);
  for (let message = 0; message < 10_000; message += 1) refuse('unsigned');
  refuse('too old');
  now = 60_000;
  refuse('unsigned');
  refuse('unsigned');
  expect(lines).toEqual([{ reason: 'unsigned' }, { reason: 'too old' }, { reason: 'unsigned', more: 9999 }]);
});
