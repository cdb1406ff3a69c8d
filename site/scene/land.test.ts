import { expect, test } from 'vitest';
import { rowDistances } from './land.ts';

test.each([
  ['fine', 256],
  ['coarse', 144],
] as const)(
  'the %s grid has no gap, its spacings divide its step, and 16-bit indices reach all its vertices',
  (detail, columns) => {
    const rows = rowDistances(detail);
    const spacings = rows.slice(1).map((z, i) => z - (rows[i] ?? 0));
    expect(Math.min(...spacings)).toBe(2);
    for (const spacing of spacings) expect(16 % spacing).toBe(0);
    expect(spacings).toEqual(spacings.toSorted((a, b) => a - b));
    expect(rows.length * columns).toBeLessThanOrEqual(65_536);
  },
);
