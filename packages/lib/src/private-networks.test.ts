import { lookup } from 'node:dns';
import { expect, test, vi } from 'vitest';
import { isWithin, lookupWithin } from './private-networks.ts';

vi.mock('node:dns', () => ({ lookup: vi.fn() }));

const PUBLIC = { loopback: false, private: false };

test.each(['203.0.113.1', '2001:db8::1', '172.32.0.1', '100.128.0.1', '::ffff:198.51.100.1'])(
  '%s is a public address',
  (address) => expect(isWithin(PUBLIC, address)).toBe(true),
);

test.each(
  ['10.1.2.3', '100.64.0.1', '172.16.0.1', '192.168.1.1', '255.255.255.255'].concat([
    '::a00:1',
    'fec0::1',
    '2001::1',
    'fd00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
  ]),
)('%s is reached only if private networks are allowed', (address) => {
  expect(isWithin(PUBLIC, address)).toBe(false);
  expect(isWithin({ loopback: true, private: false }, address)).toBe(false);
  expect(isWithin({ loopback: false, private: true }, address)).toBe(true);
});

test.each(['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fe80::a9fe:a9fe%eth0'])(
  '%s is never reached',
  (address) => expect(isWithin({ loopback: true, private: true }, address)).toBe(false),
);

test.each(['0.0.0.0', '::', '127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is reached only if loopback is allowed',
  (address) => {
    expect(isWithin({ loopback: false, private: true }, address)).toBe(false);
    expect(isWithin({ loopback: true, private: false }, address)).toBe(true);
  },
);

/** Resolves a name that has these addresses. */
function resolved(all: boolean, ...addresses: string[]) {
  vi.mocked(lookup).mockImplementation(((_: string, __: object, done: (error: null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never);
  const done = vi.fn();
  lookupWithin(PUBLIC)('hooks.example.org', { all }, done);
  return done.mock.calls[0];
}

test('a name connects to its public addresses only, and is an error without one', () => {
  const open = { address: '203.0.113.1', family: 4 };
  expect(resolved(true, '10.0.0.1', '203.0.113.1')).toEqual([null, [open]]);
  expect(resolved(false, '10.0.0.1', '203.0.113.1')).toEqual([null, '203.0.113.1', 4]);
  expect(resolved(true, '10.0.0.1', '::1')?.[0]).toMatchObject({ code: 'PRIVATE_ADDRESS' });
});
