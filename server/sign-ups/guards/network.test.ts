import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', 'unknown'],
  [null, 'unknown'],
])('%s counts as %s', (remote, network) => expect(networkOf(remote, null)).toBe(network));

test.each([
  ['203.0.113.7', '203.0.113.7'],
  // What a visitor makes up stands before what the proxy saw.
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['203.0.113.7, 10.0.0.2, 172.16.3.1', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
  ['10.0.0.5', '10.0.0.5'],
  ['10.0.0.5, 10.0.0.2', '10.0.0.5'],
  ['unknown, 203.0.113.7', '203.0.113.7'],
  ['nobody', '127.0.0.1'],
  ['', '127.0.0.1'],
])('behind a trusted proxy "%s" counts as %s', (forwarded, network) =>
  expect(networkOf('127.0.0.1', forwarded)).toBe(network),
);

test('all addresses of one /64 are one network, those of another are not', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      fc.pre(!/^::ffff:\d+\./i.test(one) && !/^::ffff:\d+\./i.test(other));
      const network = networkOf(one, null);
      const inside = network.replace('::/64', ':1:2:3:4');
      expect(networkOf(inside, null)).toBe(network);
      const groups = (text: string) => networkOf(text, null).split(':').slice(0, 4).join();
      expect(networkOf(other, null) === network).toBe(groups(one) === groups(other));
    }),
  );
});
