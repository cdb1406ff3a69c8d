import { BlockList, isIP } from 'node:net';

/**
 * @returns The address without brackets, port and zone, an IPv4-mapped IPv6 address as IPv4; `null` if it is invalid.
 */
function parseAddress(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) ? address : null;
}

const parseRemote = (remote: string | null) => (remote === null ? null : parseAddress(remote));

/** Private addresses (RFC 1918, 6598, 4193, loopback, link-local). */
const PRIVATE_ADDRESS =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd][\da-f]{2}:|fe80:)/i;

/** Maximum number of addresses that are read from the end of `X-Forwarded-For`. Real chains are shorter. */
const MAX_CHAIN_LENGTH = 32;

const splitForwarded = (header: string): string[] => header.split(',').slice(-MAX_CHAIN_LENGTH);

/**
 * The visitor's address, from the header of trusted proxies. Each proxy appends the address that connected to it, so
 * what the visitor wrote comes first: the last address that is not private is the visitor's.
 */
function forwardedAddress(header: string): string | null {
  const addresses = splitForwarded(header).map(parseAddress);
  return addresses.findLast((address) => address !== null && !PRIVATE_ADDRESS.test(address)) ?? addresses[0] ?? null;
}

/** Proxies whose forwarding headers are trusted (`TRUST_PROXY`). */
export type TrustProxy =
  | { kind: 'none' }
  /** The value `true`: all proxies are trusted, and private addresses are skipped. */
  | { kind: 'private' }
  /** The number of proxies in front, with any addresses. */
  | { kind: 'hops'; hops: number }
  /** Addresses, networks in CIDR notation, and `private` for all private addresses. */
  | { kind: 'networks'; networks: string[] };

export interface Proxies {
  /** Whether the headers of this proxy are trusted. `null`: no socket, as in a test. */
  isTrusted: (remote: string | null) => boolean;
  /** The visitor's address. @param forwarded `X-Forwarded-For`. @returns `null` if it is unknown. */
  visitorOf: (remote: string | null, forwarded: string | null) => string | null;
  /** Whether this address may be a proxy that serves many visitors. */
  mayBeProxy: (remote: string | null) => boolean;
}

/** @returns Address and prefix length in bits; `null` if the text is no valid network. */
function parseNetwork(text: string): { address: string; bits: number } | null {
  const [addressText = '', length, ...more] = text.trim().split('/');
  const address = parseAddress(addressText);
  if (address === null || addressText.includes('%') || more.length > 0) return null;
  const maxBits = isIP(address) === 6 ? 128 : 32;
  const bits = length === undefined ? maxBits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return bits >= 0 && bits <= maxBits ? { address, bits } : null;
}

/** Parses `TRUST_PROXY`. @returns `null` if the value is invalid. */
export function parseTrustProxy(text: string): TrustProxy | null {
  if (text === 'true') return { kind: 'private' };
  if (text === 'false' || text === '0') return { kind: 'none' };
  // At most 9 hops: a larger number is probably a mistyped address.
  if (/^[1-9]$/.test(text)) return { kind: 'hops', hops: Number(text) };
  const networks = text.split(',').map((one) => one.trim());
  return networks.every((one) => one === 'private' || parseNetwork(one) !== null)
    ? { kind: 'networks', networks }
    : null;
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** @param networks Each in CIDR notation, an address, or `private`. @returns Whether an address is in one of them. */
function createMatcher(networks: string[]): (address: string | null) => boolean {
  const list = new BlockList();
  for (const { address, bits } of networks.flatMap((one) => parseNetwork(one) ?? []))
    list.addSubnet(address, bits, familyOf(address));
  const hasPrivate = networks.includes('private');
  return (address) =>
    address !== null && (list.check(address, familyOf(address)) || (hasPrivate && PRIVATE_ADDRESS.test(address)));
}

/**
 * Reads a chain of proxies from its end, where each proxy names the address that connected to it. Text from the visitor
 * is at the start of the chain, and is not reached if all proxies are listed.
 */
export function createProxies(trust: TrustProxy): Proxies {
  const mayBeProxy = (remote: string | null) => {
    const address = parseRemote(remote);
    return address === null || PRIVATE_ADDRESS.test(address);
  };
  switch (trust.kind) {
    case 'none':
      return { isTrusted: () => false, visitorOf: parseRemote, mayBeProxy };
    case 'private':
      return {
        isTrusted: () => true,
        visitorOf: (remote, forwarded) => forwardedAddress(forwarded ?? '') ?? parseRemote(remote),
        mayBeProxy: () => true,
      };
    case 'hops':
      return {
        isTrusted: () => true,
        visitorOf(remote, forwarded) {
          const chain = splitForwarded(forwarded ?? '').map(parseAddress);
          return chain[Math.max(0, chain.length - trust.hops)] ?? parseRemote(remote);
        },
        mayBeProxy: () => true,
      };
    case 'networks': {
      const isListed = createMatcher(trust.networks);
      return {
        isTrusted: (remote) => remote === null || isListed(parseRemote(remote)),
        visitorOf(remote, forwarded) {
          let visitor = parseRemote(remote);
          if (remote !== null && !isListed(visitor)) return visitor;
          for (const text of splitForwarded(forwarded ?? '').reverse()) {
            const address = parseAddress(text);
            if (address === null) break;
            visitor = address;
            if (!isListed(address)) break;
          }
          return visitor;
        },
        mayBeProxy: (remote) => isListed(parseRemote(remote)) || mayBeProxy(remote),
      };
    }
  }
}

/** Headers of forwarded requests. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip'];

/**
 * Whether a request comes from this machine or a private network, and was not forwarded for a client outside.
 * @param remote Address of the connection; `null` without a socket, as in a test.
 * @param proxies Proxies whose headers are trusted.
 */
export function isFromInside(remote: string | null, headers: Headers, proxies: Proxies): boolean {
  const address = parseRemote(remote);
  if (remote !== null && (address === null || !PRIVATE_ADDRESS.test(address))) return false;
  const present = FORWARDING_HEADERS.filter((name) => headers.has(name));
  if (present.length === 0) return true;
  if (!proxies.isTrusted(remote) || present[0] !== 'x-forwarded-for') return false;
  const visitor = proxies.visitorOf(remote, headers.get('x-forwarded-for'));
  return visitor !== null && PRIVATE_ADDRESS.test(visitor);
}

/** The first 64 bits of an IPv6 address: the part that a provider assigns. Clients choose the rest freely. */
function networkPrefix(address: string): string {
  // The URL parser normalises: lower case, no leading zeros, `::` for the longest run of zeros.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

/**
 * The key that limits count by: an IPv4 address, or the /64 of an IPv6 address.
 * @param visitor The visitor's address, from the socket or a proxy.
 * @returns `unknown` for all invalid addresses.
 */
export function networkOf(visitor: string | null): string {
  const address = parseAddress(visitor ?? '');
  if (!address) return 'unknown';
  return isIP(address) === 6 ? `${networkPrefix(address)}::/64` : address;
}

/**
 * The key that a request waits under: the visitor's network. Behind a proxy that `TRUST_PROXY` does not list, all
 * visitors have the proxy's address, so the address that the proxy added last is appended. It counts for turns only,
 * never for limits.
 */
export function queueKeyFor(proxies: Proxies, remote: string | null, forwarded: string | null): string {
  const network = networkOf(proxies.visitorOf(remote, forwarded));
  if (forwarded === null || proxies.isTrusted(remote) || !proxies.mayBeProxy(remote)) return network;
  return `${network} for ${networkOf(splitForwarded(forwarded).at(-1) ?? null)}`;
}
