import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** This machine; Linux connects unspecified addresses to it. A list matches mapped IPv6 too. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addSubnet('0.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addAddress('::', 'ipv6');

/**
 * Whether a host names this machine, so that no network is in between. So does an empty host: a database at a socket
 * file.
 */
export const isOnThisMachine = (host: string) =>
  /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|)$/i.test(host);

/** Link-local, where clouds serve the credentials of a machine. Never allowed. */
const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');

/** Other addresses that no public host has (IANA special-purpose registries). */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6');

/** Which addresses besides public ones may be connected to. */
export interface Reach {
  loopback: boolean;
  private: boolean;
}

/** @param address An IP address, without brackets. */
export function isWithin(reach: Reach, address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (LINK_LOCAL.check(address, family)) return false;
  if (LOOPBACK.check(address, family)) return reach.loopback;
  return reach.private || !NOT_PUBLIC.check(address, family);
}

/** Whether the host of an address is an IP address out of reach. Names are checked with each connection. */
export function isUrlOutOfReach(reach: Reach, url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 && !isWithin(reach, host);
}

/** The error of a host that resolves to no address within reach. */
export const PRIVATE_ADDRESS_CODE = 'PRIVATE_ADDRESS';

/** Resolves hosts for connections. Checked with each connection, since a name may resolve to another address later. */
export const lookupWithin =
  (reach: Reach): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => isWithin(reach, address));
      const [first] = allowed;
      if (!first) return callback(Object.assign(new Error('private address'), { code: PRIVATE_ADDRESS_CODE }), []);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
