import type { Log } from '@pillion/lib/log.ts';
import { expect, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { createRefusals } from './refusals.ts';

test('10,000 unsigned messages count as 10,000 in the metrics and log one line a minute', async () => {
  const lines: object[] = [];
  const log: Log = (_level, event, details) => void lines.push({ event, ...details });
  const metrics = createMetrics();
  let now = 0;
  const refused = createRefusals(log, metrics, () => now);
  for (let message = 0; message < 10_000; message += 1) refused('change', 'unsigned');
  refused('change', 'too old');
  refused('preview', 'wrong');
  now = 60_000;
  refused('change', 'unsigned');
  expect(lines).toEqual([
    { event: 'refused', kind: 'change', reason: 'unsigned' },
    { event: 'refused', kind: 'change', reason: 'too old' },
    { event: 'refused', kind: 'preview', reason: 'wrong' },
    { event: 'refused', kind: 'change', reason: 'unsigned', suppressed: 9999 },
  ]);
  const text = await metrics.render();
  expect(text).toContain('pillion_refused_total{kind="change",reason="unsigned"} 10001');
  expect(text).toContain('pillion_refused_total{kind="change",reason="too-old"} 1');
});
