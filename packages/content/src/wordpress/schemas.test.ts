import fc from 'fast-check';
import { expect, test } from 'vitest';
import { route } from '../testing/fake-wordpress.ts';
import { isRoute, readRoute, routeSchema } from './schemas.ts';

/** Values of unexpected types. */
const anything = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, -1, 1.5, '12', true, false, [], {}, Number.NaN, 'a/b', '/x/'),
  fc.string(),
);
const whole = { ...route(7, '/a/'), noindex: false, canonical: '' };

test('the fast reader of routes gives the same results as the schema for any values', () => {
  const names = fc.constantFrom(...Object.keys(whole), 'group', 'constructor', '__proto__');
  const changes = fc.array(fc.tuple(names, anything), { maxLength: 4 });
  const dropped = fc.subarray(Object.keys(whole), { maxLength: 2 });
  fc.assert(
    fc.property(changes, dropped, (changed, without) => {
      const value: Record<string, unknown> = { ...whole, ...Object.fromEntries(changed) };
      for (const name of without) delete value[name];
      const [read, expected] = [readRoute(value), routeSchema.safeParse(value)];
      expect([read.success, isRoute(value)]).toEqual([expected.success, expected.success]);
      // Members that the schema does not name are removed and never read.
      if (read.success && expected.success) expect(read.data).toMatchObject(expected.data);
      else expect(read.error?.issues).toEqual(expected.error?.issues);
    }),
    { numRuns: 2_000 },
  );
});

test('a usual route of the plugin takes the fast path, which returns the same object', () => {
  for (const usual of [whole, { ...whole, group: 0 }, { ...whole, id: 0 }]) expect(readRoute(usual).data).toBe(usual);
});

test('other values are not read as routes', () => {
  for (const value of [null, undefined, 1, 'a', [], {}, () => {}]) expect(readRoute(value).success).toBe(false);
});
