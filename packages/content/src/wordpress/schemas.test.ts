import fc from 'fast-check';
import { expect, test } from 'vitest';
import { route } from '../testing/fake-wordpress.ts';
import { readRoute, routeSchema } from './schemas.ts';

/** What may stand where something else is expected. */
const anything = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, -1, 1.5, '12', true, false, [], {}, Number.NaN, 'a/b', '/x/'),
  fc.string(),
);
const whole = { ...route(7, '/a/'), noindex: false, canonical: '' };

test('a route is read as its schema reads it, whatever stands in it', () => {
  const names = fc.constantFrom(...Object.keys(whole), 'group', 'constructor', '__proto__');
  const changes = fc.array(fc.tuple(names, anything), { maxLength: 4 });
  const dropped = fc.subarray(Object.keys(whole), { maxLength: 2 });
  fc.assert(
    fc.property(changes, dropped, (changed, without) => {
      const value: Record<string, unknown> = { ...whole, ...Object.fromEntries(changed) };
      for (const name of without) delete value[name];
      const [read, expected] = [readRoute(value), routeSchema.safeParse(value)];
      expect(read.success).toBe(expected.success);
      // What no member of the schema names is left out by it, and read by nobody.
      if (read.success && expected.success) expect(read.data).toMatchObject(expected.data);
      else expect(read.error?.issues).toEqual(expected.error?.issues);
    }),
    { numRuns: 2_000 },
  );
});

test('nothing that is no route is read as one', () => {
  for (const value of [null, undefined, 1, 'a', [], {}, () => {}]) expect(readRoute(value).success).toBe(false);
});
