import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProxies, networkOf, parseTrustProxy, queueKeyFor } from './network.ts';

const visitorOf = (trust: string, remote: string, forwarded: string | null) => {
  const read = parseTrustProxy(trust);
  if (read === null) throw new Error(`${trust} means nothing`);
  return networkOf(createProxies(read).visitorOf(remote, forwarded));
};

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
])('%s counts as %s', (remote, network) => expect(networkOf(remote)).toBe(network));

test.each([
  ['203.0.113.7', '203.0.113.7'],
  // The visitor's own text comes before the address that the proxy adds.
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
  expect(visitorOf('true', '127.0.0.1', forwarded)).toBe(network),
);

test('two IPv6 addresses are one network if they share a /64', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
      fc.pre(!/^::ffff:\d+\./i.test(one) && !/^::ffff:\d+\./i.test(other));
      const network = networkOf(one);
      const inside = network.replace('::/64', ':1:2:3:4');
      expect(networkOf(inside)).toBe(network);
      const groups = (text: string) => networkOf(text).split(':').slice(0, 4).join();
      expect(networkOf(other) === network).toBe(groups(one) === groups(other));
    }),
  );
});

test.each([
  // A CDN in front of the proxy. With `true`, the address of the CDN's edge would count.
  ['198.51.100.0/24, 10.0.0.0/8', '10.0.0.2', '203.0.113.7, 198.51.100.9', '203.0.113.7'],
  ['198.51.100.0/24, private', '10.0.0.2', '203.0.113.7, 198.51.100.9', '203.0.113.7'],
  ['2001:db8:ed6e::/48,127.0.0.1', '127.0.0.1', '2001:db8:1:2::9, 2001:db8:ed6e::4', '2001:db8:1:2::/64'],
  // The visitor's own text comes before their address.
  ['10.0.0.0/8', '10.0.0.2', '192.0.2.1, 203.0.113.7', '203.0.113.7'],
  // An address that is not listed is not trusted.
  ['10.0.0.0/8', '203.0.113.7', '192.0.2.1', '203.0.113.7'],
  ['10.0.0.0/8', '10.0.0.2', '203.0.113.7, nonsense', '10.0.0.2'],
  ['10.0.0.0/8', '10.0.0.2', null, '10.0.0.2'],
  ['10.0.0.0/8', '::ffff:10.0.0.2', '203.0.113.7', '203.0.113.7'],
  ['2', '10.0.0.2', '192.0.2.1, 203.0.113.7, 198.51.100.9', '203.0.113.7'],
  ['1', '10.0.0.2', '192.0.2.1, 203.0.113.7', '203.0.113.7'],
  ['3', '10.0.0.2', '203.0.113.7, 198.51.100.9', '203.0.113.7'],
  ['1', '10.0.0.2', null, '10.0.0.2'],
  ['false', '10.0.0.2', '203.0.113.7', '10.0.0.2'],
])('with TRUST_PROXY=%s, %s says "%s": %s counts', (trust, remote, forwarded, network) =>
  expect(visitorOf(trust, remote, forwarded)).toBe(network),
);

test.each(['yes', '10.0.0.0/33', '10.0.0', 'example.org', '10.0.0.1,', '::1/129', '12', '10.0.0.0/-1'])(
  'TRUST_PROXY=%s is invalid',
  (text) => expect(parseTrustProxy(text)).toBeNull(),
);

test('behind an unlisted proxy, visitors wait by the address that it added, otherwise by their network', () => {
  const [nobody, named] = [createProxies({ kind: 'none' }), createProxies({ kind: 'hops', hops: 1 })];
  expect(queueKeyFor(nobody, '127.0.0.1', '198.51.100.7, 203.0.113.9')).toBe('127.0.0.1 for 203.0.113.9');
  expect(queueKeyFor(nobody, '127.0.0.1', null)).toBe('127.0.0.1');
  expect(queueKeyFor(nobody, '203.0.113.9', '198.51.100.7')).toBe('203.0.113.9');
  expect(queueKeyFor(named, '127.0.0.1', '198.51.100.7, 203.0.113.9')).toBe('203.0.113.9');
});

test('only the last 32 addresses of a longer chain are read', () => {
  const proxies = createProxies({ kind: 'private' });
  const chain = ['198.51.100.7', ...Array(40).fill('10.0.0.1')].join();
  expect(proxies.visitorOf('10.0.0.2', chain)).toBe('10.0.0.1');
  expect(proxies.visitorOf('10.0.0.2', `198.51.100.7,10.0.0.1`)).toBe('198.51.100.7');
});
